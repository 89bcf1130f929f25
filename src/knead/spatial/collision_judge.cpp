#include "knead/spatial/collision_judge.hpp"

#include "knead/base/parallel.hpp"
#include "knead/spatial/nearest_points.hpp"
#include "knead/spatial/self_intersection.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace knead {
namespace {

constexpr std::size_t judged_at_once = 256; // faces

Surface judged_surface(const CollisionMesh& mesh, std::span<const Vec3> positions) {
    return make_surface(make_structure(positions, mesh.faces), positions);
}

bool may_touch(const CollisionMesh& mesh, int face, int other) {
    return mesh.bodies_touch(mesh.body_of_face(face), mesh.body_of_face(other));
}

bool is_corner(const Triangle& face, int vertex) {
    return std::find(face.begin(), face.end(), vertex) != face.end();
}

double distance_of_faces(const Triangle& f, const Triangle& g, std::span<const Vec3> positions) {
    double least = std::numeric_limits<double>::infinity();
    const auto offer = [&](PrimitivePair::Kind kind, int a, int b, int c, int d) {
        least = std::min(
            least, nearest_points(kind, {positions[a], positions[b], positions[c], positions[d]})
                       .distance);
    };
    for (int i = 0; i < 3; ++i) {
        using enum PrimitivePair::Kind;
        if (!is_corner(g, f[i])) offer(vertex_face, f[i], g[0], g[1], g[2]);
        if (!is_corner(f, g[i])) offer(vertex_face, g[i], f[0], f[1], f[2]);
        const int a = f[i], b = f[(i + 1) % 3];
        for (int k = 0; k < 3; ++k) {
            const int c = g[k], d = g[(k + 1) % 3];
            if (a != c && a != d && b != c && b != d) offer(edge_edge, a, b, c, d);
        }
    }
    return least;
}

} // namespace

std::vector<std::array<int, 2>> find_crossing_faces(const CollisionMesh& mesh,
                                                    std::span<const Vec3> positions) {
    check_positions(mesh, positions, "position");
    auto pairs = find_self_intersections(judged_surface(mesh, positions));
    std::erase_if(pairs, [&](const auto& pair) { return !may_touch(mesh, pair[0], pair[1]); });
    return pairs;
}

int count_crossing_faces(const CollisionMesh& mesh, std::span<const Vec3> positions) {
    return static_cast<int>(find_crossing_faces(mesh, positions).size());
}

double smallest_distance(const CollisionMesh& mesh, std::span<const Vec3> positions,
                         double within) {
    check_positions(mesh, positions, "position");
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Surface surface = judged_surface(mesh, positions);
    std::vector<double> least((mesh.faces.size() + judged_at_once - 1) / judged_at_once, within);
    parallel_for(least.size(), 1, [&](std::size_t i) {
        const std::size_t end = std::min(mesh.faces.size(), (i + 1) * judged_at_once);
        for (int face = static_cast<int>(i * judged_at_once); face < static_cast<int>(end); ++face)
            visit_overlaps(surface.tree(), surface.boxes, grown(surface.face_box(face), least[i]),
                           [&](int other) {
                               if (other > face && may_touch(mesh, face, other))
                                   least[i] = std::min(
                                       least[i], distance_of_faces(mesh.faces[face],
                                                                   mesh.faces[other], positions));
                           });
    });
    const double found = least.empty() ? within : *std::min_element(least.begin(), least.end());
    return found < within ? found : infinity;
}

} // namespace knead
