#pragma once

#include "knead/bulge/bulge_map.hpp"
#include "knead/bulge/bulge_settings.hpp"
#include "knead/bulge/profile_curve.hpp"
#include "knead/bulge/radial_field.hpp"

#include <optional>

namespace knead {

/// A mesh at one frame, as the stages of the bulge see it.
struct BulgeMesh {
    std::span<const Vec3> positions;
    std::span<const Vec3> normals; ///< unit length
    std::span<const Triangle> faces;
    const Topology* topology = nullptr;
    std::span<const char> border; ///< 1 for vertices on the border of the working region
    /// One a vertex: how much it counts in the fields of a contact. Empty: all of it.
    std::span<const double> weights = {};
    double edge = 0; ///< mean length of the mesh that this is a part of; 0: it is all of it
};

/// How directions get from the zone to the rest of the mesh.
enum class DirectionMethod {
    blended,    ///< the zone's, going over to the normals quickly ([BBG21] eq. 6)
    transported ///< each border point's own, along the surface, evenly ([BBGB20])
};

struct FieldMethods {
    DirectionMethod directions = DirectionMethod::blended;
    DistanceMethod distance = DistanceMethod::heat;
};

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
    double parametrize_milliseconds = 0, direction_milliseconds = 0, guide_milliseconds = 0,
           displace_milliseconds = 0;
    double height = 0;        ///< that would keep the volume if this pair were alone
    double extent = 0;        ///< phi_max, the longest if it is painted
    std::vector<double> fade; ///< the zone's
};

/// Amplitude and slope at the zone's border points, one row each: the way to the contact surface,
/// and how fast it must shrink for the deformed surface to leave the contact surface tangentially.
/// Slopes come from the geometry at the border, never from neighbouring values of u, so that
/// nothing jumps when the border passes a vertex. Directions that turn as soon as they leave the
/// border, as transported ones do, change the slope. `edge` is that of the mesh.
Eigen::MatrixXd border_guides(const ContactZone& zone, const BulgeMesh& mesh,
                              const VertexNumber& extent, double edge,
                              DirectionMethod directions = DirectionMethod::blended);
/// The same in the first two columns of a matrix that is there.
void border_guides(const ContactZone& zone, const BulgeMesh& mesh, const VertexNumber& extent,
                   double edge, DirectionMethod directions, Eigen::Ref<Eigen::MatrixXd> guides);

/// Zone vertices go onto the contact surface, the others along the direction field by their profile
/// curve ([BBG21] eq. 1). `extent` is phi_max, a painted one at each vertex its own; on an open
/// mesh it is cut off at the border. Everything is scaled by the zone's fade, which lets one that
/// has just appeared come in smoothly. The result is about all vertices of the mesh.
void pair_displacement(const ContactZone& zone, const BulgeMesh& mesh,
                       const BulgeSettings& settings, const VertexNumber& extent,
                       const FieldMethods& methods, BulgeWorkspace& workspace,
                       PairDisplacement& result);

/// The displacements of all pairs together.
struct CombinedDisplacement {
    std::vector<Vec3> base;  ///< where every vertex is without a bulge
    std::vector<Vec3> raise; ///< and the way of its bulge, which `restore_volume` scales
    std::vector<int> moved;  ///< vertices that a pair knows, each once; the others have no raise
    /// Between calls all 0.
    std::vector<double> strengths;
};

/// Each pair gives way where another one's zone is ([BBG21] sec. 5.3).
CombinedDisplacement combine_displacements(std::span<const PairDisplacement> pairs,
                                           const BulgeMesh& mesh);
/// The same in the memory of another one, of the same mesh: apart from the copy of all positions,
/// it costs what the pairs have vertices.
void combine_displacements(std::span<const PairDisplacement> pairs, const BulgeMesh& mesh,
                           CombinedDisplacement& result);

/// What `restore_volume` keeps between frames: memory alone.
struct VolumeWorkspace {
    std::vector<int> vertices, faces; ///< that move
    std::vector<char> face_listed;    ///< one a face; 0 between calls
    std::vector<Vec3> ways, raise;    ///< one a vertex; right at those that move
};

/// Raises the bulges until the volume is that of the mesh before, then times `bulge`. `room` is how
/// far each vertex can go along its `raise`, in units of it; where a bulge has no more room, the
/// others rise higher. A bulge far higher than the contact is deep is none, and is cut off. Gives
/// how much room has been asked for: anything above that would have been the same. Vertices and
/// faces that do not move are looked at once.
double restore_volume(const CombinedDisplacement& combined, std::span<const double> room,
                      const BulgeMesh& mesh, const VertexNumber& bulge, VolumeWorkspace& workspace,
                      std::vector<Vec3>& displaced);
double restore_volume(const CombinedDisplacement& combined, std::span<const double> room,
                      const BulgeMesh& mesh, const VertexNumber& bulge,
                      std::vector<Vec3>& displaced);

/// The height at which moving every vertex by `ways[i]` and height * `raise[i]` leaves the faces
/// the volume they have at `positions`: the smallest positive root of an exact cubic, or nothing.
/// Where the ways add volume already and raising adds to it, the root is the nearest negative one.
/// `change` is asked for on top of that volume.
std::optional<double> volume_keeping_height(std::span<const Vec3> positions,
                                            std::span<const Vec3> ways, std::span<const Vec3> raise,
                                            std::span<const Triangle> faces, double change = 0);
/// The same when only `moving` ones of the faces have a corner that moves.
std::optional<double> volume_keeping_height(std::span<const Vec3> positions,
                                            std::span<const Vec3> ways, std::span<const Vec3> raise,
                                            std::span<const Triangle> faces,
                                            std::span<const int> moving, double change = 0);

} // namespace knead
