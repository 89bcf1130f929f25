#include "knead/deform/fold/fold_region.hpp"

#include "knead/base/error.hpp"
#include "knead/mesh/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <queue>

namespace knead {
namespace {

constexpr char in_first = 1, in_second = 2, in_both = 3;

// Over the edges, from the vertices marked as sources.
std::vector<double> distances_from(std::span<const char> sources, std::span<const Vec3> positions,
                                   const Topology& topology) {
    std::vector<double> distance(positions.size(), std::numeric_limits<double>::infinity());
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (std::size_t v = 0; v < sources.size(); ++v)
        if (sources[v]) queue.push({distance[v] = 0, static_cast<int>(v)});
    while (!queue.empty()) {
        const auto [so_far, vertex] = queue.top();
        queue.pop();
        if (so_far > distance[vertex]) continue;
        for (const int next : topology.vertex_vertices[vertex]) {
            const double way = so_far + (positions[next] - positions[vertex]).norm();
            if (way < distance[next]) queue.push({distance[next] = way, next});
        }
    }
    return distance;
}

// Of a border that runs around in `pieces` closed lines between the two parts: the faces along it
// tell its length.
double border_radius(std::span<const char> membership, std::span<const Vec3> positions,
                     const SurfaceStructure& structure) {
    double length = 0;
    std::vector<Triangle> crossed;
    for (const Triangle& face : structure.faces) {
        int odd = -1;
        for (int i = 0; i < 3; ++i) {
            const char mine = membership[face[i]];
            if (mine != membership[face[(i + 1) % 3]] && mine != membership[face[(i + 2) % 3]])
                odd = i;
        }
        if (odd < 0) continue;
        length += 0.5 * (positions[face[(odd + 1) % 3]] - positions[face[(odd + 2) % 3]]).norm();
        crossed.push_back(face);
    }
    const Components lines =
        connected_components(build_topology(crossed, static_cast<int>(positions.size())));
    std::vector<char> seen(lines.count, 0);
    for (const Triangle& face : crossed) seen[lines.of_vertex[face[0]]] = 1;
    const auto pieces = std::count(seen.begin(), seen.end(), 1);
    return length / (2 * std::numbers::pi * static_cast<double>(pieces));
}

// Marks what lies about the common border as belonging to both parts; false when there is none.
bool grow_shared(std::vector<char>& membership, std::span<const Vec3> positions,
                 const SurfaceStructure& structure) {
    std::vector<char> on_border(membership.size(), 0);
    bool any = false;
    for (const Edge& ends : structure.topology.edges)
        if (membership[ends[0]] != membership[ends[1]])
            on_border[ends[0]] = on_border[ends[1]] = any = true;
    if (!any) return false;
    const std::vector<double> distance = distances_from(on_border, positions, structure.topology);
    double farthest[4] = {};
    for (std::size_t v = 0; v < distance.size(); ++v)
        if (distance[v] < std::numeric_limits<double>::infinity()) {
            double& most = farthest[static_cast<unsigned char>(membership[v])];
            most = std::max(most, distance[v]);
        }
    const double reach = std::min({border_radius(membership, positions, structure),
                                   0.5 * farthest[static_cast<int>(in_first)],
                                   0.5 * farthest[static_cast<int>(in_second)]});
    for (std::size_t v = 0; v < distance.size(); ++v)
        if (distance[v] <= reach) membership[v] = in_both;
    return true;
}

SharedGraph shared_graph(std::span<const char> membership, const Topology& topology) {
    SharedGraph graph;
    graph.of_vertex.assign(membership.size(), -1);
    for (std::size_t v = 0; v < membership.size(); ++v)
        if (membership[v] == in_both) {
            graph.of_vertex[v] = static_cast<int>(graph.vertices.size());
            graph.vertices.push_back(static_cast<int>(v));
        }
    const int n = static_cast<int>(graph.vertices.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 0);
    for (int e = 0; e < topology.edge_count(); ++e) {
        const int a = graph.of_vertex[topology.edges[e][0]],
                  b = graph.of_vertex[topology.edges[e][1]];
        if (a < 0 && b < 0) continue;
        graph.edges.push_back(e);
        if (a >= 0 && b >= 0) entries.emplace_back(std::max(a, b), std::min(a, b), 0);
    }
    graph.structure.resize(n, n);
    graph.structure.setFromTriplets(entries.begin(), entries.end());
    graph.structure.makeCompressed();
    const auto find = [&](int row, int column) {
        const auto* begin =
            graph.structure.innerIndexPtr() + graph.structure.outerIndexPtr()[column];
        const auto* end =
            graph.structure.innerIndexPtr() + graph.structure.outerIndexPtr()[column + 1];
        return static_cast<int>(std::lower_bound(begin, end, row) -
                                graph.structure.innerIndexPtr());
    };
    for (int i = 0; i < n; ++i) graph.diagonal.push_back(find(i, i));
    for (const int e : graph.edges) {
        const int a = graph.of_vertex[topology.edges[e][0]],
                  b = graph.of_vertex[topology.edges[e][1]];
        graph.edge_entry.push_back(a >= 0 && b >= 0 ? find(std::max(a, b), std::min(a, b)) : -1);
    }
    if (n > 0) graph.plan = plan_elimination(graph.structure);
    return graph;
}

// Shared vertices that no vertex of one part alone is joined to have nothing to follow: they are
// left to the first part.
void drop_islands(std::vector<char>& membership, const Topology& topology) {
    std::vector<char> reached(membership.size(), 0);
    std::vector<int> stack;
    for (std::size_t v = 0; v < membership.size(); ++v)
        if (membership[v] != in_both) stack.push_back(static_cast<int>(v));
    while (!stack.empty()) {
        const int vertex = stack.back();
        stack.pop_back();
        for (const int next : topology.vertex_vertices[vertex]) {
            if (membership[next] != in_both || reached[next]) continue;
            reached[next] = 1;
            stack.push_back(next);
        }
    }
    for (std::size_t v = 0; v < membership.size(); ++v)
        if (membership[v] == in_both && !reached[v]) membership[v] = in_first;
}

// Half the sum of the cotangents of the angles opposite to each of the graph's edges.
std::vector<double> cotangent_weights(const SharedGraph& graph, std::span<const Vec3> positions,
                                      const SurfaceStructure& structure) {
    std::vector<double> weights;
    for (const int e : graph.edges) {
        const Edge& ends = structure.topology.edges[e];
        double weight = 0;
        for (const int f : structure.topology.edge_faces[e])
            for (const int corner : structure.faces[f]) {
                if (corner == ends[0] || corner == ends[1]) continue;
                const Vec3 u = positions[ends[0]] - positions[corner],
                           v = positions[ends[1]] - positions[corner];
                const double sine = u.cross(v).norm();
                if (sine > 0) weight += 0.5 * u.dot(v) / sine;
            }
        // Between 0 and 1, as a partition of unity must be, it only stays with positive weights.
        weights.push_back(std::max(weight, 1e-6));
    }
    return weights;
}

} // namespace

void diffuse_over_shared(const SharedGraph& graph, const Topology& topology,
                         std::span<const double> weights, std::vector<double>& values,
                         SpdSolver& solver) {
    if (graph.vertices.empty()) return;
    SparseMatrix matrix = graph.structure;
    Eigen::MatrixXd solution =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(graph.vertices.size()), 1);
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        const Edge& ends = topology.edges[graph.edges[i]];
        if (graph.edge_entry[i] >= 0) matrix.valuePtr()[graph.edge_entry[i]] -= weights[i];
        for (int end = 0; end < 2; ++end) {
            const int unknown = graph.of_vertex[ends[end]];
            if (unknown < 0) continue;
            matrix.valuePtr()[graph.diagonal[unknown]] += weights[i];
            if (graph.edge_entry[i] < 0) solution(unknown, 0) += weights[i] * values[ends[1 - end]];
        }
    }
    solver.factorise(matrix);
    solver.solve(solution);
    for (std::size_t i = 0; i < graph.vertices.size(); ++i)
        values[graph.vertices[i]] = solution(static_cast<Eigen::Index>(i), 0);
}

std::shared_ptr<const FoldRegion> make_fold_region(const TriangleMesh& rest,
                                                   std::span<const int> first,
                                                   std::span<const int> second) {
    std::vector<int> both(first.begin(), first.end());
    both.insert(both.end(), second.begin(), second.end());
    auto fold = std::make_shared<FoldRegion>();
    fold->working = region_of_vertices(rest, both);
    std::vector<char> membership(fold->working.vertices.size(), 0);
    for (const int v : first) membership[fold->working.of_mesh_vertex[v]] |= in_first;
    for (const int v : second) membership[fold->working.of_mesh_vertex[v]] |= in_second;
    const std::vector<Vec3> positions = gather(fold->working, rest.positions);
    fold->structure = make_structure(positions, fold->working.triangles);
    const bool overlap = std::count(membership.begin(), membership.end(), in_both) > 0;
    if (!overlap && !grow_shared(membership, positions, *fold->structure)) return nullptr;
    for (const char part : {in_first, in_second})
        if (std::count(membership.begin(), membership.end(), part) == 0)
            throw InputError(fmt::format(
                "fold: the {} part has no vertex that is not of the other, expected two parts that "
                "overlap about the crease",
                part == in_first ? "first" : "second"));
    const Topology& topology = fold->structure->topology;
    drop_islands(membership, topology);
    fold->shared = shared_graph(membership, topology);
    for (const char part : membership) fold->beta.push_back(part == in_first ? 1 : 0);
    diffuse_over_shared(fold->shared, topology,
                        cotangent_weights(fold->shared, positions, *fold->structure), fold->beta,
                        *make_supernodal_solver(fold->shared.plan));
    return fold;
}

} // namespace knead
