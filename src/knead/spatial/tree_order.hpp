#pragma once

#include "knead/spatial/surface.hpp"

namespace knead {

/// The vertices in an order of elimination by the tree of the faces: those that two halves share
/// come after all others of both. In linear time, where nested dissection of the graph, which
/// leaves a quarter less fill, would take seconds for a million vertices.
std::vector<int> tree_elimination_order(const SurfaceStructure& structure);

} // namespace knead
