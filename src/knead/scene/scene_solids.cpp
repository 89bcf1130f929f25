#include "knead/scene/scene_solids.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/scene/implicit_field.hpp"

#include <fmt/format.h>

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
        piece.function.influence *= scale;
        piece.function.stiffness /= scale;
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
    const Field field = field_of(spec, solid.pieces);
    solid.pose = placement.pose;
    solid.rigid = spec.rigid || (spec.body && spec.body->type == BodySpec::Type::rigid);
    const auto at_first = [&](const std::optional<Keyed<double>>& number, double otherwise) {
        return number ? number->at(first) : otherwise;
    };
    solid.density = at_first(spec.implicit.density, solid.density);
    solid.drag = at_first(spec.implicit.drag, solid.drag);
    solid.friction = spec.implicit.friction.at(first);
    const PropagationSpec& propagation = spec.implicit.propagation;
    solid.propagation.width =
        placement.scale * at_first(propagation.width, field.smallest_radius() / placement.scale);
    solid.propagation.attenuation =
        at_first(propagation.attenuation, solid.propagation.attenuation);
    if (propagation.compressibility)
        solid.propagation.compressibility = propagation.compressibility->at(first);
    if (spec.body && spec.body->velocity) solid.velocity = spec.body->velocity->at(first);
    if (spec.body && spec.body->angular_velocity)
        solid.angular_velocity = spec.body->angular_velocity->at(first);
    return solid;
}

} // namespace

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
