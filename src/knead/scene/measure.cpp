#include "knead/scene/measure.hpp"

#include "knead/base/parallel.hpp"

#include <algorithm>

namespace knead {
namespace {

int find_or_add_part(const LoadedScene& scene, const ContactSide& side, SceneGauge& gauge) {
    const auto found = std::find_if(gauge.parts.begin(), gauge.parts.end(),
                                    [&](const GaugedPart& part) { return part.side == side; });
    if (found != gauge.parts.end()) return static_cast<int>(found - gauge.parts.begin());
    const TriangleMesh& mesh = scene.objects[side.object].source.mesh;
    GaugedPart part;
    part.side = side;
    part.region = side.group.empty() ? whole_mesh(mesh)
                                     : region_of_vertices(mesh, mesh.groups.at(side.group));
    part.structure = make_structure(gather(part.region, mesh.positions), part.region.triangles);
    gauge.parts.push_back(std::move(part));
    return static_cast<int>(gauge.parts.size()) - 1;
}

} // namespace

SceneGauge make_gauge(const LoadedScene& scene) {
    SceneGauge gauge;
    gauge.contacts = contacts_of(scene.scene);
    for (const ContactSpec& contact : gauge.contacts) {
        const int first = find_or_add_part(scene, contact.between[0], gauge);
        gauge.contact_parts.push_back({first, find_or_add_part(scene, contact.between[1], gauge)});
    }
    return gauge;
}

GaugedFrame gauge_frame(const SceneGauge& gauge, std::span<const std::vector<Vec3>> positions) {
    GaugedFrame frame;
    for (const GaugedPart& part : gauge.parts)
        frame.positions.push_back(gather(part.region, positions[part.side.object]));
    for (std::size_t i = 0; i < gauge.parts.size(); ++i)
        frame.surfaces.push_back(make_surface(gauge.parts[i].structure, frame.positions[i]));
    return frame;
}

Penetration measure_contact(const SceneGauge& gauge, const GaugedFrame& frame, int contact) {
    const auto [first, second] = gauge.contact_parts[contact];
    const Surface &a = frame.surfaces[first], &b = frame.surfaces[second];
    // Nothing is inside a solid that it is nowhere near; what lies behind an open surface may be
    // far from it.
    if (a.closed() && b.closed() && !a.box().overlaps(b.box())) return {};
    return measure_penetration(a, b);
}

std::vector<double> vertex_depths(const LoadedScene& scene, const SceneGauge& gauge,
                                  const GaugedFrame& frame, int object) {
    std::vector<double> depths(scene.objects[object].source.mesh.positions.size(), 0.0);
    for (const auto& pair : gauge.contact_parts)
        for (const int side : {0, 1}) {
            const GaugedPart& mine = gauge.parts[pair[side]];
            if (mine.side.object != object) continue;
            const Surface& other = frame.surfaces[pair[1 - side]];
            const std::vector<Vec3>& positions = frame.positions[pair[side]];
            parallel_for(positions.size(), 64, [&](std::size_t i) {
                double& depth = depths[mine.region.vertices[i]];
                depth = std::max(depth, depth_of_point(other, positions[i]));
            });
        }
    return depths;
}

} // namespace knead
