#pragma once

#include "document.hpp"

namespace knead::studio {

/// How far out the vertices of an object's mesh are in a brush: 0 in its middle, 1 at the edge of
/// what it touches, more beyond. It is a round one over the mesh at rest, or a radial one along the
/// ways out of the object's contacts at a frame; with a mirror plane it is two, and the nearer
/// counts.
std::vector<double> brush_reach(SessionState& session, const Request& request);

/// A stroke of that brush on a map of the object; where two brushes reach, the stronger counts.
/// Answers the new values, one a vertex of the mesh's file, as a CSV has them.
std::vector<double> paint_map(SessionState& session, const Request& request);

} // namespace knead::studio
