#pragma once

#include "document.hpp"

namespace knead::studio {

/// A stroke of the radial brush on a map of an object, along the ways out of its contacts at a
/// frame. Answers the new values, one a vertex of the mesh's file, as a CSV has them.
std::vector<double> paint_radially(const SessionState& session, const Request& request);

} // namespace knead::studio
