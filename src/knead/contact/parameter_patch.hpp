#pragma once

#include "knead/contact/mapping.hpp"
#include "knead/spatial/closest_point.hpp"

#include <Eigen/Core>

namespace knead {

/// A point of the curve in which two meshes intersect, and how much of the curve it stands for.
struct CurvePoint {
    Vec3 position = Vec3::Zero();
    double length = 0;
    std::array<FacePoint, 2> on; ///< where it is on each mesh
};

/// The curve by two Gauss points on every piece of it, each of which lies in one face of either
/// mesh. Everything integrated along it changes smoothly in time.
std::vector<CurvePoint> intersection_curve(const std::array<PairSide, 2>& sides,
                                           const Crossings& crossings);

/// The faces of one mesh that lie in its part of the intersection or that the curve passes through,
/// as far as the curve reaches them.
struct ParameterPatch {
    std::vector<int> vertices;       ///< patch vertex -> mesh vertex
    std::vector<int> of_mesh_vertex; ///< mesh vertex -> patch vertex, or -1
    std::vector<int> faces;          ///< patch face -> mesh face
    std::vector<double> inside;      ///< how much of a patch face is in the part, 0 to 1
};

/// `side` is the index of the mesh in the curve's points.
ParameterPatch parameter_patch(const std::array<PairSide, 2>& sides,
                               const Intersection& intersection, std::span<const CurvePoint> curve,
                               int side);

/// Values of the patch's vertices, one row each, that are harmonic over the part and have the
/// `values` at the curve's points, one row each. The part's border passes through faces, so values
/// there are held by a stiff penalty along the curve, and faces count by how much of them is
/// inside: both change smoothly while the curve moves over a vertex, which constraints on edges do
/// not. What lies outside the part, and must have values for faces to have them, follows `guide`,
/// one row a vertex.
Eigen::MatrixXd harmonic_values(const ParameterPatch& patch, const Surface& surface,
                                std::span<const CurvePoint> curve, int side,
                                const Eigen::MatrixXd& values, const Eigen::MatrixXd& guide);

/// Which point of a patch has given parameters.
class ParameterInverse {
public:
    /// `parameters` has a row of three a patch vertex.
    ParameterInverse(const ParameterPatch& patch, std::span<const Triangle> faces,
                     const Eigen::MatrixXd& parameters);

    /// The point with the nearest parameters; nothing when the patch is empty.
    std::optional<FacePoint> operator()(const Vec3& parameters) const;

private:
    std::vector<int> mesh_faces_;
    std::vector<Vec3> positions_;
    Surface surface_;
};

} // namespace knead
