#pragma once

#include "knead/bulge/combine_displacements.hpp"
#include "knead/deform/deform.hpp"
#include "knead/deform/object/resolved_pair.hpp"

namespace knead {

/// Turns relief with the surface that carries it ([Bru21] ch. 5 sec. 2.2 asks for it), where
/// `displaced` would stretch or swell it: thorns, wrinkles, seams.
///
/// The mesh is taken as a smooth surface, without what is shorter than `length`, and relief on it.
/// The smooth surface goes the way of its surroundings, and relief turns as that does. `u` says
/// where: not in the zones, which stay on their contact surfaces, nor where the deformation ends.
/// Vertices with `held` set, one a vertex, stay as they are.
void turn_details(const BulgeMesh& mesh, const VertexNumber& length, std::span<const double> u,
                  std::span<const char> held, BulgeWorkspace& workspace,
                  std::vector<Vec3>& displaced);

/// What of an object stays where it is, one a vertex: the border of an open mesh, and what is in no
/// part that touches anything.
void find_held(std::span<const ResolvedPair> pairs, const DeformSurface& object,
               std::vector<char>& held);

/// Raises `positions` a little until they have the volume of `before`, and `change`.
void keep_volume(std::span<const Vec3> before, const SurfaceStructure& structure,
                 std::span<const Vec3> raise, std::span<Vec3> positions, double change = 0);

/// Relief of all objects turns with their surfaces, and what that brings into the other objects is
/// settled. Volumes are afterwards what they were before. All are one an object, `surfaces` at
/// least; only objects with `touched` set are changed.
void turn_all_details(std::span<const ResolvedPair> pairs, std::span<DeformSurface> surfaces,
                      std::span<const CombinedDisplacement> combined, std::span<const char> touched,
                      std::vector<ObjectOutcome>& outcomes);

} // namespace knead
