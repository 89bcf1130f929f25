#pragma once

#include "knead/spatial/collision_mesh.hpp"

#include <cstddef>
#include <vector>

#include "shapes.hpp"

namespace knead::testing {

/// Bodies that may all touch each other and themselves.
struct CollisionScene {
    CollisionMesh mesh;
    std::vector<Vec3> start, end;
};

inline CollisionScene scene_of(const std::vector<TriangleMesh>& bodies) {
    CollisionScene scene;
    CollisionMesh& mesh = scene.mesh;
    for (const TriangleMesh& body : bodies) {
        const int first = mesh.vertex_count();
        for (const Triangle& face : body.faces)
            mesh.faces.push_back({face[0] + first, face[1] + first, face[2] + first});
        mesh.body_of_vertex.insert(mesh.body_of_vertex.end(), body.positions.size(), mesh.bodies++);
        scene.start.insert(scene.start.end(), body.positions.begin(), body.positions.end());
    }
    mesh.may_touch.assign(
        static_cast<std::size_t>(mesh.bodies) * static_cast<std::size_t>(mesh.bodies), 1);
    scene.end = scene.start;
    complete(mesh);
    return scene;
}

inline void forbid(CollisionMesh& mesh, int a, int b) {
    mesh.may_touch[a * mesh.bodies + b] = mesh.may_touch[b * mesh.bodies + a] = 0;
}

/// Shapes at random, near each other, each vertex with a motion of its own besides that of its
/// body; the first two may not touch and the third not itself.
inline CollisionScene random_scene(Random& random, double motion) {
    std::vector<TriangleMesh> bodies;
    const std::vector<TriangleMesh> all = {make_sphere(1, 1), make_torus(0.7, 0.3, 8),
                                           make_box({1.2, 1.5, 1}, {3, 2, 1}),
                                           make_grid({2, 2}, {5, 4}), make_grid({2, 2}, {4, 6})};
    for (int i = 0; i < 5; ++i) {
        Affine3 placed = Affine3::Identity();
        placed.translate(random.in_cube(1.5));
        placed.rotate(random.rotation());
        bodies.push_back(moved(all[random.index(static_cast<int>(all.size()))], placed));
    }
    CollisionScene scene = scene_of(bodies);
    forbid(scene.mesh, 0, 1);
    forbid(scene.mesh, 2, 2);
    std::vector<Vec3> of_body(5);
    for (Vec3& m : of_body) m = motion * random.in_cube(1);
    for (std::size_t v = 0; v < scene.end.size(); ++v)
        scene.end[v] += of_body[scene.mesh.body_of_vertex[v]] + 0.3 * motion * random.in_cube(1);
    return scene;
}

/// All pairs that may touch and share no vertex, ascending.
inline std::vector<PrimitivePair> all_pairs(const CollisionMesh& mesh) {
    std::vector<PrimitivePair> pairs;
    const auto add = [&](const PrimitivePair& pair) {
        const std::array<int, 4> v = vertices_of(mesh, pair);
        const int first = pair.kind == PrimitivePair::Kind::vertex_face ? 1 : 2;
        for (int i = 0; i < first; ++i)
            for (int k = first; k < 4; ++k)
                if (v[i] == v[k]) return;
        const int a = mesh.body_of_vertex[v[0]], b = mesh.body_of_vertex[v[3]];
        if (mesh.may_touch[a * mesh.bodies + b] != 0) pairs.push_back(pair);
    };
    for (int v = 0; v < mesh.vertex_count(); ++v)
        for (int f = 0; f < static_cast<int>(mesh.faces.size()); ++f)
            add({PrimitivePair::Kind::vertex_face, v, f});
    for (int e = 0; e < static_cast<int>(mesh.edges.size()); ++e)
        for (int other = e + 1; other < static_cast<int>(mesh.edges.size()); ++other)
            add({PrimitivePair::Kind::edge_edge, e, other});
    return pairs;
}

} // namespace knead::testing
