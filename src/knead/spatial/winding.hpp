#pragma once

#include "knead/spatial/crossings.hpp"
#include "knead/spatial/surface.hpp"

#include <cstdint>
#include <vector>

namespace knead {

/// How often a closed surface goes around a point: 1 inside, 0 outside, more where the surface
/// overlaps itself, negative where it is inside out. Points on the surface count as outside it.
///
/// For a closed surface the winding number is an integer, and equals the signed number of faces
/// that any path to infinity passes through. That is counted here with exact tests along an axis
/// towards the nearest side of the bounding box, so no solid angles are summed and nothing has to
/// be rounded. Always 0 for an open surface.
int winding_number(const Surface& surface, const Vec3& point);

/// Winding number above one half.
bool is_inside(const Surface& closed_surface, const Vec3& point);

struct WindingNumbers {
    std::vector<int> of_a; ///< of b around each vertex of a; zeros if b is open
    std::vector<int> of_b; ///< of a around each vertex of b; zeros if a is open
};

/// Memory that `vertex_winding_numbers` reuses from call to call.
struct WindingWorkspace {
    std::vector<int> front;
    std::vector<std::uint8_t> place, ends_crossing_edge;
};

/// The winding numbers of two surfaces around each other's vertices, from their crossings: the
/// number only changes along an edge where it passes through a face, so one path to infinity is
/// enough for a component that lies within the box of the other surface, and none elsewhere.
void vertex_winding_numbers(const Surface& a, const Surface& b, const Crossings& crossings,
                            WindingNumbers& result, WindingWorkspace& workspace);
WindingNumbers vertex_winding_numbers(const Surface& a, const Surface& b,
                                      const Crossings& crossings);

} // namespace knead
