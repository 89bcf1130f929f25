#pragma once

#include "knead/scene/judge/report.hpp"
#include "knead/scene/methods/dynamics/scene_bodies.hpp"

namespace knead {

/// Where the bodies of a scene touch, measured on their surfaces alone.
struct BodyContacts {
    /// Of bodies of which one is not kinematic, and whose boxes come within reach of each other.
    std::vector<ContactReport> contacts;
    /// One list an object: 1 for vertices within reach of another body, 0 elsewhere; empty when
    /// there are none.
    std::vector<std::vector<double>> touching;
};

/// `before` and `after` are the input and the simulated positions of all objects. Depths are those
/// of `measure_penetration`, except that an open surface has something behind it only where the two
/// surfaces cross: what lies under a cloth or in a bowl is not in it.
BodyContacts measure_bodies(const LoadedScene& scene, const SceneBodies& bodies,
                            std::span<const std::vector<Vec3>> before,
                            std::span<const std::vector<Vec3>> after, double reach);

} // namespace knead
