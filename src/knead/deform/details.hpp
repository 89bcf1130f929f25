#pragma once

#include "knead/bulge/displacement.hpp"

namespace knead {

/// Turns relief with the surface that carries it ([Bru21] ch. 5 sec. 2.2 asks for it), where
/// `displaced` would stretch or swell it: thorns, wrinkles, seams.
///
/// The mesh is taken as a smooth surface, without what is shorter than `length`, and relief on it.
/// The smooth surface goes the way of its surroundings, and relief turns as that does. `u` says
/// where: not in the zones, which stay on their contact surfaces, nor where the deformation ends.
/// Vertices with `held` set, one a vertex, stay as they are.
void turn_details(const BulgeMesh& mesh, double length, std::span<const double> u,
                  std::span<const char> held, BulgeWorkspace& workspace,
                  std::vector<Vec3>& displaced);

} // namespace knead
