#include "still.hpp"

#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <numbers>

namespace knead::quality {
namespace {

void scale_length(PaintedNumber& number, double scale) {
    for (Keyed<double>* keyed : {&number.value, &number.low, &number.high})
        for (double& value : keyed->values) value *= scale;
}

void move_points(LoadedObject& object, const auto& move) {
    for (Vec3& p : object.source.mesh.positions) p = move(p);
    if (object.proxy)
        for (Vec3& p : object.proxy->mesh.positions) p = move(p);
}

} // namespace

LoadedScene still_of(const LoadedScene& scene, double frame) {
    LoadedScene still = scene;
    still.scene.up = UpAxis::y;
    still.scene.contacts = contacts_of(scene.scene);
    still.scene.exclude.clear();
    for (std::size_t i = 0; i < still.objects.size(); ++i) {
        LoadedObject object;
        object.source.mesh = scene.objects[i].source.mesh;
        object.source.mesh.positions = positions_at(scene, static_cast<int>(i), frame);
        object.proxy = scene.objects[i].proxy;
        if (object.proxy)
            for (Vec3& p : object.proxy->mesh.positions)
                p = placement_at(scene.scene, scene.scene.objects[i], frame) * p;
        still.objects[i] = std::move(object);
        still.scene.objects[i].transform = Transform();
        still.scene.objects[i].skin.reset();
    }
    return still;
}

void place(LoadedScene& still, const Similarity& similarity) {
    for (LoadedObject& object : still.objects) move_points(object, similarity);
    for (SceneObject& object : still.scene.objects) {
        if (object.extent) scale_length(*object.extent, similarity.scale);
        scale_length(object.offset, similarity.scale);
        scale_length(object.profile.wrinkles.amplitude, similarity.scale);
        for (Keyed<double>* length : {&object.smooth_normals, &object.details})
            for (double& value : length->values) value *= similarity.scale;
    }
    for (ContactSpec& contact : *still.scene.contacts) {
        if (contact.direction)
            for (Vec3& value : contact.direction->values) value = similarity.rotation * value;
        if (contact.ball_radius)
            for (double& value : contact.ball_radius->values) value *= similarity.scale;
    }
}

void disturb(LoadedScene& still, Random& random) {
    constexpr double largest_angle = std::numbers::pi / 180;
    for (LoadedObject& object : still.objects) {
        TriangleMesh& mesh = object.source.mesh;
        const double edge =
            mean_edge_length(mesh.positions, build_topology(mesh.faces, mesh.vertex_count()));
        const Vec3 axis = random.direction();
        const Eigen::AngleAxisd turn(random.uniform(-largest_angle, largest_angle), axis);
        const Vec3 center = bounding_box(mesh.positions).center();
        const Vec3 shift = random.in_cube(0.2 * edge / std::sqrt(3.0));
        move_points(object,
                    [&](const Vec3& p) -> Vec3 { return center + shift + turn * (p - center); });
    }
}

void swap_order(LoadedScene& still) {
    const int last = static_cast<int>(still.objects.size()) - 1;
    std::reverse(still.objects.begin(), still.objects.end());
    std::reverse(still.scene.objects.begin(), still.scene.objects.end());
    std::vector<ContactSpec>& contacts = *still.scene.contacts;
    std::reverse(contacts.begin(), contacts.end());
    for (ContactSpec& contact : contacts) {
        std::swap(contact.between[0], contact.between[1]);
        for (ContactSide& side : contact.between) side.object = last - side.object;
        if (contact.direction)
            for (Vec3& value : contact.direction->values) value = -value;
    }
}

} // namespace knead::quality
