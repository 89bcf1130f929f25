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

// The transform that does what `placement`, a rotation of a scaling, does.
Transform transform_of(const Affine3& placement) {
    Transform result;
    const Vec3 scale = placement.linear().colwise().norm();
    const Mat3 rotation = placement.linear() * scale.cwiseInverse().asDiagonal();
    result.scale = scale;
    result.rotate = Vec3(rotation.eulerAngles(2, 1, 0).reverse() * (180 / std::numbers::pi));
    result.translate = Vec3(placement.translation());
    return result;
}

void move_object(SceneObject& object, const Affine3& move) {
    // It stands still, so that any frame tells where.
    object.transform = transform_of(move * object.transform.at(0));
}

} // namespace

LoadedScene still_of(const LoadedScene& scene, double frame) {
    LoadedScene still = scene;
    still.scene.up = UpAxis::y;
    still.scene.contacts = contacts_of(scene.scene);
    still.scene.exclude.clear();
    for (SceneObject& object : still.scene.objects)
        object.transform = transform_of(placement_at(scene.scene, object, frame));
    return still;
}

void place(LoadedScene& still, const Similarity& similarity) {
    for (SceneObject& object : still.scene.objects) {
        move_object(object, Eigen::Translation3d(similarity.translation) * similarity.rotation *
                                Eigen::Scaling(similarity.scale));
        if (object.extent) scale_length(*object.extent, similarity.scale);
        scale_length(object.offset, similarity.scale);
        scale_length(object.profile.wrinkles.amplitude, similarity.scale);
        scale_length(object.smooth_normals, similarity.scale);
        scale_length(object.details, similarity.scale);
    }
    for (ContactSpec& contact : *still.scene.contacts) {
        if (contact.direction)
            for (Vec3& value : contact.direction->values) value = similarity.rotation * value;
        if (contact.ball_radius)
            for (double& value : contact.ball_radius->values) value *= similarity.scale;
    }
}

void disturb(LoadedScene& still, double frame, Random& random) {
    constexpr double largest_angle = std::numbers::pi / 180;
    for (std::size_t i = 0; i < still.objects.size(); ++i) {
        const std::vector<Vec3> positions = positions_at(still, static_cast<int>(i), frame);
        const TriangleMesh& mesh = still.objects[i].source.mesh;
        const double edge =
            mean_edge_length(positions, build_topology(mesh.faces, mesh.vertex_count()));
        const Vec3 axis = random.direction();
        const Eigen::AngleAxisd turn(random.uniform(-largest_angle, largest_angle), axis);
        const Vec3 center = bounding_box(positions).center();
        const Vec3 shift = random.in_cube(0.2 * edge / std::sqrt(3.0));
        move_object(still.scene.objects[i],
                    Eigen::Translation3d(center + shift) * turn * Eigen::Translation3d(-center));
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
