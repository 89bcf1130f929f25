#include "knead/contact/shared_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Texture triangles that are thinner than this have no area to speak of.
constexpr double least_area = 1e-9; // of the square of the longest edge
// Against the curve's own extent: what it does not tell, such as across a plane it lies in, stays
// 0.
constexpr double ridge = 1e-9;

Eigen::MatrixXd with_third_column(const Eigen::MatrixXd& two) {
    Eigen::MatrixXd three = Eigen::MatrixXd::Zero(two.rows(), 3);
    three.leftCols(2) = two;
    return three;
}

// The values of a patch's vertices at the points of the curve.
Eigen::MatrixXd at_curve(const ParameterPatch& patch, const Surface& surface,
                         std::span<const CurvePoint> curve, int side,
                         const Eigen::MatrixXd& of_vertex) {
    Eigen::MatrixXd values =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(curve.size()), of_vertex.cols());
    for (std::size_t k = 0; k < curve.size(); ++k) {
        const FacePoint& on = curve[k].on[side];
        for (int i = 0; i < 3; ++i)
            values.row(static_cast<Eigen::Index>(k)) +=
                on.barycentric[i] *
                of_vertex.row(patch.of_mesh_vertex[surface.faces()[on.face][i]]);
    }
    return values;
}

// What an affine map that brings `from` to `to`, as near as it can along the curve, makes of
// `what`.
Eigen::MatrixXd fitted(const Eigen::MatrixXd& from, const Eigen::MatrixXd& to,
                       std::span<const CurvePoint> curve, const Eigen::MatrixXd& what) {
    Eigen::VectorXd weights(static_cast<Eigen::Index>(curve.size()));
    for (std::size_t k = 0; k < curve.size(); ++k)
        weights[static_cast<Eigen::Index>(k)] = curve[k].length;
    weights /= weights.sum();
    const Eigen::RowVectorXd from_mean = weights.transpose() * from,
                             to_mean = weights.transpose() * to;
    const Eigen::MatrixXd centered = from.rowwise() - from_mean;
    const Eigen::MatrixXd weighted = weights.asDiagonal() * centered;
    Eigen::MatrixXd square = centered.transpose() * weighted;
    square.diagonal().array() += ridge * square.trace();
    const Eigen::MatrixXd map =
        square.ldlt().solve(weighted.transpose() * (to.rowwise() - to_mean));
    return ((what.rowwise() - from_mean) * map).rowwise() + to_mean;
}

// Positions are taken about a point of the curve, so that a scene far from the world's origin loses
// nothing.
Eigen::MatrixXd positions_of(const ParameterPatch& patch, const Surface& surface,
                             const Vec3& origin) {
    Eigen::MatrixXd positions(static_cast<Eigen::Index>(patch.vertices.size()), 3);
    for (std::size_t v = 0; v < patch.vertices.size(); ++v)
        positions.row(static_cast<Eigen::Index>(v)) =
            (surface.positions[patch.vertices[v]] - origin).transpose();
    return positions;
}

// Why the texture coordinates of a patch do not tell its points apart; nothing when they do.
const char* problem_with(const ParameterPatch& patch, const Surface& surface,
                         const Eigen::MatrixXd& texture) {
    if (!texture.allFinite()) return "a seam or a gap";
    int turned = 0;
    for (const int f : patch.faces) {
        std::array<Vec2, 3> p;
        for (int i = 0; i < 3; ++i)
            p[i] = texture.row(patch.of_mesh_vertex[surface.faces()[f][i]]).transpose();
        const Vec2 a = p[1] - p[0], b = p[2] - p[0];
        const double twice_area = a.x() * b.y() - a.y() * b.x();
        const double longest =
            std::max({a.squaredNorm(), b.squaredNorm(), (p[2] - p[1]).squaredNorm()});
        if (!(std::abs(twice_area) > least_area * longest)) return "a face without area";
        const int way = twice_area > 0 ? 1 : -1;
        if (turned != 0 && way != turned) return "a face turned over";
        turned = way;
    }
    const Eigen::MatrixXd parameters = with_third_column(texture);
    const ParameterInverse inverse(patch, surface.faces(), parameters);
    for (const int f : patch.faces) {
        Vec3 middle = Vec3::Zero();
        for (const int v : surface.faces()[f])
            middle += parameters.row(patch.of_mesh_vertex[v]).transpose() / 3;
        if (inverse(middle)->face != f) return "faces on each other";
    }
    return nullptr;
}

// The texture coordinates of a patch; empty when there are none of use, and `note` then says why.
Eigen::MatrixXd texture_of(const PairSide& side, const ParameterPatch& patch, const char* which,
                           std::string& note) {
    if (side.texture_coordinates.empty()) return {};
    Eigen::MatrixXd texture(static_cast<Eigen::Index>(patch.vertices.size()), 2);
    for (std::size_t v = 0; v < patch.vertices.size(); ++v)
        texture.row(static_cast<Eigen::Index>(v)) =
            side.texture_coordinates[patch.vertices[v]].transpose();
    const char* problem = problem_with(patch, *side.surface, texture);
    if (problem == nullptr) return texture;
    if (note.empty())
        note = fmt::format("texture coordinates of the {} object have {} in the contact: "
                           "parameters are computed instead",
                           which, problem);
    return {};
}

} // namespace

SharedParameters shared_parameters(const std::array<PairSide, 2>& sides,
                                   const std::array<ParameterPatch, 2>& patches,
                                   std::span<const CurvePoint> curve) {
    SharedParameters result;
    if (curve.empty()) return result;
    const Vec3 origin = curve.front().position;
    std::array<Eigen::MatrixXd, 2> positions, texture;
    for (int s = 0; s < 2; ++s) {
        positions[s] = positions_of(patches[s], *sides[s].surface, origin);
        texture[s] = texture_of(sides[s], patches[s], s == 0 ? "first" : "second", result.note);
    }
    const auto at = [&](int s, const Eigen::MatrixXd& of_vertex) {
        return at_curve(patches[s], *sides[s].surface, curve, s, of_vertex);
    };
    const auto harmonic = [&](int s, const Eigen::MatrixXd& values, const Eigen::MatrixXd& guide) {
        return harmonic_values(patches[s], *sides[s].surface, curve, s, values, guide);
    };
    if (texture[0].size() == 0 && texture[1].size() == 0) {
        Eigen::MatrixXd values(static_cast<Eigen::Index>(curve.size()), 3);
        for (std::size_t k = 0; k < curve.size(); ++k)
            values.row(static_cast<Eigen::Index>(k)) = (curve[k].position - origin).transpose();
        for (int s = 0; s < 2; ++s) result.of_vertex[s] = harmonic(s, values, positions[s]);
        return result;
    }
    // The rigid one's, when both have some: the order of the objects must not matter.
    const int given = texture[0].size() == 0   ? 1
                      : texture[1].size() == 0 ? 0
                      : sides[0].is_rigid()    ? 0
                                               : 1;
    const int other = 1 - given;
    const Eigen::MatrixXd values = at(given, texture[given]);
    result.of_vertex[given] = with_third_column(texture[given]);
    const bool both = texture[other].size() > 0;
    const Eigen::MatrixXd& from = both ? texture[other] : positions[other];
    const Eigen::MatrixXd guide = fitted(at(other, from), values, curve, from);
    result.of_vertex[other] = with_third_column(
        both ? Eigen::MatrixXd(guide + harmonic(other, values - at(other, guide),
                                                Eigen::MatrixXd::Zero(guide.rows(), 2)))
             : harmonic(other, values, guide));
    return result;
}

} // namespace knead
