#include "knead/contact/mapping_direction.hpp"

#include "knead/contact/fades.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/spatial/closest_point.hpp"

#include <algorithm>
#include <cmath>

namespace knead {

CutSet ease_border(const CutSet& part, const Surface& surface, const Surface& other, double edge) {
    const double all = 0.05 * edge;
    ClosestPointOptions near;
    near.max_squared_distance = all * all;
    std::vector<double> known(surface.positions.size(), -1);
    const auto away = [&](int vertex) {
        if (known[vertex] >= 0) return known[vertex];
        const auto nearest = closest_point(other, surface.positions[vertex], near);
        return known[vertex] =
                   nearest ? fades::border_at_vertex(std::sqrt(nearest->squared_distance) / all)
                           : 1;
    };
    CutSet result = part;
    for (int e = 0; e < surface.topology().edge_count(); ++e) {
        const Edge& ends = surface.topology().edges[e];
        if (part.inside[ends[0]] == part.inside[ends[1]]) continue;
        const int in_end = part.inside[ends[0]] ? 0 : 1, out_end = 1 - in_end;
        result.cut[e] =
            eased_cut(in_end, part.cut[e], out_end, away(ends[in_end]), away(ends[out_end]));
    }
    return result;
}

NormalStatistics normal_statistics(const CutSet& part, const Surface& surface,
                                   std::span<const Vec3> normals) {
    NormalStatistics result;
    Vec3 sum = Vec3::Zero();
    double squares = 0;
    const std::span<const Triangle> faces = surface.faces();
    for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
        const CutFace cut = cut_face(part, f, faces, surface.topology());
        for_each_triangle(cut, [&](const std::array<CutCorner, 3>& triangle, double weight) {
            std::array<Vec3, 3> p, n;
            for (int c = 0; c < 3; ++c) {
                p[c] = triangle[c].of<Vec3>(surface.positions);
                n[c] = triangle[c].of<Vec3>(normals);
            }
            const double area = weight * 0.5 * area_vector(p[0], p[1], p[2]).norm();
            result.area += area;
            sum += area / 3 * (n[0] + n[1] + n[2]);
            // Exact for the square of a linear field: the three mid-points, a third of the area
            // each.
            for (int c = 0; c < 3; ++c)
                squares += area / 3 * (0.5 * (n[c] + n[(c + 1) % 3])).squaredNorm();
        });
    }
    if (!(result.area > 0)) return result;
    const double length = sum.norm();
    if (length > 0) result.mean = sum / length;
    result.agreement = length / result.area;
    result.variation = std::max(0.0, squares / result.area - (sum / result.area).squaredNorm());
    return result;
}

namespace {

// How much a part says beside the other: nothing when it has just appeared. Of the other counts the
// area by which its normals do not cancel, which of what is wholly on the far side, as a foot below
// a floor, is the area where it goes through; but never nearly nothing, as of what goes all round.
double has_appeared(const NormalStatistics& part, const NormalStatistics& other) {
    constexpr double least_agreement = 0.05, all_from = 0.1;
    return fades::side_there(part.area /
                             (all_from * std::max(other.agreement, least_agreement) * other.area));
}

// Of two parts that have an area.
double part_of_second(const NormalStatistics& first, const NormalStatistics& second) {
    // Flat parts have no variation: with both flat, both count the same. Nor has one that has just
    // appeared.
    const double tiny = 1e-12;
    const double flatter =
        (first.variation + tiny) / (first.variation + second.variation + 2 * tiny);
    const double first_there = has_appeared(first, second),
                 second_there = has_appeared(second, first);
    return 1 - first_there + flatter * (first_there + second_there - 1);
}

} // namespace

std::optional<Vec3> mapping_direction(const NormalStatistics& first,
                                      const NormalStatistics& second) {
    // A few edges may pass through faces before any vertex of one mesh is inside.
    if (!(first.area > 0) && !(second.area > 0)) return std::nullopt;
    if (!(first.area > 0)) return second.mean;
    if (!(second.area > 0)) return Vec3(-first.mean);
    const double part = part_of_second(first, second);
    const Vec3 direction = part * second.mean - (1 - part) * first.mean;
    const double length = direction.norm();
    if (!(length > 1e-6)) return std::nullopt;
    return direction / length;
}

double agreement_of(const NormalStatistics& first, const NormalStatistics& second) {
    if (!(first.area > 0)) return second.agreement;
    if (!(second.area > 0)) return first.agreement;
    const double part = part_of_second(first, second);
    return (part * second.agreement * second.mean - (1 - part) * first.agreement * first.mean)
        .norm();
}

} // namespace knead
