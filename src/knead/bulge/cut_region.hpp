#pragma once

#include "knead/contact/contact_zone.hpp"
#include "knead/mesh/topology.hpp"

#include <span>
#include <vector>

namespace knead {

/// The mesh outside a contact zone, with the triangles that the zone's border passes through cut
/// exactly there. Corners are mesh vertices (>= 0) or border points (~i for border point i).
///
/// Where a zone has not come in fully, the region goes over smoothly from the mesh without the zone
/// to the mesh cut at its border: both are there, weighted by the zone's fade, with the zone's
/// inside as a region of its own.
///
/// A cut triangle couples no two vertices that were not coupled before, so matrices over this
/// region have the pattern of the mesh's own, whatever the zone.
struct CutRegion {
    struct Piece {
        std::array<int, 3> corners;
        int face = -1; ///< the mesh face it is (a part of)
        double weight = 1;
    };
    std::vector<Piece> pieces;
    std::vector<char>
        unknown;     ///< one a vertex: in a piece, and joined to the zone's border by pieces
    double edge = 0; ///< of the mesh, the mean
};

/// Memory of `cut_region`.
struct CutWorkspace {
    std::vector<char> face_has_piece, border_has_piece;
    std::vector<int> stack;
};

/// `weights` are one a vertex: a face counts by the least of its corners'. Empty: all is counted.
/// `edge` is the mean of the mesh that this is a part of; 0: it is all of it.
CutRegion cut_region(const ContactZone& zone, std::span<const Vec3> positions,
                     std::span<const Triangle> faces, const Topology& topology,
                     std::span<const double> weights = {}, double edge = 0);
/// The same in the memory of another.
void cut_region(const ContactZone& zone, std::span<const Vec3> positions,
                std::span<const Triangle> faces, const Topology& topology,
                std::span<const double> weights, double edge, CutWorkspace& workspace,
                CutRegion& region);

/// The position of a piece's corner.
inline const Vec3& corner_position(int corner, std::span<const Vec3> positions,
                                   const ContactZone& zone) {
    return corner >= 0 ? positions[corner] : zone.border[~corner].position;
}

} // namespace knead
