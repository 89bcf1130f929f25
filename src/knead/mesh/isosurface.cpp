#include "knead/mesh/isosurface.hpp"

#include "knead/base/parallel.hpp"

#include <algorithm>
#include <cstdint>

namespace knead {
namespace {

constexpr int cells = IsosurfaceGrid::cells_per_block;

// Lattice points in half cells: corners of cells are even, centres odd.
using LatticePoint = std::array<int, 3>;

// The sum of an edge's ends names the edge: no two edges of this lattice have the same middle.
std::uint64_t edge_key(const LatticePoint& p, const LatticePoint& q) {
    std::uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis)
        key = key << 21 | static_cast<std::uint64_t>(p[axis] + q[axis]);
    return key;
}

struct Crossing {
    std::uint64_t key;
    Vec3 position;
};

// Three consecutive crossings are a triangle.
using Crossings = std::vector<Crossing>;

class Block {
public:
    Block(const IsosurfaceGrid& grid, const std::array<int, 3>& block,
          const std::function<double(const Vec3&)>& field)
        : grid_(grid), first_{2 * cells * block[0], 2 * cells * block[1], 2 * cells * block[2]} {
        // The corners of the block's cells, and their centres with one layer more.
        for (const int odd : {0, 1})
            for (int k = 0; k <= cells; ++k)
                for (int j = 0; j <= cells; ++j)
                    for (int i = 0; i <= cells; ++i) {
                        const LatticePoint p = lattice_point(i, j, k, odd);
                        values_[index(p)] = field(position(p));
                    }
    }

    // Every tetrahedron joins the centres of two cells that share a face with one side of it.
    Crossings march() const {
        Crossings result;
        for (int k = 0; k < cells; ++k)
            for (int j = 0; j < cells; ++j)
                for (int i = 0; i < cells; ++i)
                    for (int axis = 0; axis < 3; ++axis) {
                        const LatticePoint centre = lattice_point(i, j, k, 1);
                        LatticePoint behind = centre;
                        behind[axis] += 2;
                        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
                        std::array<LatticePoint, 4> around;
                        for (int c = 0; c < 4; ++c) {
                            around[c] = centre;
                            around[c][axis] += 1;
                            around[c][u] += c == 1 || c == 2 ? 1 : -1;
                            around[c][v] += c >= 2 ? 1 : -1;
                        }
                        for (int c = 0; c < 4; ++c)
                            march({centre, behind, around[c], around[(c + 1) % 4]}, result);
                    }
        return result;
    }

private:
    LatticePoint lattice_point(int i, int j, int k, int odd) const {
        return {first_[0] + 2 * i + odd, first_[1] + 2 * j + odd, first_[2] + 2 * k + odd};
    }
    std::size_t index(const LatticePoint& p) const {
        const int odd = p[0] & 1;
        int result = odd;
        for (int axis = 2; axis >= 0; --axis)
            result = result * (cells + 1) + (p[axis] - first_[axis]) / 2;
        return static_cast<std::size_t>(result);
    }
    Vec3 position(const LatticePoint& p) const {
        return grid_.origin + 0.5 * grid_.cell * Vec3(p[0], p[1], p[2]);
    }

    Crossing crossing(const LatticePoint& p, const LatticePoint& q) const {
        if (q < p) return crossing(q, p);
        const double at_p = values_[index(p)], at_q = values_[index(q)];
        const double t = at_p / (at_p - at_q);
        return {edge_key(p, q), position(p) + t * (position(q) - position(p))};
    }

    // Its corners turn so that (b - a) x (c - a) looks towards d.
    void march(const std::array<LatticePoint, 4>& tetrahedron, Crossings& result) const {
        std::array<int, 4> order{};
        int inside = 0, outside = 4;
        for (int i = 0; i < 4; ++i)
            order[values_[index(tetrahedron[i])] < 0 ? inside++ : --outside] = i;
        if (inside == 0 || inside == 4) return;
        // Sorting the corners by side is a permutation; an odd one turns the triangles over.
        bool odd = false;
        for (int i = 0; i < 4; ++i)
            for (int j = i + 1; j < 4; ++j) odd ^= order[i] > order[j];
        const auto at = [&](int i, int j) {
            return crossing(tetrahedron[order[i]], tetrahedron[order[j]]);
        };
        const auto add = [&](const Crossing& a, const Crossing& b, const Crossing& c) {
            result.push_back(a);
            result.push_back(odd ? c : b);
            result.push_back(odd ? b : c);
        };
        if (inside == 1) {
            add(at(0, 1), at(0, 2), at(0, 3));
        } else if (inside == 3) {
            add(at(0, 3), at(1, 3), at(2, 3));
        } else {
            add(at(0, 2), at(0, 3), at(1, 3));
            add(at(0, 2), at(1, 3), at(1, 2));
        }
    }

    const IsosurfaceGrid& grid_;
    LatticePoint first_;
    std::array<double, 2 * (cells + 1) * (cells + 1) * (cells + 1)> values_{};
};

} // namespace

TriangleMesh extract_isosurface(const IsosurfaceGrid& grid,
                                const std::function<double(const Vec3&)>& field) {
    std::vector<Crossings> of_block(grid.blocks.size());
    parallel_for(grid.blocks.size(), 1,
                 [&](std::size_t b) { of_block[b] = Block(grid, grid.blocks[b], field).march(); });
    Crossings corners;
    for (const Crossings& crossings : of_block)
        corners.insert(corners.end(), crossings.begin(), crossings.end());
    of_block.clear();

    std::vector<std::uint64_t> keys;
    keys.reserve(corners.size());
    for (const Crossing& corner : corners) keys.push_back(corner.key);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    TriangleMesh mesh;
    mesh.positions.resize(keys.size());
    mesh.faces.resize(corners.size() / 3);
    for (std::size_t c = 0; c < corners.size(); ++c) {
        const auto vertex =
            std::lower_bound(keys.begin(), keys.end(), corners[c].key) - keys.begin();
        mesh.positions[static_cast<std::size_t>(vertex)] = corners[c].position;
        mesh.faces[c / 3][c % 3] = static_cast<int>(vertex);
    }
    return mesh;
}

} // namespace knead
