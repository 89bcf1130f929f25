#pragma once

#include "knead/base/random.hpp"
#include "knead/mesh/primitives.hpp"

#include <cmath>
#include <vector>

namespace knead::testing {

/// A random rigid motion and scale.
struct Pose {
    Affine3 transform;
    double scale;
};

inline Pose random_pose(Random& random) {
    const double scale = std::pow(10.0, random.uniform(-4, 4));
    Affine3 transform = Affine3::Identity();
    transform.translate(scale * random.in_cube(3));
    transform.rotate(random.rotation());
    transform.scale(scale);
    return {transform, scale};
}

inline TriangleMesh moved(TriangleMesh mesh, const Affine3& by) {
    transform(mesh, by);
    return mesh;
}

inline TriangleMesh moved(TriangleMesh mesh, const Vec3& by) {
    return moved(std::move(mesh), Affine3(Eigen::Translation3d(by)));
}

/// Shapes about two units across: closed and open, round and flat.
inline std::vector<TriangleMesh> shapes() {
    return {make_sphere(1, 2), make_torus(0.7, 0.3, 18), make_capsule(0.5, 1, 12),
            make_box({1.2, 1.5, 1}, {3, 2, 1}), make_grid({2, 2}, {7, 5})};
}

/// A pair of shapes at random, overlapping more often than not.
struct ShapePair {
    TriangleMesh a, b;
};

inline ShapePair random_pair(Random& random) {
    const std::vector<TriangleMesh> all = shapes();
    const auto pick = [&] {
        Affine3 placed = Affine3::Identity();
        placed.translate(random.in_cube(0.6));
        placed.rotate(random.rotation());
        return moved(all[random.index(static_cast<int>(all.size()))], placed);
    };
    TriangleMesh a = pick();
    return {std::move(a), pick()};
}

/// One tetrahedron, looking outwards, with its right angle at the origin.
inline TriangleMesh tetrahedron() {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.faces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    return mesh;
}

} // namespace knead::testing
