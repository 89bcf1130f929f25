#pragma once

#include "knead/mesh/topology.hpp"

#include <span>
#include <vector>

namespace knead {

/// The faces of a mesh in cells of neighbours, about `size` each: the cell of every face, counted
/// from 0. They follow from the faces alone, whatever the pose, and a mirror image has the same.
std::vector<int> face_cells(const Topology& topology, int size);

} // namespace knead
