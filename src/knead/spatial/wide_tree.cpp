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
        wide.places.resize(tree_.nodes.size());
        std::vector<std::pair<Part, int>> open{{part_of(0), -1}};
        while (!open.empty()) {
            const auto [part, parent] = open.back();
            open.pop_back();
            const int index = static_cast<int>(wide.nodes.size());
            if (parent >= 0) wide.nodes[parent / 4][parent % 4] = index;
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

    static void find_branches(WideTree& wide) {
        std::vector<int> below(wide.nodes.size(), 1); // with the node itself
        for (std::size_t n = wide.nodes.size(); n-- > 0;)
            for (const int child : wide.nodes[n])
                if (child >= 0) below[n] += below[child];
        for (int n = 0; n < static_cast<int>(wide.nodes.size());)
            if (below[n] > nodes_per_branch) {
                wide.top.push_back(n++);
            } else {
                wide.branches.push_back(n);
                n += below[n];
            }
    }

    const BoxTree& tree_;
    std::vector<int> counts_; ///< of faces
    std::array<Part, 4> parts_;
    std::array<Divided, 8> divided_;
    int size_ = 0, divided_count_ = 0;
};

struct Around {
    Float4 lower, upper;
};

using FourArounds = std::array<Around, 4>;

Around around(const FourArounds& each) {
    const auto& [a, b, c, d] = each;
    return {min4(min4(a.lower, b.lower), min4(c.lower, d.lower)),
            max4(max4(a.upper, b.upper), max4(c.upper, d.upper))};
}

void transpose(FourArounds& each) {
    knead::transpose(each[0].lower, each[1].lower, each[2].lower, each[3].lower);
    knead::transpose(each[0].upper, each[1].upper, each[2].upper, each[3].upper);
}

// Around the children of a node that has been fitted.
Around around(const FourBoxes& boxes) {
    FourArounds each{Around{boxes.sides[0], boxes.sides[3]}, Around{boxes.sides[1], boxes.sides[4]},
                     Around{boxes.sides[2], boxes.sides[5]}, Around{four(0), four(0)}};
    transpose(each);
    return around(each);
}

constexpr float infinity = std::numeric_limits<float>::infinity();

class Fitter {
public:
    Fitter(const WideTree& tree, std::span<const Triangle> faces, WideBoxes& boxes)
        : children_(tree.nodes.data()),
          faces_(faces.data()),
          points_(boxes.points.data()),
          boxes_(boxes.nodes.data()) {}

    // A node and all below it. What is around a node is handed on in registers: writing it into the
    // four boxes of its parent at once, number by number, takes twice as long, because these are
    // read again before they have arrived in memory.
    Around fit_branch(int node) const {
        const WideTree::Children& children = children_[node];
        if (children[0] < 0 && children[1] < 0 && children[2] < 0 && children[3] < 0)
            return fit_faces(node);
        return fit(node, [&](int child) { return fit_branch(child); });
    }

    // A node above others that have been fitted.
    void fit_top(int node) const {
        fit(node, [&](int child) { return around(boxes_[child]); });
    }

private:
    Around around_face(int face) const {
        const Triangle& f = faces_[face];
        const Float4 a = points_[f[0]], b = points_[f[1]], c = points_[f[2]];
        return {min4(min4(a, b), c), max4(max4(a, b), c)};
    }

    template <typename AroundNode>
    Around fit(int node, const AroundNode& around_node) const {
        FourArounds each;
        for (int i = 0; i < 4; ++i) {
            const int child = children_[node][i];
            each[i] = child >= 0                ? around_node(child)
                      : child == WideTree::none ? Around{four(infinity), four(-infinity)}
                                                : around_face(~child);
        }
        const Around all = around(each);
        put(each, node);
        return all;
    }

    // Without a branch that would be guessed wrong for every other node: where there is no child,
    // the first one is taken again and moved out of sight.
    Around fit_faces(int node) const {
        const WideTree::Children& children = children_[node];
        FourArounds each;
        for (int i = 0; i < 4; ++i)
            each[i] = around_face(~(children[i] == WideTree::none ? children[0] : children[i]));
        const Around all = around(each);
        put(each, node);
        constexpr Float4 most{-infinity, -infinity, -infinity, -infinity};
        const Int4 is_none = Int4{children[0], children[1], children[2], children[3]} ==
                             Int4{WideTree::none, WideTree::none, WideTree::none, WideTree::none};
        const Float4 beyond = is_none ? -most : most;
        for (int axis = 0; axis < 3; ++axis)
            boxes_[node].sides[axis] = max4(beyond, boxes_[node].sides[axis]);
        return all;
    }

    void put(FourArounds& each, int node) const {
        transpose(each);
        for (int axis = 0; axis < 3; ++axis) {
            boxes_[node].sides[axis] = each[axis].lower;
            boxes_[node].sides[axis + 3] = each[axis].upper;
        }
    }

    const WideTree::Children* children_;
    const Triangle* faces_;
    const Float4* points_;
    FourBoxes* boxes_;
};

Float4 scaled(const Vec3& point, const Vec3& center, double scale) {
#if defined(__SSE2__)
    // What compilers make of the lines below takes twice as many instructions.
    const __m128d xy = _mm_mul_pd(
        _mm_sub_pd(_mm_loadu_pd(point.data()), _mm_loadu_pd(center.data())), _mm_set1_pd(scale));
    const __m128d z =
        _mm_mul_sd(_mm_sub_sd(_mm_load_sd(point.data() + 2), _mm_load_sd(center.data() + 2)),
                   _mm_set_sd(scale));
    return _mm_movelh_ps(_mm_cvtpd_ps(xy), _mm_cvtpd_ps(z));
#else
    const Vec3 p = (point - center) * scale;
    return Float4{static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z()),
                  0};
#endif
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
    Float4* points = boxes.points.data();
    parallel_for(positions.size(), 16384,
                 [&, points](std::size_t v) { points[v] = scaled(positions[v], center, scale); });
    const Fitter fitter(tree, faces, boxes);
    parallel_for(tree.branches.size(), 1,
                 [&](std::size_t b) { fitter.fit_branch(tree.branches[b]); });
    for (std::size_t i = tree.top.size(); i-- > 0;) fitter.fit_top(tree.top[i]);
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
    const FlatBox lower = flat_box(boxes, box.lower), upper = flat_box(boxes, box.upper);
    return {lower.lower, upper.upper};
}

FlatBox flat_box(const WideBoxes& boxes, const Vec3& point) {
    FlatBox flat;
    for (int axis = 0; axis < 3; ++axis) {
        const double at = std::clamp((point[axis] - boxes.center[axis]) * boxes.scale,
                                     -farthest_query, farthest_query);
        // Rounding to single precision is at most half of what is added here.
        const double margin = boxes.margin + 0x1p-23 * std::abs(at);
        flat.lower[axis] = static_cast<float>(at - margin);
        flat.upper[axis] = static_cast<float>(at + margin);
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
