#include "knead/scene/methods/deform/object_proxy.hpp"

#include "knead/mesh/turned_over.hpp"
#include "knead/spatial/closest_point.hpp"

#include <algorithm>

namespace knead {

std::vector<double> ObjectProxy::values(std::span<const double> painted,
                                        std::span<const Triangle> faces) const {
    std::vector<double> result;
    for (const FacePoint& point : on_mesh)
        result.push_back(interpolate<double>(point, faces, painted));
    return result;
}

std::vector<int> ObjectProxy::members(std::span<const int> group,
                                      std::span<const Triangle> faces) const {
    std::vector<int> result;
    for (std::size_t v = 0; v < on_mesh.size(); ++v) {
        int corner = 0;
        on_mesh[v].barycentric.maxCoeff(&corner);
        if (std::binary_search(group.begin(), group.end(), faces[on_mesh[v].face][corner]))
            result.push_back(static_cast<int>(v));
    }
    return result;
}

ObjectProxy make_object_proxy(const LoadedObject& object, SheetSide side) {
    ObjectProxy proxy;
    proxy.mesh = object.proxy->mesh;
    if (side == SheetSide::back) proxy.mesh.faces = turned_over(std::move(proxy.mesh.faces));
    proxy.structure = make_structure(proxy.mesh.positions, proxy.mesh.faces);
    proxy.binding = bind_to_proxy(object.source.mesh.positions,
                                  make_surface(proxy.structure, proxy.mesh.positions));
    const Surface mesh = make_surface(object.source.mesh);
    for (const Vec3& position : proxy.mesh.positions)
        proxy.on_mesh.push_back(closest_point(mesh, position)->point);
    return proxy;
}

ObjectOutcome carry_outcome(const ObjectProxy& proxy, std::span<const Vec3> proxy_before,
                            const ObjectOutcome& of_proxy, std::span<const Vec3> before) {
    const auto scalar = [&](const std::vector<double>& values) {
        return carry_values<double>(proxy.binding, values, 0.0);
    };
    ObjectOutcome outcome;
    outcome.positions =
        carry(proxy.binding, proxy.structure->topology, proxy_before, of_proxy.positions, before);
    outcome.zone = scalar(of_proxy.zone);
    for (double& zone : outcome.zone) zone = zone > 0.5 ? 1 : 0;
    outcome.contact_vertices =
        static_cast<int>(std::count(outcome.zone.begin(), outcome.zone.end(), 1.0));
    outcome.u = scalar(of_proxy.u);
    outcome.amplitude = scalar(of_proxy.amplitude);
    outcome.slope = scalar(of_proxy.slope);
    outcome.eta = scalar(of_proxy.eta);
    outcome.gap = scalar(of_proxy.gap);
    outcome.direction = carry_values<Vec3>(proxy.binding, of_proxy.direction, Vec3::Zero());
    return outcome;
}

} // namespace knead
