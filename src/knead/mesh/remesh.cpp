#include "knead/mesh/remesh.hpp"

#include "knead/base/parallel.hpp"
#include "knead/mesh/half_edges.hpp"
#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace knead {
namespace {

// Splitting above and collapsing below these multiples of the target brings both halves, or the
// merged edges, closer to it [BK04].
constexpr double longest = 4.0 / 3, shortest = 4.0 / 5;
// Cosine of the largest turn of a face's normal that a change of connectivity may cause.
constexpr double normal_turn = 0.5;

class Remesher {
public:
    Remesher(std::vector<Vec3>& positions, std::span<const Triangle> faces, double edge,
             const SurfaceProjection& project)
        : positions_(positions),
          mesh_(faces, static_cast<int>(positions.size())),
          edge_(edge),
          project_(project) {}

    void split_long_edges() {
        const double limit = longest * edge_;
        for (int h = 0, end = mesh_.half_edge_count(); h < end; ++h) {
            if (!is_edge(h) || length(h) <= limit) continue;
            const Vec3 middle = 0.5 * (positions_[mesh_.tail(h)] + positions_[mesh_.head(h)]);
            mesh_.split(h);
            positions_.push_back(project_(middle));
        }
    }

    void collapse_short_edges() {
        const double limit = shortest * edge_;
        for (int h = 0; h < mesh_.half_edge_count(); ++h) {
            if (!is_edge(h) || length(h) >= limit || !mesh_.can_collapse(h)) continue;
            const int a = mesh_.tail(h), b = mesh_.head(h);
            // The opposite corners lose a neighbour, and with three the surface could fold flat.
            if (mesh_.valence(mesh_.apex(h)) < 5 || mesh_.valence(mesh_.apex(mesh_.twin(h))) < 5)
                continue;
            const Vec3 merged = project_(0.5 * (positions_[a] + positions_[b]));
            if (!collapse_is_sound(a, b, merged)) continue;
            positions_[b] = merged;
            mesh_.collapse(h);
        }
    }

    // Towards six neighbours a vertex.
    void flip_edges() {
        for (int h = 0; h < mesh_.half_edge_count(); ++h) {
            if (!is_edge(h)) continue;
            const int t = mesh_.twin(h);
            const int a = mesh_.tail(h), b = mesh_.head(h), c = mesh_.apex(h), d = mesh_.apex(t);
            const auto excess = [&](int v, int change) {
                return std::abs(mesh_.valence(v) + change - 6);
            };
            const int before = excess(a, 0) + excess(b, 0) + excess(c, 0) + excess(d, 0);
            const int after = excess(a, -1) + excess(b, -1) + excess(c, 1) + excess(d, 1);
            if (after >= before || !mesh_.can_flip(h) || !flip_is_sound(a, b, c, d)) continue;
            mesh_.flip(h);
        }
    }

    // Edges whose opposite angles sum to more than pi turn (Delaunay).
    void flip_to_larger_angles() {
        for (int h = 0; h < mesh_.half_edge_count(); ++h) {
            if (!is_edge(h)) continue;
            const int t = mesh_.twin(h);
            const int a = mesh_.tail(h), b = mesh_.head(h), c = mesh_.apex(h), d = mesh_.apex(t);
            if (opposite_cotangents(a, b, c, d) >= 0 || opposite_cotangents(c, d, a, b) <= 0)
                continue;
            if (mesh_.can_flip(h) && flip_is_sound(a, b, c, d)) mesh_.flip(h);
        }
    }

    // Each vertex goes to the centroid of its faces, along the surface.
    void relax() {
        std::vector<Vec3> moved(positions_.size());
        parallel_for(positions_.size(), 256, [&](std::size_t i) {
            const int v = static_cast<int>(i);
            moved[i] = positions_[i];
            if (mesh_.vertex_removed(v)) return;
            Vec3 weighted = Vec3::Zero(), normal = Vec3::Zero();
            double total = 0;
            mesh_.around(v, [&](int h) {
                const Vec3 &p = positions_[mesh_.head(h)], &q = positions_[mesh_.apex(h)];
                const Vec3 area = area_vector(positions_[i], p, q);
                const double weight = area.norm();
                weighted += weight * (positions_[i] + p + q) / 3;
                total += weight;
                normal += area;
            });
            if (!(total > 0)) return;
            Vec3 step = weighted / total - positions_[i];
            const double square = normal.squaredNorm();
            if (square > 0) step -= normal.dot(step) / square * normal;
            moved[i] = project_(positions_[i] + step);
        });
        positions_ = std::move(moved);
    }

    void finish(std::vector<Triangle>& faces) {
        faces = mesh_.faces();
        std::vector<int> renamed(positions_.size(), -1);
        int count = 0;
        for (int v = 0; v < mesh_.vertex_count(); ++v)
            if (!mesh_.vertex_removed(v)) {
                positions_[count] = positions_[v];
                renamed[v] = count++;
            }
        positions_.resize(static_cast<std::size_t>(count));
        for (Triangle& face : faces)
            for (int& v : face) v = renamed[v];
    }

private:
    // One of the two half-edges of every edge.
    bool is_edge(int h) const { return !mesh_.removed(h) && h < mesh_.twin(h); }

    double length(int h) const {
        return (positions_[mesh_.tail(h)] - positions_[mesh_.head(h)]).norm();
    }

    static bool agree(const Vec3& a, const Vec3& b) {
        return a.dot(b) > normal_turn * a.norm() * b.norm();
    }

    // Edges stay short enough, no face turns far, and those around the merged vertex still look to
    // one side: less than the corner of an octahedron would let small surfaces fold flat.
    bool collapse_is_sound(int a, int b, const Vec3& merged) const {
        bool sound = true;
        Vec3 normal = Vec3::Zero();
        const auto changed_faces = [&](const auto& visit) {
            for (const int v : {a, b})
                mesh_.around(v, [&](int h) {
                    const int p = mesh_.head(h), q = mesh_.apex(h);
                    if (p == a || p == b || q == a || q == b) return;
                    visit(area_vector(positions_[v], positions_[p], positions_[q]),
                          area_vector(merged, positions_[p], positions_[q]));
                    sound &= (positions_[p] - merged).norm() <= longest * edge_;
                });
        };
        changed_faces([&](const Vec3& before, const Vec3& after) {
            sound &= agree(before, after);
            normal += after;
        });
        if (sound)
            changed_faces([&](const Vec3&, const Vec3& after) { sound &= agree(normal, after); });
        return sound;
    }

    bool flip_is_sound(int a, int b, int c, int d) const {
        const Vec3 &pa = positions_[a], &pb = positions_[b], &pc = positions_[c],
                   &pd = positions_[d];
        const Vec3 before = area_vector(pa, pb, pc) + area_vector(pb, pa, pd);
        return agree(before, area_vector(pd, pc, pa)) && agree(before, area_vector(pc, pd, pb));
    }

    // Sum of the cotangents of the angles at c and d that face the edge a-b.
    double opposite_cotangents(int a, int b, int c, int d) const {
        double sum = 0;
        for (const int v : {c, d}) {
            const Vec3 p = positions_[a] - positions_[v], q = positions_[b] - positions_[v];
            sum += p.dot(q) / std::max(p.cross(q).norm(), 1e-300);
        }
        return sum;
    }

    std::vector<Vec3>& positions_;
    HalfEdges mesh_;
    double edge_;
    const SurfaceProjection& project_;
};

} // namespace

void remesh(std::vector<Vec3>& positions, std::vector<Triangle>& faces,
            const RemeshSettings& settings, const SurfaceProjection& project) {
    Remesher remesher(positions, faces, settings.edge, project);
    for (int round = 0; round < settings.rounds; ++round) {
        remesher.split_long_edges();
        remesher.collapse_short_edges();
        remesher.flip_edges();
        remesher.relax();
    }
    for (int round = 0; round < settings.rounds; ++round) {
        remesher.flip_to_larger_angles();
        remesher.relax();
    }
    remesher.finish(faces);
}

} // namespace knead
