#include "knead/base/parallel.hpp"
#include "knead/contact/direction_field.hpp"

#include <gtest/gtest.h>

#include "jump_of.hpp"

namespace knead {
namespace {

const Affine3 in_general_position = [] {
    Affine3 at = Affine3::Identity();
    at.rotate(Eigen::AngleAxisd(0.7, Vec3(1, -2, 0.5).normalized()));
    return at;
}();

// A ring about a stem, `tight` deep in it all around, tilted.
Pair ring_on_stem(double tight, int resolution = 40) {
    Pair pair;
    pair.meshes = {make_capsule(0.5, 2, resolution), make_torus(0.62, 0.14, resolution)};
    Affine3 at = Affine3::Identity();
    at.rotate(Eigen::AngleAxisd(0.2, Vec3(1, 0, 0.4).normalized()));
    at.scale((0.5 - tight) / 0.48);
    transform(pair.meshes[1], at);
    for (Vec3& p : pair.meshes[1].positions) p += Vec3(0.011, 0.07, -0.006);
    for (TriangleMesh& mesh : pair.meshes) transform(mesh, in_general_position);
    return pair;
}

// A stem that is bent and uneven.
Pair ring_on_a_bent_stem(double tight) {
    Pair pair = ring_on_stem(tight);
    for (TriangleMesh& mesh : pair.meshes) transform(mesh, in_general_position.inverse());
    for (Vec3& p : pair.meshes[0].positions) {
        p.x() *= 1 + 0.08 * std::sin(5 * p.y());
        p.x() += 0.15 * p.y() * p.y();
    }
    return pair;
}

// Three quarters of a ring.
Pair clasp(double tight) {
    Pair pair = ring_on_stem(tight);
    TriangleMesh& ring = pair.meshes[1];
    transform(ring, in_general_position.inverse());
    std::erase_if(ring.faces, [&](const Triangle& face) {
        const Vec3& p = ring.positions[face[0]];
        return p.x() > 0 && std::abs(p.z()) < p.x();
    });
    transform(ring, in_general_position);
    return pair;
}

struct Outcome {
    double left = 0, volume_error = 0;
    int flips = 0;
};

// A face flips when the turn that its surroundings make does not take its normal along: when its
// normal looks away from the mean of those at its corners, before and after.
int flips(const TriangleMesh& before, const std::vector<Vec3>& after) {
    const std::vector<Vec3> smooth = vertex_normals(after, before.faces);
    int count = 0;
    for (const Triangle& f : before.faces) {
        const Vec3 normal = area_vector(after[f[0]], after[f[1]], after[f[2]]);
        count += normal.dot(smooth[f[0]] + smooth[f[1]] + smooth[f[2]]) < 0;
    }
    return count;
}

Outcome outcome_of(const Pair& pair) {
    const DeformResult result = pair.result();
    Outcome outcome;
    outcome.left =
        depth_of(pair, result) / measure_penetration(pair.meshes[0], pair.meshes[1]).depth;
    for (int i = 0; i < 2; ++i) {
        if (pair.objects[i].rigid) {
            EXPECT_EQ(result.objects[i].positions, pair.meshes[i].positions);
            continue;
        }
        outcome.flips += flips(pair.meshes[i], result.objects[i].positions);
        const std::vector<Vec3>&before = pair.meshes[i].positions,
              &after = result.objects[i].positions;
        const auto volume = [&](const std::vector<Vec3>& positions) {
            return signed_volume(positions, pair.meshes[i].faces, before[0]);
        };
        outcome.volume_error =
            std::max(outcome.volume_error, std::abs(volume(after) / volume(before) - 1));
        for (std::size_t v = 0; v < after.size(); ++v)
            EXPECT_LT((after[v] - before[v]).norm(), 0.3);
    }
    return outcome;
}

TEST(RoundContact, RingsAreResolvedAllAround) {
    for (const double tight : {0.04, 0.08, 0.12})
        for (const int soft : {0, 1}) {
            Pair pair = ring_on_stem(tight);
            pair.objects[1].rigid = !soft;
            const Outcome outcome = outcome_of(pair);
            EXPECT_LT(outcome.left, 0.02) << tight << (soft ? " soft" : " rigid");
            EXPECT_LT(outcome.volume_error, 1e-9);
            EXPECT_EQ(outcome.flips, 0);
        }
}

TEST(RoundContact, SoAreThoseOnABentStemAndClasps) {
    for (const Pair& pair : {ring_on_a_bent_stem(0.06), clasp(0.06)}) {
        const Outcome outcome = outcome_of(pair);
        EXPECT_LT(outcome.left, 0.05);
        EXPECT_EQ(outcome.flips, 0);
    }
}

TEST(RoundContact, SwappedObjectsAPoseAndAMirrorChangeNothing) {
    const Pair pair = ring_on_stem(0.06, 24);
    const DeformResult result = pair.result();
    Pair swapped = pair;
    std::swap(swapped.meshes[0], swapped.meshes[1]);
    const DeformResult of_swapped = swapped.result();
    Affine3 pose = Affine3::Identity();
    pose.translate(Vec3(3, -2, 1));
    pose.rotate(Eigen::AngleAxisd(1.1, Vec3(0.3, 1, -0.4).normalized()));
    pose.scale(2.5);
    Affine3 mirror = Affine3::Identity();
    mirror.linear().diagonal() = Vec3(-1, 1, 1);
    Pair posed = pair, mirrored = pair;
    for (int i = 0; i < 2; ++i) {
        transform(posed.meshes[i], pose);
        for (Vec3& p : mirrored.meshes[i].positions) p = mirror * p;
        for (Triangle& face : mirrored.meshes[i].faces) std::swap(face[1], face[2]);
    }
    const DeformResult of_posed = posed.result(), of_mirrored = mirrored.result();
    for (int i = 0; i < 2; ++i)
        for (std::size_t v = 0; v < pair.meshes[i].positions.size(); ++v) {
            const Vec3& expected = result.objects[i].positions[v];
            EXPECT_LT((of_swapped.objects[1 - i].positions[v] - expected).norm(), 1e-9);
            EXPECT_LT((pose.inverse() * of_posed.objects[i].positions[v] - expected).norm(), 1e-9);
            EXPECT_LT((mirror * of_mirrored.objects[i].positions[v] - expected).norm(), 1e-9);
        }
}

TEST(RoundContact, ThreadsChangeNoBit) {
    const Pair pair = ring_on_stem(0.06, 24);
    std::vector<std::vector<Vec3>> all;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        all.push_back(pair.result().objects[0].positions);
    }
    EXPECT_EQ(all[0], all[1]);
    EXPECT_EQ(all[0], all[2]);
}

// From just before the first touch until the zone has closed on itself, and further.
TEST(RoundContact, ARingThatTightensHardlyJumps) {
    const auto largest = [](double from, double to, bool rigid, bool crossing_free) {
        std::vector<double> times, edges;
        for (int i = 0; i <= 24; ++i) times.push_back(from + (to - from) * i / 24);
        const Pair pair = ring_on_stem(from, 24);
        for (const TriangleMesh& mesh : pair.meshes) edges.push_back(mean_edge(mesh));
        const Motion motion = [&](double t) {
            Pair moved = ring_on_stem(t, 24);
            moved.objects[1].rigid = rigid;
            moved.contact.crossing_free = crossing_free;
            DeformResult result = moved.result();
            return std::vector{std::move(result.objects[0].positions),
                               std::move(result.objects[1].positions)};
        };
        return find_jumps(motion, times, edges).largest.edges;
    };
    EXPECT_LT(largest(-0.02, 0.08, true, false), 0.002);
    // What is settled of both sides jumps a little, and so does the last pass.
    EXPECT_LT(largest(-0.02, 0.08, false, false), 0.004);
    EXPECT_LT(largest(-0.02, 0.08, true, true), 0.01);
    EXPECT_LT(largest(-0.02, 0.08, false, true), 0.01);
}

// Normals of a cap that is pressed a little into a floor agree: all places have the pair's one
// direction.
TEST(RoundContact, WhereNormalsAgreeThereIsOneDirection) {
    Pair pair = ball_on_floor(0.2);
    const DeformResult automatic = pair.result();
    pair.contact.direction = automatic.contacts[0].direction;
    EXPECT_EQ(pair.result().objects[0].positions, automatic.objects[0].positions);
}

} // namespace
} // namespace knead
