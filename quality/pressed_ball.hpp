#pragma once

#include "knead/dynamics/simulation.hpp"
#include "knead/mesh/triangle_mesh.hpp"

#include <span>
#include <string>
#include <vector>

// A ball that is pressed onto something, by whatever method: what comparisons of methods share.
namespace knead::quality {

constexpr double ball_tolerance = 3e-3; // of simulations
constexpr double ball_touching = 0.012; // nearer than this counts as contact, in all methods

TriangleMesh ball_mesh(double radius, const Vec3& at, int subdivisions);

/// A ball as a soft body of a simulation.
BodyDefinition soft_ball_body(const std::string& name, TriangleMesh mesh);
/// What it lies on, at y = 0.
BodyDefinition soft_ball_ground();

double highest(std::span<const Vec3> points, double side = 1);
/// How far from the axis x = z = 0.
double widest(std::span<const Vec3> points);
/// How far the surface comes out of the sphere.
double bulge_height(std::span<const Vec3> points, const Vec3& center, double radius);
/// Radius of a disc with the area where the gap is small enough to count as contact.
double contact_radius(std::span<const Vec3> positions, std::span<const Triangle> faces,
                      std::span<const double> gaps);
/// Where the surface meets the plane z = 0.
std::vector<std::vector<Vec2>> section(std::span<const Vec3> positions,
                                       std::span<const Triangle> faces);

} // namespace knead::quality
