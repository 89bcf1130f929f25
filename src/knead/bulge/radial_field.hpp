#pragma once

#include "knead/bulge/cut_laplacian.hpp"
#include "knead/solve/supernodal_solver.hpp"

#include <functional>
#include <memory>

namespace knead {

/// What the bulge keeps between frames: memory and elimination plans that follow from the mesh's
/// faces alone. Nothing in it changes a bit of a result.
struct BulgeWorkspace {
    LaplacianPattern pattern;
    std::vector<int> order; ///< in which vertices are eliminated
    std::unique_ptr<SpdSolver> heat, harmonic;
    CutLaplacian laplacian; ///< of the contact at hand
    SparseMatrix matrix;    ///< the one of the heat step
    /// Of tangent vectors, two unknowns a vertex; made when first needed.
    std::unique_ptr<SpdSolver> transport;
    SparseMatrix transport_matrix;
};

BulgeWorkspace make_bulge_workspace(const Topology& topology);
/// The same in an order that is known to be good.
BulgeWorkspace make_bulge_workspace(const Topology& topology, std::vector<int> order);

/// The distance to the zone's border over the surface, outside the zone.
struct RadialField {
    std::vector<double> distance; ///< one a vertex; 0 in the zone, infinite where no border reaches
};

/// Distance by the heat method ([BBG21] sec. 5.1) on the region cut at the zone's border: diffuse
/// heat from the border for a time of 10 h^2, then integrate its normalised gradient.
/// `region_border` marks vertices on the border of the working region, which are held cold. Leaves
/// `workspace.laplacian` assembled and `workspace.harmonic` factorised: the Laplacian with hard
/// values on the zone's border, which amplitude, slope and directions share.
RadialField radial_field(const CutRegion& region, const ContactZone& zone,
                         std::span<const Vec3> positions, std::span<const Triangle> faces,
                         std::span<const char> region_border, BulgeWorkspace& workspace);

/// The last step of it: distance from a quantity that falls, or rises, all the way out from the
/// zone's border, where it has one value. `away` is -1 where it falls, 1 where it rises. A gradient
/// counts by `certainty`, 0 to 1, of its length and the quantity there: where there is next to
/// none, on the ridge between two borders, its direction turns round from one side to the other.
/// `workspace.laplacian` must be assembled; leaves `workspace.harmonic` factorised.
RadialField
integrate_gradient(const CutRegion& region, const ContactZone& zone, const Eigen::MatrixXd& values,
                   double border_value, double away,
                   const std::function<double(double gradient, double value)>& certainty,
                   std::span<const Vec3> positions, BulgeWorkspace& workspace);

/// The unknowns on the border of the working region, which are held cold: 1 there. Empty: none is.
std::vector<char> cold_vertices(const CutRegion& region, std::span<const char> region_border);

/// What they are held at, one a vertex, where the zone's border is held at 1: 0, but within an
/// `edge` of the zone's border it rises to 1. A zone that comes to the region's border would
/// otherwise change the field at once.
Eigen::MatrixXd heat_of_cold(std::span<const char> cold, const ContactZone& zone,
                             std::span<const Vec3> positions, double edge);

/// Values given at the border points carried harmonically over the region; one column a quantity.
/// Vertices that are not unknown get 0. `radial_field` must have been called with the same zone.
Eigen::MatrixXd diffuse_from_border(const Eigen::MatrixXd& border_values,
                                    BulgeWorkspace& workspace);

} // namespace knead
