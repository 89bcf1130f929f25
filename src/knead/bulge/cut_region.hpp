#pragma once

#include "knead/contact/contact_zone.hpp"
#include "knead/mesh/laplacian.hpp"
#include "knead/mesh/topology.hpp"

#include <Eigen/Core>

#include <functional>
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

CutRegion cut_region(const ContactZone& zone, std::span<const Vec3> positions,
                     std::span<const Triangle> faces, const Topology& topology);

/// The position of a piece's corner.
inline const Vec3& corner_position(int corner, std::span<const Vec3> positions,
                                   const ContactZone& zone) {
    return corner >= 0 ? positions[corner] : zone.border[~corner].position;
}

/// Calls `visit(piece, a, b, weight)` for every two corners of every piece, with their weight in
/// the Laplacian: half the cotangent of the angle opposite, times the piece's weight.
void for_each_cut_weight(
    const CutRegion& region, const ContactZone& zone, std::span<const Vec3> positions,
    const std::function<void(const CutRegion::Piece&, int a, int b, double weight)>& visit);

/// Adds the Laplacian of the pieces to `matrix` (the pattern's structure, lower triangle) and
/// returns the part that couples to border points on the right-hand side: rows of vertices, columns
/// of `border_values` (one row a border point). Rows of vertices that are not unknown become those
/// of the identity.
void assemble_cut_laplacian(const CutRegion& region, const ContactZone& zone,
                            const LaplacianPattern& pattern, std::span<const Vec3> positions,
                            std::span<const Triangle> faces, SparseMatrix& matrix,
                            const Eigen::Ref<const Eigen::MatrixXd>& border_values,
                            Eigen::MatrixXd& right_hand_sides);

/// Circumcentric masses of the unknown vertices, border points left out.
void assemble_cut_mass(const CutRegion& region, const ContactZone& zone,
                       std::span<const Vec3> positions, std::vector<double>& mass);

} // namespace knead
