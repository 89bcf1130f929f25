#pragma once

#include "knead/base/box.hpp"
#include "knead/base/parallel.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace knead {

/// How a set of boxed items (faces, edges, ...) is divided into ever smaller groups. The boxes of
/// the groups are kept apart, one per node, so that one tree serves many poses: `refit` follows
/// items that move, without changing the tree.
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

/// One box per node, from `box_of_leaf(place among the nodes)`. Reuses the memory of `boxes`.
template <typename BoxOfLeaf>
void refit_leaves(const BoxTree& tree, const BoxOfLeaf& box_of_leaf, std::vector<Box>& boxes) {
    boxes.resize(tree.nodes.size());
    parallel_for(tree.nodes.size(), 4096, [&](std::size_t n) {
        if (tree.nodes[n].count > 0) boxes[n] = box_of_leaf(static_cast<int>(n));
    });
    for (std::size_t n = tree.nodes.size(); n-- > 0;) {
        const BoxTree::Node& node = tree.nodes[n];
        if (node.count > 0) continue;
        boxes[n] = boxes[node.first];
        boxes[n].include(boxes[node.first + 1]);
    }
}

/// The same from `box_of(item)`.
template <typename BoxOf>
void refit(const BoxTree& tree, const BoxOf& box_of, std::vector<Box>& boxes) {
    refit_leaves(
        tree,
        [&](int leaf) {
            Box box;
            for (const int item : tree.items_of(tree.nodes[leaf])) box.include(box_of(item));
            return box;
        },
        boxes);
}

/// Calls `visit(item)` for the items of all leaves whose box overlaps `box`, in a fixed order.
template <typename Visit>
void visit_overlaps(const BoxTree& tree, std::span<const Box> boxes, const Box& box,
                    const Visit& visit) {
    if (tree.empty() || !boxes[0].overlaps(box)) return;
    std::array<int, BoxTree::max_depth + 1> stack;
    int size = 0;
    stack[size++] = 0;
    while (size > 0) {
        const BoxTree::Node& node = tree.nodes[stack[--size]];
        if (node.count > 0) {
            for (const int item : tree.items_of(node)) visit(item);
            continue;
        }
        if (boxes[node.first + 1].overlaps(box)) stack[size++] = node.first + 1;
        if (boxes[node.first].overlaps(box)) stack[size++] = node.first;
    }
}

/// Calls `visit(leaf of a, leaf of b)`, by their places among the nodes, for all pairs of leaves
/// whose boxes overlap, in a fixed order, walking down both trees at once.
template <typename Visit>
void visit_overlapping_leaves(const BoxTree& a, std::span<const Box> boxes_a, const BoxTree& b,
                              std::span<const Box> boxes_b, const Visit& visit) {
    if (a.empty() || b.empty() || !boxes_a[0].overlaps(boxes_b[0])) return;
    std::array<std::pair<int, int>, 2 * BoxTree::max_depth + 1> stack;
    int size = 0;
    stack[size++] = {0, 0};
    const auto largest_side = [](const Box& box) { return (box.upper - box.lower).maxCoeff(); };
    while (size > 0) {
        const auto [in_a, in_b] = stack[--size];
        const BoxTree::Node &node_a = a.nodes[in_a], &node_b = b.nodes[in_b];
        if (node_a.count > 0 && node_b.count > 0) {
            visit(in_a, in_b);
            continue;
        }
        // The larger box is divided: the pairs shrink fastest.
        const bool divide_a =
            node_b.count > 0 ||
            (node_a.count == 0 && largest_side(boxes_a[in_a]) >= largest_side(boxes_b[in_b]));
        for (int child = 1; child >= 0; --child) {
            const int next_a = divide_a ? node_a.first + child : in_a;
            const int next_b = divide_a ? in_b : node_b.first + child;
            if (boxes_a[next_a].overlaps(boxes_b[next_b])) stack[size++] = {next_a, next_b};
        }
    }
}

} // namespace knead
