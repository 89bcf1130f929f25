#include "knead/dynamics/lattice.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/mesh/check.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/spatial/surface.hpp"
#include "knead/spatial/winding.hpp"

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace knead {
namespace {

constexpr double most_cubes = 2e7;
constexpr double least_fill = 0.05;
// In cells: what touches by less than this does not pass through.
constexpr double touching = 1e-10;

using Cell = std::array<int, 3>;
using Corners = std::array<Vec3, 4>;

// Everything is in cells: cube (0, 0, 0) goes from the origin to (1, 1, 1). Octahedron `axis` of a
// cell is around the lower face of its cube across the axis; it is cut into four tetrahedra around
// the line between the two centres.
struct Cubes {
    Cell count{};
    Vec3 origin = Vec3::Zero();
    double side = 0;

    // Cells reach one further than cubes, for the upper faces of the last ones.
    std::size_t cell_number(const Cell& c) const {
        return static_cast<std::size_t>(c[0]) +
               static_cast<std::size_t>(count[0] + 1) *
                   (static_cast<std::size_t>(c[1]) +
                    static_cast<std::size_t>(count[1] + 1) * static_cast<std::size_t>(c[2]));
    }
    std::size_t cell_count() const {
        return cell_number({0, 0, count[2]}) + cell_number({0, count[1] + 1, 0});
    }
    Cell cell(std::size_t number) const {
        const std::size_t nx = std::size_t(count[0]) + 1, ny = std::size_t(count[1]) + 1;
        return {static_cast<int>(number % nx), static_cast<int>(number / nx % ny),
                static_cast<int>(number / (nx * ny))};
    }
    bool has(const Cell& c, int axis) const {
        return c[axis] >= 0 && c[axis] <= count[axis] && c[(axis + 1) % 3] >= 0 &&
               c[(axis + 1) % 3] < count[(axis + 1) % 3] && c[(axis + 2) % 3] >= 0 &&
               c[(axis + 2) % 3] < count[(axis + 2) % 3];
    }
    std::size_t tet_number(const Cell& c, int axis, int quarter) const {
        return 12 * cell_number(c) + static_cast<std::size_t>(4 * axis + quarter);
    }
    Vec3 to_cells(const Vec3& p) const { return (p - origin) / side; }
    Vec3 to_world(const Vec3& p) const { return origin + side * p; }
};

// The corners in half cells, so that they are whole numbers: odd ones are centres.
std::array<Cell, 4> tet_nodes(const Cell& c, int axis, int quarter) {
    constexpr int around[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    std::array<Cell, 4> nodes;
    for (int i = 0; i < 3; ++i) nodes[0][i] = nodes[1][i] = 2 * c[i] + 1;
    nodes[0][axis] -= 2;
    for (int end = 0; end < 2; ++end) {
        Cell& node = nodes[2 + end];
        node = {2 * c[0], 2 * c[1], 2 * c[2]};
        node[(axis + 1) % 3] += 2 * around[quarter + end][0];
        node[(axis + 2) % 3] += 2 * around[quarter + end][1];
    }
    return nodes;
}

Corners tet_corners(const Cell& c, int axis, int quarter) {
    const std::array<Cell, 4> nodes = tet_nodes(c, axis, quarter);
    Corners corners;
    for (int i = 0; i < 4; ++i) corners[i] = 0.5 * Vec3(nodes[i][0], nodes[i][1], nodes[i][2]);
    return corners;
}

struct NumberedTet {
    Cell cell;
    int axis, quarter;
};
NumberedTet tet_of_number(const Cubes& cubes, std::size_t number) {
    const int part = static_cast<int>(number % 12);
    return {cubes.cell(number / 12), part / 4, part % 4};
}

bool parted_along(const Vec3& axis, const std::array<Vec3, 3>& triangle, const Corners& tet) {
    const double length = axis.norm();
    if (!(length > 1e-14)) return false;
    double low[2], high[2];
    low[0] = high[0] = axis.dot(triangle[0]);
    low[1] = high[1] = axis.dot(tet[0]);
    for (int i = 1; i < 3; ++i) {
        low[0] = std::min(low[0], axis.dot(triangle[i]));
        high[0] = std::max(high[0], axis.dot(triangle[i]));
    }
    for (int i = 1; i < 4; ++i) {
        low[1] = std::min(low[1], axis.dot(tet[i]));
        high[1] = std::max(high[1], axis.dot(tet[i]));
    }
    // A triangle may be flat along the axis and still be in the midst of the tetrahedron.
    return high[0] <= low[1] + touching * length || high[1] <= low[0] + touching * length;
}

// By separating axes: those of the faces and of all pairs of edges.
bool passes_through(const std::array<Vec3, 3>& triangle, const Corners& tet) {
    for (const Triangle& face : tet_faces)
        if (parted_along(area_vector(tet[face[0]], tet[face[1]], tet[face[2]]), triangle, tet))
            return false;
    if (parted_along(area_vector(triangle[0], triangle[1], triangle[2]), triangle, tet))
        return false;
    for (int side = 0; side < 3; ++side) {
        const Vec3 edge = triangle[(side + 1) % 3] - triangle[side];
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < i; ++j)
                if (parted_along(edge.cross(tet[i] - tet[j]), triangle, tet)) return false;
    }
    return true;
}

enum class Place : std::uint8_t { outside, inside, cut };

// Every tetrahedron whose inside the surface passes through.
void mark_cut(const Cubes& cubes, const Surface& surface, std::vector<Place>& places) {
    for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
        std::array<Vec3, 3> triangle = surface.corners(f);
        for (Vec3& corner : triangle) corner = cubes.to_cells(corner);
        const Vec3 low = triangle[0].cwiseMin(triangle[1]).cwiseMin(triangle[2]),
                   high = triangle[0].cwiseMax(triangle[1]).cwiseMax(triangle[2]);
        // An octahedron reaches half a cell to both sides of its face.
        Cell first, last;
        for (int i = 0; i < 3; ++i) {
            first[i] = std::max(0, static_cast<int>(std::floor(low[i] - 0.5)));
            last[i] = std::min(cubes.count[i], static_cast<int>(std::floor(high[i] + 0.5)));
        }
        Cell c;
        for (c[2] = first[2]; c[2] <= last[2]; ++c[2])
            for (c[1] = first[1]; c[1] <= last[1]; ++c[1])
                for (c[0] = first[0]; c[0] <= last[0]; ++c[0])
                    for (int axis = 0; axis < 3; ++axis) {
                        if (!cubes.has(c, axis)) continue;
                        for (int quarter = 0; quarter < 4; ++quarter) {
                            Place& place = places[cubes.tet_number(c, axis, quarter)];
                            if (place != Place::cut &&
                                passes_through(triangle, tet_corners(c, axis, quarter)))
                                place = Place::cut;
                        }
                    }
    }
}

void mark_inside(const Cubes& cubes, const Surface& surface, std::vector<Place>& places) {
    parallel_for(places.size() / 4, 64, [&](std::size_t octahedron) {
        const auto [cell, axis, first] = tet_of_number(cubes, 4 * octahedron);
        if (!cubes.has(cell, axis)) return;
        for (int quarter = 0; quarter < 4; ++quarter) {
            Place& place = places[4 * octahedron + static_cast<std::size_t>(quarter)];
            if (place == Place::cut) continue;
            const Corners tet = tet_corners(cell, axis, quarter);
            const Vec3 middle = 0.25 * (tet[0] + tet[1] + tet[2] + tet[3]);
            if (is_inside(surface, cubes.to_world(middle))) place = Place::inside;
        }
    });
}

// The part of an element that is inside, by 48 points: all orders of two sets of weights, whose
// eight values divide the volume above each face evenly. None lies where the surface of a body
// along the axes would cut an element.
double sampled_fill(const Cubes& cubes, const Surface& surface, const Corners& tet) {
    constexpr double weights[2][4] = {{0.614, 0.245, 0.119, 0.022}, {0.432, 0.324, 0.176, 0.068}};
    int inside = 0;
    for (const auto& w : weights) {
        std::array<int, 4> order{0, 1, 2, 3};
        do {
            const Vec3 point = w[order[0]] * tet[0] + w[order[1]] * tet[1] + w[order[2]] * tet[2] +
                               w[order[3]] * tet[3];
            inside += is_inside(surface, cubes.to_world(point)) ? 1 : 0;
        } while (std::next_permutation(order.begin(), order.end()));
    }
    return inside / 48.0;
}

Vec4 barycentric(const Corners& tet, const Vec3& point) {
    Mat3 edges;
    for (int i = 0; i < 3; ++i) edges.col(i) = tet[i + 1] - tet[0];
    const Vec3 w = edges.inverse() * (point - tet[0]);
    return {1 - w.sum(), w[0], w[1], w[2]};
}

struct Located {
    std::size_t tet = 0;
    Vec4 weights = Vec4::Zero();
};

// A kept tetrahedron around the point, or else one that is not kept; points on faces between cubes
// may choose from both sides.
Located locate(const Cubes& cubes, const std::vector<Place>& places, const Vec3& point) {
    Located best;
    double least = -HUGE_VAL;
    bool best_kept = false;
    Cell first, last, c;
    for (int i = 0; i < 3; ++i) {
        const auto clamped = [&](double x) {
            return std::clamp(static_cast<int>(std::floor(x)), 0, cubes.count[i] - 1);
        };
        first[i] = clamped(point[i] - 1e-9);
        last[i] = clamped(point[i] + 1e-9);
    }
    for (c[2] = first[2]; c[2] <= last[2]; ++c[2])
        for (c[1] = first[1]; c[1] <= last[1]; ++c[1])
            for (c[0] = first[0]; c[0] <= last[0]; ++c[0])
                for (int side = 0; side < 6; ++side) {
                    Cell cell = c;
                    cell[side / 2] += side % 2;
                    for (int quarter = 0; quarter < 4; ++quarter) {
                        const std::size_t tet = cubes.tet_number(cell, side / 2, quarter);
                        const Vec4 weights =
                            barycentric(tet_corners(cell, side / 2, quarter), point);
                        const double smallest = weights.minCoeff();
                        const bool kept = places[tet] != Place::outside && smallest > -1e-12;
                        if (kept != best_kept ? kept : smallest > least) {
                            best = {tet, weights};
                            least = smallest;
                            best_kept = kept;
                        }
                    }
                }
    return best;
}

// For a vertex of no face: the element with the nearest middle.
Located nearest_kept(const Cubes& cubes, const std::vector<std::size_t>& kept, const Vec3& point) {
    Located best;
    double nearest = HUGE_VAL;
    for (const std::size_t number : kept) {
        const auto [cell, axis, quarter] = tet_of_number(cubes, number);
        const Corners tet = tet_corners(cell, axis, quarter);
        const double away = (0.25 * (tet[0] + tet[1] + tet[2] + tet[3]) - point).squaredNorm();
        if (away < nearest) {
            nearest = away;
            best = {number, barycentric(tet, point)};
        }
    }
    return best;
}

Cubes cubes_around(const Box& box, int cells) {
    Cubes cubes;
    cubes.side = box.size().maxCoeff() / cells;
    double all = 1;
    for (int i = 0; i < 3; ++i) {
        const double count = std::max(1.0, std::ceil(box.size()[i] / cubes.side - 1e-9));
        all *= count + 1;
        cubes.count[i] = static_cast<int>(std::min(count, 1e9));
    }
    if (!(all <= most_cubes))
        throw InputError(fmt::format("a lattice with {} cells along its longest side has {:.3g} "
                                     "cubes, expected at most {:.3g}",
                                     cells, all, most_cubes));
    const Vec3 half(cubes.count[0], cubes.count[1], cubes.count[2]);
    cubes.origin = box.center() - 0.5 * cubes.side * half;
    return cubes;
}

// Elements that are cut are scaled so that all together have the right volume; all of them, where
// that alone would take more than sampling can be wrong by.
void balance_fill(std::vector<double>& fill, const std::vector<char>& cut, double elements) {
    double full = 0, part = 0;
    for (std::size_t t = 0; t < fill.size(); ++t) (cut[t] != 0 ? part : full) += fill[t];
    const double scale = part > 0 ? (elements - full) / part : 0;
    const bool only_cut = scale > 0.5 && scale < 2;
    for (std::size_t t = 0; t < fill.size(); ++t)
        if (!only_cut)
            fill[t] *= elements / (full + part);
        else if (cut[t] != 0)
            fill[t] *= scale;
}

} // namespace

Lattice make_lattice(std::span<const Vec3> positions, std::span<const Triangle> faces, int cells) {
    if (cells < 1)
        throw InputError(fmt::format("a lattice of {} cells, expected at least 1", cells));
    if (faces.empty()) throw InputError("a lattice around no faces, expected at least one");
    TriangleMesh mesh;
    mesh.positions.assign(positions.begin(), positions.end());
    mesh.faces.assign(faces.begin(), faces.end());
    check_indices(mesh, "a lattice around a surface");
    const Surface surface = make_surface(mesh);
    if (!surface.closed())
        throw GeometryError("a lattice around an open surface, or one whose faces turn opposite "
                            "ways; expected a closed one");
    Box box;
    std::vector<char> in_face(positions.size(), 0);
    for (const Triangle& face : faces)
        for (const int v : face) {
            in_face[v] = 1;
            box.include(positions[v]);
        }
    const double volume = signed_volume(positions, faces, box.center());
    if (!(volume > 1e-12 * std::pow(box.diagonal(), 3)))
        throw GeometryError(fmt::format("a lattice around a surface with a volume of {:.6g}, "
                                        "expected one that looks outwards and encloses something",
                                        volume));

    const Cubes cubes = cubes_around(box, cells);
    std::vector<Place> places(12 * cubes.cell_count(), Place::outside);
    mark_cut(cubes, surface, places);
    mark_inside(cubes, surface, places);
    std::vector<Located> located(positions.size());
    parallel_for(positions.size(), 64, [&](std::size_t v) {
        if (in_face[v] != 0) located[v] = locate(cubes, places, cubes.to_cells(positions[v]));
    });
    // A vertex that only touches what is not inside needs a place as well.
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (in_face[v] != 0 && places[located[v].tet] == Place::outside)
            places[located[v].tet] = Place::cut;

    Lattice lattice;
    std::vector<std::size_t> kept;
    std::vector<char> cut;
    for (std::size_t tet = 0; tet < places.size(); ++tet)
        if (places[tet] != Place::outside) {
            kept.push_back(tet);
            cut.push_back(places[tet] == Place::cut ? 1 : 0);
        }
    lattice.fill.assign(kept.size(), 1);
    parallel_for(kept.size(), 16, [&](std::size_t t) {
        if (cut[t] == 0) return;
        const auto [cell, axis, quarter] = tet_of_number(cubes, kept[t]);
        lattice.fill[t] =
            std::max(least_fill, sampled_fill(cubes, surface, tet_corners(cell, axis, quarter)));
    });
    // All tetrahedra have a twelfth of a cube.
    balance_fill(lattice.fill, cut, volume / (cubes.side * cubes.side * cubes.side / 12));

    // Nodes are numbered as elements come to them. Centres have odd places and reach from -1 on.
    const auto node_place = [&](const Cell& half) {
        const bool center = half[0] % 2 != 0;
        std::size_t place = 0;
        for (int i = 2; i >= 0; --i)
            place = place * static_cast<std::size_t>(cubes.count[i] + 2) +
                    static_cast<std::size_t>((half[i] + 1) / 2);
        return 2 * place + (center ? 1 : 0);
    };
    std::vector<int> node_number(2 * static_cast<std::size_t>(cubes.count[0] + 2) *
                                     static_cast<std::size_t>(cubes.count[1] + 2) *
                                     static_cast<std::size_t>(cubes.count[2] + 2),
                                 -1);
    const auto nodes_of = [&](std::size_t number) {
        const auto [cell, axis, quarter] = tet_of_number(cubes, number);
        const std::array<Cell, 4> nodes = tet_nodes(cell, axis, quarter);
        Tetrahedron tet;
        for (int i = 0; i < 4; ++i) {
            int& node = node_number[node_place(nodes[i])];
            if (node < 0) {
                node = static_cast<int>(lattice.mesh.positions.size());
                lattice.mesh.positions.push_back(
                    cubes.to_world(0.5 * Vec3(nodes[i][0], nodes[i][1], nodes[i][2])));
            }
            tet[i] = node;
        }
        return tet;
    };
    for (const std::size_t number : kept) lattice.mesh.tets.push_back(nodes_of(number));

    for (std::size_t v = 0; v < positions.size(); ++v) {
        Vec4 weights;
        if (in_face[v] != 0) {
            // Rounding may leave a vertex just outside the element it lies on.
            weights = located[v].weights.cwiseMax(0);
            weights /= weights.sum();
        } else {
            const Vec3 at = cubes.to_cells(positions[v]);
            if (!at.allFinite())
                throw GeometryError(fmt::format("vertex {} is at ({}, {}, {}), expected finite "
                                                "numbers",
                                                v, positions[v].x(), positions[v].y(),
                                                positions[v].z()));
            located[v] = nearest_kept(cubes, kept, at);
            weights = located[v].weights;
        }
        lattice.embedding.nodes.push_back(nodes_of(located[v].tet));
        lattice.embedding.weights.push_back(weights);
    }
    return lattice;
}

} // namespace knead
