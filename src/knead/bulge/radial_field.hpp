#pragma once

#include "knead/bulge/cut_region.hpp"
#include "knead/solve/supernodal_solver.hpp"

#include <memory>

namespace knead {

/// What the bulge keeps between frames: memory and elimination plans that follow from the mesh's
/// faces alone. Nothing in it changes a bit of a result.
struct BulgeWorkspace {
    LaplacianPattern pattern;
    std::unique_ptr<SpdSolver> heat, harmonic;
    SparseMatrix matrix;
};

BulgeWorkspace make_bulge_workspace(const Topology& topology);

/// The distance to the zone's border over the surface, outside the zone.
struct RadialField {
    std::vector<double> distance; ///< one a vertex; 0 in the zone, infinite where no border reaches
};

/// Distance by the heat method ([BBG21] sec. 5.1) on the region cut at the zone's border: diffuse
/// heat from the border for a time of 10 h^2, then integrate its normalised gradient.
/// `region_border` marks vertices on the border of the working region, which are held cold. Leaves
/// `workspace.harmonic` factorised: the Laplacian with hard values on the zone's border, which
/// amplitude, slope and directions share.
RadialField radial_field(const CutRegion& region, const ContactZone& zone,
                         std::span<const Vec3> positions, std::span<const Triangle> faces,
                         std::span<const char> region_border, BulgeWorkspace& workspace);

/// Values given at the border points carried harmonically over the region; one column a quantity.
/// Vertices that are not unknown get 0. `radial_field` must have been called with the same zone.
Eigen::MatrixXd diffuse_from_border(const CutRegion& region, const ContactZone& zone,
                                    const Eigen::MatrixXd& border_values,
                                    std::span<const Vec3> positions,
                                    std::span<const Triangle> faces, BulgeWorkspace& workspace);

} // namespace knead
