#pragma once

#include "knead/deform/deform.hpp"
#include "knead/deform/proxy.hpp"
#include "knead/scene/load/loaded_scene.hpp"

namespace knead {

/// An object's proxy, tied to its mesh at rest.
struct ObjectProxy {
    TriangleMesh mesh; ///< in object space
    std::shared_ptr<const SurfaceStructure> structure;
    ProxyBinding binding;
    std::vector<FacePoint> on_mesh; ///< where each of the proxy's vertices is on the object's mesh

    /// What is painted on the object's mesh, as the proxy sees it.
    std::vector<double> values(std::span<const double> painted,
                               std::span<const Triangle> faces) const;
    /// The proxy's part of a vertex group: what is nearest to its vertices.
    std::vector<int> members(std::span<const int> group, std::span<const Triangle> faces) const;
};

ObjectProxy make_object_proxy(const LoadedObject& object, SheetSide side);

/// What became of the proxy, on the object's own mesh.
ObjectOutcome carry_outcome(const ObjectProxy& proxy, std::span<const Vec3> proxy_before,
                            const ObjectOutcome& of_proxy, std::span<const Vec3> before);

} // namespace knead
