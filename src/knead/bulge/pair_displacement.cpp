#include "knead/bulge/pair_displacement.hpp"

#include "knead/base/stopwatch.hpp"
#include "knead/bulge/blended_directions.hpp"
#include "knead/bulge/border_guides.hpp"
#include "knead/bulge/bulge_map.hpp"
#include "knead/bulge/profile_curve.hpp"
#include "knead/bulge/steady_state.hpp"
#include "knead/bulge/swept_volume.hpp"
#include "knead/bulge/transported_directions.hpp"
#include "knead/bulge/turn_from_folds.hpp"
#include "knead/contact/fades.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace knead {
namespace {

// What the stages below share.
struct PairTask {
    const ContactZone& zone;
    const BulgeMesh& mesh;
    const BulgeSettings& settings;
    const FieldMethods& methods;
    BulgeWorkspace& workspace;

    bool transported() const { return methods.directions == DirectionMethod::transported; }
    // Directions that vary are carried from the border like amplitudes.
    bool carried() const { return !zone.outwards.empty() && !transported(); }
    bool in_crease() const { return carried() && !zone.bulge_room.empty(); }
};

// Leaves what solves to distances from the zone's border in the fields, and no guides yet.
void prepare_distance(const PairTask& pair) {
    const BulgeMesh& mesh = pair.mesh;
    BulgeWorkspace& workspace = pair.workspace;
    workspace.fields.resize(mesh.positions.size(), guide_count(pair.carried()));
    const auto prepare =
        pair.methods.distance == DistanceMethod::heat ? prepare_radial_field : prepare_steady_state;
    prepare(workspace.region, pair.zone, mesh.positions, mesh.faces, mesh.border, workspace);
}

// Reads the distances. The border of an open mesh stays where it is: the deformation ends before
// it, down to a few edges.
VertexNumber find_extents(const PairTask& pair, const VertexNumber& asked) {
    BulgeWorkspace& workspace = pair.workspace;
    read_radial_field(workspace.region, pair.zone, workspace, workspace.distance);
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < pair.mesh.border.size(); ++v)
        if (pair.mesh.border[v]) nearest = std::min(nearest, workspace.distance[v]);
    const double longest = std::max(nearest, 3 * workspace.region.edge);
    if (!asked.is_map()) return std::min(asked[0], longest);
    workspace.extents.clear();
    for (const double painted : asked.map())
        workspace.extents.push_back(std::min(painted, longest));
    return workspace.extents;
}

// Leaves what solves to the guides in the fields.
void prepare_guides(const PairTask& pair, const VertexNumber& extents) {
    BulgeWorkspace& workspace = pair.workspace;
    Eigen::MatrixXd& memory = workspace.at_border;
    const Eigen::Index border_count = static_cast<Eigen::Index>(pair.zone.border.size());
    const Eigen::Index guides = guide_count(pair.carried());
    if (memory.rows() < border_count || memory.cols() != guides)
        memory.resize(2 * border_count, guides); // borders grow and shrink
    auto at_border = memory.topRows(border_count);
    border_guides(pair.zone, pair.mesh, extents, workspace.region.edge, pair.methods.directions,
                  guides_in(at_border));
    couple_border(workspace.laplacian, at_border, workspace.fields.guide_columns());
}

// Nothing moves yet.
void begin_displacement(const PairTask& pair, PairDisplacement& result) {
    const std::size_t n = pair.mesh.positions.size();
    result.vertices.resize(n);
    std::iota(result.vertices.begin(), result.vertices.end(), 0);
    if (pair.zone.fade.empty())
        result.fade.assign(n, 1.0);
    else
        result.fade = pair.zone.fade;
    result.base.assign(n, Vec3::Zero());
    result.raise.assign(n, Vec3::Zero());
    result.u.assign(n, 1.0);
    result.amplitude.assign(n, 0.0);
    result.slope.assign(n, 0.0);
    result.direction.assign(pair.mesh.normals.begin(), pair.mesh.normals.end());
}

// The zone's outward direction as it has come to a vertex. Carried ones are not of unit length:
// between opposite directions they vanish, and the normal takes over ([Bru21] ch. 6 sec. 2.2).
struct CarriedOutward {
    Vec3 direction;
    double length = 1;
};

CarriedOutward carried_outward(const PairTask& pair, const Guides& guides, std::size_t v) {
    if (!pair.carried()) return {pair.zone.outward};
    const Vec3 outward = guides.outward_at(v);
    return {outward, outward.norm()};
}

Vec3 direction_at(const PairTask& pair, const CarriedOutward& outward, std::size_t v, double u) {
    const Vec3& normal = pair.mesh.normals[v];
    if (pair.transported()) return tilted(normal, (1 - u) * pair.workspace.tilts[v]);
    const Vec3 direction = blended_direction(outward.direction, outward.length, normal, u);
    const double length = direction.norm();
    return length > 1e-9 ? Vec3(direction / length) : normal;
}

ProfileShape shape_at(const ProfileSettings& profile, std::size_t vertex) {
    return {profile.bulge_at[vertex],
            profile.end_at[vertex],
            {profile.wrinkles.amplitude[vertex], profile.wrinkles.waves[vertex]}};
}

// A vertex that is at `u`, less than 1, of the way out. `in_zone` is what the zone takes of it.
void follow_profile(const PairTask& pair, const Guides& guides, std::size_t v, double u,
                    double in_zone, PairDisplacement& result) {
    // A zone that has just come in, far from all others, has nothing else to hold its fields: it is
    // by its weight that they come in with it.
    const double weight = pair.mesh.weights.empty() ? 1 : pair.mesh.weights[v];
    // Never 0, which is the zone.
    result.u[v] =
        std::max((1 - in_zone) * (1 - weight * (1 - u)), std::numeric_limits<double>::min());
    const CarriedOutward outward = carried_outward(pair, guides, v);
    const Vec3 direction = direction_at(pair, outward, v, u);
    const ProfileValue value = evaluate(
        make_profile(guides.amplitude[v], guides.slope[v], shape_at(pair.settings.profile, v)), u);
    // In a crease the sides only come apart: what goes along the normal dents the skin where the
    // crease ends, and crumples it. Nor is there room for a bulge.
    double apart_only = 0, clear_of_crease = 1;
    if (pair.in_crease()) {
        apart_only = std::max(0.0, 1 - outward.length);
        clear_of_crease =
            pair.zone.bulge_room[v] * fades::clear_of_crease(1.3 * outward.length - 0.3);
    }
    const Vec3 along = pair.zone.outward.dot(direction) * pair.zone.outward;
    const Vec3 way = direction + apart_only * (along - direction);
    const double outside = weight * result.fade[v] * (1 - in_zone);
    result.base[v] = outside * value.base * way;
    result.raise[v] = outside * clear_of_crease * value.bulge * direction;
    result.direction[v] = direction;
}

// [BBG21] eq. 1.
void displace_vertex(const PairTask& pair, const Guides& guides, const VertexNumber& extents,
                     std::size_t v, PairDisplacement& result) {
    const ContactZone& zone = pair.zone;
    // A vertex of a zone that has not come in fully is still partly outside.
    const double in_zone = zone_share(zone, v);
    const Vec3 to_surface = zone.target[v] - pair.mesh.positions[v];
    if (in_zone == 1 || (zone.inside[v] && !pair.workspace.region.unknown[v])) {
        result.u[v] = 1 - in_zone;
        result.direction[v] = zone.outward_at(v);
        result.amplitude[v] = (pair.mesh.positions[v] - zone.target[v]).dot(zone.outward_at(v));
        result.base[v] = result.fade[v] * in_zone * to_surface;
    } else if (pair.workspace.region.unknown[v]) {
        result.amplitude[v] = guides.amplitude[v];
        result.slope[v] = guides.slope[v];
        const double u = pair.workspace.distance[v] / extents[v];
        if (u < 1) follow_profile(pair, guides, v, u, in_zone, result);
        result.base[v] += result.fade[v] * in_zone * to_surface;
    }
}

void apply_bulge_map(const PairTask& pair, PairDisplacement& result) {
    bulge_weights(pair.settings.map, pair.zone, pair.mesh.positions, pair.mesh.faces, result.raise,
                  result.eta);
    for (std::size_t v = 0; v < result.raise.size(); ++v) result.raise[v] *= result.eta[v];
}

void find_moving_faces(const PairTask& pair, const PairDisplacement& result) {
    std::vector<char>& moves = pair.workspace.moves;
    moves.resize(result.base.size());
    for (std::size_t v = 0; v < moves.size(); ++v)
        moves[v] = !(result.base[v].isZero(0) && result.raise[v].isZero(0));
    std::vector<int>& moving = pair.workspace.moving_faces;
    moving.clear();
    for (std::size_t f = 0; f < pair.mesh.faces.size(); ++f)
        if (const Triangle& face = pair.mesh.faces[f];
            moves[face[0]] | moves[face[1]] | moves[face[2]])
            moving.push_back(static_cast<int>(f));
}

double height_alone(const PairTask& pair, const PairDisplacement& result) {
    return volume_keeping_height(pair.mesh.positions, result.base, result.raise, pair.mesh.faces,
                                 pair.workspace.moving_faces)
        .value_or(0);
}

// All fields are known.
void displace(const PairTask& pair, const VertexNumber& extents, PairDisplacement& result) {
    begin_displacement(pair, result);
    const Guides guides = pair.workspace.fields.guides();
    for (std::size_t v = 0; v < pair.mesh.positions.size(); ++v)
        displace_vertex(pair, guides, extents, v, result);
    apply_bulge_map(pair, result);
    find_moving_faces(pair, result);
    result.height = height_alone(pair, result);
    // A crease is curved inwards as it should be.
    const bool of_fold = !pair.zone.bulge_room.empty();
    if (!pair.transported() && !of_fold &&
        turn_from_folds(pair.zone, pair.mesh, pair.settings.bulge.largest(), extents,
                        pair.workspace, result))
        result.height = height_alone(pair, result);
}

} // namespace

double zone_share(const ContactZone& zone, std::size_t vertex) {
    if (!zone.inside[vertex]) return 0;
    return zone.vertex_fade.empty() ? 1 : zone.vertex_fade[vertex];
}

BulgeTimes pair_displacement(const ContactZone& zone, const BulgeMesh& mesh,
                             const BulgeSettings& settings, const VertexNumber& extent,
                             const FieldMethods& methods, BulgeWorkspace& workspace,
                             PairDisplacement& result) {
    const PairTask pair{zone, mesh, settings, methods, workspace};
    Fields& fields = workspace.fields;
    BulgeTimes times;
    Stopwatch watch;
    cut_region(zone, mesh.positions, mesh.faces, *mesh.topology, mesh.weights, mesh.edge,
               workspace.cutting, workspace.region);
    prepare_distance(pair);
    // Guides follow from the extent, and on an open mesh that follows from distances. A slope that
    // is in proportion to one extent can be found for an extent of 1: all of them are then solved
    // at once, which takes two thirds of the time.
    const bool at_once = !extent.is_map() && !pair.transported();
    VertexNumber extents = 1;
    if (!at_once) {
        workspace.harmonic->solve(fields.distance_column());
        extents = find_extents(pair, extent);
    }
    times.parametrize = watch.lap();
    if (pair.transported())
        workspace.tilts =
            transported_tilts(workspace.region, zone, mesh.normals, *mesh.topology, workspace);
    times.direction = watch.lap();
    prepare_guides(pair, extents);
    if (at_once) {
        workspace.harmonic->solve(fields.columns);
        extents = find_extents(pair, extent);
        for (double& slope : fields.guides().slope) slope *= extents[0];
    } else {
        workspace.harmonic->solve(fields.guide_columns());
    }
    times.guide = watch.lap();
    displace(pair, extents, result);
    times.displace = watch.lap();
    return times;
}

} // namespace knead
