#include "knead/deform/fold/fold.hpp"

#include "knead/base/box.hpp"
#include "knead/contact/fades.hpp"
#include "knead/contact/zone_fade.hpp"
#include "knead/deform/fold/two_regions.hpp"
#include "knead/spatial/point_grid.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// A quad in the order of its corners, along its shorter diagonal.
void add_polygon(std::span<const int> corners, std::span<const Vec3> positions,
                 std::vector<Triangle>& faces) {
    if (corners.size() == 3) {
        faces.push_back({corners[0], corners[1], corners[2]});
    } else if (corners.size() == 4) {
        const auto length = [&](int a, int b) {
            return (positions[corners[a]] - positions[corners[b]]).squaredNorm();
        };
        const int from = length(0, 2) <= length(1, 3) ? 0 : 1;
        faces.push_back({corners[from], corners[from + 1], corners[from + 2]});
        faces.push_back({corners[from], corners[from + 2], corners[(from + 3) % 4]});
    }
}

CutSet complement(const CutSet& set) {
    CutSet result = set;
    for (char& inside : result.inside) inside = !inside;
    return result;
}

// What of the working region is in the set, as a surface of its own.
void cut_out(const CutSet& set, const DeformSurface& working, DeformSurface& part) {
    const Topology& topology = working.structure->topology;
    const std::vector<int>& of_object = working.region->vertices;
    Region& region = part.region ? *part.region : part.region.emplace();
    region.vertices.clear();
    region.triangles.clear();
    region.of_mesh_vertex.assign(working.region->of_mesh_vertex.size(), -1);
    part.crease.clear();
    part.part_positions.clear();
    part.normals.clear();
    std::vector<int> kept, of_working(set.inside.size(), -1); // vertices, there and back
    for (std::size_t v = 0; v < set.inside.size(); ++v) {
        if (!set.inside[v]) continue;
        kept.push_back(static_cast<int>(v));
        of_working[v] = region.vertex_count();
        region.of_mesh_vertex[of_object[v]] = region.vertex_count();
        region.vertices.push_back(of_object[v]);
        part.part_positions.push_back(working.surface.positions[v]);
        part.normals.push_back(working.normals[v]);
    }
    std::vector<int> of_edge(topology.edges.size(), -1);
    for (int e = 0; e < topology.edge_count(); ++e) {
        const auto [a, b] = topology.edges[e];
        if (set.inside[a] == set.inside[b]) continue;
        const double t = set.cut[e];
        of_edge[e] = region.vertex_count() + static_cast<int>(part.crease.size());
        part.crease.push_back({of_object[a], of_object[b], t});
        part.part_positions.push_back((1 - t) * working.surface.positions[a] +
                                      t * working.surface.positions[b]);
        part.normals.push_back(
            ((1 - t) * working.normals[a] + t * working.normals[b]).normalized());
    }
    std::vector<int> faces; // of the working region, one a triangle
    faces.reserve(topology.face_edges.size());
    region.triangles.reserve(topology.face_edges.size());
    for (int f = 0; f < topology.face_count(); ++f) {
        const Triangle& face = working.structure->faces[f];
        const int in = set.inside[face[0]] + set.inside[face[1]] + set.inside[face[2]];
        if (in == 0) continue;
        if (in == 3) {
            region.triangles.push_back(
                {of_working[face[0]], of_working[face[1]], of_working[face[2]]});
        } else {
            const CutFace cut = cut_face(set, f, working.structure->faces, topology);
            std::array<int, 4> corners;
            for (int i = 0; i < cut.count; ++i)
                corners[i] = cut.corners[i].edge >= 0 ? of_edge[cut.corners[i].edge]
                                                      : of_working[cut.corners[i].a];
            add_polygon(std::span(corners).first(static_cast<std::size_t>(cut.count)),
                        part.part_positions, region.triangles);
        }
        faces.resize(region.triangles.size(), f);
    }
    part.structure = part_structure(*working.structure, faces, region.triangles,
                                    part_topology(topology, working.structure->faces, kept, faces,
                                                  region.triangles,
                                                  static_cast<int>(part.part_positions.size())));
    part.border.assign(part.structure->on_border.begin(), part.structure->on_border.end());
    part.edge = working.edge;
    part.surface.structure = part.structure;
    move(part.surface, part.part_positions);
    part.is_posed = true;
}

// How far each vertex of the working region is from the crease: 0 next to it, 1 a few edges away.
std::vector<double> clear_of_crease(const FoldSurfaces& fold) {
    const std::span<const Vec3> positions = fold.working.surface.positions;
    const DeformSurface& part = fold.parts[0];
    const std::vector<Vec3> crease(part.part_positions.begin() + part.region->vertex_count(),
                                   part.part_positions.end());
    const double edge = fold.working.edge;
    const PointGrid grid(crease, 3 * edge);
    const Box near = grown(bounding_box(crease), 3 * edge);
    std::vector<double> clear;
    clear.reserve(positions.size());
    for (const Vec3& position : positions) {
        if (!near.contains(position)) {
            clear.push_back(1);
            continue;
        }
        double nearest = std::pow(3 * edge, 2);
        grid.for_each_near(position, [&](int i) {
            nearest = std::min(nearest, (crease[i] - position).squaredNorm());
        });
        clear.push_back(fades::away_from_crease(std::sqrt(nearest) / edge));
    }
    return clear;
}

} // namespace

std::optional<Vec3> fold_direction(const Vec3& first, const Vec3& middle, const Vec3& last) {
    const Vec3 one = middle - first, other = last - middle;
    const double lengths = one.norm() * other.norm();
    if (!(lengths > 0)) return std::nullopt;
    const Vec3 sum = one.normalized() + other.normalized();
    const double length = sum.norm();
    if (!(length > 1e-6)) return std::nullopt;
    return Vec3(sum / length);
}

FoldSurfaces::FoldSurfaces(int object, std::shared_ptr<const FoldRegion> fold)
    : region(std::move(fold)), crease_solver(make_supernodal_solver(region->shared.plan)) {
    working.object = parts[0].object = parts[1].object = object;
    working.region = region->working;
    working.structure = region->structure;
}

void pose_fold(FoldSurfaces& fold, DeformSurface& object, const Vec3& direction,
               CreaseMethod method, FoldVariant variant) {
    pose(fold.working, object);
    const CutSet crease =
        find_crease(*fold.region, fold.working.normals, direction, method, *fold.crease_solver);
    cut_out(crease, fold.working, fold.parts[0]);
    cut_out(complement(crease), fold.working, fold.parts[1]);
    for (DeformSurface& part : fold.parts) take_settings(part, object);
    fold.clear = clear_of_crease(fold);
    fold.variant = variant;
    if (variant == FoldVariant::unified) return;
    if (!fold.regions[0].region)
        fold.regions = overlapping_regions(*fold.region, fold.working.object);
    for (DeformSurface& region : fold.regions) {
        region.is_posed = false;
        pose(region, object);
        // Where the other part goes on this one has nothing to say: its fields need not end there.
        for (std::size_t v = 0; v < region.border.size(); ++v)
            region.border[v] =
                fold.working
                    .border[fold.working.region->of_mesh_vertex[region.region->vertices[v]]];
    }
}

void join_extents(PairContact& contact) {
    const double first = contact.zones[0].area, both = first + contact.zones[1].area;
    if (!(both > 0)) return;
    for (auto* lengths : {&contact.gap, &contact.least_extent})
        lengths->fill((first * (*lengths)[0] + (both - first) * (*lengths)[1]) / both);
}

ContactZone join_zones(const FoldSurfaces& fold, const PairContact& contact) {
    const DeformSurface& working = fold.working;
    const Topology& topology = working.structure->topology;
    const std::vector<int>& of_object = working.region->vertices;
    ContactZone zone;
    zone.outward = contact.zones[0].outward;
    zone.inside.assign(of_object.size(), 0);
    zone.target.assign(working.surface.positions.begin(), working.surface.positions.end());
    zone.outwards.assign(of_object.size(), zone.outward);
    zone.border_of_edge.assign(topology.edges.size(), -1);
    const auto part_of = [&](int v) {
        return fold.parts[0].region->of_mesh_vertex[of_object[v]] >= 0 ? 0 : 1;
    };
    for (std::size_t v = 0; v < of_object.size(); ++v) {
        const int s = part_of(static_cast<int>(v));
        const int mine = fold.parts[s].region->of_mesh_vertex[of_object[v]];
        zone.inside[v] = contact.zones[s].inside[mine];
        zone.target[v] = contact.zones[s].target[mine];
        zone.outwards[v] = contact.zones[s].outward;
    }
    // Crease points come in the order of their edges, and the same for both parts.
    std::size_t on_crease = 0;
    for (int e = 0; e < topology.edge_count(); ++e) {
        const Edge& ends = topology.edges[e];
        const bool is_cut = part_of(ends[0]) != part_of(ends[1]);
        const std::size_t crease_point = on_crease;
        on_crease += is_cut;
        if (zone.inside[ends[0]] == zone.inside[ends[1]]) continue;
        const int in_end = zone.inside[ends[0]] ? 0 : 1;
        const int s = part_of(ends[in_end]);
        const DeformSurface& part = fold.parts[s];
        const ContactZone& from = contact.zones[s];
        const int in = part.region->of_mesh_vertex[of_object[ends[in_end]]];
        const int out = is_cut ? part.region->vertex_count() + static_cast<int>(crease_point)
                               : part.region->of_mesh_vertex[of_object[ends[1 - in_end]]];
        const int border = from.border_of_edge[part.structure->topology.find_edge(in, out)];
        const double end_of_part = !is_cut       ? 1
                                   : in_end == 0 ? part.crease[crease_point].t
                                                 : 1 - part.crease[crease_point].t;
        ZoneBorderPoint point;
        double way = end_of_part; // from the end that is inside, as a part of the edge
        if (border >= 0) {
            point = from.border[border];
            const double t = point.on_edge.t;
            way *= in < out ? t : 1 - t;
        } else {
            // The zone reaches the crease and ends there.
            point.position = part.surface.positions[out];
            point.normal = part.normals[out];
            point.target = from.target[out];
            point.target_normal = contact_surface_normal(
                -from.outward, 0.5, point.normal, contact.mappings[s].of_vertex[out].other_normal);
        }
        point.on_edge = {e, in_end == 0 ? way : 1 - way};
        point.outward = from.outward;
        zone.border_of_edge[e] = static_cast<int>(zone.border.size());
        zone.border.push_back(point);
    }
    zone.area = contact.zones[0].area + contact.zones[1].area;
    const PairSide side{&working.surface, working.normals, zone.outward};
    ZonePresence presence;
    find_presence(zone, side, contact.depths.edge, presence);
    fade_zone(presence, side, zone);
    zone.bulge_room = fold.clear;
    return zone;
}

} // namespace knead
