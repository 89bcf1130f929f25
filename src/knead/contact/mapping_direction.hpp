#pragma once

#include "knead/contact/intersection.hpp"

#include <optional>

namespace knead {

/// Mean and total variation of the normals over a part of a mesh, by area integrals over the exact
/// part.
struct NormalStatistics {
    Vec3 mean = Vec3::Zero(); ///< unit length; zero when the part has no area
    double agreement = 0;     ///< length of the mean of the unit normals: 1 if all are the same
    double variation = 0;     ///< trace of the covariance
    double area = 0;
};

/// The part with its border at every vertex that is just passing through the other mesh. With a
/// vertex, all of an edge up to where it passes through again goes in at once, or out; here it does
/// so with the vertex's distance, and the direction does not jump. `edge` is the surface's mean
/// one.
CutSet ease_border(const CutSet& part, const Surface& surface, const Surface& other, double edge);

NormalStatistics normal_statistics(const CutSet& part, const Surface& surface,
                                   std::span<const Vec3> normals);

/// The direction in which the first mesh is resolved, unit length; the second goes the opposite
/// way. Mean normals weighted by the inverse of their variation ([BBG21] eq. 2). Nothing when the
/// normals cancel.
std::optional<Vec3> mapping_direction(const NormalStatistics& first,
                                      const NormalStatistics& second);

/// How much of both sides' normals points in that direction: 1 if they all do, 0 if they cancel.
double agreement_of(const NormalStatistics& first, const NormalStatistics& second);

} // namespace knead
