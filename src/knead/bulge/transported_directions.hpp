#pragma once

#include "knead/bulge/bulge_workspace.hpp"

namespace knead {

/// How much an outward direction is tilted against the normal, as a tangent vector as long as the
/// angle: sines would fall more slowly than the angles they stand for ([Bru21] ch. 5 sec. 2.1).
Vec3 tilt_of(const Vec3& outward, const Vec3& normal);

/// The direction that is tilted so against the normal.
Vec3 tilted(const Vec3& normal, const Vec3& tilt);

/// A tangent vector at a point with the normal `from`, carried to one with the normal `to` by the
/// smallest turn between them.
Vec3 carried(const Vec3& tangent, const Vec3& from, const Vec3& to);

/// The tilts of the zone's border points carried over the region: the harmonic field of tangent
/// vectors, neighbours compared after parallel transport ([Bru21] ch. 5 sec. 2.1, [BBGB20]). Zero
/// at vertices that are not unknown.
///
/// The thesis holds this field at 0 on the end of the deformable region, then divides out how fast
/// a harmonic scalar with the same ends falls there and lets it fall evenly with u. What is left
/// after both is the mean of the border's tilts seen from a place. That is what this field is at
/// once, with no values held on the end, and it does not change when a vertex passes there: times 1
/// - u it falls evenly. `workspace.laplacian` must be that of the region.
std::vector<Vec3> transported_tilts(const CutRegion& region, const ContactZone& zone,
                                    std::span<const Vec3> normals, const Topology& topology,
                                    BulgeWorkspace& workspace);

/// How the direction of a border point changes over a unit of length on the way `outward` from the
/// zone: with the normals, and evenly towards them over the `extent`.
Vec3 direction_change(const ZoneBorderPoint& point, const Vec3& outward, double extent,
                      std::span<const Vec3> positions, std::span<const Vec3> normals,
                      std::span<const Triangle> faces, const Topology& topology);

} // namespace knead
