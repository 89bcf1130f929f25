#include "knead/deform/local_deformer.hpp"
#include "knead/dynamics/rigid_motion.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/spatial/depth.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "input_error.hpp"
#include "pair.hpp"

// What a host program can do wrong that has nothing to do with geometry.
namespace knead {
namespace {

TriangleMesh with_corner(int vertex) {
    TriangleMesh ball = make_sphere(1, 1);
    ball.faces[7][2] = vertex;
    return ball;
}

TEST(Host, FacesThatNameAVertexThatIsNotThereAreRefused) {
    const TriangleMesh ball = make_sphere(1, 1);
    for (const int vertex : {42, -1, 1 << 30, -(1 << 30)}) {
        const TriangleMesh bad = with_corner(vertex);
        const std::string face =
            "face 7: corner 2 is vertex " + std::to_string(vertex) + ", expected 0 to 41";
        EXPECT_EQ(input_error([&] { deform(bad, ball); }), "deform: object 0: " + face);
        EXPECT_EQ(input_error([&] { deform(ball, bad); }), "deform: object 1: " + face);
        EXPECT_EQ(input_error([&] { make_structure(bad.positions, bad.faces); }), "mesh: " + face);
        EXPECT_EQ(input_error([&] { build_topology(bad.faces, bad.vertex_count()); }),
                  "mesh: " + face);
        EXPECT_EQ(input_error([&] { measure_penetration(bad, ball); }), "mesh: " + face);
        EXPECT_EQ(input_error([&] { measure_penetration(ball, bad); }), "mesh: " + face);
        EXPECT_EQ(input_error([&] { mass_properties(bad.positions, bad.faces, 1); }),
                  "mesh: " + face);
        auto broken =
            std::make_shared<SurfaceStructure>(*make_structure(ball.positions, ball.faces));
        broken->faces = bad.faces;
        EXPECT_EQ(input_error([&] { Deformer deformer({broken}); }), "deform: object 0: " + face);
        EXPECT_EQ(input_error([&] {
                      LocalDeformer deformer({{broken, ball.positions}});
                  }),
                  "deform: body 0: " + face);
    }
    EXPECT_EQ(input_error([&] { deform(ball, with_corner(ball.faces[7][0])); }),
              "deform: object 1: face 7: corners 0 and 2 are both vertex " +
                  std::to_string(ball.faces[7][0]) + ", expected three different vertices");
    EXPECT_EQ(input_error([&] {
                  deform(TriangleMesh{{}, ball.faces, {}, {}}, ball);
              }),
              "deform: object 0: face 0: corner 0 is vertex " + std::to_string(ball.faces[0][0]) +
                  ", but there are no vertices");
}

TEST(Host, PositionsBeyondAllSenseAreRefused) {
    TriangleMesh ball = make_sphere(1, 1), other = ball;
    for (Vec3& p : other.positions) p.y() += 1.5;
    other.positions[3] = Vec3(0, 1e300, 0);
    EXPECT_EQ(
        input_error([&] { deform(ball, other); }),
        "deform: object 1, vertex 3 is at (0, 1e+300, 0), expected finite numbers up to 1e+50");
    other.positions[3] = Vec3(0, 1e49, 0);
    for (const std::vector<Vec3>& positions : deform(ball, other))
        for (const Vec3& p : positions) EXPECT_TRUE(p.allFinite());
}

TEST(Host, AStructureOfAnotherMeshIsRefused) {
    const TriangleMesh ball = make_sphere(1, 1), finer = make_sphere(1, 2);
    EXPECT_EQ(input_error([&] {
                  make_structure(ball.positions, ball.faces,
                                 build_topology(finer.faces, finer.vertex_count()));
              }),
              "mesh: the topology is of 162 vertices and 320 faces, expected 42 and 80");
    EXPECT_EQ(input_error([&] { Deformer deformer({nullptr}); }),
              "deform: object 0 has no structure, expected one of make_structure");
    EXPECT_EQ(input_error([&] {
                  LocalDeformer deformer({{nullptr, {}}});
              }),
              "deform: body 0 has no structure, expected one of make_structure");
    const auto structure = make_structure(ball.positions, ball.faces);
    EXPECT_EQ(input_error([&] {
                  Deformer deformer({structure}, {}, {DeformFold{0, nullptr}});
              }),
              "deform: fold 0 has no region, expected one of make_fold_region");
    Deformer deformer({structure, structure});
    EXPECT_EQ(input_error([&] { deformer.replace(2, structure); }),
              "deform: object 2 is to be replaced, expected 0 to 1");
    EXPECT_EQ(input_error([&] { deformer.replace(0, nullptr); }),
              "deform: object 0 has no structure, expected one of make_structure");
}

// A call made while another one goes on is refused, and the other one's result is what it is alone.
TEST(Host, ASecondCallOfADeformerIsRefused) {
    const Pair pair = ball_on_floor(0.2, 3);
    const DeformResult alone = pair.result();
    Deformer deformer({make_structure(pair.meshes[0].positions, pair.meshes[0].faces),
                       make_structure(pair.meshes[1].positions, pair.meshes[1].faces)});
    const DeformContact contact;
    const std::string refused = "deform: in use by another call, expected one call at a time";
    for (int round = 0; round < 3; ++round) {
        // Two threads that each call until both have had their turn and one was refused.
        std::atomic<int> done = 0, refusals = 0, wrong = 0;
        const auto call = [&] {
            while (refusals == 0 || done < 2) {
                DeformResult result;
                const std::string error = input_error(
                    [&] { result = deformer.deform(pair.posed(), std::span(&contact, 1)); });
                if (error == "no error") {
                    ++done;
                    for (int i = 0; i < 2; ++i)
                        wrong += result.objects[i].positions != alone.objects[i].positions;
                } else {
                    ++refusals;
                    wrong += error != refused;
                }
            }
        };
        std::thread other(call);
        call();
        other.join();
        EXPECT_EQ(wrong, 0);
    }
}

} // namespace
} // namespace knead
