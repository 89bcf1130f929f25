#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/mesh/check.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/mesh/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace knead {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> sentences(const TriangleMesh& mesh) {
    std::vector<std::string> result;
    for (const MeshFinding& finding : check_mesh(mesh)) result.push_back(finding.sentence);
    return result;
}

using Sentences = std::vector<std::string>;

TriangleMesh tetrahedron() {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.faces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    return mesh;
}

template <typename Call>
std::string message(const Call& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(CheckMesh, CleanMeshesHaveNoFindings) {
    EXPECT_EQ(sentences(tetrahedron()), Sentences{});
    EXPECT_EQ(sentences(make_sphere(1, 3)), Sentences{});
    EXPECT_EQ(sentences(make_box({1, 2, 3}, {3, 2, 1})), Sentences{});
    EXPECT_EQ(sentences(make_torus(1, 0.3, 24)), Sentences{});
    EXPECT_EQ(sentences(make_capsule(1, 2, 12)), Sentences{});
    for (const double size : {1e-6, 1e6}) EXPECT_EQ(sentences(make_sphere(size, 3)), Sentences{});
}

TEST(CheckMesh, Empty) {
    EXPECT_EQ(sentences({}),
              Sentences{"it has no vertices and no faces, expected at least one face"});
    TriangleMesh cloud = tetrahedron();
    cloud.faces.clear();
    EXPECT_EQ(sentences(cloud),
              Sentences{"it has 4 vertices and no faces, expected at least one face"});
    EXPECT_TRUE(check_mesh(cloud)[0].error);
}

TEST(CheckMesh, NonFinitePosition) {
    TriangleMesh mesh = tetrahedron();
    mesh.positions[2].y() = nan;
    mesh.positions[3].x() = -std::numeric_limits<double>::infinity();
    const auto findings = check_mesh(mesh);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].problem, MeshProblem::non_finite_position);
    EXPECT_TRUE(findings[0].error);
    EXPECT_EQ(findings[0].first, 2);
    EXPECT_EQ(findings[0].count, 2);
    EXPECT_EQ(findings[0].sentence,
              "vertex 2 is at (0, nan, 0), expected finite numbers (and 1 more)");
}

TEST(CheckMesh, IndexOutOfRange) {
    for (const int bad :
         {4, -1, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
        TriangleMesh mesh = tetrahedron();
        mesh.faces[2][1] = bad;
        const auto findings = check_mesh(mesh);
        ASSERT_EQ(findings.size(), 1u);
        EXPECT_EQ(findings[0].problem, MeshProblem::index_out_of_range);
        EXPECT_TRUE(findings[0].error);
        EXPECT_EQ(findings[0].first, 2);
        EXPECT_EQ(findings[0].sentence,
                  "face 2: corner 1 is vertex " + std::to_string(bad) + ", expected 0 to 3");
    }
    TriangleMesh none;
    none.faces = {{0, 1, 2}};
    EXPECT_EQ(sentences(none),
              Sentences{"face 0: corner 0 is vertex 0, but there are no vertices"});
}

TEST(CheckMesh, RepeatedIndex) {
    const std::vector<std::pair<Triangle, std::string>> cases{
        {{2, 2, 3}, "face 1: corners 0 and 1 are both vertex 2, expected three different vertices"},
        {{2, 3, 2}, "face 1: corners 0 and 2 are both vertex 2, expected three different vertices"},
        {{3, 2, 2}, "face 1: corners 1 and 2 are both vertex 2, expected three different vertices"},
        {{2, 2, 2},
         "face 1: corners 0 and 1 are both vertex 2, expected three different vertices"}};
    for (const auto& [face, expected] : cases) {
        TriangleMesh mesh = tetrahedron();
        mesh.faces[1] = face;
        EXPECT_EQ(sentences(mesh), Sentences{expected});
        EXPECT_TRUE(check_mesh(mesh)[0].error);
    }
}

TEST(CheckMesh, ZeroAreaFace) {
    TriangleMesh mesh = make_grid({1, 1}, {2, 2});
    mesh.positions[4] = 0.5 * (mesh.positions[0] + mesh.positions[8]) + Vec3(1e-15, 0, 0);
    mesh.positions[1] = 0.5 * (mesh.positions[0] + mesh.positions[2]);
    mesh.faces = {{0, 1, 2}, {0, 2, 4}, {0, 4, 8}};
    const auto findings = check_mesh(mesh);
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].problem, MeshProblem::zero_area_face);
    EXPECT_FALSE(findings[0].error);
    EXPECT_EQ(findings[0].count, 2);
    EXPECT_EQ(findings[0].sentence, "face 0 has no area (and 1 more)");
}

TEST(CheckMesh, NonManifoldEdge) {
    TriangleMesh mesh = tetrahedron();
    mesh.positions.emplace_back(1, 1, 1);
    mesh.faces.push_back({1, 2, 4});
    EXPECT_EQ(sentences(mesh),
              (Sentences{"edge 1-2 joins 3 faces, expected at most two",
                         "edge 1-4 belongs to one face only: the surface is open (and 1 more)"}));
    const MeshFinding first = check_mesh(mesh)[0];
    EXPECT_EQ(first.problem, MeshProblem::non_manifold_edge);
    EXPECT_EQ(build_topology(mesh.faces, 5).edges[first.first], (Edge{1, 2}));
}

TEST(CheckMesh, NonManifoldVertex) {
    // Two closed surfaces that touch at a vertex.
    TriangleMesh mesh = tetrahedron();
    for (const Vec3& p : {Vec3(-1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, -1)})
        mesh.positions.push_back(p);
    mesh.faces.insert(mesh.faces.end(), {{0, 4, 5}, {0, 6, 4}, {4, 6, 5}, {5, 6, 0}});
    EXPECT_EQ(sentences(mesh),
              Sentences{"vertex 0 joins faces that share no edge there, expected one fan"});
    // Two open fans.
    mesh.faces = {{0, 1, 2}, {2, 3, 4}};
    mesh.positions.resize(5);
    EXPECT_EQ(sentences(mesh),
              (Sentences{"vertex 2 joins faces that share no edge there, expected one fan",
                         "edge 0-1 belongs to one face only: the surface is open (and 5 more)"}));
}

TEST(CheckMesh, InconsistentOrientation) {
    TriangleMesh mesh = tetrahedron();
    std::swap(mesh.faces[1][0], mesh.faces[1][1]);
    EXPECT_EQ(sentences(mesh),
              Sentences{"faces 0 and 1 turn opposite ways along edge 0-1 (and 2 more)"});
}

TEST(CheckMesh, DuplicateVertices) {
    TriangleMesh mesh = tetrahedron();
    mesh.positions.emplace_back(1, 0, -0.0);
    mesh.positions.emplace_back(1, 0, 1e-300);
    mesh.faces[1] = {0, 4, 3};
    mesh.faces[2] = {5, 2, 3};
    const auto findings = check_mesh(mesh);
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].problem, MeshProblem::duplicate_vertices);
    EXPECT_EQ(findings[0].sentence, "vertex 4 is at the same place as vertex 1");
    EXPECT_EQ(findings[0].first, 4);
}

TEST(CheckMesh, UnreferencedVertex) {
    TriangleMesh mesh = tetrahedron();
    mesh.positions.insert(mesh.positions.begin(), Vec3(5, 5, 5));
    for (Triangle& face : mesh.faces)
        for (int& v : face) ++v;
    EXPECT_EQ(sentences(mesh), Sentences{"vertex 0 belongs to no face"});
}

TEST(CheckMesh, OpenBoundary) {
    TriangleMesh mesh = tetrahedron();
    mesh.faces.pop_back();
    EXPECT_EQ(sentences(mesh),
              Sentences{"edge 0-2 belongs to one face only: the surface is open (and 2 more)"});
    EXPECT_FALSE(check_mesh(mesh)[0].error);
}

TEST(CheckMesh, SeveralComponents) {
    TriangleMesh mesh = make_sphere(1, 0);
    append(mesh, make_sphere(2, 0));
    append(mesh, make_sphere(3, 0));
    EXPECT_EQ(sentences(mesh),
              Sentences{"it falls into 3 separate parts; vertex 12 is not in the part of face 0"});
    EXPECT_EQ(check_mesh(mesh)[0].count, 3);
}

TEST(CheckMesh, InwardFacing) {
    TriangleMesh mesh = tetrahedron();
    for (Triangle& face : mesh.faces) std::swap(face[0], face[1]);
    EXPECT_EQ(sentences(mesh),
              Sentences{"the closed part of vertex 0 looks inwards: its volume is -0.166667"});
    // One of two parts, far from the origin; an open part has no inside.
    TriangleMesh two = make_grid({1, 1}, {1, 1});
    append(two, mesh);
    for (Vec3& p : two.positions) p += Vec3(1000, 0, 0);
    EXPECT_EQ(sentences(two),
              (Sentences{"edge 0-1 belongs to one face only: the surface is open (and 3 more)",
                         "it falls into 2 separate parts; vertex 4 is not in the part of face 0",
                         "the closed part of vertex 4 looks inwards: its volume is -0.166667"}));
}

TEST(CheckMesh, FindingsComeInOrderOnAnyNumberOfThreads) {
    TriangleMesh mesh = make_sphere(1, 5);
    append(mesh, mesh);
    for (std::size_t f = 100; f < mesh.faces.size(); f += 1000)
        std::swap(mesh.faces[f][0], mesh.faces[f][1]);
    mesh.faces.erase(mesh.faces.begin() + 5);
    const Sentences expected = sentences(mesh);
    EXPECT_EQ(expected.size(), 4u);
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        EXPECT_EQ(sentences(mesh), expected);
    }
    const auto findings = check_mesh(mesh);
    EXPECT_TRUE(std::is_sorted(findings.begin(), findings.end(),
                               [](const auto& a, const auto& b) { return a.problem < b.problem; }));
}

TEST(CheckMesh, BadIndicesAreThrown) {
    EXPECT_EQ(message([] { check_indices(tetrahedron(), "a.obj"); }), "no error");
    TriangleMesh mesh = tetrahedron();
    mesh.faces[2][1] = 99;
    mesh.faces[3][1] = 98;
    EXPECT_EQ(message([&] { check_indices(mesh, "a.obj"); }),
              "a.obj: face 2: corner 1 is vertex 99, expected 0 to 3");
    mesh = tetrahedron();
    mesh.faces[0] = {1, 1, 2};
    EXPECT_EQ(
        message([&] { check_indices(mesh, "a.obj"); }),
        "a.obj: face 0: corners 0 and 1 are both vertex 1, expected three different vertices");
    mesh = tetrahedron();
    mesh.positions[1].z() = nan;
    EXPECT_EQ(message([&] { check_indices(mesh, "a.obj"); }), "no error");
}

} // namespace
} // namespace knead
