#pragma once

#include "knead/mesh/region.hpp"
#include "knead/scene/judge/report.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/spatial/depth.hpp"

#include <memory>
#include <span>
#include <vector>

namespace knead {

/// A whole object, or the part of it that is a vertex group, made ready for spatial queries.
struct GaugedPart {
    ContactSide side;
    Region region;
    std::shared_ptr<const SurfaceStructure> structure;
};

/// Everything the measurements of a scene need that does not change from frame to frame.
struct SceneGauge {
    std::vector<ContactSpec> contacts;
    std::vector<GaugedPart> parts;                 ///< each once, however many contacts it is in
    std::vector<std::array<int, 2>> contact_parts; ///< contact -> its two parts
    /// Contact -> the whole object of which both its parts are, or -1. Only what is inside of that,
    /// seen from just outside the skin, is inside of the other part: near an open end it may look
    /// so from the nearest point alone.
    std::vector<int> contact_whole;
};

SceneGauge make_gauge(const LoadedScene& scene);

/// The same for an edited version of a scene: parts whose mesh is still the same are taken from the
/// gauge of the earlier one.
SceneGauge make_gauge(const LoadedScene& scene, const LoadedScene& earlier,
                      const SceneGauge& of_earlier);

/// The parts of a gauge in one pose.
struct GaugedFrame {
    std::vector<std::vector<Vec3>> positions; ///< one list a part
    std::vector<Surface> surfaces;            ///< one a part; they look at `positions`
};

/// `positions` are the objects' in the world, one list an object.
GaugedFrame gauge_frame(const SceneGauge& gauge, std::span<const std::vector<Vec3>> positions);

/// Depth and crossings of a contact.
Penetration measure_contact(const SceneGauge& gauge, const GaugedFrame& frame, int contact);

/// How deep every vertex of an object is in any of the others it may touch, 0 outside of all.
std::vector<double> vertex_depths(const LoadedScene& scene, const SceneGauge& gauge,
                                  const GaugedFrame& frame, int object);

} // namespace knead
