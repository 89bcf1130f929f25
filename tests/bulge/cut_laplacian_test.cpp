#include "knead/base/smoothstep.hpp"
#include "knead/bulge/cut_laplacian.hpp"
#include "knead/bulge/radial_field.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace knead {
namespace {

// The cotangents at the corners of a single triangle, from the matrix that is assembled for it.
Vec3 assembled_cotangents(const std::vector<Vec3>& positions) {
    const std::vector<Triangle> faces = {{0, 1, 2}};
    CutRegion region;
    region.pieces.push_back({{0, 1, 2}, 0, 1});
    region.unknown = {1, 1, 1};
    region.edge = 1;
    CutLaplacian laplacian;
    assemble_cut_laplacian(region, {}, laplacian_pattern(build_topology(faces, 3)), positions,
                           faces, laplacian);
    const auto coupling = [&](int a, int b) {
        return -2 * laplacian.matrix.coeff(std::max(a, b), std::min(a, b));
    };
    const Vec3 cotangents(coupling(1, 2), coupling(2, 0), coupling(0, 1));
    // Every row adds up to nothing.
    for (int v = 0; v < 3; ++v) {
        const double others = 0.5 * (cotangents.sum() - cotangents[v]);
        EXPECT_NEAR(laplacian.matrix.coeff(v, v), others, 1e-12 * cotangents.cwiseAbs().maxCoeff());
    }
    return cotangents;
}

// What the cotangents of three angles that add up to pi give: 1.
double cotangent_identity(const Vec3& c) {
    return c[0] * c[1] + c[1] * c[2] + c[2] * c[0];
}

TEST(CutLaplacian, HasTheCotangentsOfATriangle) {
    const Vec3 even = assembled_cotangents({{0, 0, 0}, {1, 0, 0}, {0.5, std::sqrt(0.75), 0}});
    for (const double c : even) EXPECT_NEAR(c, 1 / std::sqrt(3.0), 1e-14);
    EXPECT_NEAR(cotangent_identity(assembled_cotangents({{0, 0, 0}, {1, 0, 0}, {0.2, 0.1, 0}})), 1,
                1e-12);
}

TEST(CutLaplacian, AFlatPieceIsThatOfSidesALittleLonger) {
    // Sides of 1, 1/2 and 1/2 grow by 1e-7: by the law of cosines.
    const double longer = 1 + 1e-7, shorter = 0.5 + 1e-7;
    const double cosine = (2 * shorter * shorter - longer * longer) / (2 * shorter * shorter);
    const double expected = cosine / std::sqrt(1 - cosine * cosine);
    const Vec3 flat = assembled_cotangents({{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}});
    EXPECT_NEAR(flat[2] / expected, 1, 1e-6);
    EXPECT_NEAR(flat[0], flat[1], 1e-6 * flat[0]);
    // Cotangents of thousands: their products cancel to 1 from 1e7.
    EXPECT_NEAR(cotangent_identity(flat), 1, 1e-6);
    // A needle, too, joins its far corner to the near ones.
    const Vec3 needle = assembled_cotangents({{0, 0, 0}, {1, 0, 0}, {1, 1e-13, 0}});
    EXPECT_TRUE(needle.allFinite());
    EXPECT_GT(needle[0], 1);
}

TEST(HeatOfCold, RisesWithinAnEdgeOfTheZonesBorder) {
    const double edge = 0.2;
    ContactZone zone;
    zone.border.resize(1);
    zone.border[0].position = Vec3(1, 2, 3);
    zone.inside = {0, 0, 0, 0, 1, 0};
    std::vector<Vec3> positions;
    for (const double way : {0.0, 0.25, 0.5, 1.5, 1.5, 0.25})
        positions.push_back(zone.border[0].position + Vec3(0, way * edge, 0));
    const std::vector<char> cold = {1, 1, 1, 1, 1, 0};
    const Eigen::VectorXd heat = heat_of_cold(cold, zone, positions, edge);
    EXPECT_EQ(heat[0], 1);
    EXPECT_NEAR(heat[1], smoothstep(0.75), 1e-12);
    EXPECT_NEAR(heat[2], smoothstep(0.5), 1e-12);
    EXPECT_EQ(heat[3], 0); // too far
    EXPECT_EQ(heat[4], 1); // in the zone
    EXPECT_EQ(heat[5], 0); // not held
}

} // namespace
} // namespace knead
