#pragma once

#include "knead/base/box.hpp"
#include "knead/mesh/triangle_mesh.hpp"
#include "knead/spatial/box_tree.hpp"
#include "knead/spatial/float4.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace knead {

/// A box tree with two of its levels made one, so that queries look at four boxes at once. Goes
/// down to single faces, so that hardly any is looked at in vain. The boxes are kept apart, for
/// many poses of one tree.
struct WideTree {
    static constexpr int none = std::numeric_limits<int>::min();
    /// Another node, which comes behind this one; or face ~child; or `none`, which queries only
    /// meet when there is something that is not a number.
    using Children = std::array<int, 4>;
    std::vector<Children> nodes; ///< the root first, every node before all that is below it
    /// Where nodes of the box tree are: some children of a node, one after the other.
    struct Place {
        int node = 0;
        std::int16_t first = 0, count = 0;
    };
    std::vector<Place> places;
    /// Nodes that are fitted in parallel, each with all below it, and those above them.
    std::vector<int> branches, top;

    /// Of stacks of children that wait to be visited. A face may have been cut into more triangles
    /// than a leaf holds, which adds a few levels.
    static constexpr int max_stack = 3 * (BoxTree::max_depth + 16) + 4;

    bool empty() const { return nodes.empty(); }
};

WideTree widen(const BoxTree& tree);

/// Four boxes, coordinate by coordinate: the lower sides in x, y and z, then the upper sides.
struct FourBoxes {
    Float4 sides[6];
};

/// The boxes of a wide tree in one pose, in single precision, relative to the middle of the surface
/// and to its size, wherever it is and however small. They only rule faces out: what decides is
/// done in double precision, and queries are widened by what rounding may have taken away, so that
/// they find all that a search without boxes would.
struct WideBoxes {
    Vec3 center = Vec3::Zero();
    double scale = 1;
    /// What rounding may do to a position of the surface: when it was scaled; and in the units of
    /// the scene, when a point of a face is worked out from its corners.
    double margin = 0;
    double rounding = 0;
    std::vector<FourBoxes> nodes;
    std::vector<Float4> points; ///< the vertices, scaled

    Vec3 scaled(const Vec3& point) const { return (point - center) * scale; }
};

/// Follows vertices that have moved; `box` is around all faces. Nothing is allocated when the tree
/// is the same as before. About 5 ns a face, most of it for the boxes of single faces: a quarter
/// more than a binary tree in double precision took that ended at leaves of four faces. Queries
/// make up for that within a few hundred.
void refit(const WideTree& tree, std::span<const Triangle> faces, std::span<const Vec3> positions,
           const Box& box, WideBoxes& boxes);

/// The box of a node of the box tree; larger than its faces need by at most a millionth of the
/// surface.
Box node_box(const WideTree& tree, const WideBoxes& boxes, int node);

/// Children that wait to be visited, the one with the smallest key on top.
class WideStack {
public:
    struct Entry {
        float key;
        int child;
    };
    bool empty() const { return size_ == 0; }
    /// Of those in the mask `chosen`, which must not be empty, the one with the smallest key; the
    /// others wait.
    Entry push_others(Float4 keys, const WideTree::Children& children, int chosen) {
        const auto next = [&] {
            const int i = std::countr_zero(static_cast<unsigned>(chosen));
            chosen &= chosen - 1;
            return Entry{keys[i], children[i]};
        };
        Entry smallest = next();
        const int bottom = size_;
        while (chosen != 0) {
            Entry entry = next();
            if (entry.key < smallest.key) std::swap(entry, smallest);
            int at = size_++;
            for (; at > bottom && entries_[at - 1].key < entry.key; --at)
                entries_[at] = entries_[at - 1];
            entries_[at] = entry;
        }
        return smallest;
    }
    Entry pop() { return entries_[--size_]; }

private:
    std::array<Entry, WideTree::max_stack> entries_;
    int size_ = 0;
};

/// A box that boxes of a tree are compared with, in the scaled coordinates of that tree.
struct FlatBox {
    std::array<float, 3> lower, upper;
};

/// Those of the four that are not apart from the box, as a mask. What is not a number is not apart.
inline int overlapping(const FourBoxes& boxes, const FlatBox& box) {
    Int4 apart = boxes.sides[0] > four(box.upper[0]);
    apart |= four(box.lower[0]) > boxes.sides[3];
    for (int i = 1; i < 3; ++i) {
        apart |= boxes.sides[i] > four(box.upper[i]);
        apart |= four(box.lower[i]) > boxes.sides[i + 3];
    }
    return ~bits_of(apart) & 15;
}

FlatBox flat_box(const WideBoxes& boxes, const Box& box);
FlatBox flat_box(const WideBoxes& boxes, const Vec3& point);

/// Calls `visit(face)` for the faces whose boxes overlap `box`, and maybe for some that it misses
/// by a millionth of the surface, in the order of the tree.
template <typename Visit>
void visit_overlaps(const WideTree& tree, const WideBoxes& boxes, const Box& box,
                    const Visit& visit) {
    if (tree.empty()) return;
    const FlatBox flat = flat_box(boxes, box);
    std::array<int, WideTree::max_stack> stack;
    int size = 0;
    stack[size++] = 0;
    while (size > 0) {
        const int child = stack[--size];
        if (child < 0) {
            if (child != WideTree::none) visit(~child);
            continue;
        }
        const int found = overlapping(boxes.nodes[child], flat);
        for (int i = 3; i >= 0; --i)
            if (found >> i & 1) stack[size++] = tree.nodes[child][i];
    }
}

/// From the scaled coordinates of one surface to those of another.
class ScaleChange {
public:
    ScaleChange(const WideBoxes& from, const WideBoxes& to);
    float factor() const { return factor_; }
    /// Child i of the four, widened by what rounding may have done in either surface.
    FlatBox operator()(const FourBoxes& boxes, int i) const {
        FlatBox box;
        for (int axis = 0; axis < 3; ++axis) {
            box.lower[axis] = boxes.sides[axis][i] * factor_ + (offset_[axis] - margin_);
            box.upper[axis] = boxes.sides[axis + 3][i] * factor_ + (offset_[axis] + margin_);
        }
        return box;
    }

private:
    float factor_, margin_;
    std::array<float, 3> offset_;
};

/// Calls `visit(face of a, face of b)` for all pairs of faces whose boxes overlap, and maybe for
/// some that are apart by a millionth of a surface, walking down both trees at once.
template <typename Visit>
void visit_overlaps(const WideTree& a, const WideBoxes& boxes_a, const WideTree& b,
                    const WideBoxes& boxes_b, const Visit& visit) {
    if (a.empty() || b.empty()) return;
    const ScaleChange to_a(boxes_b, boxes_a), to_b(boxes_a, boxes_b);
    // Children, by 4 * their parent + the place there.
    std::array<std::array<int, 2>, 2 * WideTree::max_stack + 16> stack;
    int size = 0;
    const auto with_children_of_b = [&](int in_a, int node_b) {
        const FlatBox box = to_b(boxes_a.nodes[in_a / 4], in_a % 4);
        for (int found = overlapping(boxes_b.nodes[node_b], box); found != 0; found &= found - 1)
            stack[size++] = {in_a, 4 * node_b + std::countr_zero(static_cast<unsigned>(found))};
    };
    for (int i = 0; i < 4; ++i)
        if (a.nodes[0][i] != WideTree::none) with_children_of_b(i, 0);
    const auto largest_side = [](const FourBoxes& boxes, int i) {
        return std::max({boxes.sides[3][i] - boxes.sides[0][i],
                         boxes.sides[4][i] - boxes.sides[1][i],
                         boxes.sides[5][i] - boxes.sides[2][i]});
    };
    while (size > 0) {
        const auto [in_a, in_b] = stack[--size];
        const int child_a = a.nodes[in_a / 4][in_a % 4], child_b = b.nodes[in_b / 4][in_b % 4];
        if (child_a < 0 && child_b < 0) {
            if (child_a != WideTree::none && child_b != WideTree::none) visit(~child_a, ~child_b);
            continue;
        }
        // The larger box is divided: the pairs shrink fastest.
        const bool divide_a =
            child_b < 0 ||
            (child_a >= 0 && largest_side(boxes_a.nodes[in_a / 4], in_a % 4) >=
                                 to_a.factor() * largest_side(boxes_b.nodes[in_b / 4], in_b % 4));
        if (!divide_a) {
            with_children_of_b(in_a, child_b);
            continue;
        }
        const FlatBox box = to_a(boxes_b.nodes[in_b / 4], in_b % 4);
        for (int found = overlapping(boxes_a.nodes[child_a], box); found != 0; found &= found - 1)
            stack[size++] = {4 * child_a + std::countr_zero(static_cast<unsigned>(found)), in_b};
    }
}

} // namespace knead
