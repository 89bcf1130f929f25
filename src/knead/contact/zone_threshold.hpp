#pragma once

#include "knead/contact/contact_settings.hpp"
#include "knead/contact/depth_sums.hpp"
#include "knead/contact/mapping.hpp"
#include "knead/spatial/point_grid.hpp"

namespace knead {

/// Mean and deviation of the depth over the potential contact surface, or a part of it.
struct DepthStatistics {
    double mean = 0;
    double deviation = 0;
    double share = 1; ///< of the whole surface that was looked at
};

/// The depths of both mapping regions, cut at their exact borders and measured in area projected
/// along the mapping direction: the choice in which both sides count the same.
struct DepthField {
    using Sample = DepthSums::Sample;

    std::vector<Sample> samples; ///< in the plane through the origin, normal to the direction
    std::vector<std::array<Vec3, 2>> border; ///< of the regions, in the same plane
    // As far as places look about; empty for one contact.
    DepthSums sums;

    // Where places have directions of their own.
    bool has_directions = false;
    double share_of_whole = 1; ///< how much the plane above still counts
    /// Samples by cells of faces (`SurfaceStructure::face_cells`), where they are.
    struct Cell {
        Vec3 position = Vec3::Zero(), direction = Vec3::Zero(); ///< the pair's
        DepthSums::Sums sums;
    };
    std::vector<Cell> cells;
    PointGrid cell_grid;
    std::vector<Vec3> cell_places;
    double deepest = 0;

    Vec3 direction = Vec3::UnitY();
    std::array<CutMeasure, 2> sizes; ///< of the two regions, along the direction
    DepthStatistics overall;
    double area = 0;     ///< mean of both sides
    double edge = 0;     ///< of the faces there
    double radius = 0;   ///< of the contacts, if they are discs of one size
    bool compact = true; ///< everything lies within twice the radius: there is one contact
};

/// The result keeps its memory.
void find_depths(const std::array<PairSide, 2>& sides, const std::array<Mapping, 2>& mappings,
                 DepthField& result);

/// The depth from which on a point is in the contact zone: mean plus `apparent_stiffness` times the
/// deviation, never negative. Where depths are all but equal it is a little less, so that rounding
/// does not choose the zone of a flat contact.
double zone_threshold(const DepthStatistics& statistics, double apparent_stiffness);

/// The threshold at a place of either mesh, where the pair's direction is `inward`. For one round
/// contact local and global are the same.
double zone_threshold_at(const DepthField& depths, const Vec3& position, const Vec3& inward,
                         ZoneThreshold kind, double apparent_stiffness);

} // namespace knead
