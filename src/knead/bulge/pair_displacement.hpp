#pragma once

#include "knead/bulge/bulge_mesh.hpp"
#include "knead/bulge/bulge_workspace.hpp"
#include "knead/bulge/field_methods.hpp"

namespace knead {

/// What one pair does to a mesh: some of its vertices go by `base` and, for the volume, by height *
/// `raise`. One value for each of these in all fields.
struct PairDisplacement {
    std::vector<int> vertices; ///< of the mesh
    std::vector<Vec3> base;
    std::vector<Vec3> raise;
    std::vector<double> u;         ///< 0 in the zone, 1 from the end of the deformable region on
    std::vector<double> amplitude; ///< of the profile curve
    std::vector<double> slope;
    std::vector<double> eta;     ///< the bulge map's weight, 0 where there is no bulge
    std::vector<Vec3> direction; ///< unit length, outward
    double height = 0;           ///< that would keep the volume if this pair were alone
    double extent = 0;           ///< phi_max, the longest if it is painted
    std::vector<double> fade;    ///< the zone's
};

/// Milliseconds.
struct BulgeTimes {
    double parametrize = 0, direction = 0, guide = 0, displace = 0;
};

/// How far the zone has come in at a vertex: 0 outside of it, 1 where it is fully there.
double zone_share(const ContactZone& zone, std::size_t vertex);

/// Zone vertices go onto the contact surface, the others along the direction field by their profile
/// curve ([BBG21] eq. 1). `extent` is phi_max, a painted one at each vertex its own; on an open
/// mesh it is cut off at the border. Everything is scaled by the zone's fade, which lets one that
/// has just appeared come in smoothly. The result is about all vertices of the mesh.
BulgeTimes pair_displacement(const ContactZone& zone, const BulgeMesh& mesh,
                             const BulgeSettings& settings, const VertexNumber& extent,
                             const FieldMethods& methods, BulgeWorkspace& workspace,
                             PairDisplacement& result);

} // namespace knead
