#include "knead/contact/cut_set.hpp"

#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>

namespace knead {

bool CutSet::empty() const {
    return std::none_of(inside.begin(), inside.end(), [](char c) { return c != 0; });
}

CutFace cut_face(const CutSet& set, int face, std::span<const Triangle> faces,
                 const Topology& topology) {
    CutFace result;
    const Triangle& corners = faces[face];
    for (int i = 0; i < 3; ++i) {
        const int from = corners[i], to = corners[(i + 1) % 3];
        if (set.inside[from]) result.corners[result.count++] = {from, from, 0, -1};
        if (set.inside[from] != set.inside[to]) {
            const int edge = topology.face_edges[face][i];
            const Edge& ends = topology.edges[edge];
            result.corners[result.count++] = {ends[0], ends[1], set.cut[edge], edge};
        }
    }
    return result;
}

void for_each_border_segment(const CutSet& set, std::span<const Vec3> positions,
                             std::span<const Triangle> faces, const Topology& topology,
                             const std::function<void(const Vec3&, const Vec3&)>& visit) {
    for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
        const CutFace cut = cut_face(set, f, faces, topology);
        for (int i = 0; i < cut.count; ++i) {
            const CutCorner &from = cut.corners[i], &to = cut.corners[(i + 1) % cut.count];
            if (from.edge >= 0 && to.edge >= 0)
                visit(from.of<Vec3>(positions), to.of<Vec3>(positions));
        }
        if (cut.count == 0) continue;
        for (const int edge : topology.face_edges[f]) {
            const Edge& ends = topology.edges[edge];
            if (!topology.is_boundary_edge(edge) || (!set.inside[ends[0]] && !set.inside[ends[1]]))
                continue;
            const auto end = [&](int i) -> Vec3 {
                if (set.inside[ends[i]]) return positions[ends[i]];
                const double t = set.cut[edge];
                return (1 - t) * positions[ends[0]] + t * positions[ends[1]];
            };
            visit(end(0), end(1));
        }
    }
}

CutMeasure measure(const CutSet& set, std::span<const Vec3> positions,
                   std::span<const Triangle> faces, const Topology& topology,
                   const Vec3& direction) {
    CutMeasure result;
    double face_areas = 0;
    for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
        const CutFace cut = cut_face(set, f, faces, topology);
        if (cut.count == 0) continue;
        std::array<Vec3, 4> p;
        for (int i = 0; i < cut.count; ++i) p[i] = cut.corners[i].of<Vec3>(positions);
        double area = 0;
        for (int i = 2; i < cut.count; ++i)
            area += 0.5 * std::abs(direction.dot(area_vector(p[0], p[i - 1], p[i])));
        result.area += area;
        face_areas +=
            area * 0.5 *
            area_vector(positions[faces[f][0]], positions[faces[f][1]], positions[faces[f][2]])
                .norm();
    }
    for_each_border_segment(set, positions, faces, topology, [&](const Vec3& a, const Vec3& b) {
        result.perimeter += (b - a).cross(direction).norm();
    });
    // An even triangle with edge e has the area sqrt(3) / 4 e^2.
    if (result.area > 0) result.edge = std::sqrt(face_areas / result.area * 4 / std::sqrt(3.0));
    return result;
}

} // namespace knead
