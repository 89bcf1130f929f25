#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/random.hpp"
#include "knead/dynamics/lattice.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/mesh/topology.hpp"
#include "knead/spatial/winding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "input_error.hpp"

namespace knead {
namespace {

Lattice lattice_around(const TriangleMesh& mesh, int cells) {
    return make_lattice(mesh.positions, mesh.faces, cells);
}

// The places of the surface's vertices that follow from those of the nodes.
void interpolate(const Embedding& embedding, std::span<const Vec3> nodes, std::span<Vec3> result) {
    for (std::size_t v = 0; v < embedding.nodes.size(); ++v) {
        const Tetrahedron& tet = embedding.nodes[v];
        const Vec4& w = embedding.weights[v];
        result[v] = w[0] * nodes[tet[0]] + w[1] * nodes[tet[1]] + w[2] * nodes[tet[2]] +
                    w[3] * nodes[tet[3]];
    }
}

std::string no_lattice_error(const TriangleMesh& mesh) {
    try {
        lattice_around(mesh, 4);
    } catch (const GeometryError& error) {
        return error.what();
    }
    return "no error";
}

TriangleMesh turned(TriangleMesh mesh, std::uint64_t seed) {
    Affine3 pose = Affine3::Identity();
    pose.translate(Vec3(3, -1, 2));
    pose.rotate(Random(seed).rotation());
    transform(mesh, pose);
    return mesh;
}

std::vector<TriangleMesh> solids() {
    std::vector<TriangleMesh> all{make_sphere(1, 3), make_torus(0.7, 0.2, 40),
                                  make_capsule(0.3, 1.4, 20), make_box({1, 2, 0.5}, {4, 8, 2}),
                                  make_box({1, 0.03, 1}, {5, 1, 5})};
    const std::size_t straight = all.size();
    for (std::size_t i = 0; i < straight; ++i) all.push_back(turned(all[i], i));
    return all;
}

double filled_volume(const Lattice& lattice) {
    double sum = 0;
    for (std::size_t t = 0; t < lattice.fill.size(); ++t)
        sum += lattice.fill[t] *
               signed_volume(lattice.mesh, lattice.mesh.positions, static_cast<int>(t));
    return sum;
}

TEST(Lattice, ElementsAreAllTheSameAndNoNodeIsLoose) {
    for (const TriangleMesh& mesh : solids())
        for (const int cells : {1, 3, 8}) {
            const Lattice lattice = lattice_around(mesh, cells);
            const double side = bounding_box(mesh.positions).size().maxCoeff() / cells;
            std::vector<char> used(lattice.mesh.positions.size(), 0);
            for (int t = 0; t < static_cast<int>(lattice.mesh.tets.size()); ++t) {
                const double volume = signed_volume(lattice.mesh, lattice.mesh.positions, t);
                ASSERT_NEAR(volume * 12 / (side * side * side), 1, 1e-9);
                for (const int node : lattice.mesh.tets[t]) used[node] = 1;
            }
            EXPECT_EQ(std::count(used.begin(), used.end(), 1),
                      static_cast<std::ptrdiff_t>(used.size()));
            const Topology outside =
                build_topology(boundary_faces(lattice.mesh.tets), static_cast<int>(used.size()));
            EXPECT_TRUE(is_closed(outside));
        }
}

TEST(Lattice, CarriesEveryVertex) {
    for (const TriangleMesh& mesh : solids())
        for (const int cells : {1, 3, 8}) {
            const Lattice lattice = lattice_around(mesh, cells);
            ASSERT_EQ(lattice.embedding.nodes.size(), mesh.positions.size());
            std::vector<Vec3> found(mesh.positions.size());
            interpolate(lattice.embedding, lattice.mesh.positions, found);
            for (std::size_t v = 0; v < found.size(); ++v) {
                EXPECT_LT((found[v] - mesh.positions[v]).norm(), 1e-11);
                EXPECT_GE(lattice.embedding.weights[v].minCoeff(), 0);
                EXPECT_NEAR(lattice.embedding.weights[v].sum(), 1, 1e-14);
                auto carrier = lattice.embedding.nodes[v];
                EXPECT_TRUE(std::find(lattice.mesh.tets.begin(), lattice.mesh.tets.end(),
                                      carrier) != lattice.mesh.tets.end());
            }
        }
}

TEST(Lattice, CoversTheInsideAndLittleElse) {
    Random random(12);
    for (const TriangleMesh& mesh : {make_sphere(1, 3), make_torus(0.7, 0.2, 40)}) {
        const Lattice lattice = lattice_around(mesh, 10);
        const Surface surface = make_surface(mesh);
        TriangleMesh outside;
        outside.positions = lattice.mesh.positions;
        outside.faces = boundary_faces(lattice.mesh.tets);
        const Surface lattice_surface = make_surface(outside);
        int inside = 0;
        for (int trial = 0; trial < 3000; ++trial) {
            const Vec3 point = random.in_cube(1);
            if (!is_inside(surface, point)) continue;
            ++inside;
            EXPECT_TRUE(is_inside(lattice_surface, point)) << point.transpose();
        }
        EXPECT_GT(inside, 150);
        // Elements that the surface only comes near are not there.
        for (std::size_t t = 0; t < lattice.mesh.tets.size(); ++t) {
            Vec3 middle = Vec3::Zero();
            for (const int node : lattice.mesh.tets[t])
                middle += 0.25 * lattice.mesh.positions[node];
            if (is_inside(surface, middle)) continue;
            double nearest = HUGE_VAL;
            for (const Vec3& p : mesh.positions) nearest = std::min(nearest, (p - middle).norm());
            EXPECT_LT(nearest, 0.2 + 0.15); // a cell, and the mesh's edges
            EXPECT_LT(lattice.fill[t], 0.9);
        }
    }
}

TEST(Lattice, HasTheVolumeOfTheSurface) {
    for (const TriangleMesh& mesh : solids())
        for (const int cells : {1, 2, 5, 12}) {
            const Lattice lattice = lattice_around(mesh, cells);
            EXPECT_NEAR(filled_volume(lattice) /
                            signed_volume(mesh.positions, mesh.faces, mesh.positions[0]),
                        1, 1e-10);
            for (const double part : lattice.fill) EXPECT_GT(part, 0.001);
        }
    // What is inside counts fully, and a box along the axes halves the elements at its faces.
    const Lattice sphere = lattice_around(make_sphere(1, 4), 16);
    EXPECT_GT(std::count(sphere.fill.begin(), sphere.fill.end(), 1.0),
              static_cast<std::ptrdiff_t>(sphere.fill.size() / 2));
    const Lattice box = lattice_around(make_box({1, 1, 1}, {2, 2, 2}), 4);
    for (const double part : box.fill)
        EXPECT_TRUE(part == 1 || std::abs(part - 0.5) < 1e-9) << part;
    EXPECT_EQ(box.fill.size(), 4u * (3 * 5 * 16));
}

TEST(Lattice, FillIsCloseToTheTruthBeforeItIsBalanced) {
    // The centre of mass follows from the elements, and nothing balances it.
    for (const int cells : {4, 8}) {
        const TriangleMesh mesh = turned(make_capsule(0.4, 1, 24), 5);
        const Lattice lattice = lattice_around(mesh, cells);
        Vec3 center = Vec3::Zero();
        for (std::size_t t = 0; t < lattice.fill.size(); ++t)
            for (const int node : lattice.mesh.tets[t])
                center += lattice.fill[t] * lattice.mesh.positions[node];
        center /= 4 * std::accumulate(lattice.fill.begin(), lattice.fill.end(), 0.0);
        EXPECT_LT((center - Vec3(3, -1, 2)).norm(), 0.01);
    }
}

TEST(Lattice, IsTheSameOnAnyNumberOfThreads) {
    const TriangleMesh mesh = turned(make_torus(0.7, 0.25, 40), 9);
    const Lattice expected = lattice_around(mesh, 14);
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        const Lattice found = lattice_around(mesh, 14);
        EXPECT_EQ(found.mesh.tets, expected.mesh.tets);
        EXPECT_EQ(found.mesh.positions, expected.mesh.positions);
        EXPECT_EQ(found.fill, expected.fill);
        EXPECT_EQ(found.embedding.nodes, expected.embedding.nodes);
        EXPECT_EQ(found.embedding.weights, expected.embedding.weights);
    }
}

TEST(Lattice, KeepsASecondPartAndALooseVertex) {
    TriangleMesh mesh = make_sphere(1, 2), other = make_sphere(0.5, 2);
    for (Vec3& p : other.positions) p.x() += 4;
    append(mesh, other);
    mesh.positions.emplace_back(9, 0, 0);
    const Lattice lattice = lattice_around(mesh, 12);
    std::vector<Vec3> found(mesh.positions.size());
    interpolate(lattice.embedding, lattice.mesh.positions, found);
    for (std::size_t v = 0; v < found.size(); ++v)
        EXPECT_LT((found[v] - mesh.positions[v]).norm(), 1e-11);
}

TEST(Lattice, SaysWhatIsWrong) {
    TriangleMesh box = make_box({1, 1, 1}, {1, 1, 1});
    EXPECT_EQ(input_error([&] { lattice_around(box, 0); }),
              "a lattice of 0 cells, expected at least 1");
    EXPECT_EQ(input_error([&] { lattice_around(box, 100000); }),
              "a lattice with 100000 cells along its longest side has 1e+15 cubes, expected at "
              "most 2e+07");
    EXPECT_EQ(input_error([&] { lattice_around(TriangleMesh{}, 3); }),
              "a lattice around no faces, expected at least one");
    EXPECT_EQ(no_lattice_error(make_grid({1, 1}, {2, 2})),
              "a lattice around an open surface, or one whose faces turn opposite ways; expected a "
              "closed one");
    for (Triangle& face : box.faces) std::swap(face[0], face[1]);
    EXPECT_EQ(no_lattice_error(box), "a lattice around a surface with a volume of -1, expected one "
                                     "that looks outwards and encloses something");
    for (Vec3& p : box.positions) p.y() = 0;
    EXPECT_NE(no_lattice_error(box).find("expected one that looks outwards"), std::string::npos);
    box = make_box({1, 1, 1}, {1, 1, 1});
    box.positions[2].z() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(no_lattice_error(box), "no error");
    box = make_box({1, 1, 1}, {1, 1, 1});
    box.positions.emplace_back(0, HUGE_VAL, 0);
    EXPECT_NE(no_lattice_error(box), "no error");
    box = make_box({1, 1, 1}, {1, 1, 1});
    box.faces[1][1] = 8;
    EXPECT_EQ(input_error([&] { lattice_around(box, 3); }),
              "a lattice around a surface: face 1: corner 1 is vertex 8, expected 0 to 7");
}

} // namespace
} // namespace knead
