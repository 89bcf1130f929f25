#pragma once

#include "knead/base/box.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace knead {

/// How a set of boxed items (faces, edges, ...) is divided into ever smaller groups. Queries use
/// the wide tree made of it.
struct BoxTree {
    /// A leaf holds `count` > 0 places of `items` from `first` on. An inner node has count 0 and
    /// the children `first` and `first` + 1, which come behind it.
    struct Node {
        int first = 0;
        int count = 0;
    };
    std::vector<Node> nodes; ///< the root first; none when there are no items
    std::vector<int> items;

    /// No leaf is deeper, whatever the input.
    static constexpr int max_depth = 96;

    bool empty() const { return nodes.empty(); }
    std::span<const int> items_of(const Node& leaf) const {
        return std::span<const int>(items).subspan(static_cast<std::size_t>(leaf.first),
                                                   static_cast<std::size_t>(leaf.count));
    }
};

/// Divides the items by the surface area heuristic on their centres. Boxes must be finite.
BoxTree build_box_tree(std::span<const Box> item_boxes);

/// The tree of what some of the items consist of, divided as they are in `tree`: item i consists of
/// those from starts[i] to before starts[i + 1], which may be none.
BoxTree tree_of_some(const BoxTree& tree, std::span<const int> starts);

} // namespace knead
