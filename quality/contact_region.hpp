#pragma once

#include "knead/spatial/surface.hpp"

#include <span>
#include <vector>

namespace knead::quality {

/// Edges of a mesh that are in another one, in part at least. All edges when there are none.
std::vector<int> edges_inside(const Surface& mesh, const Surface& other);

double mean_edge(const Surface& mesh, std::span<const int> edges);

/// How much a mesh is curved along the given edges: the angle between the vertex normals at both
/// ends over the length, of which nine tenths are smaller. Edges that end at a crease do not count.
double curvature(const Surface& mesh, std::span<const int> edges);

/// Angles in degrees between the normals of faces that the border of a zone runs through (`zone` is
/// above 0 at some of their corners) and of their neighbours on both sides of it, ascending.
std::vector<double> zone_border_angles(std::span<const Vec3> positions,
                                       std::span<const Triangle> faces, const Topology& topology,
                                       std::span<const double> zone);

/// The value that a part `fraction` of the values is smaller than; 0 when there are none. The
/// values must ascend.
double quantile(std::span<const double> values, double fraction);

} // namespace knead::quality
