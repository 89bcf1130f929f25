#include "knead/bulge/displacement.hpp"

#include "knead/base/lanes.hpp"
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

ProfileShape shape_at(const ProfileSettings& profile, std::size_t vertex) {
    return {profile.bulge_at[vertex],
            profile.end_at[vertex],
            {profile.wrinkles.amplitude[vertex], profile.wrinkles.waves[vertex]}};
}

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
double longest_extent(std::span<const double> distance, const BulgeMesh& mesh, double edge) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < mesh.border.size(); ++v)
        if (mesh.border[v]) nearest = std::min(nearest, distance[v]);
    return std::max(nearest, 3 * edge);
}

// A vector of each of two faces.
struct Lanes3 {
    Lanes x, y, z;
};

Lanes3 both(const Vec3& a, const Vec3& b) {
    return {Lanes{a.x(), b.x()}, Lanes{a.y(), b.y()}, Lanes{a.z(), b.z()}};
}
Lanes3 operator+(const Lanes3& a, const Lanes3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Lanes3 operator-(const Lanes3& a, const Lanes3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Lanes3 operator*(double s, const Lanes3& a) {
    return {s * a.x, s * a.y, s * a.z};
}
Lanes3 cross(const Lanes3& a, const Lanes3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Lanes dot(const Lanes3& a, const Lanes3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// What faces sweep, six times, as a polynomial in the height.
class SweptVolume {
public:
    SweptVolume(std::span<const Vec3> positions, std::span<const Vec3> ways,
                std::span<const Vec3> raise)
        : positions_(positions), ways_(ways), raise_(raise) {}

    // A face's corners' ways times twice its mean area vector. No origin is needed, which would
    // matter where the border of an open mesh moves, and nothing is lost by rounding for ways as
    // short as those of a contact that has just appeared. With edges half-way, m, there are seven
    // products of two vectors; the nine that come from multiplying out, one face after the other,
    // took twice as long.
    void add(const Triangle& f, const Triangle& g) {
        const auto at = [&](std::span<const Vec3> field, int i) {
            return both(field[f[i]], field[g[i]]);
        };
        const Lanes3 d0 = at(ways_, 0), d1 = at(ways_, 1), d2 = at(ways_, 2);
        const Lanes3 b0 = at(raise_, 0), b1 = at(raise_, 1), b2 = at(raise_, 2);
        const Lanes3 p0 = at(positions_, 0);
        const Lanes3 d = d0 + d1 + d2, g1 = d1 - d0, g2 = d2 - d0;
        const Lanes3 b = b0 + b1 + b2, h1 = b1 - b0, h2 = b2 - b0;
        const Lanes3 m1 = at(positions_, 1) - p0 + 0.5 * g1, m2 = at(positions_, 2) - p0 + 0.5 * g2;
        const Lanes3 q0 = cross(m1, m2) + (1.0 / 12) * cross(g1, g2);
        const Lanes3 q1 =
            0.5 * (cross(m1, h2) + cross(h1, m2)) + (1.0 / 12) * (cross(g1, h2) + cross(h1, g2));
        const Lanes3 q2 = (1.0 / 3) * cross(h1, h2);
        sums_[0] += dot(d, q0);
        sums_[1] += dot(b, q0) + dot(d, q1);
        sums_[2] += dot(b, q1) + dot(d, q2);
        sums_[3] += dot(b, q2);
    }
    void add_last(const Triangle& f) {
        std::array<Lanes, 4> before = sums_;
        add(f, f);
        for (int i = 0; i < 4; ++i) sums_[i][1] = before[i][1];
    }

    std::optional<double> height(double change) const {
        double c[4];
        for (int i = 0; i < 4; ++i) c[i] = sums_[i][0] + sums_[i][1];
        c[0] -= 6 * change;
        const CubicRoots roots = cubic_roots(c[3], c[2], c[1], c[0]);
        const bool lower = c[0] > 0 && c[1] > 0;
        std::optional<double> nearest;
        for (const double root : roots.span())
            if (lower ? root < 0 : root > 0)
                if (!nearest || std::abs(root) < std::abs(*nearest)) nearest = root;
        return nearest;
    }

private:
    std::span<const Vec3> positions_, ways_, raise_;
    std::array<Lanes, 4> sums_{};
};

// Of the smoothed normals each vertex takes all where its faces come near a fold, and less and less
// over the next eight edges.
void find_share(const Topology& topology, SmoothingWorkspace& workspace) {
    std::vector<double>&share = workspace.share, &grown = workspace.grown;
    share.clear();
    for (const double nearness : workspace.nearness)
        share.push_back(smoothstep(2 * nearness - 0.5));
    for (int ring = 0; ring < 8; ++ring) {
        grown = share;
        for (const auto& [a, b] : topology.edges) {
            grown[a] = std::max(grown[a], share[b] - 0.125);
            grown[b] = std::max(grown[b], share[a] - 0.125);
        }
        share.swap(grown);
    }
    for (double& of_vertex : share) of_vertex = smoothstep(of_vertex);
}

// Skin that is curved inwards folds when it is raised along its normals by more than the radius of
// the curve. Where that is near, normals are smoothed over six raise heights, as far as the sweeps
// go, and what goes along them turns; elsewhere nothing changes. Gives whether anything has turned.
bool turn_from_folds(const ContactZone& zone, const BulgeMesh& mesh, double bulge,
                     const VertexNumber& extents, BulgeWorkspace& workspace,
                     PairDisplacement& result) {
    const double height = bulge * std::abs(result.height);
    SmoothingWorkspace& smoothing = workspace.smoothing;
    const double nearest =
        fold_nearness(mesh.positions, result.raise, height, *mesh.topology, smoothing.nearness);
    if (!(nearest > 0.25)) return false;
    find_share(*mesh.topology, smoothing);
    double highest = 0;
    for (const Vec3& raise : result.raise) highest = std::max(highest, raise.squaredNorm());
    const double length = 6 * height * std::sqrt(highest);
    smooth_directions(mesh.normals, mesh.weights, *mesh.topology, length / workspace.region.edge,
                      workspace.smoothing, workspace.smooth_normals);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const double u = workspace.distance[v] / extents[v];
        if (!workspace.region.unknown[v] || !(u < 1)) continue;
        const double in_zone = !zone.inside[v]            ? 0
                               : zone.vertex_fade.empty() ? 1
                                                          : zone.vertex_fade[v];
        if (in_zone == 1 || !(smoothing.share[v] > 0)) continue;
        const double w = mapping_weight(u);
        const Vec3 normal =
            mesh.normals[v] + smoothing.share[v] * (workspace.smooth_normals[v] - mesh.normals[v]);
        const Vec3 sum = w * zone.outward_at(v) + (1 - w) * normal;
        if (!(sum.norm() > 1e-9)) continue;
        const Vec3 before = result.direction[v], direction = sum.normalized();
        const Vec3 of_zone = result.fade[v] * in_zone * (zone.target[v] - mesh.positions[v]);
        result.base[v] += (result.base[v] - of_zone).dot(before) * (direction - before);
        result.raise[v] = result.raise[v].dot(before) * direction;
        result.direction[v] = direction;
    }
    return true;
}

} // namespace

Eigen::MatrixXd border_guides(const ContactZone& zone, const BulgeMesh& mesh,
                              const VertexNumber& extent, double edge, DirectionMethod directions) {
    Eigen::MatrixXd guides(static_cast<Eigen::Index>(zone.border.size()), 2);
    border_guides(zone, mesh, extent, edge, directions, guides);
    return guides;
}

void border_guides(const ContactZone& zone, const BulgeMesh& mesh, const VertexNumber& extent,
                   double edge, DirectionMethod directions, Eigen::Ref<Eigen::MatrixXd> guides) {
    // Conormals of the border in each face it passes through, out of the zone, times its length
    // there.
    std::vector<Vec3> places, conormals;
    for (auto* all : {&places, &conormals}) all->reserve(zone.border.size());
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
}

std::optional<double> volume_keeping_height(std::span<const Vec3> positions,
                                            std::span<const Vec3> ways, std::span<const Vec3> raise,
                                            std::span<const Triangle> faces, double change) {
    const auto still = [&](int v) { return ways[v].isZero(0) && raise[v].isZero(0); };
    SweptVolume volume(positions, ways, raise);
    const Triangle* odd = nullptr;
    for (const Triangle& face : faces) {
        if (still(face[0]) && still(face[1]) && still(face[2])) continue;
        if (odd) volume.add(*odd, face);
        odd = odd ? nullptr : &face;
    }
    if (odd) volume.add_last(*odd);
    return volume.height(change);
}

std::optional<double> volume_keeping_height(std::span<const Vec3> positions,
                                            std::span<const Vec3> ways, std::span<const Vec3> raise,
                                            std::span<const Triangle> faces,
                                            std::span<const int> moving, double change) {
    SweptVolume volume(positions, ways, raise);
    std::size_t i = 0;
    for (; i + 2 <= moving.size(); i += 2) volume.add(faces[moving[i]], faces[moving[i + 1]]);
    if (i < moving.size()) volume.add_last(faces[moving[i]]);
    return volume.height(change);
}

void pair_displacement(const ContactZone& zone, const BulgeMesh& mesh,
                       const BulgeSettings& settings, const VertexNumber& extent,
                       const FieldMethods& methods, BulgeWorkspace& workspace,
                       PairDisplacement& result) {
    const std::size_t n = mesh.positions.size();
    Stopwatch watch;
    CutRegion& region = workspace.region;
    cut_region(zone, mesh.positions, mesh.faces, *mesh.topology, mesh.weights, mesh.edge, region);
    const bool transported = methods.directions == DirectionMethod::transported;
    // Directions that vary are carried from the border like amplitudes.
    const bool carried = !zone.outwards.empty() && !transported;
    const bool in_crease = carried && !zone.bulge_room.empty();
    const Eigen::Index guide_count = carried ? 5 : 2;
    Eigen::MatrixXd& fields = workspace.fields;
    fields.resize(static_cast<Eigen::Index>(n), 1 + guide_count);
    (methods.distance == DistanceMethod::heat ? prepare_radial_field : prepare_steady_state)(
        region, zone, mesh.positions, mesh.faces, mesh.border, workspace);
    // Guides follow from the extent, and on an open mesh that follows from distances. A slope that
    // is in proportion to one extent can be found for an extent of 1: all of them are then solved
    // at once, which takes two thirds of the time.
    const bool in_proportion = !extent.is_map() && !transported;
    std::vector<double> extent_map;
    VertexNumber extents = extent;
    const auto find_extents = [&] {
        read_radial_field(region, zone, workspace, workspace.distance);
        const double longest = longest_extent(workspace.distance, mesh, region.edge);
        for (const double painted : extent.map()) extent_map.push_back(std::min(painted, longest));
        extents =
            extent.is_map() ? VertexNumber(extent_map) : VertexNumber(std::min(extent[0], longest));
    };
    if (!in_proportion) {
        workspace.harmonic->solve(fields.leftCols(1));
        find_extents();
    }
    result.parametrize_milliseconds = watch.lap();
    std::vector<Vec3> tilts;
    if (transported)
        tilts = transported_tilts(region, zone, mesh.normals, *mesh.topology, workspace);
    result.direction_milliseconds = watch.lap();
    Eigen::MatrixXd& at_border = workspace.at_border;
    const Eigen::Index border_count = static_cast<Eigen::Index>(zone.border.size());
    if (at_border.rows() < border_count || at_border.cols() != guide_count)
        at_border.resize(2 * border_count, guide_count); // borders grow and shrink
    border_guides(zone, mesh, in_proportion ? VertexNumber(1) : extents, region.edge,
                  methods.directions, at_border.topRows(border_count));
    if (carried)
        // Not of unit length: between opposite directions it vanishes, and the normal takes over
        // ([Bru21] ch. 6 sec. 2.2).
        for (std::size_t i = 0; i < zone.border.size(); ++i)
            at_border.row(static_cast<Eigen::Index>(i)).tail<3>() = zone.border[i].outward;
    couple_border(workspace.laplacian, at_border.topRows(border_count),
                  fields.rightCols(guide_count));
    if (in_proportion) {
        workspace.harmonic->solve(fields);
        find_extents();
        fields.col(2) *= extents[0];
    } else {
        workspace.harmonic->solve(fields.rightCols(guide_count));
    }

    result.guide_milliseconds = watch.lap();
    result.vertices.resize(n);
    std::iota(result.vertices.begin(), result.vertices.end(), 0);
    if (zone.fade.empty())
        result.fade.assign(n, 1.0);
    else
        result.fade = zone.fade;
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
        result.amplitude[v] = fields(row, 1);
        result.slope[v] = fields(row, 2);
        Vec3 outward = zone.outward;
        double outward_length = 1, clear_of_crease = 1;
        if (carried) {
            outward = fields.row(row).tail<3>().transpose();
            outward_length = outward.norm();
        }
        if (in_crease) {
            clear_of_crease = zone.bulge_room[v] * smoothstep(1.3 * outward_length - 0.3);
        }
        const double u = workspace.distance[v] / extents[v];
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
                make_profile(result.amplitude[v], result.slope[v], shape_at(settings.profile, v)),
                u);
            const double outside = weight * result.fade[v] * (1 - in_zone);
            // In a crease the sides only come apart: what goes along the normal dents the skin
            // where the crease ends, and crumples it.
            const Vec3 along = zone.outward.dot(result.direction[v]) * zone.outward;
            const double apart_only = in_crease ? std::max(0.0, 1 - outward_length) : 0;
            const Vec3 way = result.direction[v] + apart_only * (along - result.direction[v]);
            result.base[v] = outside * value.base * way;
            // Nor is there room for a bulge.
            result.raise[v] = outside * clear_of_crease * value.bulge * result.direction[v];
        }
        result.base[v] += result.fade[v] * in_zone * (zone.target[v] - mesh.positions[v]);
    }
    bulge_weights(settings.map, zone, mesh.positions, mesh.faces, result.raise, result.eta);
    std::vector<char>& moves = workspace.moves;
    moves.resize(n);
    for (std::size_t v = 0; v < n; ++v) {
        result.raise[v] *= result.eta[v];
        moves[v] = !(result.base[v].isZero(0) && result.raise[v].isZero(0));
    }
    workspace.moving_faces.clear();
    for (std::size_t f = 0; f < mesh.faces.size(); ++f)
        if (const Triangle& face = mesh.faces[f]; moves[face[0]] | moves[face[1]] | moves[face[2]])
            workspace.moving_faces.push_back(static_cast<int>(f));
    const auto find_height = [&] {
        result.height = volume_keeping_height(mesh.positions, result.base, result.raise, mesh.faces,
                                              workspace.moving_faces)
                            .value_or(0);
    };
    find_height();
    // A crease is curved inwards as it should be.
    const bool of_fold = !zone.bulge_room.empty();
    if (!transported && !of_fold &&
        turn_from_folds(zone, mesh, settings.bulge.largest(), extents, workspace, result))
        find_height();
    result.displace_milliseconds = watch.lap();
}

CombinedDisplacement combine_displacements(std::span<const PairDisplacement> pairs,
                                           const BulgeMesh& mesh) {
    CombinedDisplacement result;
    combine_displacements(pairs, mesh, result);
    return result;
}

void combine_displacements(std::span<const PairDisplacement> pairs, const BulgeMesh& mesh,
                           CombinedDisplacement& result) {
    const std::size_t n = mesh.positions.size();
    result.base.assign(mesh.positions.begin(), mesh.positions.end());
    result.strengths.resize(n, 0);
    if (result.raise.size() != n) {
        result.raise.assign(n, Vec3::Zero());
    } else {
        for (const int v : result.moved) result.raise[v].setZero();
    }
    result.moved.clear();
    if (pairs.size() == 1) {
        const PairDisplacement& pair = pairs.front();
        result.moved = pair.vertices;
        for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
            result.base[pair.vertices[i]] += pair.base[i];
            result.raise[pair.vertices[i]] = pair.height * pair.raise[i];
        }
        return;
    }
    // 0 at the end of the pair's region, without bound in its zone.
    const auto strength = [](const PairDisplacement& pair, std::size_t i) {
        const double z = std::min(influence(pair.u[i], pair.fade[i]), 1 - 1e-9);
        return z / (1 - z);
    };
    for (const PairDisplacement& pair : pairs)
        for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
            double& total = result.strengths[pair.vertices[i]];
            if (total == 0) {
                result.moved.push_back(pair.vertices[i]);
                total = 1;
            }
            total += strength(pair, i);
        }
    for (const PairDisplacement& pair : pairs)
        for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
            const int v = pair.vertices[i];
            const double share = (1 + strength(pair, i)) / result.strengths[v];
            result.base[v] += share * pair.base[i];
            result.raise[v] += share * pair.height * pair.raise[i];
        }
    for (const int v : result.moved) result.strengths[v] = 0;
}

double restore_volume(const CombinedDisplacement& combined, std::span<const double> room,
                      const BulgeMesh& mesh, const VertexNumber& bulge,
                      std::vector<Vec3>& displaced) {
    VolumeWorkspace workspace;
    return restore_volume(combined, room, mesh, bulge, workspace, displaced);
}

double restore_volume(const CombinedDisplacement& combined, std::span<const double> room,
                      const BulgeMesh& mesh, const VertexNumber& bulge, VolumeWorkspace& workspace,
                      std::vector<Vec3>& displaced) {
    const std::size_t n = mesh.positions.size();
    std::vector<Vec3>&ways = workspace.ways, &raise = workspace.raise;
    ways.resize(n);
    raise.resize(n);
    workspace.vertices.clear();
    double highest = 0, deepest = 0; // squares
    for (std::size_t v = 0; v < n; ++v) {
        ways[v] = combined.base[v] - mesh.positions[v];
        raise[v] = combined.raise[v];
        if (raise[v].isZero(0) && ways[v].isZero(0)) continue;
        workspace.vertices.push_back(static_cast<int>(v));
        highest = std::max(highest, raise[v].squaredNorm());
        deepest = std::max(deepest, ways[v].squaredNorm());
    }
    highest = std::sqrt(highest);
    deepest = std::sqrt(deepest);
    displaced.assign(combined.base.begin(), combined.base.end());
    if (!(highest > 0)) return 0;
    workspace.face_listed.resize(mesh.faces.size(), 0);
    workspace.faces.clear();
    for (const int v : workspace.vertices)
        for (const int face : mesh.topology->vertex_faces[v])
            if (!workspace.face_listed[face]) {
                workspace.face_listed[face] = 1;
                workspace.faces.push_back(face);
            }
    for (const int face : workspace.faces) workspace.face_listed[face] = 0;
    const double limit = 5 * deepest / highest;
    // The volume grows with the height. With those that have no more room held where they are it is
    // a cubic again; its root is higher, leaves less room, and so on until none is added. Each
    // pair was raised by what it would need alone, so that the first height is near 1.
    double height = 0, highest_tried = 0;
    for (bool more = true; more;) {
        const auto root =
            volume_keeping_height(mesh.positions, ways, raise, mesh.faces, workspace.faces);
        if (!root && height == 0) break;
        height = std::min(root.value_or(limit), limit);
        highest_tried = std::max(highest_tried, height);
        more = false;
        for (const int v : workspace.vertices) {
            if (!(room[v] < height) || raise[v].isZero(0)) continue;
            ways[v] += room[v] * raise[v];
            raise[v].setZero();
            more = height < limit;
        }
    }
    for (const int v : workspace.vertices)
        displaced[v] +=
            std::min(bulge[static_cast<std::size_t>(v)] * height, room[v]) * combined.raise[v];
    return std::max(highest_tried, height * bulge.largest());
}

} // namespace knead
