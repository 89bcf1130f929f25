#include "knead/scene/spec/scene.hpp"

#include <algorithm>
#include <set>

namespace knead {

std::span<const Method> methods() {
    static constexpr Method all[] = {Method::deform, Method::dynamics, Method::implicit};
    return all;
}

std::string_view method_name(Method method) {
    switch (method) {
    case Method::deform:
        return "deform";
    case Method::dynamics:
        return "dynamics";
    case Method::implicit:
        return "implicit";
    }
    return "";
}

std::optional<Method> method_of(std::string_view name) {
    for (const Method method : methods())
        if (name == method_name(method)) return method;
    return std::nullopt;
}

bool depends_on_time(Method method) {
    return method != Method::deform;
}

double PaintedNumber::at(double frame, double painted) const {
    if (!is_painted()) return value.at(frame);
    const double lowest = low.at(frame);
    return lowest + (high.at(frame) - lowest) * painted;
}

bool SkinSpec::is_animated() const {
    if (std::holds_alternative<SceneFile>(skeleton)) return true;
    const auto* joints = std::get_if<std::vector<JointSpec>>(&skeleton);
    return joints != nullptr &&
           std::any_of(joints->begin(), joints->end(), [](const JointSpec& joint) {
               return !joint.translate.is_constant() || !joint.rotate.is_constant() ||
                      !joint.scale.is_constant();
           });
}

bool SceneObject::is_animated() const {
    return !transform.is_constant() || (skin && skin->is_animated()) ||
           std::any_of(mesh.begin(), mesh.end(), [](const MeshSource& source) {
               return source.file() != nullptr && source.file()->is_sequence();
           });
}

bool ImplicitSpec::is_animated() const {
    const auto moves = [](const FieldSpec& spec) {
        const auto keyed = [](const std::optional<Keyed<double>>& value) {
            return value && !value->is_constant();
        };
        return keyed(spec.radius) || keyed(spec.influence) || keyed(spec.stiffness);
    };
    return moves(field) ||
           std::any_of(skeleton.begin(), skeleton.end(), [&](const SkeletonPiece& piece) {
               return moves(piece.field) ||
                      std::any_of(piece.points.begin(), piece.points.end(),
                                  [](const Keyed<Vec3>& p) { return !p.is_constant(); });
           });
}

int Scene::find_object(std::string_view name) const {
    const auto found = std::find_if(objects.begin(), objects.end(),
                                    [&](const SceneObject& object) { return object.name == name; });
    return found == objects.end() ? -1 : static_cast<int>(found - objects.begin());
}

std::vector<ContactSpec> contacts_of(const Scene& scene) {
    if (scene.contacts) return *scene.contacts;
    std::set<std::array<int, 2>> excluded;
    for (const auto& [a, b] : scene.exclude) excluded.insert({std::min(a, b), std::max(a, b)});
    std::vector<ContactSpec> contacts;
    const int count = static_cast<int>(scene.objects.size());
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b) {
            if (scene.objects[a].rigid && scene.objects[b].rigid) continue;
            if (excluded.contains({a, b})) continue;
            ContactSpec contact;
            contact.between = {ContactSide{a, {}}, ContactSide{b, {}}};
            contacts.push_back(std::move(contact));
        }
    return contacts;
}

std::vector<std::array<int, 2>> passing_pairs(const Scene& scene) {
    const auto pair_of = [](int a, int b) { return std::array{std::min(a, b), std::max(a, b)}; };
    std::set<std::array<int, 2>> passing;
    for (const auto& [a, b] : scene.exclude)
        if (a != b) passing.insert(pair_of(a, b));
    if (scene.contacts) {
        std::set<std::array<int, 2>> named;
        for (const ContactSpec& contact : *scene.contacts)
            named.insert(pair_of(contact.between[0].object, contact.between[1].object));
        const int count = static_cast<int>(scene.objects.size());
        for (int a = 0; a < count; ++a)
            for (int b = a + 1; b < count; ++b)
                if (!named.contains({a, b})) passing.insert({a, b});
    }
    return {passing.begin(), passing.end()};
}

std::string side_name(const Scene& scene, const ContactSide& side) {
    const std::string& name = scene.objects[side.object].name;
    return side.group.empty() ? name : name + ":" + side.group;
}

Affine3 up_rotation(UpAxis up) {
    Affine3 result = Affine3::Identity();
    if (up == UpAxis::z) result.linear() << 1, 0, 0, 0, 0, 1, 0, -1, 0;
    return result;
}

Affine3 placement_at(const Scene& scene, const SceneObject& object, double frame) {
    return up_rotation(scene.up) * object.transform.at(frame);
}

} // namespace knead
