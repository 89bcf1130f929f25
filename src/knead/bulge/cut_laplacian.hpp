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
};

/// Cotangent weights: half the cotangent of the angle opposite, times the piece's weight.
void assemble_cut_laplacian(const CutRegion& region, const ContactZone& zone,
                            const LaplacianPattern& pattern, std::span<const Vec3> positions,
                            std::span<const Triangle> faces, CutLaplacian& laplacian);

/// What values at the border, one row a point, put on the right-hand side: one row a vertex.
Eigen::MatrixXd couple_border(const CutLaplacian& laplacian,
                              const Eigen::Ref<const Eigen::MatrixXd>& border_values);

} // namespace knead
