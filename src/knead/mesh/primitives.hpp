#pragma once

#include "knead/mesh/triangle_mesh.hpp"

#include <span>

namespace knead {

// All are centred on the origin, and closed ones look outwards. Sizes must be positive and finite;
// an InputError names the argument otherwise.

/// Icosphere: an icosahedron subdivided `subdivisions` times (20 * 4^n faces), at most 9 times.
TriangleMesh make_sphere(double radius, int subdivisions);

/// Axis Y; `length` (may be 0) is between the centres of the caps; `resolution` segments around.
TriangleMesh make_capsule(double radius, double length, int resolution);

/// In the plane XZ with normal +Y; `size` and `cells` are along x and z. Open.
TriangleMesh make_grid(const Vec2& size, const std::array<int, 2>& cells);

/// `cells` are along x, y and z.
TriangleMesh make_box(const Vec3& size, const std::array<int, 3>& cells);

/// Axis Y; `resolution` segments around the ring, and around the tube so that faces are about
/// square.
TriangleMesh make_torus(double ring_radius, double tube_radius, int resolution);

/// A polyline of [distance from the axis, height] turned about Y, `resolution` segments around; it
/// stays at the heights given. Looks outwards where the profile runs upwards. Ends on the axis are
/// closed by a fan, other ends are open; a profile that ends where it begins makes a ring. With
/// `rows` above 0 the polyline is divided into so many pieces of equal length first, otherwise its
/// points are the rows.
TriangleMesh make_lathe(std::span<const Vec2> profile, int resolution, int rows = 0);

} // namespace knead
