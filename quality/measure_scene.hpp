#pragma once

#include "knead/base/progress.hpp"
#include "knead/scene/spec/scene.hpp"

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace knead::quality {

/// A figure and the bound that it should keep.
struct Judged {
    double value = 0;
    double bound = 0;

    bool met() const { return value <= bound; }
    double badness() const { return bound > 0 ? value / bound : value > 0 ? 1e300 : 0; }
};

/// Of the depth before, what may be left of it on fine meshes.
constexpr double largest_depth_left = 0.05;

/// What one frame of a scene is like after its contacts were resolved. Of several contacts, and
/// several placements, the worst counts.
struct FrameQuality {
    double depth_before = 0; ///< D, the largest of all contacts
    Judged depth;            ///< after, relative to the contact's depth before
    int crossings_before = 0, crossings_after = 0;
    std::optional<Judged> areas;  ///< by how much the two zones on the contact surface differ
    std::optional<Judged> apart;  ///< of the deformed surfaces over the zone, relative to the depth
    std::optional<Judged> volume; ///< change of it, relative to the volume swept
    Judged move;                  ///< of any vertex, relative to D
    bool finite = true;
};

/// What is worst in any whole frame of a scene's motion.
struct MotionQuality {
    double depth_before = 0; ///< the largest of all contacts
    int crossings_before = 0;
    Judged depth; ///< after, relative to the largest depth before of the contact
    int flips = 0;
    /// Of contacts of two closed meshes: those that are to be left without any.
    int crossings = 0;
    int other_crossings = 0;
    std::string why; ///< there are crossings, where the most are
    double depth_frame = 0, flips_frame = 0, crossings_frame = 0, other_frame = 0;
};

/// A scene at one resolution.
struct ResolutionQuality {
    int vertices = 0;
    FrameQuality frame; ///< worst of all placements, the scene's own among them
    MotionQuality motion;
    Judged swapped;            ///< how much the result changes, relative to the zone's radius
    Judged moved;              ///< the same under rotation, translation and scale
    bool same_alone = false;   ///< as in a sequence, bit for bit
    bool same_threads = false; ///< 1, 2 and 8
    double border_angle_mean = 0, border_angle_high = 0; ///< degrees; nine tenths are below `high`
    double threshold = 0;                                ///< of the deepest contact
    double zone_area = 0; ///< of all contacts, the mean of both sides
    double milliseconds = 0;
    double last_pass = 0;       ///< of these
    std::optional<Judged> jump; ///< the largest over the whole motion, in edges
    double jump_frame = 0;
    int jumps = 0; ///< steps that have one above the bound
};

struct SceneQuality {
    std::string name;
    double deepest_frame = 0;
    std::string open; ///< the objects that touch and are not closed; empty when all are
    std::array<ResolutionQuality, 3> resolutions; ///< coarse, middle (the scene's own), fine
};

constexpr std::array<double, 3> resolution_factors = {0.5, 1, 2};
constexpr std::array<const char*, 3> resolution_names = {"coarse", "middle", "fine"};

struct MeasureSettings {
    int placements = 2;       ///< random ones, besides the scene's own
    int jump_resolutions = 3; ///< how many of the resolutions are searched for jumps
    double jump_step = 1;
    /// Where figures of what was measured are kept, so that a run that was stopped goes on; none:
    /// nowhere.
    std::filesystem::path kept;
    std::function<void(const std::string&)> say; ///< what is done now
};

/// Measures a scene with the numbers of the deformer: at its deepest frame, at three resolutions,
/// at random placements, and over its motion in whole frames and for jumps.
SceneQuality measure_scene(const Scene& scene, const std::string& name,
                           const MeasureSettings& settings);

} // namespace knead::quality
