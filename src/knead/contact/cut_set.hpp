#pragma once

#include "knead/mesh/topology.hpp"

#include <functional>
#include <span>
#include <vector>

namespace knead {

/// A part of a mesh whose border runs across faces: the vertices in it, and where the border passes
/// on the edges that lead out of it.
struct CutSet {
    std::vector<char> inside; ///< one a vertex
    std::vector<double> cut;  ///< one an edge: parameter of the border, where one end is inside

    bool empty() const;
};

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

CutFace cut_face(const CutSet& set, int face, std::span<const Triangle> faces,
                 const Topology& topology);

/// Calls `visit(a, b)` for every piece of the set's border, and of the mesh's own border where that
/// is in the set.
void for_each_border_segment(const CutSet& set, std::span<const Vec3> positions,
                             std::span<const Triangle> faces, const Topology& topology,
                             const std::function<void(const Vec3&, const Vec3&)>& visit);

/// The size of a set, seen along a direction.
struct CutMeasure {
    double area = 0;
    double perimeter = 0; ///< of its border, and of the mesh's own border where that is in it
    double edge = 0;      ///< of an even triangle as large as the faces are in the mean
};

CutMeasure measure(const CutSet& set, std::span<const Vec3> positions,
                   std::span<const Triangle> faces, const Topology& topology,
                   const Vec3& direction);

} // namespace knead
