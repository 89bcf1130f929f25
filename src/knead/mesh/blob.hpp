#pragma once

#include "knead/mesh/triangle_mesh.hpp"

#include <string>
#include <vector>

namespace knead {

/// A rounded cone: everything within a radius of the line `from`-`to` that goes evenly from one end
/// to the other. A ball when both ends coincide or one end's ball holds the other's.
struct BlobSegment {
    Vec3 from = Vec3::Zero();
    Vec3 to = Vec3::Zero();
    double from_radius = 1;
    double to_radius = 1;
    /// The vertex group of the surface nearest to this segment; none when empty.
    std::string group{};
    /// Segments of one part melt into one another over `blend`, different parts over `part_blend`:
    /// fingers in parts of their own stay apart although each of them is smooth.
    std::string part{};
    /// Taken away from the rest instead of added to it. Carving segments melt among themselves over
    /// `blend`, whatever their part; the rim they leave is rounded over `part_blend`.
    bool carve = false;
};

struct BlobSettings {
    std::vector<BlobSegment> segments;
    /// How much farther than the nearest segment another one may be and still pull at the surface.
    /// 0 is the plain union. Segments that share an end do not swell where they meet, so a limb may
    /// be divided as finely as one likes. Creases are rounded over at least half an edge.
    double blend = 0;
    /// The same between parts.
    double part_blend = 0;
    /// Target length of the mesh's edges, at most twice the larger radius of each segment. Walls
    /// and gaps thinner than half an edge may be lost.
    double edge = 0.1;
};

/// A closed surface of nearly equilateral triangles around the smooth union of the segments. The
/// same settings give the same bits. An InputError names what cannot be used.
TriangleMesh make_blob(const BlobSettings& settings);

} // namespace knead
