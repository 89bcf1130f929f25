#include <gtest/gtest.h>

#include "jump_of.hpp"
#include "pair.hpp"

namespace knead {
namespace {

TEST(Continuity, ABallOnARigidFloorDoesNotJump) {
    Pair pair = ball_on_floor(-0.01, 2, 16);
    pair.objects[1].rigid = true;
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

TEST(Continuity, ABallOnASoftFloorDoesNotJump) {
    const Pair pair = ball_on_floor(-0.01, 2, 24);
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

TEST(Continuity, TwoBallsDoNotJump) {
    const Pair pair = two_balls(-0.01, 1, 2);
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

// How many zones the first object has: vertices of a zone that are joined by edges are of one.
int zones_of(const Pair& pair, const DeformResult& result) {
    const std::vector<double>& zone = result.objects[0].zone;
    std::vector<int> label(zone.size(), -1);
    int count = 0;
    for (std::size_t seed = 0; seed < zone.size(); ++seed) {
        if (zone[seed] != 1 || label[seed] >= 0) continue;
        label[seed] = count;
        for (bool grew = true; grew;) {
            grew = false;
            for (const Triangle& face : pair.meshes[0].faces)
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 3; ++j)
                        if (label[face[i]] == count && zone[face[j]] == 1 && label[face[j]] < 0) {
                            label[face[j]] = count;
                            grew = true;
                        }
        }
        ++count;
    }
    return count;
}

// Two bumps of a cushion come down on a rigid floor: two zones, one a little later than the other,
// which grow, become one, and on the way back come apart and vanish.
TEST(Continuity, ZonesThatAppearMergeSplitAndVanishDoNotJump) {
    Pair pair = ball_on_floor(0, 2, 40);
    pair.meshes[0] = make_grid({4, 3}, {40, 30});
    for (Vec3& p : pair.meshes[0].positions) {
        const auto bump = [&](double x) {
            return std::exp(-(std::pow(p.x() - x, 2) + p.z() * p.z()) / 0.25);
        };
        // Turned over, so that it faces the floor.
        p = Vec3(p.x() + 0.013, 0.41 - 0.4 * bump(-0.55) - 0.38 * bump(0.55), -p.z() + 0.007);
    }
    pair.objects[1].rigid = true;
    const Vec3 way(0.03, -0.36, 0.02);
    int most = 0, at_last = 0;
    Pair moved = pair;
    for (const double t : {0.1, 0.3, 0.5, 1.0}) {
        for (std::size_t v = 0; v < pair.meshes[0].positions.size(); ++v)
            moved.meshes[0].positions[v] = pair.meshes[0].positions[v] + t * way;
        const int zones = zones_of(moved, moved.result());
        most = std::max(most, zones);
        at_last = zones;
    }
    EXPECT_EQ(most, 2);
    EXPECT_EQ(at_last, 1);
    EXPECT_LT(jump_of(pair, way), 1.0 / 500);
}

// Two balls of one mesh touch a floor one after the other.
TEST(Continuity, ZonesThatAppearDoNotJump) {
    Pair pair = ball_on_floor(-0.01, 2, 40);
    TriangleMesh second = make_sphere(0.9, 2);
    for (Vec3& p : second.positions) p += Vec3(1.1, 0.98, 0.2);
    append(pair.meshes[0], second);
    pair.objects[1].rigid = true;
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

// The stiffer one moves less, and nothing jumps on the way from one limit to the other.
TEST(Continuity, StiffnessDoesNotJump) {
    Pair pair = two_balls(0.3, 0.8, 2);
    std::vector<double> times, edges;
    for (int i = 0; i <= 16; ++i) times.push_back(i / 16.0);
    for (const TriangleMesh& mesh : pair.meshes) edges.push_back(mean_edge(mesh));
    const Motion motion = [&](double t) {
        Pair stiff = pair;
        stiff.objects[0].stiffness = t;
        stiff.objects[1].stiffness = 1 - t;
        DeformResult result = stiff.result();
        return std::vector{std::move(result.objects[0].positions),
                           std::move(result.objects[1].positions)};
    };
    EXPECT_LT(find_jumps(motion, times, edges).largest.edges, 1.0 / 500);
}

// The experiment of [Bru21] figure 7.27: a second ball lands on a sheet that bulges around the
// first.
TEST(Continuity, ASecondContactOnASheetDoesNotJump) {
    const Pair pair = ball_on_floor(0.3, 2, 30);
    TriangleMesh second = make_sphere(0.8, 2);
    const std::vector<TriangleMesh> meshes = {pair.meshes[0], pair.meshes[1], second};
    std::vector<double> times, edges;
    for (int i = 0; i <= 16; ++i) times.push_back(i / 16.0);
    for (const TriangleMesh& mesh : meshes) edges.push_back(mean_edge(mesh));
    const auto resolve = [&](double t) {
        std::vector<TriangleMesh> moved = meshes;
        for (Vec3& p : moved[2].positions) p += Vec3(1.55, 0.95 - 0.3 * t, 0.04 * t);
        std::vector<std::shared_ptr<const SurfaceStructure>> structures;
        std::vector<DeformObject> objects(3);
        for (int i = 0; i < 3; ++i) {
            structures.push_back(make_structure(moved[i].positions, moved[i].faces));
            objects[i].positions = moved[i].positions;
        }
        std::vector<DeformContact> contacts(2);
        contacts[1].first = 2;
        DeformResult result = Deformer(structures).deform(objects, contacts);
        std::vector<std::vector<Vec3>> positions;
        for (ObjectOutcome& object : result.objects)
            positions.push_back(std::move(object.positions));
        return positions;
    };
    EXPECT_LT(find_jumps(resolve, times, edges).largest.edges, 1.0 / 500);
    // What the combined fields leave: both balls are resolved, the sheet is between them.
    std::vector<std::vector<Vec3>> positions = resolve(1);
    std::vector<TriangleMesh> after = meshes;
    for (int i = 0; i < 3; ++i) after[i].positions = positions[i];
    EXPECT_LT(measure_penetration(after[0], after[1]).depth, 0.02 * 0.3);
    EXPECT_LT(measure_penetration(after[2], after[1]).depth, 0.05 * 0.15);
}

} // namespace
} // namespace knead
