#pragma once

#include "knead/mesh/measures.hpp"
#include "knead/mesh/topology.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <span>
#include <vector>

namespace knead {

/// A part of a mesh whose border runs across faces: the vertices in it, and where the border passes
/// on the edges that lead out of it.
struct CutSet {
    std::vector<char> inside; ///< one a vertex
    std::vector<double> cut;  ///< one an edge: parameter of the border, where one end is inside

    bool empty() const {
        return std::none_of(inside.begin(), inside.end(), [](char c) { return c != 0; });
    }
    double cut_at(int edge) const { return cut[edge]; }
};

/// Where the border of a set is on an edge, eased at both ends: `none` while the end inside has
/// just come in (`in` is 0), `all` when the end outside is about to (`out` is 0), and at `cut` when
/// both are far from the border (1).
inline double eased_cut(double none, double cut, double all, double in, double out) {
    const double weight_none = out * (1 - in), weight_cut = in * out, weight_all = in * (1 - out);
    const double sum = weight_none + weight_cut + weight_all;
    return sum > 0 ? (weight_none * none + weight_cut * cut + weight_all * all) / sum : cut;
}

/// A corner of a face's part: (1 - t) a + t b. A vertex has t = 0.
struct CutCorner {
    int a = -1;
    int b = -1;
    double t = 0;
    int edge = -1; ///< where t is not at a vertex

    template <typename T>
    T of(std::span<const T> values) const {
        return edge < 0 ? values[a] : T((1 - t) * values[a] + t * values[b]);
    }
};

/// The part of a face that is in the set: nothing, a triangle, or a quad, in the face's
/// orientation.
struct CutFace {
    std::array<CutCorner, 4> corners;
    int count = 0;
};

/// Calls `visit(corners, weight)` for the triangles of a cut face. A quad comes as its two ways to
/// make triangles, half of each: neither is better, and a mirror image has the other first.
template <typename Visit>
void for_each_triangle(const CutFace& cut, Visit visit) {
    const auto& c = cut.corners;
    using Corners = std::array<CutCorner, 3>;
    if (cut.count == 3) visit(Corners{c[0], c[1], c[2]}, 1.0);
    if (cut.count != 4) return;
    visit(Corners{c[0], c[1], c[2]}, 0.5);
    visit(Corners{c[0], c[2], c[3]}, 0.5);
    visit(Corners{c[1], c[2], c[3]}, 0.5);
    visit(Corners{c[1], c[3], c[0]}, 0.5);
}

/// `Set` is a CutSet, or a ContactZone.
template <typename Set>
CutFace cut_face(const Set& set, int face, std::span<const Triangle> faces,
                 const Topology& topology) {
    CutFace result;
    const Triangle& corners = faces[face];
    if (!set.inside[corners[0]] && !set.inside[corners[1]] && !set.inside[corners[2]])
        return result;
    for (int i = 0; i < 3; ++i) {
        const int from = corners[i], to = corners[(i + 1) % 3];
        if (set.inside[from]) result.corners[result.count++] = {from, from, 0, -1};
        if (set.inside[from] != set.inside[to]) {
            const int edge = topology.face_edges[face][i];
            const Edge& ends = topology.edges[edge];
            result.corners[result.count++] = {ends[0], ends[1], set.cut_at(edge), edge};
        }
    }
    return result;
}

/// Calls `visit(a, b)` for every piece of the set's border in a face, and of the mesh's own border
/// where that is in the set.
template <typename Set, typename Visit>
void for_each_border_segment(const Set& set, int face, const CutFace& cut,
                             std::span<const Vec3> positions, const Topology& topology,
                             Visit visit) {
    if (cut.count == 0) return;
    for (int i = 0; i < cut.count; ++i) {
        const CutCorner &from = cut.corners[i], &to = cut.corners[(i + 1) % cut.count];
        if (from.edge >= 0 && to.edge >= 0) visit(from.of<Vec3>(positions), to.of<Vec3>(positions));
    }
    for (const int edge : topology.face_edges[face]) {
        const Edge& ends = topology.edges[edge];
        if (!topology.is_boundary_edge(edge) || (!set.inside[ends[0]] && !set.inside[ends[1]]))
            continue;
        const auto end = [&](int i) -> Vec3 {
            if (set.inside[ends[i]]) return positions[ends[i]];
            const double t = set.cut_at(edge);
            return (1 - t) * positions[ends[0]] + t * positions[ends[1]];
        };
        visit(end(0), end(1));
    }
}

/// The size of a set, seen along a direction.
struct CutMeasure {
    double area = 0;
    double perimeter = 0; ///< of its border, and of the mesh's own border where that is in it
    double edge = 0;      ///< of an even triangle as large as the faces are in the mean
};

/// The same along a direction of every face's own: `direction_of(face)`.
template <typename Set, typename DirectionOf>
requires std::invocable<DirectionOf, int> CutMeasure measure(const Set& set,
                                                             std::span<const Vec3> positions,
                                                             std::span<const Triangle> faces,
                                                             const Topology& topology,
                                                             DirectionOf direction_of) {
    CutMeasure result;
    double face_areas = 0;
    for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
        const CutFace cut = cut_face(set, f, faces, topology);
        if (cut.count == 0) continue;
        const Vec3& direction = direction_of(f);
        std::array<Vec3, 4> p;
        for (int i = 0; i < cut.count; ++i) p[i] = cut.corners[i].template of<Vec3>(positions);
        double area = 0;
        for (int i = 2; i < cut.count; ++i)
            area += 0.5 * std::abs(direction.dot(area_vector(p[0], p[i - 1], p[i])));
        result.area += area;
        face_areas +=
            area * 0.5 *
            area_vector(positions[faces[f][0]], positions[faces[f][1]], positions[faces[f][2]])
                .norm();
        for_each_border_segment(set, f, cut, positions, topology,
                                [&](const Vec3& a, const Vec3& b) {
                                    result.perimeter += (b - a).cross(direction).norm();
                                });
    }
    // An even triangle with edge e has the area sqrt(3) / 4 e^2.
    if (result.area > 0) result.edge = std::sqrt(face_areas / result.area * 4 / std::sqrt(3.0));
    return result;
}

template <typename Set>
CutMeasure measure(const Set& set, std::span<const Vec3> positions, std::span<const Triangle> faces,
                   const Topology& topology, const Vec3& direction) {
    return measure(set, positions, faces, topology, [&](int) -> const Vec3& { return direction; });
}

} // namespace knead
