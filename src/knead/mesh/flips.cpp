#include "knead/mesh/flips.hpp"

#include "knead/mesh/measures.hpp"

#include <Eigen/Geometry>

#include <vector>

namespace knead {
namespace {

// Sums of the normals about every face, weighted by area: over the faces at its corners, and over
// those at theirs.
std::vector<Vec3> surrounding_normals(std::span<const Vec3> positions,
                                      std::span<const Triangle> faces) {
    std::vector<Vec3> of_face;
    of_face.reserve(faces.size());
    for (const Triangle& f : faces)
        of_face.push_back(area_vector(positions[f[0]], positions[f[1]], positions[f[2]]));
    for (int ring = 0; ring < 2; ++ring) {
        std::vector<Vec3> of_vertex(positions.size(), Vec3::Zero());
        for (std::size_t i = 0; i < faces.size(); ++i)
            for (const int corner : faces[i]) of_vertex[corner] += of_face[i];
        for (std::size_t i = 0; i < faces.size(); ++i)
            of_face[i] = of_vertex[faces[i][0]] + of_vertex[faces[i][1]] + of_vertex[faces[i][2]];
    }
    return of_face;
}

} // namespace

int count_flips(std::span<const Vec3> before, std::span<const Vec3> after,
                std::span<const Triangle> faces) {
    const std::vector<Vec3> around_before = surrounding_normals(before, faces),
                            around_after = surrounding_normals(after, faces);
    int flips = 0;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const auto [a, b, c] = faces[i];
        const Vec3 was = area_vector(before[a], before[b], before[c]),
                   is = area_vector(after[a], after[b], after[c]);
        const auto turn = Eigen::Quaterniond::FromTwoVectors(around_before[i], around_after[i]);
        flips += is.dot(turn * was) < 0 ? 1 : 0;
    }
    return flips;
}

} // namespace knead
