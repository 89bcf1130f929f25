#include "knead/bulge/cut_laplacian.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Cotangents of a piece that is next to flat: its sides grow by one length until they make a
// triangle again (intrinsic mollification, Sharp and Crane 2020), so that it still joins its
// corners and the matrix stays positive definite.
Vec3 mollified_cotangents(Vec3 sides, double slack_missing) {
    sides.array() += slack_missing;
    const double s = 0.5 * sides.sum();
    const double area = std::sqrt(s * (s - sides[0]) * (s - sides[1]) * (s - sides[2]));
    // b^2 + c^2 - a^2, without loss where a needle's two long sides cancel.
    const auto at = [&](double opposite, double side, double other) {
        const double longer = std::max(side, other), shorter = std::min(side, other);
        return (shorter * shorter + (longer - opposite) * (longer + opposite)) / (4 * area);
    };
    return {at(sides[0], sides[1], sides[2]), at(sides[1], sides[2], sides[0]),
            at(sides[2], sides[0], sides[1])};
}

// Cotangents of the angles and circumcentric areas at the corners of a triangle.
struct TriangleWeights {
    Vec3 cotangents, areas;
    double per_area = 0; ///< as in CutLaplacian::PieceShape
};

// Twice the area over the square of the longest side, from which on cotangents do not cancel.
constexpr double not_flat = 0.05;

TriangleWeights triangle_weights(const Vec3& a, const Vec3& b, const Vec3& c, double least_slack) {
    const Vec3 ab = b - a, bc = c - b, ca = a - c;
    const Vec3 squares(bc.squaredNorm(), ca.squaredNorm(), ab.squaredNorm());
    const double area_squared = ab.cross(ca).squaredNorm(); // times four
    const double longest = squares.maxCoeff();
    // Two sides are longer than the third by at least the height's square over the longest.
    if (!(area_squared * area_squared > least_slack * least_slack * longest * longest * longest)) {
        const Vec3 sides = squares.cwiseSqrt();
        const double slack = sides.sum() - 2 * sides.maxCoeff();
        if (slack < least_slack)
            return {mollified_cotangents(sides, least_slack - slack), voronoi_areas(a, b, c), 0};
    }
    const double area = std::sqrt(area_squared), scale = 1 / area;
    const double per_area = area > not_flat * longest ? scale : 0;
    const Vec3 cotangents(-scale * ab.dot(ca), -scale * bc.dot(ab), -scale * ca.dot(bc));
    for (int i = 0; i < 3; ++i)
        if (cotangents[i] < 0) {
            Vec3 areas = Vec3::Constant(area / 8);
            areas[i] = area / 4;
            return {cotangents, areas, per_area};
        }
    const Vec3 parts = squares.cwiseProduct(cotangents) / 8;
    return {cotangents, {parts[1] + parts[2], parts[2] + parts[0], parts[0] + parts[1]}, per_area};
}

// The side of a face that joins two of its vertices, in either direction.
int side_between(const Triangle& face, int a, int b) {
    int side = 0;
    while (!((face[side] == a && face[(side + 1) % 3] == b) ||
             (face[side] == b && face[(side + 1) % 3] == a)))
        ++side;
    return side;
}

} // namespace

void assemble_cut_laplacian(const CutRegion& region, const ContactZone& zone,
                            const LaplacianPattern& pattern, std::span<const Vec3> positions,
                            std::span<const Triangle> faces, CutLaplacian& laplacian) {
    if (laplacian.matrix.nonZeros() != pattern.structure.nonZeros())
        laplacian.matrix = pattern.structure;
    double* const values = laplacian.matrix.valuePtr();
    std::fill_n(values, laplacian.matrix.nonZeros(), 0.0);
    laplacian.couplings.clear();
    laplacian.mass.assign(positions.size(), 0);
    laplacian.shapes.resize(region.pieces.size());
    const double least_slack = 1e-7 * region.edge;
    for (std::size_t p = 0; p < region.pieces.size(); ++p) {
        const CutRegion::Piece& piece = region.pieces[p];
        const std::array<int, 3>& corners = piece.corners;
        const TriangleWeights weights =
            triangle_weights(corner_position(corners[0], positions, zone),
                             corner_position(corners[1], positions, zone),
                             corner_position(corners[2], positions, zone), least_slack);
        const Vec3& cotangents = weights.cotangents;
        laplacian.shapes[p] = {{cotangents[0], cotangents[1], cotangents[2]}, weights.per_area};
        const double half = 0.5 * piece.weight;
        const Triangle& face = faces[piece.face];
        const std::array<int, 3>& sides = pattern.face_edges[piece.face];
        // Of a piece all vertices are unknown, or none.
        if (corners == face) {
            for (int i = 0; i < 3; ++i) laplacian.mass[face[i]] += piece.weight * weights.areas[i];
            if (!region.unknown[face[0]]) continue;
            for (int i = 0; i < 3; ++i) values[sides[i]] -= half * cotangents[(i + 2) % 3];
            continue;
        }
        for (int i = 0; i < 3; ++i) {
            const int a = corners[i], b = corners[(i + 1) % 3];
            const double weight = half * cotangents[(i + 2) % 3];
            const bool a_free = a >= 0 && region.unknown[a], b_free = b >= 0 && region.unknown[b];
            if (a >= 0) laplacian.mass[a] += piece.weight * weights.areas[i];
            if (a_free && b_free)
                values[sides[side_between(face, a, b)]] -= weight;
            else if (a_free && b < 0)
                laplacian.couplings.push_back({a, ~b, weight});
            else if (b_free && a < 0)
                laplacian.couplings.push_back({b, ~a, weight});
        }
    }
    // Every row adds up to what couples it to the border: once an edge instead of once a piece.
    const int* const columns = pattern.structure.outerIndexPtr();
    const int* const rows = pattern.structure.innerIndexPtr();
    for (std::size_t v = 0; v < positions.size(); ++v) {
        double& diagonal = values[pattern.diagonal[v]];
        if (!region.unknown[v]) {
            diagonal = 1;
            continue;
        }
        for (int e = columns[v] + 1; e < columns[v + 1]; ++e) {
            diagonal -= values[e];
            if (values[e] != 0) values[pattern.diagonal[rows[e]]] -= values[e];
        }
    }
    for (const CutLaplacian::Coupling& coupling : laplacian.couplings)
        values[pattern.diagonal[coupling.vertex]] += coupling.weight;
}

void couple_border(const CutLaplacian& laplacian,
                   const Eigen::Ref<const Eigen::MatrixXd>& border_values,
                   Eigen::Ref<Eigen::MatrixXd> right_hand_side) {
    right_hand_side.setZero();
    for (Eigen::Index c = 0; c < border_values.cols(); ++c)
        for (const CutLaplacian::Coupling& coupling : laplacian.couplings)
            right_hand_side(coupling.vertex, c) +=
                coupling.weight * border_values(coupling.point, c);
}

void couple_border(const CutLaplacian& laplacian, double border_value,
                   Eigen::Ref<Eigen::VectorXd> right_hand_side) {
    right_hand_side.setZero();
    for (const CutLaplacian::Coupling& coupling : laplacian.couplings)
        right_hand_side[coupling.vertex] += coupling.weight * border_value;
}

} // namespace knead
