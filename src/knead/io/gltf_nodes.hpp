#pragma once

#include "knead/io/gltf_document.hpp"
#include "knead/io/mesh_rig.hpp"

namespace knead::formats {

/// The nodes as a skeleton of the same order, without inverse bind matrices. Throws when nodes have
/// two parents or are their own ancestors.
Skeleton read_gltf_nodes(const GltfDocument& document);

/// Whether each node belongs to the scene that the file shows first.
std::vector<char> nodes_in_scene(const GltfDocument& document, const Skeleton& skeleton);

struct GltfSkin {
    std::vector<int> joints; ///< nodes
    std::vector<Affine3> inverse_bind;
};
GltfSkin read_gltf_skin(const GltfDocument& document, int skin);

/// All animations. `node_of_set` names the node each morph set belongs to.
void read_gltf_clips(const GltfDocument& document, std::span<const int> node_of_set, Rig& rig);

} // namespace knead::formats
