#pragma once

#include "knead/spatial/moving_pairs.hpp"

#include <span>
#include <vector>

namespace knead {

/// The contacts of one pose: the pairs that may touch and are closer than `distance`, ascending,
/// with their nearest points. Each contact comes once, and those with slanted normals that meshes
/// have on flat ground are left out:
/// - A vertex and the inside of a face are always a contact.
/// - Two edges that are nearest at an end of one are none: a vertex and a face are there too.
/// - Two edges, or a vertex and a place on the border of a face, are a contact only if neither
///   surface is nearer to the other right beside them: the direction between the nearest points
///   leads away from all faces around both. Of the faces around the place the first one has the
///   contact, and of two vertices the first one is the vertex.
void find_close_pairs(const CollisionMesh& mesh, std::span<const Vec3> positions, double distance,
                      std::vector<PrimitivePair>& pairs, std::vector<NearestPoints>& nearest,
                      MovingPairsWorkspace& workspace, const std::stop_token& stop = {});

/// Whether a pair is a contact in this sense while everything moves from `start` to `end`, at a
/// time from 0 to 1, however far apart it is.
bool is_contact(const CollisionMesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end,
                double time, const PrimitivePair& pair);

} // namespace knead
