#include "knead/scene/measure.hpp"

#include "knead/base/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

ContactSurface contact_surface(const LoadedScene& scene, const ContactSide& side) {
    ContactSurface surface;
    surface.object = side.object;
    const TriangleMesh& mesh = scene.objects[side.object].source.mesh;
    surface.part = side.group.empty() ? whole_mesh(mesh)
                                      : region_of_vertices(mesh, mesh.groups.at(side.group));
    surface.structure =
        make_structure(gather(surface.part, mesh.positions), surface.part.triangles);
    return surface;
}

} // namespace

SceneGauge make_gauge(const LoadedScene& scene) {
    SceneGauge gauge;
    gauge.contacts = contacts_of(scene.scene);
    for (const ContactSpec& contact : gauge.contacts)
        gauge.surfaces.push_back({contact_surface(scene, contact.between[0]),
                                  contact_surface(scene, contact.between[1])});
    return gauge;
}

Penetration measure_contact(const SceneGauge& gauge, int contact,
                            std::span<const std::vector<Vec3>> positions) {
    const auto& [first, second] = gauge.surfaces[contact];
    const std::vector<Vec3> of_first = gather(first.part, positions[first.object]);
    const std::vector<Vec3> of_second = gather(second.part, positions[second.object]);
    return measure_penetration(make_surface(first.structure, of_first),
                               make_surface(second.structure, of_second));
}

std::vector<double> vertex_depths(const LoadedScene& scene, const SceneGauge& gauge, int object,
                                  std::span<const std::vector<Vec3>> positions) {
    std::vector<double> depths(scene.objects[object].source.mesh.positions.size(), 0.0);
    for (const auto& pair : gauge.surfaces)
        for (const int side : {0, 1}) {
            const ContactSurface &mine = pair[side], &other = pair[1 - side];
            if (mine.object != object) continue;
            const std::vector<Vec3> others = gather(other.part, positions[other.object]);
            const Surface surface = make_surface(other.structure, others);
            parallel_for(mine.part.vertices.size(), 64, [&](std::size_t i) {
                const int vertex = mine.part.vertices[i];
                const Vec3& position = positions[object][vertex];
                if (surface.closed() && !is_inside(surface, position)) return;
                const auto nearest = closest_point(surface, position);
                if (!nearest || (!surface.closed() && (on_border(surface, *nearest) ||
                                                       side_of(surface, position, *nearest) >= 0)))
                    return;
                depths[vertex] = std::max(depths[vertex], std::sqrt(nearest->squared_distance));
            });
        }
    return depths;
}

} // namespace knead
