#include "knead/deform/sequence.hpp"
#include "knead/mesh/motion_jumps.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "pair.hpp"

namespace knead {
namespace {

// Two rigid balls above one soft sheet, as in [Bru21] figure 7.27: the first is pressed in, and the
// second comes down beside it, where the sheet bulges.
constexpr int cells = 32;
constexpr double edge = 4.0 / cells;

struct TwoBallsOnASheet {
    std::vector<TriangleMesh> meshes = {make_sphere(0.6, 3), make_grid({4, 4}, {cells, cells}),
                                        make_sphere(0.4, 3)};
    std::vector<DeformContact> contacts{2};
    std::vector<DeformObject> objects{3};

    explicit TwoBallsOnASheet(double second_height, double first_height = 0.3) {
        for (Vec3& p : meshes[0].positions) p += Vec3(-0.413, first_height, 0.007);
        for (Vec3& p : meshes[2].positions) p += Vec3(0.59, 0.4 + second_height, 0.012);
        contacts[1].first = 2;
        objects[0].settings.rigid = objects[2].settings.rigid = true;
    }
    DeformResult result(bool in_sequence) {
        std::vector<std::shared_ptr<const SurfaceStructure>> structures;
        for (std::size_t i = 0; i < meshes.size(); ++i) {
            structures.push_back(make_structure(meshes[i].positions, meshes[i].faces));
            objects[i].positions = meshes[i].positions;
        }
        Deformer deformer(structures);
        return deformer.deform(objects, contacts,
                               in_sequence ? ContactOrder::deepest_first : ContactOrder::together);
    }
    double depth(const DeformResult& result, int ball) const {
        TriangleMesh sheet = meshes[1];
        sheet.positions = result.objects[1].positions;
        return measure_penetration(meshes[ball], sheet).depth;
    }
};

TEST(Sequence, OneContactIsAsEver) {
    TwoBallsOnASheet scene(1);
    EXPECT_EQ(scene.result(true).objects[1].positions, scene.result(false).objects[1].positions);
}

TEST(Sequence, BothContactsAreResolved) {
    for (const double height : {-0.1, -0.2, -0.28}) {
        TwoBallsOnASheet scene(height);
        const DeformResult result = scene.result(true);
        EXPECT_LT(scene.depth(result, 0), 0.05 * 0.3 + 0.5 / 0.6 * edge * edge) << height;
        EXPECT_LT(scene.depth(result, 2), 0.05 * 0.3 + 0.5 / 0.4 * edge * edge) << height;
    }
}

// A ball that the sheet only reaches with its bulge.
TEST(Sequence, AContactOnABulgeIsMetThere) {
    TwoBallsOnASheet scene(0.01);
    const DeformResult without = [&] {
        TwoBallsOnASheet alone(5);
        return alone.result(true);
    }();
    const double in_the_way = scene.depth(without, 2);
    ASSERT_GT(in_the_way, 0.01);
    const DeformResult result = scene.result(true);
    EXPECT_LT(scene.depth(result, 2), 0.05 * in_the_way + 0.5 / 0.4 * edge * edge);
    // The first ball's print is pressed again where the second is, and nowhere else.
    const auto& before = without.objects[1].positions;
    const auto& after = result.objects[1].positions;
    EXPECT_NE(before, after);
    for (std::size_t v = 0; v < after.size(); ++v)
        if (before[v].x() < -0.8) {
            EXPECT_LT((after[v] - before[v]).norm(), 0.02) << v;
        }
}

TEST(Sequence, VolumeIsKeptAndTheListsOrderDoesNotCount) {
    TwoBallsOnASheet scene(-0.2, 0.4); // equally deep
    const DeformResult result = scene.result(true);
    const auto volume = [&](std::span<const Vec3> positions) {
        double sum = 0;
        for (const Triangle& face : scene.meshes[1].faces)
            sum += positions[face[0]].dot(positions[face[1]].cross(positions[face[2]])) / 6;
        return sum;
    };
    double swept = 0;
    for (std::size_t v = 0; v < scene.meshes[1].positions.size(); ++v)
        swept += std::abs(result.objects[1].positions[v].y()) * edge * edge;
    EXPECT_NEAR(volume(result.objects[1].positions), volume(scene.meshes[1].positions),
                1e-9 * swept);
    std::swap(scene.contacts[0], scene.contacts[1]);
    const DeformResult swapped = scene.result(true);
    for (std::size_t v = 0; v < scene.meshes[1].positions.size(); ++v)
        EXPECT_LT((swapped.objects[1].positions[v] - result.objects[1].positions[v]).norm(), 1e-12);
}

// What bulges are asked for, in this order too.
TEST(Sequence, BulgesAreTheArtists) {
    const auto highest = [](double bulge, bool in_sequence) {
        TwoBallsOnASheet scene(-0.2);
        scene.objects[1].settings.bulge.bulge = bulge;
        double height = 0;
        const DeformResult result = scene.result(in_sequence);
        for (const Vec3& p : result.objects[1].positions) height = std::max(height, p.y());
        return height;
    };
    EXPECT_LT(highest(0, true), 1e-3);
    const double once = highest(1, true);
    EXPECT_GT(once, 0.02);
    EXPECT_GT(highest(3, true), 1.5 * once);
}

// The largest in edges while the second ball comes down.
double largest_jump(double from, double to, int steps, double first_height) {
    std::vector<double> times;
    for (int i = 0; i <= steps; ++i) times.push_back(i / static_cast<double>(steps));
    std::vector<double> edges;
    for (const TriangleMesh& mesh : TwoBallsOnASheet(0).meshes) edges.push_back(mean_edge(mesh));
    const Motion motion = [&](double t) {
        DeformResult result = TwoBallsOnASheet(from + (to - from) * t, first_height).result(true);
        std::vector<std::vector<Vec3>> positions;
        for (ObjectOutcome& object : result.objects)
            positions.push_back(std::move(object.positions));
        return positions;
    };
    return find_jumps(motion, times, edges).largest.edges;
}

// Down through the bulge, and until the second is deeper than the first.
TEST(Sequence, ASecondContactDoesNotJump) {
    EXPECT_LT(largest_jump(0.12, -0.33, 6, 0.4), 1.0 / 500);
}

// From far above, past where it is first taken into account.
TEST(Sequence, AContactThatJoinsDoesNotJump) {
    EXPECT_LT(largest_jump(1, 0, 8, 0.3), 1e-4);
}

// Three times the same, far apart: each is resolved as if it were alone.
TEST(Sequence, ContactsThatShareNothingDoNotCount) {
    constexpr int copies = 3;
    const TwoBallsOnASheet alone(-0.1);
    TwoBallsOnASheet scene(-0.1);
    for (int copy = 1; copy < copies; ++copy) {
        for (std::size_t i = 0; i < 3; ++i) {
            TriangleMesh mesh = alone.meshes[i];
            for (Vec3& p : mesh.positions) p.z() += 16 * copy;
            scene.meshes.push_back(std::move(mesh));
            scene.objects.push_back(alone.objects[i]);
        }
        for (DeformContact contact : alone.contacts) {
            contact.first += 3 * copy;
            contact.second += 3 * copy;
            scene.contacts.push_back(contact);
        }
    }
    // Linked by what does not move only.
    scene.contacts.push_back(scene.contacts.back());
    scene.contacts.back().first = 0;
    scene.contacts.back().second = 4;
    const DeformResult result = scene.result(true);
    const DeformResult expected = TwoBallsOnASheet(-0.1).result(true);
    for (int copy = 0; copy < copies; ++copy)
        for (std::size_t v = 0; v < alone.meshes[1].positions.size(); ++v)
            ASSERT_LT((result.objects[3 * copy + 1].positions[v] - Vec3(0, 0, 16 * copy) -
                       expected.objects[1].positions[v])
                          .norm(),
                      1e-9)
                << copy << " vertex " << v;
}

TEST(Sequence, ContactsAreLinkedByObjectsThatMove) {
    const auto touching = [](int, double) { return 0.0; };
    // Objects 0 and 1, and 2 and 3; 4 is rigid.
    const std::vector<std::array<int, 2>> objects = {{0, 1}, {2, 3}, {1, 4}, {3, 4}, {1, 0}};
    const std::vector<double> depths = {0.1, 0.3, 0.2, 0, 0.05};
    const auto found = find_sequences(objects, depths, touching, std::vector<char>{1, 1, 1, 1, 0});
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].contacts, (std::vector{1, 3}));
    EXPECT_EQ(found[0].deepest, 0.3);
    EXPECT_EQ(found[0].nearness, (std::vector{1.0, 1.0}));
    EXPECT_EQ(found[1].contacts, (std::vector{0, 2, 4}));
    EXPECT_EQ(found[1].deepest, 0.2);
}

TEST(Sequence, TooManyContactsAreRefused) {
    TwoBallsOnASheet scene(-0.1);
    scene.contacts.resize(6, scene.contacts[1]);
    EXPECT_EQ(input_error([&] { scene.result(true); }),
              "deform: found 6 contacts (0, 1, 2, 3, 4, 5) that are linked by objects they share, "
              "expected at most 5 with the contact order deepest_first");
}

} // namespace
} // namespace knead
