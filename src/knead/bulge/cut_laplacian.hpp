#pragma once

#include "knead/bulge/cut_region.hpp"
#include "knead/mesh/laplacian.hpp"

#include <Eigen/Core>

namespace knead {

/// The Laplacian of a cut region and what couples it to the zone's border. Assembled once for a
/// contact: distance, amplitude, slope and directions all start from it.
struct CutLaplacian {
    struct Coupling {
        int vertex = 0, point = 0; ///< an unknown one, and a border point
        double weight = 0;
    };
    /// The pattern's structure, lower triangle; rows of vertices that are not unknown are those of
    /// the identity.
    SparseMatrix matrix;
    std::vector<Coupling> couplings; ///< of each piece its own
    std::vector<double> mass;        ///< circumcentric, border points left out

    /// What gradients on a piece need to know of its shape. A piece that is so flat that its
    /// cotangents cancel has no `per_area`: there it is its corners that have to be looked at.
    struct PieceShape {
        std::array<double, 3> cotangents;
        double per_area = 0; ///< one over twice its area, or 0
    };
    std::vector<PieceShape> shapes; ///< one a piece
};

/// Cotangent weights: half the cotangent of the angle opposite, times the piece's weight.
void assemble_cut_laplacian(const CutRegion& region, const ContactZone& zone,
                            const LaplacianPattern& pattern, std::span<const Vec3> positions,
                            std::span<const Triangle> faces, CutLaplacian& laplacian);

/// What values at the border, one row a point, put on the right-hand side: one row a vertex.
void couple_border(const CutLaplacian& laplacian,
                   const Eigen::Ref<const Eigen::MatrixXd>& border_values,
                   Eigen::Ref<Eigen::MatrixXd> right_hand_side);
/// The same for one value on all of the border.
void couple_border(const CutLaplacian& laplacian, double border_value,
                   Eigen::Ref<Eigen::VectorXd> right_hand_side);

} // namespace knead
