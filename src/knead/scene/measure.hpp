#pragma once

#include "knead/mesh/region.hpp"
#include "knead/scene/report.hpp"
#include "knead/scene/scene_state.hpp"
#include "knead/spatial/depth.hpp"

#include <memory>
#include <span>
#include <vector>

namespace knead {

/// One side of a contact made ready for spatial queries: a whole object, or the part of it that is
/// a vertex group.
struct ContactSurface {
    int object = 0;
    Region part;
    std::shared_ptr<const SurfaceStructure> structure;
};

/// Everything the measurements of a scene need that does not change from frame to frame.
struct SceneGauge {
    std::vector<ContactSpec> contacts;
    std::vector<std::array<ContactSurface, 2>> surfaces; ///< one pair a contact
};

SceneGauge make_gauge(const LoadedScene& scene);

/// Depth and crossings of a contact, with the objects' world-space positions of one frame.
Penetration measure_contact(const SceneGauge& gauge, int contact,
                            std::span<const std::vector<Vec3>> positions);

/// How deep every vertex of an object is in any of the others it may touch, 0 outside of all.
std::vector<double> vertex_depths(const LoadedScene& scene, const SceneGauge& gauge, int object,
                                  std::span<const std::vector<Vec3>> positions);

} // namespace knead
