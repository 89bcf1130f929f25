#pragma once

#include "knead/base/box.hpp"
#include "knead/spatial/collision_mesh.hpp"
#include "knead/spatial/nearest_points.hpp"
#include "knead/spatial/wide_tree.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace knead {

/// Memory that queries reuse, for any number of meshes one after the other; nothing in it changes a
/// result. The tree is kept while faces stay near those that they were near to when it was built.
struct MovingPairsWorkspace {
    /// Some faces that are near each other: places of `order`, one after the other.
    struct Block {
        int first = 0, count = 0;
    };
    WideTree tree;
    std::vector<int> order; ///< the faces, in the order of the tree
    std::vector<Block> blocks;
    double built_area = -1; ///< of the boxes above faces when it was built, relative to theirs

    // Of the motion: in double precision, which decides, and in single precision and grown.
    std::vector<Box> vertex_boxes, edge_boxes, face_boxes;
    std::vector<FlatBox> flat_boxes;
    std::vector<FourBoxes> node_boxes;
    std::vector<std::array<int, 4>> node_bodies; ///< -1 for a child with faces of several bodies

    /// What one piece of the search has found: the second primitives of the pairs of one first
    /// primitive after the other.
    struct Piece {
        std::vector<int> candidates, hits, found;
        std::vector<FourBoxes> candidate_boxes;
    };
    struct Run {
        int piece = 0, first = 0, count = 0;
    };
    std::vector<Piece> pieces;
    std::vector<Run> runs;           ///< of the vertices, then of the edges
    std::vector<std::size_t> starts; ///< of the runs in the result

    // Of `find_close_pairs`.
    std::vector<PrimitivePair> candidates;
    std::vector<NearestPoints> nearest;
    std::vector<std::uint8_t> kept;
};

/// All pairs that may touch and whose boxes over the whole motion from `start` to `end` are no
/// further apart than `margin` along any axis; ascending. None that come closer than `margin` on
/// straight lines is missed. Throws InputError for a mesh that is not complete or a margin that is
/// not 0 or more, GeometryError for a position that is not finite, SolveError for more pairs than
/// `most_moving_pairs`, and Cancelled on a stop request.
void find_moving_pairs(const CollisionMesh& mesh, std::span<const Vec3> start,
                       std::span<const Vec3> end, double margin, std::vector<PrimitivePair>& pairs,
                       MovingPairsWorkspace& workspace, const std::stop_token& stop = {});

/// Two gigabytes, with what is found out about them.
constexpr std::size_t most_moving_pairs = 30'000'000;

struct Impact {
    PrimitivePair pair;
    double time = 0; ///< from 0 to 1
};

/// Those of the pairs that come within `distance` on straight lines from `start` to `end`, with a
/// time before which they certainly do not; in the order of the pairs. Never misses one. Throws
/// Cancelled on a stop request.
void find_impacts(const CollisionMesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end,
                  double distance, std::span<const PrimitivePair> pairs,
                  std::vector<Impact>& impacts, const std::stop_token& stop = {});

} // namespace knead
