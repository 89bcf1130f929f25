#pragma once

#include "knead/base/box.hpp"
#include "knead/mesh/topology.hpp"

#include <span>
#include <vector>

namespace knead {

/// Twice the area times the unit normal of a triangle.
inline Vec3 area_vector(const Vec3& a, const Vec3& b, const Vec3& c) {
    return (b - a).cross(c - a);
}

/// Unit normals; zero for a face without area.
std::vector<Vec3> face_normals(std::span<const Vec3> positions, std::span<const Triangle> faces);

enum class NormalWeighting { area, angle };

/// Unit normals; zero for a vertex without a face that has area.
std::vector<Vec3> vertex_normals(std::span<const Vec3> positions, std::span<const Triangle> faces,
                                 NormalWeighting weighting = NormalWeighting::angle);
/// The same in the memory of `normals`.
void vertex_normals(std::span<const Vec3> positions, std::span<const Triangle> faces,
                    std::vector<Vec3>& normals, NormalWeighting weighting = NormalWeighting::angle);

std::vector<double> face_areas(std::span<const Vec3> positions, std::span<const Triangle> faces);

/// A third of the area of the faces around each vertex.
std::vector<double> vertex_areas(std::span<const Vec3> positions, std::span<const Triangle> faces);

double surface_area(std::span<const Vec3> positions, std::span<const Triangle> faces);

/// Volume between the surface and `origin`, positive when faces look away from it. For a closed
/// surface that is the enclosed volume, whatever the origin; one near the mesh loses the fewest
/// digits.
double signed_volume(std::span<const Vec3> positions, std::span<const Triangle> faces,
                     const Vec3& origin);

/// Zero for a mesh without edges.
double mean_edge_length(std::span<const Vec3> positions, const Topology& topology);

} // namespace knead
