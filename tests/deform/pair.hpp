#pragma once

#include "knead/deform/deform.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/spatial/depth.hpp"

namespace knead {

/// Two objects and how they are resolved, with everything a test may turn.
struct Pair {
    std::array<TriangleMesh, 2> meshes;
    std::array<DeformSettings, 2> objects;
    std::array<std::span<const Vec2>, 2> texture_coordinates = {};
    DeformContact contact;

    std::array<DeformObject, 2> posed() const {
        return {DeformObject{meshes[0].positions, objects[0], texture_coordinates[0]},
                DeformObject{meshes[1].positions, objects[1], texture_coordinates[1]}};
    }
    DeformResult result() const {
        Deformer deformer({make_structure(meshes[0].positions, meshes[0].faces),
                           make_structure(meshes[1].positions, meshes[1].faces)});
        return deformer.deform(posed(), std::span(&contact, 1));
    }
};

/// A ball of radius 1, `depth` deep in a floor, in general position.
inline Pair ball_on_floor(double depth, int subdivisions = 3, int cells = 30) {
    Pair pair;
    pair.meshes = {make_sphere(1, subdivisions), make_grid({5, 5}, {cells, cells})};
    Affine3 turn = Affine3::Identity();
    turn.rotate(Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()));
    transform(pair.meshes[0], turn);
    for (Vec3& p : pair.meshes[0].positions) p += Vec3(0.013, 1 - depth, 0.007);
    return pair;
}

/// Two balls, the second below the first.
inline Pair two_balls(double depth, double second_radius = 1, int subdivisions = 3) {
    Pair pair = ball_on_floor(depth, subdivisions);
    pair.meshes[1] = make_sphere(second_radius, subdivisions);
    for (Vec3& p : pair.meshes[1].positions) p += Vec3(0.05, -second_radius, 0.03);
    return pair;
}

inline double depth_of(const Pair& pair, const DeformResult& result) {
    std::array<TriangleMesh, 2> moved = pair.meshes;
    for (int i = 0; i < 2; ++i) moved[i].positions = result.objects[i].positions;
    return measure_penetration(moved[0], moved[1]).depth;
}

inline double mean_edge(const TriangleMesh& mesh) {
    return mean_edge_length(mesh.positions, build_topology(mesh.faces, mesh.vertex_count()));
}

} // namespace knead
