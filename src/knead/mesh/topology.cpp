#include "knead/mesh/topology.hpp"

#include "knead/mesh/check.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace knead {
namespace {

// Turns counts into starts and leaves `items` ready to be filled.
void finish_counts(Adjacency& lists) {
    std::inclusive_scan(lists.starts.begin(), lists.starts.end(), lists.starts.begin());
    lists.items.resize(static_cast<std::size_t>(lists.starts.back()));
}

void list_vertex_faces(std::span<const Triangle> faces, Topology& topology) {
    Adjacency& lists = topology.vertex_faces;
    lists.starts.assign(static_cast<std::size_t>(topology.vertex_count) + 1, 0);
    for (const Triangle& face : faces)
        for (const int v : face) ++lists.starts[v + 1];
    finish_counts(lists);
    std::vector<int> next(lists.starts.begin(), lists.starts.end() - 1);
    for (std::size_t f = 0; f < faces.size(); ++f)
        for (const int v : faces[f]) lists.items[next[v]++] = static_cast<int>(f);
}

// Most vertices have a handful of edges.
template <typename Iterator>
void sort_few(Iterator begin, Iterator end) {
    if (end - begin > 16) return std::sort(begin, end);
    for (auto it = begin; it != end; ++it)
        for (auto to = it; to != begin && *to < *(to - 1); --to) std::iter_swap(to, to - 1);
}

} // namespace

int Topology::find_edge(int a, int b) const {
    const Edge wanted = a < b ? Edge{a, b} : Edge{b, a};
    const auto found = std::lower_bound(edges.begin(), edges.end(), wanted);
    return found != edges.end() && *found == wanted ? static_cast<int>(found - edges.begin()) : -1;
}

void list_rings(Topology& topology) {
    // Walking the sorted edges twice, first as the larger end, then as the smaller, fills every
    // ring in ascending order.
    Adjacency& rings = topology.vertex_vertices;
    rings.starts.assign(static_cast<std::size_t>(topology.vertex_count) + 1, 0);
    for (const Edge& edge : topology.edges)
        for (const int v : edge) ++rings.starts[v + 1];
    finish_counts(rings);
    std::vector<int> next(rings.starts.begin(), rings.starts.end() - 1);
    for (const Edge& edge : topology.edges) rings.items[next[edge[1]]++] = edge[0];
    for (const Edge& edge : topology.edges) rings.items[next[edge[0]]++] = edge[1];
}

Topology build_topology(std::span<const Triangle> faces, int vertex_count) {
    check_indices(faces, vertex_count, "mesh");
    Topology topology;
    topology.vertex_count = vertex_count;
    const std::size_t vertices = static_cast<std::size_t>(vertex_count);

    // Half-edges in buckets by their smaller vertex, each bucket sorted by the larger one: edges
    // come out in lexicographic order in linear time. A half-edge is one number, the larger vertex
    // above three times its face plus its side: folds are cut into new meshes in every frame, and
    // sorting plain numbers takes half the time.
    using HalfEdge = std::uint64_t;
    std::vector<int> starts(vertices + 1, 0);
    for (const Triangle& face : faces)
        for (int i = 0; i < 3; ++i)
            ++starts[static_cast<std::size_t>(std::min(face[i], face[(i + 1) % 3])) + 1];
    std::inclusive_scan(starts.begin(), starts.end(), starts.begin());
    std::vector<HalfEdge> half_edges(faces.size() * 3);
    std::vector<int> next(starts.begin(), starts.end() - 1);
    for (std::size_t f = 0; f < faces.size(); ++f)
        for (int i = 0; i < 3; ++i) {
            const int a = faces[f][i], b = faces[f][(i + 1) % 3];
            half_edges[next[std::min(a, b)]++] =
                static_cast<HalfEdge>(std::max(a, b)) << 32 | (3 * f + static_cast<HalfEdge>(i));
        }

    topology.face_edges.resize(faces.size());
    topology.edges.reserve(faces.size() * 3 / 2 + 16);
    topology.edge_faces.items.reserve(faces.size() * 3);
    topology.edge_faces.starts.reserve(faces.size() * 3 / 2 + 17);
    for (int v = 0; v < vertex_count; ++v) {
        const auto begin = half_edges.begin() + starts[v], end = half_edges.begin() + starts[v + 1];
        sort_few(begin, end);
        for (auto it = begin; it != end; ++it) {
            if (it == begin || *it >> 32 != *(it - 1) >> 32) {
                topology.edges.push_back({v, static_cast<int>(*it >> 32)});
                topology.edge_faces.starts.push_back(topology.edge_faces.starts.back());
            }
            const auto side = static_cast<std::uint32_t>(*it);
            topology.edge_faces.items.push_back(static_cast<int>(side / 3));
            ++topology.edge_faces.starts.back();
            topology.face_edges[side / 3][side % 3] = topology.edge_count() - 1;
        }
    }

    list_vertex_faces(faces, topology);
    list_rings(topology);
    return topology;
}

Topology part_topology(const Topology& whole, std::span<const Triangle> whole_faces,
                       std::span<const int> vertices, std::span<const int> faces,
                       std::span<const Triangle> triangles, int vertex_count) {
    Topology topology;
    topology.vertex_count = vertex_count;
    const int kept = static_cast<int>(vertices.size());
    std::vector<int> of_vertex(static_cast<std::size_t>(whole.vertex_count), -1);
    for (int v = 0; v < kept; ++v) of_vertex[vertices[v]] = v;

    // Sides that end on the cut, by their smaller and larger vertex; they are few.
    struct NewSide {
        std::uint64_t ends;
        int triangle, side;
    };
    std::vector<NewSide> sides;
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int i = 0; i < 3; ++i) {
            const int a = triangles[t][i], b = triangles[t][(i + 1) % 3];
            if (std::max(a, b) >= kept)
                sides.push_back({static_cast<std::uint64_t>(std::min(a, b)) << 32 |
                                     static_cast<std::uint64_t>(std::max(a, b)),
                                 static_cast<int>(t), i});
        }
    std::sort(sides.begin(), sides.end(), [](const NewSide& x, const NewSide& y) {
        return x.ends != y.ends ? x.ends < y.ends : x.triangle < y.triangle;
    });

    // Edges of the whole keep their order, and those to the cut come behind them at each vertex.
    topology.edges.reserve(whole.edges.size() + sides.size());
    topology.face_edges.resize(triangles.size());
    std::vector<int> of_edge(whole.edges.size(), -1);
    std::size_t edge = 0, side = 0;
    for (int v = 0; v < vertex_count; ++v) {
        if (v < kept) {
            while (edge < whole.edges.size() && whole.edges[edge][0] < vertices[v]) ++edge;
            for (; edge < whole.edges.size() && whole.edges[edge][0] == vertices[v]; ++edge) {
                const int other = of_vertex[whole.edges[edge][1]];
                if (other < 0) continue;
                of_edge[edge] = topology.edge_count();
                topology.edges.push_back({v, other});
            }
        }
        for (; side < sides.size() && static_cast<int>(sides[side].ends >> 32) == v; ++side) {
            if (side == 0 || sides[side].ends != sides[side - 1].ends)
                topology.edges.push_back({v, static_cast<int>(sides[side].ends & 0xffffffffu)});
            topology.face_edges[sides[side].triangle][sides[side].side] = topology.edge_count() - 1;
        }
    }
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const Triangle& triangle = triangles[t];
        const Triangle& face = whole_faces[faces[t]];
        const std::array<int, 3>& face_edges = whole.face_edges[faces[t]];
        for (int i = 0; i < 3; ++i) {
            const int a = triangle[i], b = triangle[(i + 1) % 3];
            if (std::max(a, b) >= kept) continue;
            int j = 0;
            while (face[j] != vertices[a]) ++j;
            topology.face_edges[t][i] = of_edge[face_edges[j]];
        }
    }

    Adjacency& edge_faces = topology.edge_faces;
    edge_faces.starts.assign(topology.edges.size() + 1, 0);
    for (const std::array<int, 3>& of_face : topology.face_edges)
        for (const int e : of_face) ++edge_faces.starts[e + 1];
    finish_counts(edge_faces);
    std::vector<int> next(edge_faces.starts.begin(), edge_faces.starts.end() - 1);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const int e : topology.face_edges[t])
            edge_faces.items[next[e]++] = static_cast<int>(t);
    list_vertex_faces(triangles, topology);
    list_rings(topology);
    return topology;
}

std::vector<std::vector<int>> boundary_loops(const Topology& topology,
                                             std::span<const Triangle> faces) {
    // A boundary half-edge is named by its edge; it runs as its only face traverses it.
    const auto side_of = [&](int edge, int face) {
        const auto& sides = topology.face_edges[face];
        return static_cast<int>(std::find(sides.begin(), sides.end(), edge) - sides.begin());
    };
    // The next boundary edge: turn around the head of this one through its fan of faces.
    const auto next_edge = [&](int edge) {
        int face = topology.edge_faces[edge][0];
        const int head = faces[face][(side_of(edge, face) + 1) % 3];
        int current = edge;
        for (std::size_t turns = 0; turns <= topology.vertex_faces[head].size(); ++turns) {
            for (int i = 0; i < 3; ++i) {
                const int candidate = topology.face_edges[face][i];
                const Edge& ends = topology.edges[candidate];
                if (candidate != current && (ends[0] == head || ends[1] == head)) {
                    current = candidate;
                    break;
                }
            }
            const auto sharing = topology.edge_faces[current];
            if (sharing.size() == 1) return current;
            face = sharing[0] == face ? sharing[1] : sharing[0];
        }
        return -1;
    };

    std::vector<std::vector<int>> loops;
    std::vector<bool> used(topology.edges.size(), false);
    for (int start = 0; start < topology.edge_count(); ++start) {
        if (used[start] || !topology.is_boundary_edge(start)) continue;
        std::vector<int>& loop = loops.emplace_back();
        for (int edge = start; edge >= 0 && !used[edge]; edge = next_edge(edge)) {
            used[edge] = true;
            const int face = topology.edge_faces[edge][0];
            loop.push_back(faces[face][side_of(edge, face)]);
        }
    }
    return loops;
}

bool is_closed(const Topology& topology) {
    if (topology.face_count() == 0) return false;
    for (int e = 0; e < topology.edge_count(); ++e)
        if (topology.is_boundary_edge(e)) return false;
    return true;
}

Components connected_components(const Topology& topology) {
    Components components;
    components.of_vertex.assign(static_cast<std::size_t>(topology.vertex_count), -1);
    std::vector<int> stack;
    for (int seed = 0; seed < topology.vertex_count; ++seed) {
        if (components.of_vertex[seed] >= 0) continue;
        components.of_vertex[seed] = components.count;
        stack.push_back(seed);
        while (!stack.empty()) {
            const int vertex = stack.back();
            stack.pop_back();
            for (const int neighbour : topology.vertex_vertices[vertex])
                if (components.of_vertex[neighbour] < 0) {
                    components.of_vertex[neighbour] = components.count;
                    stack.push_back(neighbour);
                }
        }
        ++components.count;
    }
    return components;
}

} // namespace knead
