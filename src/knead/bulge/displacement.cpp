#include "knead/bulge/displacement.hpp"

#include "knead/base/smoothstep.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/bulge/steady_state.hpp"
#include "knead/bulge/transported_directions.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/solve/cubic.hpp"
#include "knead/spatial/point_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace knead {
namespace {

// How fast the direction goes over from the mapping direction to the normals ([BBG21] eq. 6).
double mapping_weight(double u) {
    const double s = 1 - u * u;
    return s * s * s * s * s * s;
}

// How much a pair has to say at a place, against other pairs: all in its zone, nothing at its end.
double influence(double u, double fade) {
    const double s = 1 - u * u;
    return fade * s * s;
}

// The border of an open mesh stays where it is: the deformation ends before it, down to a few
// edges.
double longest_extent(const RadialField& radial, const BulgeMesh& mesh, double edge) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < mesh.border.size(); ++v)
        if (mesh.border[v]) nearest = std::min(nearest, radial.distance[v]);
    return std::max(nearest, 3 * edge);
}

} // namespace

Eigen::MatrixXd border_guides(const ContactZone& zone, const BulgeMesh& mesh,
                              const VertexNumber& extent, double edge, DirectionMethod directions) {
    // Conormals of the border in each face it passes through, out of the zone, times its length
    // there.
    std::vector<Vec3> places, conormals;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        const Triangle& face = mesh.faces[f];
        const int in = zone.inside[face[0]] + zone.inside[face[1]] + zone.inside[face[2]];
        if (in == 0 || in == 3) continue;
        int odd = 0;
        while (zone.inside[face[odd]] != (in == 1)) ++odd;
        const int first = zone.border_of_edge[mesh.topology->face_edges[f][odd]];
        const int second = zone.border_of_edge[mesh.topology->face_edges[f][(odd + 2) % 3]];
        const Vec3 &corner = mesh.positions[face[odd]], &from = zone.border[first].position,
                   &to = zone.border[second].position;
        const Vec3 normal = (mesh.positions[face[(odd + 1) % 3]] - corner)
                                .cross(mesh.positions[face[(odd + 2) % 3]] - corner)
                                .normalized();
        Vec3 conormal = (to - from).cross(normal);
        const bool towards_odd = conormal.dot(corner - from) > 0;
        if (towards_odd == (in == 1)) conormal = -conormal;
        places.push_back(0.5 * (from + to));
        conormals.push_back(conormal);
    }
    // Their mean over an edge's length of border: a border that passes a vertex has many short
    // pieces there, of no sure direction.
    const PointGrid grid(places, edge);
    const auto outward_at = [&](const Vec3& position) {
        Vec3 sum = Vec3::Zero();
        double length = 0;
        grid.for_each_near(position, [&](int i) {
            const double s = 1 - (places[i] - position).squaredNorm() / (edge * edge);
            if (s <= 0) return;
            sum += s * s * conormals[i];
            length += s * s * conormals[i].norm();
        });
        return length > 0 ? Vec3(sum / length) : Vec3(Vec3::Zero());
    };
    Eigen::MatrixXd guides(static_cast<Eigen::Index>(zone.border.size()), 2);
    for (std::size_t i = 0; i < zone.border.size(); ++i) {
        const ZoneBorderPoint& point = zone.border[i];
        const Vec3 &n = point.normal, &target = point.target_normal;
        const Vec3 gradient = -(target - n * n.dot(target)) / point.outward.dot(target);
        const Vec3 away = outward_at(point.position);
        const double reach = extent.at(mesh.topology->edges[point.on_edge.edge], point.on_edge.t);
        const double amplitude = (point.position - point.target).dot(point.outward);
        double steepness = gradient.dot(away);
        if (directions == DirectionMethod::transported)
            steepness += amplitude / point.outward.dot(target) *
                         direction_change(point, away, reach, mesh.positions, mesh.normals,
                                          mesh.faces, *mesh.topology)
                             .dot(target);
        const Eigen::Index row = static_cast<Eigen::Index>(i);
        guides(row, 0) = amplitude;
        guides(row, 1) = reach * steepness;
    }
    return guides;
}

std::optional<double> volume_keeping_height(std::span<const Vec3> positions,
                                            std::span<const Vec3> ways, std::span<const Vec3> raise,
                                            std::span<const Triangle> faces, double change) {
    double c[4] = {-6 * change, 0, 0, 0};
    for (const Triangle& f : faces) {
        const Vec3 &d0 = ways[f[0]], &d1 = ways[f[1]], &d2 = ways[f[2]];
        const Vec3 &b0 = raise[f[0]], &b1 = raise[f[1]], &b2 = raise[f[2]];
        if (d0.isZero(0) && d1.isZero(0) && d2.isZero(0) && b0.isZero(0) && b1.isZero(0) &&
            b2.isZero(0))
            continue;
        // Six times what a face sweeps: its corners' ways times twice its mean area vector. No
        // origin is needed, which would matter where the border of an open mesh moves, and nothing
        // is lost by rounding for ways as short as those of a contact that has just appeared.
        const Vec3 e1 = positions[f[1]] - positions[f[0]], e2 = positions[f[2]] - positions[f[0]];
        const Vec3 d = d0 + d1 + d2, g1 = d1 - d0, g2 = d2 - d0;
        const Vec3 b = b0 + b1 + b2, h1 = b1 - b0, h2 = b2 - b0;
        const Vec3 q0 = e1.cross(e2) + (e1.cross(g2) + g1.cross(e2)) / 2 + g1.cross(g2) / 3;
        const Vec3 q1 = (e1.cross(h2) + h1.cross(e2)) / 2 + (g1.cross(h2) + h1.cross(g2)) / 3;
        const Vec3 q2 = h1.cross(h2) / 3;
        c[0] += d.dot(q0);
        c[1] += b.dot(q0) + d.dot(q1);
        c[2] += b.dot(q1) + d.dot(q2);
        c[3] += b.dot(q2);
    }
    const CubicRoots roots = cubic_roots(c[3], c[2], c[1], c[0]);
    const bool lower = c[0] > 0 && c[1] > 0;
    std::optional<double> nearest;
    for (const double root : roots.span())
        if (lower ? root < 0 : root > 0)
            if (!nearest || std::abs(root) < std::abs(*nearest)) nearest = root;
    return nearest;
}

void pair_displacement(const ContactZone& zone, const BulgeMesh& mesh,
                       const BulgeSettings& settings, const VertexNumber& extent,
                       const FieldMethods& methods, BulgeWorkspace& workspace,
                       PairDisplacement& result) {
    const std::size_t n = mesh.positions.size();
    Stopwatch watch;
    const CutRegion region =
        cut_region(zone, mesh.positions, mesh.faces, *mesh.topology, mesh.weights, mesh.edge);
    const RadialField radial =
        (methods.distance == DistanceMethod::heat ? radial_field : steady_state_field)(
            region, zone, mesh.positions, mesh.faces, mesh.border, workspace);
    const double longest = longest_extent(radial, mesh, region.edge);
    std::vector<double> extent_map;
    for (const double painted : extent.map()) extent_map.push_back(std::min(painted, longest));
    const VertexNumber extents =
        extent.is_map() ? VertexNumber(extent_map) : VertexNumber(std::min(extent[0], longest));
    result.parametrize_milliseconds = watch.lap();
    const bool transported = methods.directions == DirectionMethod::transported;
    const bool in_crease = !zone.outwards.empty() && !transported;
    std::vector<Vec3> tilts;
    if (transported)
        tilts = transported_tilts(region, zone, mesh.normals, *mesh.topology, workspace);
    result.direction_milliseconds = watch.lap();
    Eigen::MatrixXd at_border = border_guides(zone, mesh, extents, region.edge, methods.directions);
    if (in_crease) {
        // Not of unit length: between opposite directions it vanishes, and the normal takes over
        // ([Bru21] ch. 6 sec. 2.2).
        at_border.conservativeResize(Eigen::NoChange, 5);
        for (std::size_t i = 0; i < zone.border.size(); ++i)
            at_border.row(static_cast<Eigen::Index>(i)).tail<3>() = zone.border[i].outward;
    }
    const Eigen::MatrixXd guides = diffuse_from_border(at_border, workspace);

    result.guide_milliseconds = watch.lap();
    result.vertices.resize(n);
    std::iota(result.vertices.begin(), result.vertices.end(), 0);
    result.fade = zone.fade.empty() ? std::vector<double>(n, 1.0) : zone.fade;
    result.base.assign(n, Vec3::Zero());
    result.raise.assign(n, Vec3::Zero());
    result.u.assign(n, 1.0);
    result.amplitude.assign(n, 0.0);
    result.slope.assign(n, 0.0);
    result.direction.assign(mesh.normals.begin(), mesh.normals.end());
    for (std::size_t v = 0; v < n; ++v) {
        // A vertex of a zone that has not come in fully is still partly outside.
        const double in_zone = !zone.inside[v]            ? 0
                               : zone.vertex_fade.empty() ? 1
                                                          : zone.vertex_fade[v];
        if (in_zone == 1 || (zone.inside[v] && !region.unknown[v])) {
            result.u[v] = 1 - in_zone;
            result.direction[v] = zone.outward_at(v);
            result.amplitude[v] = (mesh.positions[v] - zone.target[v]).dot(zone.outward_at(v));
            result.base[v] = result.fade[v] * in_zone * (zone.target[v] - mesh.positions[v]);
            continue;
        }
        if (!region.unknown[v]) continue;
        const Eigen::Index row = static_cast<Eigen::Index>(v);
        result.amplitude[v] = guides(row, 0);
        result.slope[v] = guides(row, 1);
        Vec3 outward = zone.outward;
        double outward_length = 1, clear_of_crease = 1;
        if (in_crease) {
            outward = guides.row(row).tail<3>().transpose();
            outward_length = outward.norm();
            clear_of_crease = zone.bulge_room[v] * smoothstep(1.3 * outward_length - 0.3);
        }
        const double u = radial.distance[v] / extents[v];
        if (u < 1) {
            // A zone that has just come in, far from all others, has nothing else to hold its
            // fields: it is by its weight that they come in with it.
            const double weight = mesh.weights.empty() ? 1 : mesh.weights[v];
            // Never 0, which is the zone.
            result.u[v] = std::max((1 - in_zone) * (1 - weight * (1 - u)),
                                   std::numeric_limits<double>::min());
            if (transported) {
                result.direction[v] = tilted(mesh.normals[v], (1 - u) * tilts[v]);
            } else {
                const double w = mapping_weight(u);
                const Vec3 direction = w * outward + (1 - w * outward_length) * mesh.normals[v];
                const double length = direction.norm();
                result.direction[v] = length > 1e-9 ? Vec3(direction / length) : mesh.normals[v];
            }
            const ProfileValue value = evaluate(
                make_profile(result.amplitude[v], result.slope[v], settings.profile.at(v)), u);
            const double outside = weight * result.fade[v] * (1 - in_zone);
            // In a crease the sides only come apart: what goes along the normal dents the skin
            // where the crease ends, and crumples it.
            const Vec3 along = zone.outward.dot(result.direction[v]) * zone.outward;
            const double apart_only = std::max(0.0, 1 - outward_length);
            const Vec3 way = result.direction[v] + apart_only * (along - result.direction[v]);
            result.base[v] = outside * value.base * way;
            // Nor is there room for a bulge.
            result.raise[v] = outside * clear_of_crease * value.bulge * result.direction[v];
        }
        result.base[v] += result.fade[v] * in_zone * (zone.target[v] - mesh.positions[v]);
    }
    result.eta = bulge_weights(settings.map, zone, mesh.positions, mesh.faces, result.raise);
    for (std::size_t v = 0; v < n; ++v) result.raise[v] *= result.eta[v];

    result.height =
        volume_keeping_height(mesh.positions, result.base, result.raise, mesh.faces).value_or(0);
    result.displace_milliseconds = watch.lap();
}

CombinedDisplacement combine_displacements(std::span<const PairDisplacement> pairs,
                                           const BulgeMesh& mesh) {
    const std::size_t n = mesh.positions.size();
    CombinedDisplacement result{{mesh.positions.begin(), mesh.positions.end()},
                                std::vector<Vec3>(n, Vec3::Zero())};
    // 0 at the end of the pair's region, without bound in its zone.
    const auto strength = [](const PairDisplacement& pair, std::size_t i) {
        const double z = std::min(influence(pair.u[i], pair.fade[i]), 1 - 1e-9);
        return z / (1 - z);
    };
    std::vector<double> total(n, 1.0);
    for (const PairDisplacement& pair : pairs)
        for (std::size_t i = 0; i < pair.vertices.size(); ++i)
            total[pair.vertices[i]] += strength(pair, i);
    for (const PairDisplacement& pair : pairs)
        for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
            const int v = pair.vertices[i];
            const double share = pairs.size() == 1 ? 1 : (1 + strength(pair, i)) / total[v];
            result.base[v] += share * pair.base[i];
            result.raise[v] += share * pair.height * pair.raise[i];
        }
    return result;
}

double restore_volume(const CombinedDisplacement& combined, std::span<const double> room,
                      const BulgeMesh& mesh, const VertexNumber& bulge,
                      std::vector<Vec3>& displaced) {
    const std::size_t n = mesh.positions.size();
    double highest = 0, deepest = 0;
    std::vector<Vec3> ways(n), raise = combined.raise;
    for (std::size_t v = 0; v < n; ++v) {
        ways[v] = combined.base[v] - mesh.positions[v];
        highest = std::max(highest, raise[v].norm());
        deepest = std::max(deepest, ways[v].norm());
    }
    const double limit = highest > 0 ? 5 * deepest / highest : 0;
    // The volume grows with the height. With those that have no more room held where they are it is
    // a cubic again; its root is higher, leaves less room, and so on until none is added. Each
    // pair was raised by what it would need alone, so that the first height is near 1.
    double height = 0;
    for (bool more = highest > 0; more;) {
        const auto root = volume_keeping_height(mesh.positions, ways, raise, mesh.faces);
        if (!root && height == 0) break;
        height = std::min(root.value_or(limit), limit);
        more = false;
        for (std::size_t v = 0; v < n; ++v) {
            if (!(room[v] < height) || raise[v].isZero(0)) continue;
            ways[v] += room[v] * raise[v];
            raise[v].setZero();
            more = height < limit;
        }
    }
    displaced.resize(n);
    for (std::size_t v = 0; v < n; ++v)
        displaced[v] = combined.base[v] + std::min(bulge[v] * height, room[v]) * combined.raise[v];
    return height * std::max(1.0, bulge.largest());
}

} // namespace knead
