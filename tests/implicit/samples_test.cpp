#include "knead/base/random.hpp"
#include "knead/implicit/samples.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

using Shape = FieldPiece::Shape;

TEST(Samples, cover_a_ball_evenly) {
    for (const double size : {1e-4, 1.0, 1e5})
        for (const int count : {300, 5000}) {
            const Field ball({{Shape::point, {Vec3(size, 0, 0)}, {size, 1.5 * size, 2 / size}}});
            const TriangleMesh mesh = polygonize(ball, count);
            EXPECT_GT(mesh.vertex_count(), 0.85 * count);
            EXPECT_LT(mesh.vertex_count(), 1.25 * count);
            const Samples samples = make_samples(ball, mesh, 0.1 * size);
            for (int v = 0; v < samples.count(); ++v) {
                EXPECT_NEAR(ball.value(samples.positions[v]), 1, 1e-9);
                EXPECT_GT(samples.normals[v].dot(samples.positions[v] - Vec3(size, 0, 0)),
                          0.999999 * size);
                EXPECT_GT(samples.thickness[v], 0.85 * size);
                EXPECT_LE(samples.thickness[v], 1.001 * size);
            }
            const double volume = signed_volume(samples.positions, samples.faces, {size, 0, 0});
            EXPECT_NEAR(volume / std::pow(size, 3), 4 * std::numbers::pi / 3, 40.0 / count);
        }
}

TEST(Samples, patches_hold_every_sample_once) {
    const Field rod({{Shape::chain, {{-1, 0, 0}, {1, 0, 0}}, {0.3, 0.6, 5}}});
    const Samples samples = make_samples(rod, polygonize(rod, 2000), 0.1);
    std::vector<int> seen(samples.positions.size(), 0);
    for (const Samples::Patch& patch : samples.patches)
        for (const int v : patch.samples) {
            ++seen[v];
            EXPECT_LE((samples.positions[v] - patch.center).norm(), patch.radius * (1 + 1e-12));
        }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), samples.count());
}

TEST(Samples, of_a_mesh_move_to_the_surface_and_leave_what_is_far_away) {
    const Field ball({{Shape::point, {Vec3(0, 0, 0)}, {1, 1.5, 2}}});
    TriangleMesh mesh = make_sphere(1.05, 3);
    mesh.positions[7] *= 5;
    const Samples samples = make_samples(ball, mesh, 0.2);
    EXPECT_EQ(samples.faces, mesh.faces);
    for (int v = 0; v < samples.count(); ++v) {
        EXPECT_EQ(samples.on_surface[v], v == 7 ? 0 : 1);
        EXPECT_NEAR(samples.positions[v].norm(), v == 7 ? 5.25 : 1, 1e-9);
    }
}

TEST(Samples, follow_skeletons_that_move) {
    const FieldFunction function{0.3, 0.6, 5};
    const auto arm = [&](double angle) {
        const Vec3 elbow(1, 0, 0), hand = elbow + Vec3(std::cos(angle), std::sin(angle), 0);
        return Field({{Shape::chain, {{0, 0, 0}, elbow}, function, FieldPiece::Kind::convolution},
                      {Shape::chain, {elbow, hand}, function, FieldPiece::Kind::convolution}});
    };
    const Field straight = arm(0), bent = arm(1.2);
    const Samples at_rest = make_samples(straight, polygonize(straight, 1500), 0.1);
    const Samples moved = moved_samples(at_rest, straight, bent);
    EXPECT_EQ(moved.faces, at_rest.faces);
    for (int v = 0; v < moved.count(); ++v) {
        EXPECT_NEAR(bent.value(moved.positions[v]), 1, 1e-9);
        // What is far from the elbow turns with its bone.
        const Vec3& before = at_rest.positions[v];
        if (before.x() < 0.3) {
            EXPECT_LT((moved.positions[v] - before).norm(), 1e-6);
        }
        if (before.x() > 1.7) {
            const Vec3 turned = Vec3(1, 0, 0) + Eigen::AngleAxisd(1.2, Vec3::UnitZ()) *
                                                    Vec3(before - Vec3(1, 0, 0));
            EXPECT_LT((moved.positions[v] - turned).norm(), 1e-6);
        }
    }
    // Nothing is turned inside out, and the volume of the flesh changes little.
    const double volume = signed_volume(at_rest.positions, at_rest.faces, Vec3::Zero());
    EXPECT_NEAR(signed_volume(moved.positions, moved.faces, Vec3::Zero()) / volume, 1, 0.06);
}

TEST(Samples, of_a_thin_solid_are_as_fine_as_it_needs) {
    const Field sheet({{Shape::triangles, {{-2, 0, -2}, {2, 0, -2}, {0, 0, 2}}, {0.1, 0.2, 10}}});
    const TriangleMesh mesh = polygonize(sheet, 50);
    EXPECT_GT(mesh.vertex_count(), 2000);
    EXPECT_TRUE(is_closed(build_topology(mesh.faces, mesh.vertex_count())));
}

} // namespace
} // namespace knead
