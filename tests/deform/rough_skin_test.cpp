#include "knead/bulge/smooth_directions.hpp"
#include "knead/mesh/bumps.hpp"
#include "knead/mesh/flips.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "jump_of.hpp"
#include "pair.hpp"

namespace knead {
namespace {

// A ball with bumps that are narrow against its bulge.
Pair rough_ball_on_floor(double depth, int subdivisions) {
    Pair pair = ball_on_floor(0, subdivisions, 40);
    pair.meshes[0] = make_sphere(1, subdivisions);
    add_bumps(pair.meshes[0], 0.05, 0.12);
    for (Vec3& p : pair.meshes[0].positions) p += Vec3(0.013, 1 - depth, 0.007);
    pair.objects[1].rigid = true;
    return pair;
}

TEST(RoughSkin, NoFaceIsTurnedOverByTheBulge) {
    for (const double depth : {0.3, 0.45}) {
        const Pair pair = rough_ball_on_floor(depth, 5);
        const DeformResult result = pair.result();
        const TriangleMesh& ball = pair.meshes[0];
        const auto& after = result.objects[0].positions;
        EXPECT_EQ(count_flips(ball.positions, after, ball.faces), 0) << depth;
        EXPECT_NEAR(signed_volume(after, ball.faces, Vec3::Zero()),
                    signed_volume(ball.positions, ball.faces, Vec3::Zero()),
                    1e-9 * 0.5 * depth * result.contacts[0].zone_area[0]);
    }
}

TEST(RoughSkin, DoesNotJump) {
    EXPECT_LT(jump_of(rough_ball_on_floor(0.05, 3), {0.02, -0.3, 0.01}), 1.0 / 500);
}

TEST(RoughSkin, DirectionsAreSmoothedOverALength) {
    const TriangleMesh sheet = make_grid({4, 4}, {40, 40});
    const Topology topology = build_topology(sheet.faces, sheet.vertex_count());
    SmoothingWorkspace workspace;
    // A wave in the directions, and what is left of it.
    const auto left_of_wave = [&](double edges, double wavelength) {
        std::vector<Vec3> directions, smooth;
        for (const Vec3& p : sheet.positions)
            directions.push_back(
                Vec3(0.1 * std::cos(2 * std::numbers::pi * p.x() / wavelength), 1, 0).normalized());
        smooth_directions(directions, {}, topology, edges, workspace, smooth);
        double most = 0;
        for (std::size_t v = 0; v < smooth.size(); ++v) {
            EXPECT_NEAR(smooth[v].norm(), 1, 1e-12);
            const Vec3& p = sheet.positions[v];
            if (std::abs(p.x()) < 0.5 && std::abs(p.z()) < 0.5)
                most = std::max(most, std::abs(smooth[v].x()));
        }
        return most / 0.1;
    };
    EXPECT_NEAR(left_of_wave(0, 0.5), 1, 0.01);
    EXPECT_NEAR(left_of_wave(1e-6, 0.5), left_of_wave(0, 0.5), 1e-9);
    EXPECT_LT(left_of_wave(5, 0.5), 0.05);
    EXPECT_GT(left_of_wave(1, 0.5), 0.5);
    EXPECT_GT(left_of_wave(1, 2), 0.9);
    // From eight edges on it is the same.
    EXPECT_LT(left_of_wave(8, 2), left_of_wave(7.9, 2));
    EXPECT_EQ(left_of_wave(8, 2), left_of_wave(60, 2));
}

// Weights of 0 keep out what is not there.
TEST(RoughSkin, WhatHasNoWeightDoesNotCount) {
    const TriangleMesh sheet = make_grid({4, 4}, {40, 40});
    const Topology topology = build_topology(sheet.faces, sheet.vertex_count());
    std::vector<Vec3> directions(sheet.positions.size(), Vec3::UnitY()), smooth;
    std::vector<double> weights(directions.size(), 1);
    for (std::size_t v = 0; v < directions.size(); ++v)
        if (sheet.positions[v].x() > 0.05) {
            directions[v] = Vec3::UnitX();
            weights[v] = 0;
        }
    SmoothingWorkspace workspace;
    smooth_directions(directions, weights, topology, 5, workspace, smooth);
    for (std::size_t v = 0; v < directions.size(); ++v)
        if (weights[v] == 1) {
            EXPECT_LT((smooth[v] - Vec3::UnitY()).norm(), 1e-9);
        }
}

// Raised along its normals a furrow with the radius r folds at the height r.
TEST(RoughSkin, AFurrowFoldsAtTheHeightOfItsRadius) {
    TriangleMesh furrow = make_grid({1, 1}, {50, 10});
    std::vector<Vec3> inward;
    for (Vec3& p : furrow.positions) {
        const double angle = p.x() / 0.5;
        p = Vec3(0.5 * std::sin(angle), -0.5 * std::cos(angle), p.z());
        inward.push_back(Vec3(-p.x(), -p.y(), 0).normalized());
    }
    const Topology topology = build_topology(furrow.faces, furrow.vertex_count());
    std::vector<double> nearness;
    EXPECT_NEAR(fold_nearness(furrow.positions, inward, 0.1, topology, nearness), 0.2, 1e-3);
    for (const double of_vertex : nearness) EXPECT_NEAR(of_vertex, 0.2, 1e-3);
    EXPECT_NEAR(fold_nearness(furrow.positions, inward, 0.5, topology, nearness), 1, 1e-3);
    EXPECT_EQ(fold_nearness(furrow.positions, inward, -0.1, topology, nearness), 0);
    EXPECT_EQ(nearness, std::vector<double>(nearness.size(), 0.0));
}

} // namespace
} // namespace knead
