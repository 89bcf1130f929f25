#include "knead/scene/methods/dynamics/scene_bodies.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/scene/format/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace knead {
namespace {

std::string_view kind_name(BodyKind kind) {
    switch (kind) {
    case BodyKind::volume:
        return "volume";
    case BodyKind::cloth:
        return "cloth";
    case BodyKind::rigid:
        return "rigid";
    case BodyKind::kinematic:
        return "kinematic";
    }
    return "";
}

BodyKind kind_of(BodySpec::Type type) {
    switch (type) {
    case BodySpec::Type::volume:
        return BodyKind::volume;
    case BodySpec::Type::cloth:
        return BodyKind::cloth;
    case BodySpec::Type::rigid:
        return BodyKind::rigid;
    case BodySpec::Type::kinematic:
        return BodyKind::kinematic;
    }
    return BodyKind::kinematic;
}

BodyKind kind_of(const LoadedScene& scene, int object, bool closed) {
    const SceneObject& spec = scene.scene.objects[object];
    if (spec.body) return kind_of(spec.body->type);
    if (spec.rigid || is_animated(scene, object) || !closed) return BodyKind::kinematic;
    return BodyKind::volume;
}

void check_closed(const SceneObject& object, BodyKind kind, const SurfaceStructure& structure) {
    if (structure.closed || (kind != BodyKind::volume && kind != BodyKind::rigid)) return;
    const std::size_t border = structure.border_edges.size();
    throw InputError(fmt::format(
        "{}: found {} of a mesh {}, expected one that is closed, or \"cloth\" or \"kinematic\"",
        object.body->where, in_quotes(kind_name(kind)),
        border > 0 ? fmt::format("with {}",
                                 counted(static_cast<long long>(border), "open edge", "open edges"))
                   : "whose faces disagree about outside"));
}

// The numbers of a body at the first frame, with a note where keys say that they change.
class NumbersAtStart {
public:
    NumbersAtStart(const SceneObject& object, double frame, std::vector<std::string>& notes)
        : object_(object), frame_(frame), notes_(notes) {}

    template <typename T>
    void take(const char* key, const std::optional<Keyed<T>>& given, T& target) const {
        if (!given) return;
        target = given->at(frame_);
        if (!given->is_constant())
            notes_.push_back(fmt::format("{}: body.{} has keys; its value at frame {} counts",
                                         object_.name, key, frame_));
    }

private:
    const SceneObject& object_;
    double frame_;
    std::vector<std::string>& notes_;
};

std::vector<int> pins_of(const BodySpec& body, const MeshFile& source) {
    std::set<int> pins;
    if (!body.pin_group.empty()) {
        const std::vector<int>& group = source.mesh.groups.at(body.pin_group);
        pins.insert(group.begin(), group.end());
    }
    for (const int vertex : body.pin_vertices) pins.insert(source.mesh_vertex(vertex));
    return {pins.begin(), pins.end()};
}

BodyDefinition make_body(const LoadedScene& scene, int object, bool closed,
                         std::vector<std::string>& notes) {
    const SceneObject& spec = scene.scene.objects[object];
    const double first = scene.scene.frames.first;
    BodyDefinition body;
    body.name = spec.name;
    body.kind = kind_of(scene, object, closed);
    body.positions = positions_at(scene, object, first);
    body.faces = scene.objects[object].source.mesh.faces;
    if (!spec.body) return body;
    const NumbersAtStart start(spec, first, notes);
    BodyMaterial& material = body.material;
    start.take("density", spec.body->density, material.density);
    start.take("young", spec.body->young, material.young);
    start.take("poisson", spec.body->poisson, material.poisson);
    start.take("damping", spec.body->damping, material.damping);
    start.take("friction", spec.body->friction, material.friction);
    start.take("thickness", spec.body->thickness, material.thickness);
    start.take("targets", spec.body->targets, body.target_stiffness);
    start.take("velocity", spec.body->velocity, body.velocity);
    start.take("angular_velocity", spec.body->angular_velocity, body.angular_velocity);
    if (spec.body->cells) body.cells = *spec.body->cells;
    body.pins = pins_of(*spec.body, scene.objects[object].source);
    return body;
}

// Objects made from the same words have the same faces.
std::vector<std::shared_ptr<const SurfaceStructure>> make_structures(const LoadedScene& scene) {
    std::map<std::string_view, std::size_t> first_with;
    std::vector<std::size_t> same_as, makers;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const std::string& words = scene.scene.objects[i].mesh_text;
        const auto [found, added] = first_with.emplace(words, i);
        same_as.push_back(found->second);
        if (added) makers.push_back(i);
    }
    std::vector<std::shared_ptr<const SurfaceStructure>> structures(scene.objects.size());
    parallel_for(makers.size(), 1, [&](std::size_t m) {
        const TriangleMesh& mesh = scene.objects[makers[m]].source.mesh;
        structures[makers[m]] = make_structure(mesh.positions, mesh.faces);
    });
    for (std::size_t i = 0; i < structures.size(); ++i) structures[i] = structures[same_as[i]];
    return structures;
}

} // namespace

SceneBodies make_bodies(const LoadedScene& scene) {
    SceneBodies result;
    result.structures = make_structures(scene);
    for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object) {
        const SceneObject& spec = scene.scene.objects[object];
        result.body_of.push_back(-1);
        if (scene.objects[object].source.mesh.faces.empty()) {
            result.notes.push_back(spec.name + ": left out, since it has no mesh");
            continue;
        }
        const SurfaceStructure& structure = *result.structures[object];
        BodyDefinition body = make_body(scene, object, structure.closed, result.notes);
        check_closed(spec, body.kind, structure);
        result.body_of.back() = static_cast<int>(result.bodies.size());
        result.object_of.push_back(object);
        result.bodies.push_back(std::move(body));
    }
    result.settings.tolerance = scene.scene.tolerance;
    result.settings.separate_start = scene.scene.separate;
    for (const auto& [a, b] : passing_pairs(scene.scene)) {
        const int first = result.body_of[a], second = result.body_of[b];
        if (first >= 0 && second >= 0) result.settings.exclude.push_back({first, second});
    }
    return result;
}

StepInput step_input(const LoadedScene& scene, const SceneBodies& bodies, double frame,
                     double seconds) {
    StepInput input;
    input.seconds = seconds;
    input.gravity = scene.scene.gravity.at(frame);
    input.wind = scene.scene.wind.at(frame);
    input.air_density = scene.scene.air_density.at(frame);
    input.targets.resize(bodies.bodies.size());
    parallel_for(bodies.bodies.size(), 1, [&](std::size_t b) {
        const BodyDefinition& body = bodies.bodies[b];
        const bool held = !body.pins.empty() || body.target_stiffness > 0;
        const bool moved =
            body.kind == BodyKind::kinematic && is_animated(scene, bodies.object_of[b]);
        if (held || moved) input.targets[b] = positions_at(scene, bodies.object_of[b], frame);
    });
    return input;
}

} // namespace knead
