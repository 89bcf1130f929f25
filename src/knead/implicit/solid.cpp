#include "knead/implicit/solid.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/implicit/piece_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace knead {
namespace {

void check_number(const Setting& setting, double value) {
    if (!setting.bounds.contain(value))
        throw InputError(fmt::format("the {} is {}, expected {}", setting.name, shortest(value),
                                     setting.bounds.words));
}

void check(const SolidDefinition& definition) {
    check_number(settings::solid_density, definition.density);
    check_number(settings::drag, definition.drag);
    check_number(settings::solid_friction, definition.friction);
    if (const auto width = definition.propagation.width)
        check_number(settings::propagation_width, *width);
    check_number(settings::attenuation, definition.propagation.attenuation);
    if (const auto lost = definition.propagation.compressibility)
        check_number(settings::compressibility, *lost);
    if (!definition.velocity.allFinite() || !definition.angular_velocity.allFinite() ||
        !definition.pose.at.allFinite() || !definition.pose.turn.allFinite())
        throw InputError("the pose or a velocity is not finite");
}

Solid build(const SolidDefinition& definition) {
    check(definition);
    const Field field(definition.pieces);
    Samples samples = make_samples(field, definition.mesh, 0.5 * field.smallest_radius());
    Solid solid{definition,   field, samples, definition.pose,   {}, {}, Vec3::Zero(),
                Vec3::Zero(), {},    field,   std::move(samples)};
    solid.definition.propagation = completed(definition.propagation, definition.pieces);
    if (definition.held) {
        if (definition.pieces_at_start) move_held(solid, solid.pose, definition.pieces_at_start, 0);
        return solid;
    }
    solid.mass = mass_properties(solid.samples.positions, solid.samples.faces, definition.density);
    solid.state.position = definition.pose.to_world(solid.mass.center);
    solid.state.orientation = Quat(definition.pose.turn).normalized();
    solid.state.velocity = definition.velocity;
    solid.state.angular_momentum =
        world_inertia(solid.mass.inertia, solid.state.orientation) * definition.angular_velocity;
    solid.pose = pose_of(solid);
    return solid;
}

} // namespace

Propagation completed(const Propagation& propagation, std::span<const FieldPiece> pieces) {
    Propagation result = propagation;
    if (result.width) return result;
    result.width = std::numeric_limits<double>::infinity();
    for (const FieldPiece& piece : pieces)
        result.width = std::min(*result.width, piece.function.radius);
    return result;
}

Vec3 Solid::velocity_at(const Vec3& point) const {
    if (moves())
        return state.velocity +
               knead::angular_velocity(mass.inertia, state).cross(point - state.position);
    Vec3 result = velocity + angular_velocity.cross(point - pose.at);
    if (!piece_motions.empty()) {
        const Vec3 local = pose.to_local(point);
        result += pose.turn * (carried_point(field, piece_motions, local) - local);
    }
    return result;
}

Solid make_solid(const SolidDefinition& definition) {
    try {
        return build(definition);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", definition.name, error.what()));
    } catch (const GeometryError& error) {
        throw GeometryError(fmt::format("{}: {}", definition.name, error.what()));
    }
}

std::vector<Solid> make_solids(std::span<const SolidDefinition> definitions) {
    std::set<std::string> names;
    std::vector<Solid> solids;
    for (const SolidDefinition& definition : definitions) {
        if (!names.insert(definition.name).second)
            throw InputError(fmt::format("the name {} is there twice, expected names that differ",
                                         definition.name));
        solids.push_back(make_solid(definition));
    }
    return solids;
}

std::vector<std::string> notes_about(const Solid& solid) {
    std::vector<std::string> notes;
    const int parts = connected_components(*solid.samples.topology).count;
    if (solid.moves() && parts > 1)
        notes.push_back(fmt::format("{}: its surface has {} parts that nothing joins; they move as "
                                    "one rigid piece, with the "
                                    "mass and inertia of all of them",
                                    solid.definition.name, parts));
    const auto off =
        std::count(solid.samples.on_surface.begin(), solid.samples.on_surface.end(), 0);
    if (off > 0)
        notes.push_back(
            fmt::format("{}: {} of its mesh {} no surface of its field nearby and {} no "
                        "part in contacts",
                        solid.definition.name, counted(off, "vertex", "vertices"),
                        off == 1 ? "has" : "have", off == 1 ? "takes" : "take"));
    return notes;
}

Pose pose_of(const Solid& solid) {
    Pose pose;
    pose.turn = solid.state.orientation.toRotationMatrix();
    pose.at = solid.state.position - pose.turn * solid.mass.center;
    return pose;
}

void move_held(Solid& solid, const Pose& pose, const std::optional<std::vector<FieldPiece>>& pieces,
               double seconds) {
    // What may be refused comes first, so that nothing is half moved.
    std::optional<Field> next;
    if (pieces) next.emplace(*pieces);
    if (seconds > 0) {
        const Eigen::AngleAxisd turn(pose.turn * solid.pose.turn.transpose());
        solid.angular_velocity = turn.angle() / seconds * turn.axis();
        solid.velocity = (pose.at - solid.pose.at) / seconds;
    }
    solid.pose = pose;
    solid.piece_motions.clear();
    if (!next) return;
    if (seconds > 0)
        for (Affine3& motion : solid.piece_motions = piece_motions(solid.field, *next)) {
            motion.linear() = Mat3::Identity() + (motion.linear() - Mat3::Identity()) / seconds;
            motion.translation() /= seconds;
        }
    solid.field = std::move(*next);
    solid.samples = moved_samples(solid.samples_at_rest, solid.field_at_rest, solid.field);
}

std::vector<int> by_name(std::span<const Solid> solids) {
    std::vector<int> order(solids.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return solids[a].definition.name < solids[b].definition.name; });
    return order;
}

} // namespace knead
