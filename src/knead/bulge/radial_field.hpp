#pragma once

#include "knead/bulge/bulge_workspace.hpp"

namespace knead {

/// Distance by the heat method ([BBG21] sec. 5.1) on the region cut at the zone's border: diffuse
/// heat from the border for a time of 10 h^2, then integrate its normalised gradient.
/// `region_border` marks vertices on the border of the working region, which are held cold.
///
/// Leaves `workspace.laplacian` assembled and `workspace.harmonic` factorised: the Laplacian with
/// hard values on the zone's border, which amplitude, slope and directions share. The right-hand
/// side whose solution by it is the distance is left in `workspace.fields`, which have their size
/// already, so that guides can be solved together with it.
void prepare_radial_field(const CutRegion& region, const ContactZone& zone,
                          std::span<const Vec3> positions, std::span<const Triangle> faces,
                          std::span<const char> region_border, BulgeWorkspace& workspace);

/// The distances from the solution in `workspace.fields`, one a vertex: 0 in the zone, infinite
/// where no border reaches.
void read_radial_field(const CutRegion& region, const ContactZone& zone,
                       const BulgeWorkspace& workspace, std::vector<double>& distance);

/// How much a gradient counts, 0 to 1: where there is next to none, on the ridge between two
/// borders, its direction turns round from one side to the other.
struct GradientCertainty {
    double least = 1;       ///< from this length on it counts fully
    bool per_value = false; ///< times the quantity there
};

/// Distance from a quantity that falls, or rises, all the way out from the zone's border, where it
/// has one value: its right-hand side, as `prepare_radial_field` leaves it. `away` is -1 where the
/// quantity falls, 1 where it rises. `workspace.laplacian` must be assembled.
void prepare_from_gradient(const CutRegion& region, const ContactZone& zone,
                           std::span<const double> values, double border_value, double away,
                           const GradientCertainty& certainty, std::span<const Vec3> positions,
                           BulgeWorkspace& workspace);

/// The unknowns on the border of the working region, which are held cold: 1 there. Empty: none is.
void find_cold_vertices(const CutRegion& region, std::span<const char> region_border,
                        std::vector<char>& cold);

/// What they are held at, one a vertex, where the zone's border is held at 1: 0, but within an
/// `edge` of the zone's border it rises to 1. A zone that comes to the region's border would
/// otherwise change the field at once.
Eigen::VectorXd heat_of_cold(std::span<const char> cold, const ContactZone& zone,
                             std::span<const Vec3> positions, double edge);

/// Of matrices with one structure, or into one that has none yet.
void copy_values(const SparseMatrix& from, SparseMatrix& to);

} // namespace knead
