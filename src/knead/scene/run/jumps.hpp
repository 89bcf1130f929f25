#pragma once

#include "knead/base/progress.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/spec/frame_sequence.hpp"

#include <string>
#include <vector>

namespace knead {

/// What the contacts of a scene are at a frame, as far as a jump may come from it.
struct ContactState {
    int zone_vertices = 0;          ///< of all objects
    int zones = 0;                  ///< connected parts of them
    std::vector<int> in_contact;    ///< contacts that have a zone, as numbers of `contacts_of`
    std::vector<std::string> notes; ///< of the contacts that have one

    friend bool operator==(const ContactState&, const ContactState&) = default;
};

/// Two frames next to each other between which resolved objects do not pass from here to there,
/// but jump.
struct SceneJump {
    double low = 0, high = 0; ///< the frames
    int object = -1;          ///< that jumps furthest, measured in its edges; -1: nothing moves
    int vertex = -1;
    double size = 0;
    double edges = 0;      ///< the size in mean edges of the object's whole mesh
    double input_size = 0; ///< the largest jump of any object's own motion, before contact
    ContactState at_low, at_high;
};

struct JumpReport {
    std::vector<SceneJump> jumps; ///< above the bound, by frame; of each step the largest
    SceneJump largest;            ///< also where it is below the bound
    int steps = 0;                ///< that were searched
};

/// A resolved motion counts as continuous when nothing jumps by more than this part of an edge.
constexpr double jump_bound = 1.0 / 500;

/// Searches the motion of a scene for jumps of the resolved objects (see mesh/motion_jumps.hpp),
/// from the first frame to the last one. Throws InputError when these are the same.
JumpReport find_jumps(const LoadedScene& scene, const FrameSequence& frames,
                      const Progress& progress = {});

/// What differs on the two sides of a jump, in a few words: "zones 1 to 2, zone vertices 40 to 52";
/// "nothing to be seen" when neither the zones nor the notes do.
std::string describe_change(const Scene& scene, const SceneJump& jump);

} // namespace knead
