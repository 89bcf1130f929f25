#pragma once

#include "knead/rig/keyed.hpp"
#include "knead/rig/skinning.hpp"
#include "knead/scene/format/scene_paths.hpp"

#include <string>
#include <variant>
#include <vector>

namespace knead {

/// A joint of a skeleton written in the scene file. Its axes are the object's at rest.
struct JointSpec {
    std::string name;
    int parent = -1;               ///< index into the list
    Vec3 position = Vec3(0, 0, 0); ///< at rest, in object space
    // How the joint moves against its parent, about its own position.
    Keyed<Vec3> translate = Vec3(0, 0, 0);
    Keyed<Vec3> rotate = Vec3(0, 0, 0); ///< degrees, about X, then Y, then Z
    Keyed<Vec3> scale = Vec3(1, 1, 1);
};

/// Weights from the distance to the bones, see `bone_weights`.
struct SmoothWeights {
    double radius = 0; ///< 0: chosen from the length of the bones
};

/// One vertex attribute a joint, in the order of the joints.
struct AttributeWeights {
    std::vector<std::string> names;
};

/// The object key `skin`:
///
///     "skin": { "skeleton": [ {"name": "root", "position": [0, -1, 0]},
///                             {"name": "tip", "parent": "root", "position": [0, 0, 0],
///                              "rotate": {"keys": [[1, [0, 0, 0]], [24, [90, 0, 0]]]}} ],
///               "weights": "smooth" | {"smooth": 0.5} | "weights.csv" | ["attribute", ...],
///               "method": "lbs" | "dqs" | "cor" }
///
/// Without `skeleton`, the one that comes with the object's glTF mesh. Without `weights`, those of
/// the mesh for its own skeleton, and smooth ones for any other. A CSV has a row a vertex and a
/// column a joint.
struct SkinSpec {
    /// Nothing, a glTF file, or the joints.
    std::variant<std::monostate, SceneFile, std::vector<JointSpec>> skeleton;
    std::variant<std::monostate, SmoothWeights, SceneFile, AttributeWeights> weights;
    SkinningMethod method = SkinningMethod::lbs;
    std::string where; ///< the key in the scene file, to begin messages with

    bool is_animated() const;
};

} // namespace knead
