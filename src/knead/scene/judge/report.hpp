#pragma once

#include "knead/base/types.hpp"
#include "knead/scene/spec/frame_sequence.hpp"

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace knead {

/// What happened to one object in one frame.
struct ObjectReport {
    std::string name = {};
    int vertices = 0;
    double volume_before = 0; ///< signed; of an open surface against the centre of its input's box
    double volume_after = 0;
    double max_displacement = 0;
    int contact_vertices = 0;
    int deformed_vertices = 0;
    std::vector<std::string> notes = {}; ///< what is wrong with the mesh
    int flips = 0;                       ///< faces that have been turned over (see `count_flips`)
};

/// What happened between two objects in one frame.
struct ContactReport {
    std::array<std::string, 2> between = {};
    Vec3 direction = Vec3::Zero(); ///< the mapping direction; zero when there was none
    std::array<double, 2> zone_area{};
    double depth_before = 0, depth_after = 0;
    int crossings_before = 0, crossings_after = 0;
    std::string note = {}; ///< why there was no response; empty when there was one, or no contact
    // Of methods that know it.
    std::optional<Vec3> force = {};      ///< on the first of both
    std::optional<double> pressure = {}; ///< the largest force per area
};

/// What a simulation did since the whole frame before.
struct DynamicsReport {
    int steps = 0; ///< that were taken; a halved one counts as those it became
    std::vector<int> refinement_rounds = {}; ///< one a step
    int halvings = 0;
    int last_resorts = 0;                           ///< steps in which some nodes were held back
    int contacts_active = 0;                        ///< with a force, at the end
    double kinetic = 0, elastic = 0, potential = 0; ///< energies at the end
    double work = 0; ///< done by pins, kinematic bodies, targets and wind
    // Of methods that keep meshes apart by a tolerance.
    std::optional<int> crossings = {}; ///< pairs of faces that cross, of a body with itself, too
    std::optional<double> tolerance = {};
    /// Of any two that may not touch; nothing when there are none within twice the tolerance.
    std::optional<double> smallest_distance = {};
    std::vector<std::string> notes = {}; ///< compromises

    double energy() const { return kinetic + elastic + potential; }
};

struct FrameReport {
    double frame = 0;
    std::vector<ObjectReport> objects = {}; ///< in the order of the scene
    /// In the order of the scene; of a simulated frame, those that are near each other.
    std::vector<ContactReport> contacts = {};
    std::vector<std::pair<std::string, double>> milliseconds = {};
    std::optional<DynamicsReport> dynamics = {}; ///< of a simulated frame
};

/// The report of the contract: what `knead run` did, frame by frame.
struct Report {
    std::string scene = {};      ///< file name of the scene
    std::string scene_hash = {}; ///< of the scene's text with its overrides: is it still the same?
    /// The frames that the caches of a format hold, by its name.
    std::map<std::string, FrameSequence> caches = {};
    std::vector<FrameReport> frames = {}; ///< in frame order, one entry a frame
};

/// Adds the frame, or takes the place of the entry it has already.
void add_frame(Report& report, FrameReport frame);
const FrameReport* find_frame(const Report& report, double frame);

void write_report(const std::filesystem::path& path, const Report& report);

/// Throws InputError when the file is not a report.
Report read_report(const std::filesystem::path& path);

} // namespace knead
