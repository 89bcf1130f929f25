#include "knead/bulge/pair_displacement.hpp"

#include "knead/base/smoothstep.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/bulge/blended_directions.hpp"
#include "knead/bulge/border_guides.hpp"
#include "knead/bulge/bulge_map.hpp"
#include "knead/bulge/profile_curve.hpp"
#include "knead/bulge/steady_state.hpp"
#include "knead/bulge/swept_volume.hpp"
#include "knead/bulge/transported_directions.hpp"
#include "knead/bulge/turn_from_folds.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace knead {
namespace {

ProfileShape shape_at(const ProfileSettings& profile, std::size_t vertex) {
    return {profile.bulge_at[vertex],
            profile.end_at[vertex],
            {profile.wrinkles.amplitude[vertex], profile.wrinkles.waves[vertex]}};
}

// The border of an open mesh stays where it is: the deformation ends before it, down to a few
// edges.
double longest_extent(std::span<const double> distance, const BulgeMesh& mesh, double edge) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < mesh.border.size(); ++v)
        if (mesh.border[v]) nearest = std::min(nearest, distance[v]);
    return std::max(nearest, 3 * edge);
}

} // namespace

double zone_share(const ContactZone& zone, std::size_t vertex) {
    if (!zone.inside[vertex]) return 0;
    return zone.vertex_fade.empty() ? 1 : zone.vertex_fade[vertex];
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
        const double in_zone = zone_share(zone, v);
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
                const Vec3 direction =
                    blended_direction(outward, outward_length, mesh.normals[v], u);
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

} // namespace knead
