#pragma once

#include "knead/bulge/cut_laplacian.hpp"
#include "knead/bulge/fields.hpp"
#include "knead/bulge/smooth_directions.hpp"
#include "knead/solve/supernodal_solver.hpp"

#include <memory>

namespace knead {

/// What the bulge of a mesh, or of a part of one, keeps between frames: elimination plans that
/// follow from the faces alone, and memory. Nothing in it changes a bit of a result.
struct BulgeWorkspace {
    LaplacianPattern pattern;
    std::vector<int> order; ///< in which vertices are eliminated
    std::unique_ptr<SpdSolver> heat, harmonic;
    /// Of tangent vectors, two unknowns a vertex; made when first needed.
    std::unique_ptr<SpdSolver> transport;

    // Of the contact at hand, stage by stage.
    CutRegion region;
    CutWorkspace cutting;
    CutLaplacian laplacian;
    std::vector<char> cold;
    SparseMatrix heat_matrix;
    Eigen::VectorXd heat_values;
    Fields fields;
    std::vector<double> distance;
    std::vector<double> extents; ///< where they are painted
    SparseMatrix transport_matrix;
    std::vector<Vec3> tilts;   ///< of transported directions
    Eigen::MatrixXd at_border; ///< guides in its first rows, one a border point
    std::vector<char> moves;   ///< one a vertex
    std::vector<int> moving_faces;
    std::vector<double> fold_nearness, smooth_share, grown_share;
    SmoothingWorkspace smoothing;
    std::vector<Vec3> smooth_normals;
};

BulgeWorkspace make_bulge_workspace(const Topology& topology);
/// The same in an order that is known to be good.
BulgeWorkspace make_bulge_workspace(const Topology& topology, std::vector<int> order);

} // namespace knead
