#pragma once

#include "knead/base/adjacency.hpp"
#include "knead/spatial/box_tree.hpp"

#include <vector>

namespace knead {

/// The faces of a tree in groups that lie together.
struct FaceGroups {
    std::vector<int> nodes; ///< of the tree, one a group
    Adjacency faces;
};

/// The largest nodes that hold no more than `size` faces.
FaceGroups group_faces(const BoxTree& tree, int size);

} // namespace knead
