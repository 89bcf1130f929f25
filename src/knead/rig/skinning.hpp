#pragma once

#include "knead/mesh/triangle_mesh.hpp"
#include "knead/rig/skeleton.hpp"

namespace knead {

/// Which joints move a vertex and how much; the weights of a vertex sum to 1.
struct SkinWeights {
    std::vector<int> starts{0}; ///< vertex -> first influence; one more entry than vertices
    std::vector<int> joints = {};
    std::vector<double> weights = {};

    int vertex_count() const { return static_cast<int>(starts.size()) - 1; }
};

/// Checks the ranges, drops zero weights, merges repeated joints, sorts the joints of a vertex and
/// makes its weights sum to 1. Throws an InputError that names the vertex, also when a vertex has
/// no weight at all. `where` begins the message.
void normalise_weights(SkinWeights& weights, int vertex_count, int joint_count,
                       const std::string& where);

enum class SkinningMethod {
    lbs, ///< linear blend skinning: cheapest; loses volume where joints twist or bend far
    dqs, ///< dual quaternions [Kavan et al. 2008]: twists keep their volume, bends bulge outwards
    cor, ///< optimised centres of rotation [Le and Hodgins 2016]: neither collapse nor bulge
};

/// Everything skinning needs that does not change over an animation.
struct Skin {
    SkinningMethod method = SkinningMethod::lbs;
    SkinWeights weights = {};
    /// For `cor` only, one a vertex; the vertex itself where it is to follow linear blending.
    std::vector<Vec3> centers_of_rotation = {};
};

/// `weights` must be normalised and of as many vertices as `rest`, the mesh in its bind pose.
Skin make_skin(SkinningMethod method, SkinWeights weights, const TriangleMesh& rest);

/// Moves rest positions to posed ones; `matrices` are the `skinning_matrices` of the pose. Joints
/// may scale and shear, also with the methods that were made for rigid joints: what is left of a
/// matrix without its rotation is blended linearly. Equivariant under rigid motion of either side.
void apply_skin(const Skin& skin, std::span<const Vec3> rest, std::span<const Affine3> matrices,
                std::vector<Vec3>& posed);

} // namespace knead
