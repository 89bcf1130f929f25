#include "knead/scene/methods/deform/scene_folds.hpp"

#include "knead/base/error.hpp"
#include "knead/deform/fold/fold.hpp"
#include "knead/scene/format/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace knead {
namespace {

std::string name_of(const LoadedScene& scene, const ContactSide& side) {
    return in_quotes(scene.scene.objects[side.object].name + ":" + side.group);
}

} // namespace

std::shared_ptr<const FoldRegion> make_scene_fold(const LoadedScene& scene,
                                                  const ContactSpec& contact,
                                                  std::span<const int> first,
                                                  std::span<const int> second) {
    const auto fail = [&](const std::string& what) {
        throw InputError(fmt::format("{}: contact between {} and {}: {}", scene.scene.path,
                                     name_of(scene, contact.between[0]),
                                     name_of(scene, contact.between[1]), what));
    };
    if (!contact.fold && !contact.direction) {
        std::vector<int> both;
        std::set_intersection(first.begin(), first.end(), second.begin(), second.end(),
                              std::back_inserter(both));
        if (!both.empty())
            fail(fmt::format("found vertex {} in both groups, expected a fold or a direction "
                             "where groups overlap",
                             both[0]));
        return nullptr;
    }
    if (scene.objects[contact.between[0].object].proxy) {
        if (contact.fold)
            fail("found a proxy, expected an object without one: a fold is on the mesh itself");
        return nullptr;
    }
    std::shared_ptr<const FoldRegion> fold;
    try {
        const int object = contact.between[0].object;
        TriangleMesh mesh = scene.objects[object].source.mesh;
        mesh.faces = touched_faces(scene, object);
        fold = make_fold_region(mesh, first, second);
    } catch (const InputError& error) {
        fail(error.what());
    }
    if (!fold && contact.fold)
        fail("the groups do not touch, expected two that overlap or have a border in common");
    return fold;
}

std::optional<Vec3> fold_direction_at(const LoadedScene& scene, const ContactSpec& contact,
                                      const FoldRegion& fold, std::span<const Vec3> positions,
                                      double frame) {
    const std::vector<Vec3> joints =
        joint_positions_at(scene, contact.between[0].object, contact.fold->joints, frame);
    const std::optional<Vec3> direction = fold_direction(joints[0], joints[1], joints[2]);
    if (!direction) return std::nullopt;
    // Towards the side on which the first part is, whichever of the bones is its.
    Vec3 sums[2] = {Vec3::Zero(), Vec3::Zero()};
    double counts[2] = {0, 0};
    for (std::size_t v = 0; v < fold.beta.size(); ++v) {
        if (fold.shared.of_vertex[v] >= 0) continue;
        const int part = fold.beta[v] == 1 ? 0 : 1;
        sums[part] += positions[fold.working.vertices[v]];
        counts[part] += 1;
    }
    const Vec3 from_second = sums[0] / counts[0] - sums[1] / counts[1];
    return direction->dot(from_second) < 0 ? Vec3(-*direction) : *direction;
}

} // namespace knead
