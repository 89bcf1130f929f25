#pragma once

#include "knead/rig/clip.hpp"
#include "knead/rig/skeleton.hpp"
#include "knead/rig/skinning.hpp"

#include <string>
#include <vector>

namespace knead {

struct MorphTarget {
    std::string name = {};
    std::vector<Vec3> offsets = {}; ///< one a vertex of its set
};

/// Morph targets of a run of vertices: those of one glTF node.
struct MorphSet {
    int first_vertex = 0;
    std::vector<MorphTarget> targets = {};
    std::vector<double> rest_weights = {}; ///< one a target
    std::vector<Clip> clips = {};          ///< its weights in each of the rig's clips
};

/// What moves a mesh from a glTF file: morphs first, then the skin. Vertices of a node without a
/// skin follow that node alone, so that rigid parts need no rules of their own.
struct Rig {
    /// The nodes of the file in their order; behind them, joints that nodes with two roles needed.
    Skeleton skeleton = {};
    Skin skin = {};
    std::vector<Vec3> bind_positions = {}; ///< what morphs and skin start from, one a mesh vertex
    std::vector<MorphSet> morphs = {};
    std::vector<Clip> clips = {};
};

// `clip` is an index into `rig.clips`, or -1 for the file at rest; `time` is in seconds and holds
// at both ends of the clip.

/// The time of the last key of nodes and morph weights, in seconds; 0 at rest.
double duration(const Rig& rig, int clip);

/// Bind positions with the morph targets added.
std::vector<Vec3> morphed_positions(const Rig& rig, int clip, double time);

/// Joint space -> the space of the file, for every joint.
std::vector<Affine3> world_joints(const Rig& rig, int clip, double time);

/// The matrices that `apply_skin` takes.
std::vector<Affine3> joint_matrices(const Rig& rig, int clip, double time);

/// Where the mesh is: morphs, then skin.
void posed_positions(const Rig& rig, int clip, double time, std::vector<Vec3>& positions);

} // namespace knead
