#include "knead/spatial/self_intersection.hpp"

#include "knead/base/parallel.hpp"
#include "knead/spatial/predicates.hpp"

#include <algorithm>

namespace knead {
namespace {

using Corners = std::array<Vec3, 3>;
using Sides = std::array<int, 3>;

// Faces that one thread looks at in one go.
constexpr std::size_t faces_per_piece = 1024;

Sides sides_of(const Corners& plane, const Corners& points) {
    return {orient3d(plane[0], plane[1], plane[2], points[0]),
            orient3d(plane[0], plane[1], plane[2], points[1]),
            orient3d(plane[0], plane[1], plane[2], points[2])};
}

bool on_both_sides(const Sides& sides) {
    const auto [least, most] = std::minmax_element(sides.begin(), sides.end());
    return *least < 0 && *most > 0;
}

// The corner that is alone on its side of the plane, the others being on the other side or on it.
int lone_corner(const Sides& sides) {
    for (int i = 0; i < 3; ++i)
        if (sides[i] != 0 && sides[(i + 1) % 3] != sides[i] && sides[(i + 2) % 3] != sides[i])
            return i;
    return 0;
}

Corners rotated(const Corners& corners, int first) {
    return {corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3]};
}

// Insides of two coplanar triangles: apart if and only if the line of some edge parts them.
bool coplanar_cross(const Corners& a, const Corners& b) {
    using Flat = std::array<Vec2, 3>;
    const auto turn = [](const Flat& t) { return orient2d(t[0], t[1], t[2]); };
    const auto parts = [](const Flat& t, const Flat& other) {
        for (int i = 0; i < 3; ++i)
            if (std::all_of(other.begin(), other.end(),
                            [&](const Vec2& p) { return orient2d(t[i], t[(i + 1) % 3], p) <= 0; }))
                return true;
        return false;
    };
    for (int axis = 0; axis < 3; ++axis) {
        const auto flattened = [&](const Corners& t) {
            Flat flat;
            for (int i = 0; i < 3; ++i) flat[i] = {t[i][(axis + 1) % 3], t[i][(axis + 2) % 3]};
            if (turn(flat) < 0) std::swap(flat[1], flat[2]);
            return flat;
        };
        const Flat flat_a = flattened(a), flat_b = flattened(b);
        if (turn(flat_a) == 0 || turn(flat_b) == 0) continue;
        return !parts(flat_a, flat_b) && !parts(flat_b, flat_a);
    }
    return false;
}

} // namespace

bool triangles_cross(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
    const auto apart = [](const Sides& sides) {
        return sides[0] != 0 && sides[0] == sides[1] && sides[1] == sides[2];
    };
    if (apart(clear_sides(a, b)) || apart(clear_sides(b, a))) return false;
    const Sides sides_a = sides_of(b, a);
    if (sides_a == Sides{0, 0, 0}) return coplanar_cross(a, b);
    if (!on_both_sides(sides_a)) return false;
    const Sides sides_b = sides_of(a, b);
    if (!on_both_sides(sides_b)) return false;

    // Both meet the line that their planes have in common, in open intervals between the edges
    // from the lone corners. With these first and each in front of the other triangle, the
    // intervals run in opposite directions and are compared end by end.
    const int lone_a = lone_corner(sides_a), lone_b = lone_corner(sides_b);
    Corners first = rotated(a, lone_a), second = rotated(b, lone_b);
    if (sides_a[lone_a] < 0) std::swap(second[1], second[2]);
    if (sides_b[lone_b] < 0) std::swap(first[1], first[2]);
    return orient3d(first[0], first[1], second[0], second[1]) < 0 &&
           orient3d(first[0], first[2], second[2], second[0]) < 0;
}

std::vector<std::array<int, 2>> find_self_intersections(const Surface& surface, std::size_t most) {
    const std::size_t face_count = surface.faces().size();
    const std::size_t piece_count = (face_count + faces_per_piece - 1) / faces_per_piece;
    // A piece is looked at only while those before it have not found enough, or at the same time as
    // they are: what is kept does not depend on the number of threads.
    const std::size_t at_once = most < std::numeric_limits<std::size_t>::max()
                                    ? 4 * static_cast<std::size_t>(thread_count())
                                    : std::max<std::size_t>(1, piece_count);
    std::vector<std::array<int, 2>> pairs;
    for (std::size_t first = 0; first < piece_count && pairs.size() < most; first += at_once) {
        std::vector<std::vector<std::array<int, 2>>> pieces(std::min(at_once, piece_count - first));
        parallel_for(pieces.size(), 1, [&](std::size_t i) {
            const std::size_t begin_face = (first + i) * faces_per_piece;
            const std::size_t end_face = std::min(face_count, begin_face + faces_per_piece);
            for (int face = static_cast<int>(begin_face);
                 face < static_cast<int>(end_face) && pieces[i].size() < most; ++face) {
                const std::size_t begin = pieces[i].size();
                const Box box = surface.face_box(face);
                visit_overlaps(surface.tree(), surface.boxes, box, [&](int other) {
                    if (other > face &&
                        triangles_cross(surface.corners(face), surface.corners(other)))
                        pieces[i].push_back({face, other});
                });
                std::sort(pieces[i].begin() + static_cast<std::ptrdiff_t>(begin), pieces[i].end());
            }
        });
        for (const auto& piece : pieces) pairs.insert(pairs.end(), piece.begin(), piece.end());
    }
    if (pairs.size() > most) pairs.resize(most);
    return pairs;
}

} // namespace knead
