#pragma once

#include "document.hpp"

namespace knead::studio {

/// How strongly a brush touches the vertices of an object's mesh, 0 to 1: a round one over the
/// mesh at rest, or a radial one along the ways out of the object's contacts at a frame. With a
/// mirror plane it is two brushes, and where both reach the stronger counts.
std::vector<double> brush_weights(SessionState& session, const Request& request);

/// A stroke of that brush on a map of the object. Answers the new values, one a vertex of the
/// mesh's file, as a CSV has them.
std::vector<double> paint_map(SessionState& session, const Request& request);

} // namespace knead::studio
