#include "knead/scene/methods/implicit/scene_solids.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/scene/load/implicit_field.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

struct Placement {
    Pose pose;
    double scale = 1;
};

// Where the object is, and how large; distances have to stay distances.
Placement placement_of(const LoadedScene& scene, int object, double frame) {
    const SceneObject& spec = scene.scene.objects[object];
    const Vec3 scale = spec.transform.scale.at(frame);
    if ((scale.array() - scale.x()).abs().maxCoeff() > 1e-9 * std::abs(scale.x()))
        throw InputError(fmt::format(
            "{}: found the scale ({}, {}, {}), expected the same along all axes, since the field "
            "of an implicit solid goes by distances",
            spec.implicit.where, shortest(scale.x()), shortest(scale.y()), shortest(scale.z())));
    const Affine3 placed = placement_at(scene.scene, spec, frame);
    Placement result;
    result.scale = scale.x();
    result.pose.turn = Quat(Mat3(placed.linear() / scale.x())).normalized().toRotationMatrix();
    result.pose.at = placed.translation();
    return result;
}

// Without the skin, skeletons are where the object's mesh is made or drawn around them.
enum class Joints { at_rest, posed };

std::vector<FieldPiece> pieces_at(const LoadedScene& scene, int object, double frame, double scale,
                                  Joints joints = Joints::posed) {
    const SceneObject& spec = scene.scene.objects[object];
    const auto& skin = scene.objects[object].skin;
    std::vector<FieldPiece> pieces =
        field_pieces(spec, skin && joints == Joints::posed ? &*skin : nullptr, frame,
                     scene.scene.seconds_at(frame));
    for (FieldPiece& piece : pieces) {
        for (Vec3& point : piece.points) point *= scale;
        piece.function.radius *= scale;
        *piece.function.influence *= scale;
        *piece.function.stiffness /= scale;
    }
    return pieces;
}

bool follows_joints(const SceneObject& spec) {
    return std::any_of(spec.implicit.skeleton.begin(), spec.implicit.skeleton.end(),
                       [](const SkeletonPiece& piece) { return !piece.joints.empty(); });
}

// Whether skeletons move against each other, or fields change.
bool changes_field(const LoadedScene& scene, int object) {
    const SceneObject& spec = scene.scene.objects[object];
    if (spec.implicit.is_animated() || !spec.transform.scale.is_constant()) return true;
    return follows_joints(spec) && spec.skin && spec.skin->is_animated();
}

bool is_held(const LoadedScene& scene, int object) {
    const SceneObject& spec = scene.scene.objects[object];
    if (spec.body && spec.body->type == BodySpec::Type::kinematic) return true;
    if (spec.body && spec.body->type == BodySpec::Type::rigid) return false;
    return spec.rigid || !spec.transform.is_constant() || changes_field(scene, object);
}

SolidDefinition make_definition(const LoadedScene& scene, int object) {
    const SceneObject& spec = scene.scene.objects[object];
    const double first = scene.scene.frames.first;
    const Placement placement = placement_of(scene, object, first);
    SolidDefinition solid;
    solid.name = spec.name;
    solid.held = is_held(scene, object);
    solid.pieces = pieces_at(scene, object, first, placement.scale);
    solid.mesh.faces = scene.objects[object].source.mesh.faces;
    if (solid.held && follows_joints(spec)) {
        // A mesh that a skin has bent folds where the field's surface does not.
        solid.pieces_at_start = std::move(solid.pieces);
        field_of(spec, *solid.pieces_at_start); // complains with the key
        solid.pieces = pieces_at(scene, object, first, placement.scale, Joints::at_rest);
        for (const Vec3& position : scene.objects[object].source.mesh.positions)
            solid.mesh.positions.push_back(placement.scale * position);
    } else {
        for (const Vec3& position : positions_at(scene, object, first))
            solid.mesh.positions.push_back(placement.pose.to_local(position));
    }
    field_of(spec, solid.pieces); // complains with the key
    solid.pose = placement.pose;
    solid.rigid = spec.rigid || (spec.body && spec.body->type == BodySpec::Type::rigid);
    if (spec.implicit.density) solid.density = spec.implicit.density->at(first);
    const ContactNumbers numbers = contact_numbers(scene, object, first);
    solid.drag = numbers.drag;
    solid.friction = numbers.friction;
    solid.propagation = numbers.propagation;
    if (spec.body && spec.body->velocity) solid.velocity = spec.body->velocity->at(first);
    if (spec.body && spec.body->angular_velocity)
        solid.angular_velocity = spec.body->angular_velocity->at(first);
    return solid;
}

// What a user may wonder about.
void add_notes(const LoadedScene& scene, SceneSolids& result) {
    std::vector<std::string> moving, still;
    for (std::size_t i = 0; i < result.solids.size(); ++i) {
        const SolidDefinition& solid = result.solids[i];
        const SceneObject& spec = scene.scene.objects[result.object_of[i]];
        const bool is_kinematic = spec.body && spec.body->type == BodySpec::Type::kinematic;
        if (solid.rigid) (solid.held ? still : moving).push_back(solid.name);
        if (spec.implicit.is_animated() && !spec.rigid && !is_kinematic && solid.held &&
            spec.transform.is_constant())
            result.notes.push_back(solid.name +
                                   ": held where it is, since its field or skeleton is animated");
        if (!solid.held && changes_field(scene, result.object_of[i]))
            result.notes.push_back(
                solid.name +
                ": its field stays as it is at the first frame, since it moves freely");
    }
    if (!moving.empty() && moving.size() + still.size() > 1)
        result.notes.push_back(fmt::format(
            "{}: rigid, and pass through what is rigid as well: only a solid that gives way pushes",
            fmt::join(moving, ", ")));
}

} // namespace

ContactNumbers contact_numbers(const LoadedScene& scene, int object, double frame) {
    const SceneObject& spec = scene.scene.objects[object];
    const SolidDefinition otherwise;
    const auto number = [&](const std::optional<Keyed<double>>& given, double without) {
        return given ? given->at(frame) : without;
    };
    const double scale = spec.transform.scale.at(frame).x();
    const PropagationSpec& propagation = spec.implicit.propagation;
    ContactNumbers result;
    result.drag = number(spec.implicit.drag, otherwise.drag);
    result.friction = spec.implicit.friction.at(frame);
    if (propagation.width) result.propagation.width = propagation.width->at(frame);
    result.propagation = completed(result.propagation, field_pieces(spec, nullptr, frame, 0));
    *result.propagation.width *= scale;
    result.propagation.attenuation =
        number(propagation.attenuation, otherwise.propagation.attenuation);
    if (propagation.compressibility)
        result.propagation.compressibility = propagation.compressibility->at(frame);
    return result;
}

SceneSolids make_scene_solids(const LoadedScene& scene) {
    SceneSolids result;
    for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object) {
        const SceneObject& spec = scene.scene.objects[object];
        result.solid_of.push_back(-1);
        if (spec.implicit.skeleton.empty()) {
            result.notes.push_back(
                spec.name + ": left out, since it has no skeleton that makes an implicit solid");
            continue;
        }
        result.solid_of.back() = static_cast<int>(result.solids.size());
        result.object_of.push_back(object);
        result.solids.push_back(make_definition(scene, object));
    }
    if (result.solids.empty())
        throw InputError(fmt::format("{}: objects: none has a skeleton, expected one for the "
                                     "method implicit",
                                     scene.scene.path));
    add_notes(scene, result);
    for (const auto& [a, b] : passing_pairs(scene.scene)) {
        const int first = result.solid_of[a], second = result.solid_of[b];
        if (first >= 0 && second >= 0) result.settings.passing.push_back({first, second});
    }
    return result;
}

std::vector<HeldTarget> held_targets(const LoadedScene& scene, const SceneSolids& solids,
                                     double frame) {
    std::vector<HeldTarget> targets(solids.solids.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (!solids.solids[i].held) continue;
        const int object = solids.object_of[i];
        const Placement placement = placement_of(scene, object, frame);
        targets[i].pose = placement.pose;
        if (changes_field(scene, object)) {
            targets[i].pieces = pieces_at(scene, object, frame, placement.scale);
            field_of(scene.scene.objects[object], *targets[i].pieces); // complains with the key
        }
    }
    return targets;
}

} // namespace knead
