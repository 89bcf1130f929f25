#include "knead/spatial/close_pairs.hpp"

#include "knead/base/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Cosine of an angle that still counts as a right one.
constexpr double right_angle = 1e-6;
// A nearest point that depends on a vertex by less than this does not depend on it: rounding may
// put a point that is on the border of two faces inside one of them.
constexpr double least_weight = 1e-9;

using Kind = PrimitivePair::Kind;

// Decides which pairs are contacts of their own.
class ContactFilter {
public:
    // Everything is on its way from `start` to `end`, at `time` from 0 to 1.
    ContactFilter(const CollisionMesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end,
                  double time)
        : mesh_(mesh), start_(start), end_(end), time_(time) {}

    Vec3 position(int v) const { return start_[v] + time_ * (end_[v] - start_[v]); }
    NearestPoints nearest(const PrimitivePair& pair) const {
        const std::array<int, 4> vertices = vertices_of(mesh_, pair);
        return nearest_points(pair.kind, {position(vertices[0]), position(vertices[1]),
                                          position(vertices[2]), position(vertices[3])});
    }

    bool keep(const PrimitivePair& pair, const NearestPoints& nearest) const {
        const int depends_on = static_cast<int>(
            std::count_if(nearest.weights.begin(), nearest.weights.end(),
                          [](double weight) { return std::abs(weight) > least_weight; }));
        if (pair.kind == Kind::edge_edge)
            return nearest.inside && depends_on == 4 &&
                   leads_away_from_edge(mesh_.edges[pair.a], place_on_first(pair, nearest),
                                        -nearest.difference) &&
                   leads_away_from_edge(mesh_.edges[pair.b], place_on_second(pair, nearest),
                                        nearest.difference);
        if (nearest.inside && depends_on == 4) return true;
        if (!leads_away_from_vertex(pair.a, -nearest.difference)) return false;

        // The vertices of the face that the nearest point depends on: an edge or a corner.
        const Triangle& face = mesh_.faces[pair.b];
        std::array<int, 3> on{};
        int count = 0;
        for (int i = 0; i < 3; ++i)
            if (nearest.weights[i + 1] < -least_weight) on[count++] = face[i];
        if (count == 1)
            return pair.a < on[0] && mesh_.vertex_faces[on[0]].front() == pair.b &&
                   leads_away_from_vertex(on[0], nearest.difference);
        const Edge edge{on[0], on[1]};
        return first_face_of(edge) == pair.b &&
               leads_away_from_edge(edge, place_on_second(pair, nearest), nearest.difference);
    }

private:
    Vec3 place_on_first(const PrimitivePair& pair, const NearestPoints& nearest) const {
        const Edge& edge = mesh_.edges[pair.a];
        return nearest.weights[0] * position(edge[0]) + nearest.weights[1] * position(edge[1]);
    }
    Vec3 place_on_second(const PrimitivePair& pair, const NearestPoints& nearest) const {
        const std::array<int, 4> vertices = vertices_of(mesh_, pair);
        Vec3 place = Vec3::Zero();
        for (int i = pair.kind == Kind::vertex_face ? 1 : 2; i < 4; ++i)
            place -= nearest.weights[i] * position(vertices[i]);
        return place;
    }

    static bool has(const Triangle& face, int vertex) {
        return face[0] == vertex || face[1] == vertex || face[2] == vertex;
    }
    int first_face_of(const Edge& edge) const {
        for (const int f : mesh_.vertex_faces[edge[0]])
            if (has(mesh_.faces[f], edge[1])) return f;
        return -1;
    }

    // Towards the vertex, or at a right angle to that at most.
    bool leads_to(const Vec3& place, const Vec3& direction, int vertex) const {
        const Vec3 there = position(vertex) - place;
        return direction.dot(there) > right_angle * direction.norm() * there.norm();
    }
    bool leads_away_from_vertex(int vertex, const Vec3& direction) const {
        for (const int f : mesh_.vertex_faces[vertex])
            for (const int v : mesh_.faces[f])
                if (v != vertex && leads_to(position(vertex), direction, v)) return false;
        return true;
    }
    bool leads_away_from_edge(const Edge& edge, const Vec3& place, const Vec3& direction) const {
        for (const int f : mesh_.vertex_faces[edge[0]]) {
            if (!has(mesh_.faces[f], edge[1])) continue;
            for (const int v : mesh_.faces[f])
                if (v != edge[0] && v != edge[1] && leads_to(place, direction, v)) return false;
        }
        return true;
    }

    const CollisionMesh& mesh_;
    std::span<const Vec3> start_, end_;
    double time_;
};

} // namespace

bool is_contact(const CollisionMesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end,
                double time, const PrimitivePair& pair) {
    const ContactFilter filter(mesh, start, end, time);
    return filter.keep(pair, filter.nearest(pair));
}

void find_close_pairs(const CollisionMesh& mesh, std::span<const Vec3> positions, double distance,
                      std::vector<PrimitivePair>& pairs, std::vector<NearestPoints>& nearest,
                      MovingPairsWorkspace& workspace, const std::stop_token& stop) {
    std::vector<PrimitivePair>& candidates = workspace.candidates;
    find_moving_pairs(mesh, positions, positions, distance, candidates, workspace, stop);
    workspace.nearest.resize(candidates.size());
    workspace.kept.resize(candidates.size());
    const ContactFilter filter(mesh, positions, positions, 0);
    parallel_for(candidates.size(), 512, [&](std::size_t i) {
        const NearestPoints found = filter.nearest(candidates[i]);
        workspace.nearest[i] = found;
        workspace.kept[i] = found.distance < distance && filter.keep(candidates[i], found);
    });
    pairs.clear();
    nearest.clear();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (!workspace.kept[i]) continue;
        pairs.push_back(candidates[i]);
        nearest.push_back(workspace.nearest[i]);
    }
}

} // namespace knead
