#pragma once

#include "knead/base/sparse.hpp"
#include "knead/deform/fold/deform_fold.hpp"
#include "knead/mesh/region.hpp"
#include "knead/solve/supernodal_solver.hpp"
#include "knead/spatial/surface.hpp"

#include <memory>
#include <optional>

namespace knead {

/// The vertices of a fold that may come to lie on either side of its crease, as the unknowns of
/// diffusions over the edges between them and to their neighbours.
struct SharedGraph {
    std::vector<int> vertices;  ///< unknown -> working vertex
    std::vector<int> of_vertex; ///< working vertex -> unknown, or -1
    std::vector<int> edges;     ///< working edges with an end that is shared
    SparseMatrix structure;     ///< lower triangle, all values zero
    std::vector<int> diagonal;  ///< unknown -> index into the value array
    std::vector<int>
        edge_entry; ///< for each of `edges`: the same, or -1 where one end is not shared
    std::shared_ptr<const EliminationPlan> plan; ///< of the structure
};

/// Two neighbouring parts of one skin that meet in a crease, seen at rest: what of a fold does not
/// change from frame to frame ([Bru21] ch. 6 sec. 1.1).
struct FoldRegion {
    Region working;                                    ///< both parts, of the object's mesh
    std::shared_ptr<const SurfaceStructure> structure; ///< of the working region
    SharedGraph shared;
    /// One a working vertex: 1 where it is of the first part alone, 0 where of the second, harmonic
    /// in between.
    std::vector<double> beta;
};

/// Values that are given (`values` where not shared) carried over the shared vertices, so that the
/// sum of weight times squared difference over all edges is least. `weights` are one for each of
/// the graph's edges, `solver` is one for the graph's plan.
void diffuse_over_shared(const SharedGraph& graph, const Topology& topology,
                         std::span<const double> weights, std::vector<double>& values,
                         SpdSolver& solver);

} // namespace knead
