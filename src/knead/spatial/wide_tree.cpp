#include "knead/spatial/wide_tree.hpp"

#include "knead/base/parallel.hpp"

#include <cmath>
#include <utility>

namespace knead {
namespace {

// Nodes that one thread fits in one go.
constexpr int nodes_per_branch = 2048;
// Beyond this, in sizes of the surface, a query is as good as there; squares do not overflow.
constexpr double farthest_query = 1e15;

// What becomes a child: a node of the box tree, or some of the faces of a leaf.
struct Part {
    int node;         ///< -1 for a part of a leaf
    int first, count; ///< of the items for faces of a leaf, else only the number of faces
    bool is_leaf;
};

class Widener {
public:
    explicit Widener(const BoxTree& tree) : tree_(tree), counts_(tree.nodes.size()) {
        for (std::size_t n = tree.nodes.size(); n-- > 0;) {
            const BoxTree::Node& node = tree.nodes[n];
            counts_[n] =
                node.count > 0 ? node.count : counts_[node.first] + counts_[node.first + 1];
        }
    }

    WideTree operator()() {
        WideTree wide;
        if (tree_.empty()) return wide;
        wide.nodes.reserve(tree_.nodes.size());
        wide.parents.reserve(tree_.nodes.size());
        wide.places.resize(tree_.nodes.size());
        std::vector<std::pair<Part, int>> open{{part_of(0), -1}};
        while (!open.empty()) {
            const auto [part, parent] = open.back();
            open.pop_back();
            const int index = static_cast<int>(wide.nodes.size());
            if (parent >= 0) wide.nodes[parent / 4][parent % 4] = index;
            wide.parents.push_back(parent);
            divide(part);
            for (const auto& [node, first, count] : divided_places()) {
                // What is a child of one node and divided in the next has its place in the first.
                if (node != part.node || parent < 0)
                    wide.places[node] = {index, static_cast<std::int16_t>(first),
                                         static_cast<std::int16_t>(count)};
            }
            WideTree::Children children;
            children.fill(WideTree::none);
            wide.nodes.push_back(children);
            for (int i = 0; i < size_; ++i)
                if (parts_[i].is_leaf && parts_[i].count == 1)
                    wide.nodes.back()[i] = ~tree_.items[parts_[i].first];
            for (int i = size_ - 1; i >= 0; --i)
                if (wide.nodes.back()[i] == WideTree::none)
                    open.push_back({parts_[i], 4 * index + i});
        }
        find_branches(wide);
        return wide;
    }

private:
    struct Divided {
        int node, first, count;
    };

    Part part_of(int node) const {
        const bool is_leaf = tree_.nodes[node].count > 0;
        return {node, is_leaf ? tree_.nodes[node].first : 0, counts_[node], is_leaf};
    }

    // Divides the largest nodes until there are four, then leaves as far as there is room.
    void divide(const Part& whole) {
        size_ = 0;
        divided_count_ = 0;
        parts_[size_++] = whole;
        if (whole.is_leaf && whole.count > 4) {
            divide_part(0, 4);
            return;
        }
        while (size_ < 4) {
            int best = -1;
            for (int i = 0; i < size_; ++i)
                if (!parts_[i].is_leaf && (best < 0 || parts_[i].count > parts_[best].count))
                    best = i;
            if (best < 0) break;
            divide_part(best, 2);
        }
        for (int i = 0; i < size_; ++i)
            if (parts_[i].is_leaf && parts_[i].count > 1 && size_ - 1 + parts_[i].count <= 4)
                divide_part(i, parts_[i].count);
    }

    void divide_part(int at, int count) {
        const Part part = parts_[at];
        for (int i = size_ - 1; i > at; --i) parts_[i + count - 1] = parts_[i];
        size_ += count - 1;
        for (int i = 0; i < count; ++i)
            if (part.is_leaf) {
                const int begin = part.count * i / count, end = part.count * (i + 1) / count;
                parts_[at + i] = {-1, part.first + begin, end - begin, true};
            } else {
                parts_[at + i] = part_of(tree_.nodes[part.node].first + i);
            }
        for (int i = 0; i < divided_count_; ++i) {
            Divided& earlier = divided_[i];
            if (at < earlier.first)
                earlier.first += count - 1;
            else if (at < earlier.first + earlier.count)
                earlier.count += count - 1;
        }
        if (part.node >= 0) divided_[divided_count_++] = {part.node, at, count};
    }

    std::span<const Divided> divided_places() {
        for (int i = 0; i < size_; ++i)
            if (parts_[i].node >= 0) divided_[divided_count_++] = {parts_[i].node, i, 1};
        return std::span(divided_).first(static_cast<std::size_t>(divided_count_));
    }

    // The largest ranges of nodes that are one node and all below it, and are not too many.
    static void find_branches(WideTree& wide) {
        const int count = static_cast<int>(wide.nodes.size());
        std::vector<int> below(wide.nodes.size(), 1);
        for (int n = count - 1; n > 0; --n) below[wide.parents[n] / 4] += below[n];
        for (int n = 0; n < count;) {
            if (below[n] > nodes_per_branch) {
                wide.top.push_back(n++);
                continue;
            }
            wide.branches.push_back(n);
            n += below[n];
            wide.branches.push_back(n);
        }
    }

    const BoxTree& tree_;
    std::vector<int> counts_; ///< of faces
    std::array<Part, 4> parts_;
    std::array<Divided, 8> divided_;
    int size_ = 0, divided_count_ = 0;
};

struct AroundFace {
    Float4 lower, upper;
};

AroundFace around(const Triangle& face, const Float4* points) {
    const Float4 a = points[face[0]], b = points[face[1]], c = points[face[2]];
    return {min4(min4(a, b), c), max4(max4(a, b), c)};
}

void put(const AroundFace& box, FourBoxes& boxes, int i) {
    for (int axis = 0; axis < 3; ++axis) {
        boxes.sides[axis][i] = box.lower[axis];
        boxes.sides[axis + 3][i] = box.upper[axis];
    }
}

float least(Float4 values) {
    values = min4(values, __builtin_shufflevector(values, values, 2, 3, 0, 1));
    return std::min(values[0], values[1]);
}

float most(Float4 values) {
    values = max4(values, __builtin_shufflevector(values, values, 2, 3, 0, 1));
    return std::max(values[0], values[1]);
}

// Fits a node whose children that are nodes have been fitted, and tells its parent.
void fit(const WideTree& tree, std::span<const Triangle> faces, const Float4* points, int node,
         std::vector<FourBoxes>& all) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const WideTree::Children& children = tree.nodes[node];
    FourBoxes& boxes = all[node];
    const int parent = tree.parents[node];
    if (children[0] < 0 && children[1] < 0 && children[2] < 0 && children[3] < 0) {
        std::array<AroundFace, 4> each;
        AroundFace box{four(infinity), four(-infinity)};
        for (int i = 0; i < 4; ++i) {
            each[i] = children[i] == WideTree::none ? AroundFace{four(infinity), four(-infinity)}
                                                    : around(faces[~children[i]], points);
            box = {min4(box.lower, each[i].lower), max4(box.upper, each[i].upper)};
        }
        transpose(each[0].lower, each[1].lower, each[2].lower, each[3].lower);
        transpose(each[0].upper, each[1].upper, each[2].upper, each[3].upper);
        for (int axis = 0; axis < 3; ++axis) {
            boxes.sides[axis] = each[axis].lower;
            boxes.sides[axis + 3] = each[axis].upper;
        }
        if (parent >= 0) put(box, all[parent / 4], parent % 4);
        return;
    }
    for (int i = 0; i < 4; ++i)
        if (children[i] == WideTree::none)
            put({four(infinity), four(-infinity)}, boxes, i);
        else if (children[i] < 0)
            put(around(faces[~children[i]], points), boxes, i);
    if (parent < 0) return;
    for (int axis = 0; axis < 3; ++axis) {
        all[parent / 4].sides[axis][parent % 4] = least(boxes.sides[axis]);
        all[parent / 4].sides[axis + 3][parent % 4] = most(boxes.sides[axis + 3]);
    }
}

} // namespace

WideTree widen(const BoxTree& tree) {
    return Widener(tree)();
}

void refit(const WideTree& tree, std::span<const Triangle> faces, std::span<const Vec3> positions,
           const Box& box, WideBoxes& boxes) {
    boxes.center = 0.5 * box.lower + 0.5 * box.upper;
    // A surface that is one point is as large as the smallest number that has an inverse.
    const double half = 0.5 * (box.upper - box.lower).maxCoeff();
    boxes.scale = 1 / std::max(half, 1e-290);
    boxes.rounding =
        0x1p-50 * std::max(box.lower.cwiseAbs().maxCoeff(), box.upper.cwiseAbs().maxCoeff());
    boxes.margin = 0x1p-24 + boxes.rounding * boxes.scale;
    boxes.nodes.resize(tree.nodes.size());
    boxes.points.resize(positions.size());
    if (tree.empty()) return;

    const Vec3 center = boxes.center;
    const double scale = boxes.scale;
    parallel_for(positions.size(), 16384, [&](std::size_t v) {
        const Vec3& p = positions[v];
        boxes.points[v] = Float4{static_cast<float>((p.x() - center.x()) * scale),
                                 static_cast<float>((p.y() - center.y()) * scale),
                                 static_cast<float>((p.z() - center.z()) * scale), 0};
    });
    const Float4* points = boxes.points.data();
    parallel_for(tree.branches.size() / 2, 1, [&](std::size_t b) {
        for (int n = tree.branches[2 * b + 1]; n-- > tree.branches[2 * b];)
            fit(tree, faces, points, n, boxes.nodes);
    });
    for (std::size_t i = tree.top.size(); i-- > 0;)
        fit(tree, faces, points, tree.top[i], boxes.nodes);
}

Box node_box(const WideTree& tree, const WideBoxes& boxes, int node) {
    const WideTree::Place& place = tree.places[node];
    const FourBoxes& four_boxes = boxes.nodes[place.node];
    Box scaled;
    for (int i = place.first; i < place.first + place.count; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            scaled.lower[axis] =
                std::min(scaled.lower[axis], static_cast<double>(four_boxes.sides[axis][i]));
            scaled.upper[axis] =
                std::max(scaled.upper[axis], static_cast<double>(four_boxes.sides[axis + 3][i]));
        }
    scaled = grown(scaled, boxes.margin);
    return {boxes.center + scaled.lower / boxes.scale, boxes.center + scaled.upper / boxes.scale};
}

FlatBox flat_box(const WideBoxes& boxes, const Box& box) {
    const Vec3 lower = boxes.scaled(box.lower), upper = boxes.scaled(box.upper);
    FlatBox flat;
    for (int axis = 0; axis < 3; ++axis) {
        const double low = std::clamp(lower[axis], -farthest_query, farthest_query);
        const double high = std::clamp(upper[axis], -farthest_query, farthest_query);
        // Rounding to single precision is at most half of what is taken off here.
        flat.lower[axis] = static_cast<float>(low - (boxes.margin + 0x1p-23 * std::abs(low)));
        flat.upper[axis] = static_cast<float>(high + (boxes.margin + 0x1p-23 * std::abs(high)));
    }
    return flat;
}

ScaleChange::ScaleChange(const WideBoxes& from, const WideBoxes& to)
    : factor_(static_cast<float>(to.scale / from.scale)) {
    const Vec3 offset = to.scaled(from.center);
    const double factor = to.scale / from.scale;
    margin_ = static_cast<float>(to.margin + from.margin * factor +
                                 0x1p-21 * (factor + offset.cwiseAbs().maxCoeff() + 1));
    for (int axis = 0; axis < 3; ++axis) offset_[axis] = static_cast<float>(offset[axis]);
}

} // namespace knead
