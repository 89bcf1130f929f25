#pragma once

#include "knead/base/types.hpp"

#include <array>

namespace knead {

/// Six times the signed volume of a tetrahedron: positive when `d` is in front of the triangle abc,
/// that is, sees it counter-clockwise. The sign is exact for finite input whose products neither
/// overflow nor underflow (coordinates between about 1e-90 and 1e90).
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// The same with a value that is good to about ten digits even where it nearly vanishes.
double orient3d_value(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// On which side of the plane of a triangle three points are: `orient3d` where plain arithmetic can
/// tell, else 0. A cheap way to sort out most pairs of triangles.
std::array<int, 3> clear_sides(const std::array<Vec3, 3>& triangle,
                               const std::array<Vec3, 3>& points);

/// Exact sign of twice the signed area: positive when abc turns counter-clockwise.
int orient2d(const Vec2& a, const Vec2& b, const Vec2& c);

/// The leading term `value` * epsilon^`order` of a polynomial in an infinitesimal epsilon.
struct LeadingTerm {
    double value = 0;
    int order = 0;
};

/// `orient3d_value` of four coplanar points that each move by epsilon times a direction of their
/// own. Value 0 only if they stay coplanar for every epsilon.
LeadingTerm orient3d_perturbed(const std::array<Vec3, 4>& points,
                               const std::array<Vec3, 4>& directions);

/// The sign of its value, in plain arithmetic where that can tell.
int orient3d_perturbed_sign(const std::array<Vec3, 4>& points,
                            const std::array<Vec3, 4>& directions);

} // namespace knead
