#include "knead/mesh/flips.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

TEST(Flips, AFaceThatIsTurnedOverCounts) {
    const TriangleMesh sheet = make_grid({4, 4}, {20, 20});
    EXPECT_EQ(count_flips(sheet.positions, sheet.positions, sheet.faces), 0);
    std::vector<Vec3> folded = sheet.positions;
    // A vertex in the middle goes past a neighbour, and the faces between them turn over.
    const int middle = 10 * 21 + 10;
    folded[middle].x() += 0.3;
    const int flips = count_flips(sheet.positions, folded, sheet.faces);
    EXPECT_GE(flips, 2);
    EXPECT_LE(flips, 4);
}

// What turns as a whole does not: not a mesh, nor a flap that is bent over by 150 degrees.
TEST(Flips, WhatTurnsWithItsSurroundingsDoesNot) {
    const TriangleMesh sheet = make_grid({4, 1}, {80, 10});
    std::vector<Vec3> turned, bent;
    for (const Vec3& p : sheet.positions) {
        turned.push_back(Vec3(p.x(), -p.y(), -p.z()));
        // Flat up to x = 0, then around a cylinder.
        const double angle = std::clamp(p.x(), 0.0, 1.5) * 1.745, straight = p.x() - 1.5;
        Vec3 at(std::sin(angle) / 1.745, (1 - std::cos(angle)) / 1.745, p.z());
        if (p.x() < 0) at.x() += p.x();
        if (straight > 0) at += straight * Vec3(std::cos(angle), std::sin(angle), 0);
        bent.push_back(at);
    }
    EXPECT_EQ(count_flips(sheet.positions, turned, sheet.faces), 0);
    EXPECT_EQ(count_flips(sheet.positions, bent, sheet.faces), 0);
}

} // namespace
} // namespace knead
