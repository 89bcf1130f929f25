#include "knead/mesh/tet_mesh.hpp"

#include <algorithm>
#include <cstddef>

namespace knead {

double signed_volume(const TetMesh& mesh, std::span<const Vec3> positions, int tet) {
    const Tetrahedron& t = mesh.tets[tet];
    const Vec3& a = positions[t[0]];
    return (positions[t[1]] - a).cross(positions[t[2]] - a).dot(positions[t[3]] - a) / 6;
}

std::vector<Triangle> boundary_faces(std::span<const Tetrahedron> tets) {
    // Faces of neighbours meet where they are sorted by their vertices.
    struct Side {
        Triangle sorted, face;
        std::size_t place;
    };
    std::vector<Side> sides;
    sides.reserve(4 * tets.size());
    for (const Tetrahedron& tet : tets)
        for (const Triangle& corners : tet_faces) {
            const Triangle face{tet[corners[0]], tet[corners[1]], tet[corners[2]]};
            Triangle sorted = face;
            std::sort(sorted.begin(), sorted.end());
            sides.push_back({sorted, face, sides.size()});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return a.sorted != b.sorted ? a.sorted < b.sorted : a.place < b.place;
    });
    std::vector<const Side*> single;
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t end = i + 1;
        while (end < sides.size() && sides[end].sorted == sides[i].sorted) ++end;
        if (end == i + 1) single.push_back(&sides[i]);
        i = end;
    }
    std::sort(single.begin(), single.end(),
              [](const Side* a, const Side* b) { return a->place < b->place; });
    std::vector<Triangle> faces;
    faces.reserve(single.size());
    for (const Side* side : single) faces.push_back(side->face);
    return faces;
}

} // namespace knead
