#include "knead/base/random.hpp"
#include "knead/mesh/motion_jumps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "pair.hpp"

namespace knead {
namespace {

double depth_before(const Pair& pair) {
    return measure_penetration(pair.meshes[0], pair.meshes[1]).depth;
}

void shift(TriangleMesh& mesh, const Vec3& way) {
    for (Vec3& p : mesh.positions) p += way;
}

void flip(TriangleMesh& mesh, int every) {
    for (std::size_t f = 0; f < mesh.faces.size(); f += static_cast<std::size_t>(every))
        std::swap(mesh.faces[f][1], mesh.faces[f][2]);
}

double largest_move(std::span<const Vec3> before, std::span<const Vec3> after) {
    double largest = 0;
    for (std::size_t v = 0; v < before.size(); ++v)
        largest = std::max(largest, (after[v] - before[v]).norm());
    return largest;
}

// Whatever comes in, what comes out is finite and nowhere further away than ten times the depth.
DeformResult expect_plausible(Pair& pair, double depth) {
    DeformResult result = pair.result();
    for (int i = 0; i < 2; ++i) {
        const std::vector<Vec3>& after = result.objects[i].positions;
        for (const Vec3& p : after)
            if (!p.allFinite()) {
                ADD_FAILURE() << "object " << i << " is not finite";
                break;
            }
        EXPECT_LE(largest_move(pair.meshes[i].positions, after), 10 * depth) << "object " << i;
    }
    return result;
}

// With both soft, and with either rigid.
void expect_plausible_in_every_way(Pair pair, double depth) {
    for (int rigid = -1; rigid < 2; ++rigid) {
        for (int i = 0; i < 2; ++i) pair.objects[i].rigid = i == rigid;
        SCOPED_TRACE(rigid < 0 ? "both soft" : rigid == 0 ? "first rigid" : "second rigid");
        expect_plausible(pair, depth);
    }
}

TEST(Hostile, ABorderInsideTheContact) {
    Pair patch = ball_on_floor(0.2, 2);
    patch.meshes[1] = make_grid({0.6, 0.6}, {6, 6});
    shift(patch.meshes[1], {0.5, 0, 0.02});
    expect_plausible_in_every_way(patch, depth_before(patch));
    Pair corner = ball_on_floor(0.3, 2);
    corner.meshes[1] = make_grid({2, 2}, {12, 12});
    shift(corner.meshes[1], {0.9, 0, 0.95});
    expect_plausible_in_every_way(corner, depth_before(corner));
}

TEST(Hostile, AMeshThatIntersectsItself) {
    Pair pair = ball_on_floor(0.2, 2, 20);
    TriangleMesh second = pair.meshes[0];
    shift(second, {0.9, 0.04, 0.1});
    append(pair.meshes[0], second);
    expect_plausible_in_every_way(pair, depth_before(pair));
}

TEST(Hostile, AnObjectGivenTwice) {
    for (const double apart : {0.0, 1e-12, 1e-6, 1e-3}) {
        SCOPED_TRACE(apart);
        Pair pair = ball_on_floor(0, 2);
        pair.meshes[1] = pair.meshes[0];
        shift(pair.meshes[1], apart * Vec3(1, 0.7, 0.3));
        // The way out is as long as the thing itself, though every vertex is near the surface.
        expect_plausible_in_every_way(pair, 0.2);
    }
}

TEST(Hostile, FacesTurnedOver) {
    for (const int every : {1, 2, 7})
        for (int flipped = 0; flipped < 2; ++flipped) {
            SCOPED_TRACE(every * 10 + flipped);
            Pair pair = two_balls(0.3, 1, 2);
            double depth = depth_before(pair);
            flip(pair.meshes[flipped], every);
            // What is inside and how deep depends on what faces out.
            depth = std::max(depth, depth_before(pair));
            expect_plausible_in_every_way(pair, depth);
            Pair floor = ball_on_floor(0.3, 2, 16);
            depth = depth_before(floor);
            flip(floor.meshes[flipped], every);
            depth = std::max(depth, depth_before(floor));
            expect_plausible_in_every_way(floor, depth);
        }
    Pair both = two_balls(0.3, 1, 2);
    const double depth = depth_before(both);
    for (TriangleMesh& mesh : both.meshes) flip(mesh, 1);
    expect_plausible_in_every_way(both, depth);
}

TEST(Hostile, ATinyBallOnAHugeOne) {
    Pair pair;
    pair.meshes = {make_sphere(1e-4, 2), make_sphere(1e4, 3)};
    Vec3 centre = Vec3::Zero();
    const Triangle& face = pair.meshes[1].faces[5];
    for (int i = 0; i < 3; ++i)
        centre += std::array{0.5, 0.3, 0.2}[i] * pair.meshes[1].positions[face[i]];
    const Vec3 up = centre.normalized();
    shift(pair.meshes[1], -centre);
    shift(pair.meshes[0], 0.7e-4 * up);
    expect_plausible_in_every_way(pair, 0.3e-4);
}

TEST(Hostile, FarFromTheOrigin) {
    Pair near = two_balls(0.3, 1, 2), far = near;
    for (TriangleMesh& mesh : far.meshes) shift(mesh, {1e6, -1e6, 1e6});
    // The same numbers, so that only the place differs.
    for (int i = 0; i < 2; ++i) {
        near.meshes[i] = far.meshes[i];
        shift(near.meshes[i], {-1e6, 1e6, -1e6});
    }
    const DeformResult here = expect_plausible(near, 0.3), there = expect_plausible(far, 0.3);
    for (int i = 0; i < 2; ++i) {
        std::vector<Vec3> expected = here.objects[i].positions;
        for (Vec3& p : expected) p += Vec3(1e6, -1e6, 1e6);
        EXPECT_LT(largest_move(expected, there.objects[i].positions), 1e-6);
    }
}

TEST(Hostile, TenThousandSlivers) {
    for (const double depth : {0.05, 0.3}) {
        Pair pair = ball_on_floor(depth, 2);
        pair.meshes[1] = make_grid({20, 5}, {2, 2500});
        ASSERT_GE(pair.meshes[1].face_count(), 10000);
        for (Vec3& p : pair.meshes[1].positions) p.z() *= 0.4;
        expect_plausible_in_every_way(pair, depth_before(pair));
        Pair thin = ball_on_floor(depth, 2);
        thin.meshes[1] = make_grid({5, 5}, {2500, 2});
        for (Vec3& p : thin.meshes[1].positions) p.z() *= 8;
        expect_plausible_in_every_way(thin, std::max(depth_before(thin), depth));
    }
}

TEST(Hostile, FacesWithoutAreaAndVerticesWithoutFaces) {
    Pair pair = two_balls(0.3, 1, 2);
    const double depth = depth_before(pair);
    for (TriangleMesh& mesh : pair.meshes) {
        const int n = mesh.vertex_count();
        for (int f = 0; f < 40; ++f) {
            const Triangle face = mesh.faces[7 * f];
            mesh.positions.push_back(0.5 * (mesh.positions[face[0]] + mesh.positions[face[1]]));
            mesh.faces.push_back({face[0], n + f, face[1]});
        }
        mesh.positions.push_back({0.013, 0, 0.007});
        mesh.positions.push_back({100, 0, 0});
    }
    expect_plausible_in_every_way(pair, depth);
    // Collapsed onto one another, in the middle of the contact.
    Pair collapsed = ball_on_floor(0.3, 2, 16);
    const double deep = depth_before(collapsed);
    for (std::size_t f = 0; f < collapsed.meshes[0].faces.size(); f += 11) {
        const Triangle face = collapsed.meshes[0].faces[f];
        collapsed.meshes[0].positions[face[1]] = collapsed.meshes[0].positions[face[0]];
    }
    expect_plausible_in_every_way(collapsed, deep);
}

TEST(Hostile, NothingAtAll) {
    Pair pair = ball_on_floor(0.3, 2, 16);
    pair.meshes[1] = {};
    EXPECT_EQ(expect_plausible(pair, 0).objects[0].positions, pair.meshes[0].positions);
    pair.meshes[0] = {};
    EXPECT_TRUE(expect_plausible(pair, 0).objects[0].positions.empty());
    pair.meshes[0].positions = {{0, 0, 0}};
    EXPECT_EQ(expect_plausible(pair, 0).objects[0].positions, pair.meshes[0].positions);
}

TEST(Hostile, TheSwallowedStaysBitForBit) {
    Pair pair = two_balls(0.9, 0.3, 2);
    shift(pair.meshes[1], {0, 0.7, 0});
    const DeformResult result = pair.result();
    for (int i = 0; i < 2; ++i) EXPECT_EQ(result.objects[i].positions, pair.meshes[i].positions);
}

Pair two_boxes(double depth, int lower_cells) {
    Pair pair;
    pair.meshes = {make_box({1, 1, 1}, {8, 8, 8}),
                   make_box({2, 1, 2}, {lower_cells, 4, lower_cells})};
    shift(pair.meshes[0], {0, 0.5 - depth, 0});
    shift(pair.meshes[1], {0, -0.5, 0});
    return pair;
}

TEST(Hostile, BoxesThatTouchExactly) {
    Pair pair = two_boxes(0, 8);
    expect_plausible_in_every_way(pair, 1e-9);
}

TEST(Hostile, ParallelFacesMakeAZoneOfTheWholeFace) {
    for (const bool rigid : {false, true})
        for (const int cells : {14, 21}) {
            SCOPED_TRACE(cells);
            Pair pair = two_boxes(0.125, cells);
            pair.objects[1].rigid = rigid;
            const DeformResult result = expect_plausible(pair, 0.125);
            EXPECT_LE(depth_of(pair, result), 0.05 * 0.125);
            for (const double area : result.contacts[0].zone_area)
                EXPECT_NEAR(area, 1, 0.15); // all but part of the outermost row of faces
        }
}

TEST(Hostile, BoxesWithSidesInOnePlane) {
    Pair pair;
    pair.meshes = {make_box({1, 1, 1}, {4, 4, 4}), make_box({1, 1, 1}, {4, 4, 4})};
    shift(pair.meshes[0], {0, 0.75, 0});
    expect_plausible_in_every_way(pair, 0.25);
    shift(pair.meshes[0], {0.25, 0, 0});
    expect_plausible_in_every_way(pair, 0.25);
}

TEST(Hostile, VerticesAndEdgesExactlyUponOneAnother) {
    // The lowest vertex of the ball on the surface, over a vertex and over an edge; then inside.
    for (const double depth : {0.0, 0.25})
        for (const double aside : {0.0, 0.125}) {
            Pair pair;
            pair.meshes = {make_torus(1, 0.5, 16), make_grid({4, 4}, {16, 16})};
            shift(pair.meshes[0], {aside, 0.5 - depth, 0});
            expect_plausible_in_every_way(pair, depth);
            pair.meshes[0] = make_sphere(1, 2);
            double lowest = 0;
            for (const Vec3& p : pair.meshes[0].positions) lowest = std::min(lowest, p.y());
            shift(pair.meshes[0], {aside, -lowest - depth, 0});
            expect_plausible_in_every_way(pair, depth);
            pair.meshes[1] = pair.meshes[0];
            shift(pair.meshes[1], {0, 2 * lowest + depth, 0});
            expect_plausible_in_every_way(pair, depth);
        }
}

// The ball is a quarter of a cell.
Pair small_ball_on_coarse_floor(double depth) {
    Pair pair;
    pair.meshes = {make_sphere(0.25, 3), make_grid({6, 6}, {6, 6})};
    Affine3 turn = Affine3::Identity();
    turn.rotate(Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()));
    transform(pair.meshes[0], turn);
    shift(pair.meshes[0], {0.3, 0.25 - depth, 0.2});
    return pair;
}

TEST(Hostile, AZoneSmallerThanATriangle) {
    for (int rigid = -1; rigid < 2; ++rigid) {
        SCOPED_TRACE(rigid);
        Pair pair = small_ball_on_coarse_floor(0.08);
        if (rigid >= 0) pair.objects[rigid].rigid = true;
        const double before = depth_before(pair);
        const DeformResult result = expect_plausible(pair, before);
        EXPECT_LE(depth_of(pair, result), 0.05 * before);

        std::vector<double> times, edges;
        for (int i = 0; i <= 12; ++i) times.push_back(i / 12.0);
        for (const TriangleMesh& mesh : pair.meshes) edges.push_back(mean_edge(mesh));
        const Motion motion = [&](double t) {
            Pair moved = pair;
            shift(moved.meshes[0], Vec3(0.01, 0.09 - 0.06 * t, 0.003) + t * Vec3(0.02, 0, 0.01));
            DeformResult at = moved.result();
            return std::vector{std::move(at.objects[0].positions),
                               std::move(at.objects[1].positions)};
        };
        const MotionJump jump = find_jumps(motion, times, edges).largest;
        EXPECT_LT(jump.edges, 1.0 / 500);
    }
}

TEST(Hostile, StiffnessToTheLimits) {
    for (const bool floor : {false, true}) {
        Pair pair = floor ? ball_on_floor(0.3, 2, 16) : two_balls(0.3, 0.8, 2);
        const double depth = depth_before(pair);
        for (int stiff = 0; stiff < 2; ++stiff) {
            pair.objects[stiff].stiffness = 1e6;
            pair.objects[1 - stiff].stiffness = 1;
            const DeformResult result = expect_plausible(pair, depth);
            EXPECT_LT(largest_move(pair.meshes[stiff].positions, result.objects[stiff].positions),
                      1e-5 * depth);
        }
        std::optional<DeformResult> last;
        double most = 0;
        for (int i = 0; i <= 100; ++i) {
            pair.objects[0].stiffness = i / 100.0;
            pair.objects[1].stiffness = 1 - i / 100.0;
            DeformResult result = pair.result();
            if (last)
                for (int k = 0; k < 2; ++k)
                    most = std::max(most, largest_move(last->objects[k].positions,
                                                       result.objects[k].positions));
            last = std::move(result);
        }
        EXPECT_LT(most, 0.1 * depth);
    }
}

TEST(Hostile, AnythingAnywhere) {
    Random random(7);
    for (int i = 0; i < 60; ++i) {
        SCOPED_TRACE(i);
        Pair pair;
        for (TriangleMesh& mesh : pair.meshes) {
            const int shape = random.index(3);
            mesh = shape == 0   ? make_torus(1, 0.4, 20)
                   : shape == 1 ? make_capsule(0.5, 1.2, 16)
                                : make_box({1, 1.4, 0.8}, {6, 7, 5});
            Affine3 turn = Affine3::Identity();
            turn.rotate(random.rotation());
            transform(mesh, turn);
        }
        const Vec3 away = random.direction();
        // From apart until they overlap.
        double far = 4;
        const double wanted = random.uniform(0.02, 0.35);
        double depth = 0;
        Pair placed = pair;
        while (depth < wanted && far > 0) {
            placed.meshes[1] = pair.meshes[1];
            shift(placed.meshes[1], far * away);
            depth = depth_before(placed);
            far -= 0.02;
        }
        if (i % 3) placed.objects[i % 3 - 1].rigid = true;
        if (depth > 0) expect_plausible(placed, depth);
    }
}

} // namespace
} // namespace knead
