#pragma once

#include "knead/mesh/triangle_mesh.hpp"

#include <optional>
#include <span>

namespace knead {

/// What the faces sweep on their way, wherever the border of an open mesh goes.
double volume_between(std::span<const Vec3> before, std::span<const Vec3> after,
                      std::span<const Triangle> faces);
/// The same of the `moving` ones of the faces.
double volume_between(std::span<const Vec3> before, std::span<const Vec3> after,
                      std::span<const Triangle> faces, std::span<const int> moving);

/// The height at which moving every vertex by `ways[i]` and height * `raise[i]` leaves the faces
/// the volume they have at `positions`: the smallest positive root of an exact cubic, or nothing.
/// Where the ways add volume already and raising adds to it, the root is the nearest negative one.
/// `change` is asked for on top of that volume.
std::optional<double> volume_keeping_height(std::span<const Vec3> positions,
                                            std::span<const Vec3> ways, std::span<const Vec3> raise,
                                            std::span<const Triangle> faces, double change = 0);
/// The same when only `moving` ones of the faces have a corner that moves.
std::optional<double> volume_keeping_height(std::span<const Vec3> positions,
                                            std::span<const Vec3> ways, std::span<const Vec3> raise,
                                            std::span<const Triangle> faces,
                                            std::span<const int> moving, double change = 0);

} // namespace knead
