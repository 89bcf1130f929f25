#include "knead/contact/find_zone.hpp"

#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

const double least_facing = std::cos(80 * std::numbers::pi / 180);

double corner_depth(const Mapping& mapping, const CutCorner& corner) {
    return corner.edge < 0 ? mapping.of_vertex[corner.a].depth : mapping.of_edge[corner.edge].depth;
}

// Where a quantity that is at least `bound` at 0 falls below it, on the way to 1.
double where_below(double at_0, double at_1, double bound) {
    return at_1 >= bound ? 1.0 : (at_0 - bound) / (at_0 - at_1);
}

} // namespace

DepthStatistics depth_statistics(const std::array<PairSide, 2>& sides,
                                 const std::array<Mapping, 2>& mappings) {
    double area = 0, sum = 0, squares = 0;
    for (int s = 0; s < 2; ++s) {
        const Surface& surface = *sides[s].surface;
        for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
            const CutFace cut =
                cut_face(mappings[s].region, f, surface.faces(), surface.topology());
            for (int i = 2; i < cut.count; ++i) {
                const std::array<CutCorner, 3> t = {cut.corners[0], cut.corners[i - 1],
                                                    cut.corners[i]};
                const Vec3 normal =
                    area_vector(t[0].of<Vec3>(surface.positions), t[1].of<Vec3>(surface.positions),
                                t[2].of<Vec3>(surface.positions));
                const double projected = 0.5 * std::abs(normal.dot(sides[s].inward));
                double depth[3];
                for (int c = 0; c < 3; ++c) depth[c] = corner_depth(mappings[s], t[c]);
                area += projected;
                sum += projected / 3 * (depth[0] + depth[1] + depth[2]);
                for (int c = 0; c < 3; ++c) {
                    const double middle = 0.5 * (depth[c] + depth[(c + 1) % 3]);
                    squares += projected / 3 * middle * middle;
                }
            }
        }
    }
    if (!(area > 0)) return {};
    const double mean = sum / area;
    return {mean, std::sqrt(std::max(0.0, squares / area - mean * mean))};
}

double zone_threshold(const DepthStatistics& statistics, double apparent_stiffness) {
    return std::max(0.0, statistics.mean + apparent_stiffness * statistics.deviation);
}

void find_zone(const PairSide& side, const PairSide& other, const Mapping& mapping,
               double threshold, double reach, double offset, ContactZone& zone) {
    const Topology& topology = side.surface->topology();
    const std::span<const Vec3> positions = side.surface->positions;
    const double moving = 1 - side.relative_stiffness;
    zone.outward = -side.inward;
    zone.inside.assign(positions.size(), 0);
    zone.target.assign(positions.begin(), positions.end());
    zone.border_of_edge.assign(topology.edges.size(), -1);
    zone.border.clear();
    for (std::size_t v = 0; v < positions.size(); ++v) {
        const MappedPoint& mapped = mapping.of_vertex[v];
        if (!mapping.region.inside[v] || mapped.depth < threshold || mapped.facing < least_facing)
            continue;
        zone.inside[v] = 1;
        zone.target[v] = positions[v] + (moving * mapped.gap + offset) * side.inward;
    }
    for (int e = 0; e < topology.edge_count(); ++e) {
        const Edge& ends = topology.edges[e];
        if (zone.inside[ends[0]] == zone.inside[ends[1]]) continue;
        const int in_end = zone.inside[ends[0]] ? 0 : 1;
        const MappedPoint& in = mapping.of_vertex[ends[in_end]];
        const bool out_mapped = mapping.region.inside[ends[1 - in_end]];
        const MappedPoint& out =
            out_mapped ? mapping.of_vertex[ends[1 - in_end]] : mapping.of_edge[e];
        const double reach_on_edge = out_mapped ? 1.0 : std::abs(mapping.region.cut[e] - in_end);
        const double part = std::min(where_below(in.depth, out.depth, threshold),
                                     where_below(in.facing, out.facing, least_facing));
        const double along = part * reach_on_edge;
        ZoneBorderPoint point;
        point.on_edge = {e, in_end == 0 ? along : 1 - along};
        const double t = point.on_edge.t;
        point.position = (1 - t) * positions[ends[0]] + t * positions[ends[1]];
        point.normal = ((1 - t) * side.normals[ends[0]] + t * side.normals[ends[1]]).normalized();
        const auto mapped = map_point(side, other, point.position, point.normal, reach);
        // At the very end of the mapping region rounding may miss the other mesh.
        const MappedPoint& exact = mapped ? *mapped : out;
        point.target = point.position + (moving * exact.gap + offset) * side.inward;
        point.target_normal = exact.surface_normal;
        zone.border_of_edge[e] = static_cast<int>(zone.border.size());
        zone.border.push_back(point);
    }
}

} // namespace knead
