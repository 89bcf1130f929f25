#include "knead/mesh/check.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace knead {
namespace {

// Relative to the longest side squared: far below what can be told from rounding.
constexpr double flat = 1e-12;

using Findings = std::vector<MeshFinding>;

// Counts the elements for which `bad` holds; it may be called from several threads.
struct Tally {
    int count = 0;
    int first = -1;
};
template <typename Bad>
Tally tally(int elements, const Bad& bad) {
    constexpr int piece = 16384;
    std::vector<Tally> pieces(static_cast<std::size_t>((elements + piece - 1) / piece));
    parallel_for(pieces.size(), 1, [&](std::size_t p) {
        const int begin = static_cast<int>(p) * piece, end = std::min(elements, begin + piece);
        for (int i = begin; i < end; ++i)
            if (bad(i) && pieces[p].count++ == 0) pieces[p].first = i;
    });
    Tally total;
    for (const Tally& part : pieces) {
        if (total.count == 0) total.first = part.first;
        total.count += part.count;
    }
    return total;
}

template <typename Sentence>
void add(Findings& findings, MeshProblem problem, const Tally& found, const Sentence& sentence) {
    if (found.count == 0) return;
    findings.push_back({problem, problem <= MeshProblem::repeated_index, found.count, found.first,
                        sentence(found.first)});
}

bool out_of_range(const Triangle& face, int vertices) {
    return std::any_of(face.begin(), face.end(), [&](int v) { return v < 0 || v >= vertices; });
}

bool repeats(const Triangle& face) {
    return face[0] == face[1] || face[1] == face[2] || face[2] == face[0];
}

void check_faces(std::span<const Triangle> faces, int vertices, Findings& findings) {
    const int face_count = static_cast<int>(faces.size());
    add(findings, MeshProblem::index_out_of_range,
        tally(face_count, [&](int f) { return out_of_range(faces[f], vertices); }), [&](int f) {
            int corner = 0;
            while (faces[f][corner] >= 0 && faces[f][corner] < vertices) ++corner;
            return vertices == 0
                       ? fmt::format("face {}: corner {} is vertex {}, but there are no vertices",
                                     f, corner, faces[f][corner])
                       : fmt::format("face {}: corner {} is vertex {}, expected 0 to {}", f, corner,
                                     faces[f][corner], vertices - 1);
        });
    add(findings, MeshProblem::repeated_index,
        tally(face_count, [&](int f) { return repeats(faces[f]); }), [&](int f) {
            const int a = faces[f][0] == faces[f][1] || faces[f][0] == faces[f][2] ? 0 : 1;
            const int b = faces[f][a] == faces[f][a + 1] ? a + 1 : 2;
            return fmt::format("face {}: corners {} and {} are both vertex {}, expected three "
                               "different vertices",
                               f, a, b, faces[f][a]);
        });
}

Findings find_errors(const TriangleMesh& mesh) {
    Findings findings;
    if (mesh.faces.empty())
        findings.push_back({MeshProblem::empty, true, 1, -1,
                            fmt::format("it has {} and no faces, expected at least one face",
                                        mesh.positions.empty()
                                            ? "no vertices"
                                            : counted(mesh.vertex_count(), "vertex", "vertices"))});
    add(findings, MeshProblem::non_finite_position,
        tally(mesh.vertex_count(), [&](int v) { return !mesh.positions[v].allFinite(); }),
        [&](int v) {
            const Vec3& p = mesh.positions[v];
            return fmt::format("vertex {} is at ({}, {}, {}), expected finite numbers", v, p.x(),
                               p.y(), p.z());
        });
    check_faces(mesh.faces, mesh.vertex_count(), findings);
    return findings;
}

bool is_flat(const TriangleMesh& mesh, int face) {
    const Triangle& f = mesh.faces[face];
    const Vec3 &a = mesh.positions[f[0]], &b = mesh.positions[f[1]], &c = mesh.positions[f[2]];
    const double longest =
        std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return area_vector(a, b, c).norm() <= flat * longest;
}

// Walking from face to face over manifold edges reaches every face around the vertex.
bool is_one_fan(const Topology& topology, int vertex) {
    const auto faces = topology.vertex_faces[vertex];
    if (faces.empty()) return true;
    std::size_t reached = 1;
    for (const bool backwards : {false, true}) {
        int face = faces[0], edge = -1;
        // Of the two sides at the vertex, take the one that was not crossed just now.
        while (true) {
            int next_edge = -1;
            for (const int side : topology.face_edges[face]) {
                const Edge& ends = topology.edges[side];
                if (side == edge || (ends[0] != vertex && ends[1] != vertex)) continue;
                if (next_edge < 0 || (edge < 0 && backwards)) next_edge = side;
            }
            edge = next_edge;
            const auto sharing = topology.edge_faces[edge];
            if (sharing.size() != 2) break;
            face = sharing[0] == face ? sharing[1] : sharing[0];
            if (face == faces[0]) return reached == faces.size();
            ++reached;
        }
    }
    return reached == faces.size();
}

bool turns_agree(const TriangleMesh& mesh, const Topology& topology, int edge) {
    const auto sharing = topology.edge_faces[edge];
    if (sharing.size() != 2) return true;
    const auto forward = [&](int face) {
        const auto& sides = topology.face_edges[face];
        const auto side = std::find(sides.begin(), sides.end(), edge) - sides.begin();
        return mesh.faces[face][static_cast<std::size_t>(side)] == topology.edges[edge][0];
    };
    return forward(sharing[0]) != forward(sharing[1]);
}

// For each vertex the first one at the same place, which is itself for most.
std::vector<int> first_at_place(std::span<const Vec3> positions) {
    const auto hash = [](const Vec3& p) {
        std::uint64_t h = 0;
        for (int axis = 0; axis < 3; ++axis) {
            h ^= std::bit_cast<std::uint64_t>(p[axis] + 0.0); // -0 becomes 0
            h *= 0x9E3779B97F4A7C15ull;
            h ^= h >> 32;
        }
        return h;
    };
    const std::size_t slots = std::bit_ceil(2 * positions.size() + 1);
    std::vector<int> table(slots, -1), first(positions.size());
    for (std::size_t v = 0; v < positions.size(); ++v) {
        std::size_t slot = hash(positions[v]) & (slots - 1);
        while (table[slot] >= 0 && positions[table[slot]] != positions[v])
            slot = (slot + 1) & (slots - 1);
        if (table[slot] < 0) table[slot] = static_cast<int>(v);
        first[v] = table[slot];
    }
    return first;
}

// Closed, consistently turned parts of negative volume, by their first vertex.
Tally inward_parts(const TriangleMesh& mesh, const Topology& topology, const Components& parts,
                   std::vector<double>& volumes) {
    std::vector<int> first(static_cast<std::size_t>(parts.count), -1);
    for (int v = mesh.vertex_count() - 1; v >= 0; --v) first[parts.of_vertex[v]] = v;
    volumes.assign(first.size(), 0);
    for (const Triangle& f : mesh.faces) {
        const int part = parts.of_vertex[f[0]];
        const Vec3& origin = mesh.positions[first[part]];
        const Vec3 a = mesh.positions[f[0]] - origin, b = mesh.positions[f[1]] - origin,
                   c = mesh.positions[f[2]] - origin;
        volumes[part] += a.dot(b.cross(c)) / 6;
    }
    std::vector<char> sound(first.size(), 1);
    for (int e = 0; e < topology.edge_count(); ++e)
        if (topology.edge_faces[e].size() != 2 || !turns_agree(mesh, topology, e))
            sound[parts.of_vertex[topology.edges[e][0]]] = 0;
    Tally inward;
    for (std::size_t part = 0; part < first.size(); ++part)
        if (sound[part] != 0 && volumes[part] < 0 && inward.count++ == 0)
            inward.first = first[part];
    return inward;
}

void find_warnings(const TriangleMesh& mesh, bool finite, Findings& findings) {
    const Topology topology = build_topology(mesh.faces, mesh.vertex_count());
    const auto edge_name = [&](int e) {
        return fmt::format("edge {}-{}", topology.edges[e][0], topology.edges[e][1]);
    };
    if (finite)
        add(findings, MeshProblem::zero_area_face,
            tally(mesh.face_count(), [&](int f) { return is_flat(mesh, f); }),
            [](int f) { return fmt::format("face {} has no area", f); });

    add(findings, MeshProblem::non_manifold_edge,
        tally(topology.edge_count(), [&](int e) { return topology.edge_faces[e].size() > 2; }),
        [&](int e) {
            return fmt::format("{} joins {} faces, expected at most two", edge_name(e),
                               topology.edge_faces[e].size());
        });
    std::vector<char> at_bad_edge(mesh.positions.size(), 0);
    for (int e = 0; e < topology.edge_count(); ++e)
        if (topology.edge_faces[e].size() > 2)
            for (const int v : topology.edges[e]) at_bad_edge[v] = 1;
    add(findings, MeshProblem::non_manifold_vertex,
        tally(mesh.vertex_count(),
              [&](int v) { return at_bad_edge[v] == 0 && !is_one_fan(topology, v); }),
        [](int v) {
            return fmt::format("vertex {} joins faces that share no edge there, expected one fan",
                               v);
        });
    add(findings, MeshProblem::inconsistent_orientation,
        tally(topology.edge_count(), [&](int e) { return !turns_agree(mesh, topology, e); }),
        [&](int e) {
            const auto sharing = topology.edge_faces[e];
            return fmt::format("faces {} and {} turn opposite ways along {}", sharing[0],
                               sharing[1], edge_name(e));
        });

    if (finite) {
        const std::vector<int> first = first_at_place(mesh.positions);
        add(findings, MeshProblem::duplicate_vertices,
            tally(mesh.vertex_count(), [&](int v) { return first[v] != v; }), [&](int v) {
                return fmt::format("vertex {} is at the same place as vertex {}", v, first[v]);
            });
    }
    add(findings, MeshProblem::unreferenced_vertex,
        tally(mesh.vertex_count(), [&](int v) { return topology.vertex_faces[v].empty(); }),
        [](int v) { return fmt::format("vertex {} belongs to no face", v); });
    add(findings, MeshProblem::open_boundary,
        tally(topology.edge_count(), [&](int e) { return topology.is_boundary_edge(e); }),
        [&](int e) {
            return fmt::format("{} belongs to one face only: the surface is open", edge_name(e));
        });

    const Components parts = connected_components(topology);
    // Vertices without faces are parts of their own, but not of the surface.
    const int first_part = parts.of_vertex[mesh.faces[0][0]];
    std::vector<char> seen(static_cast<std::size_t>(parts.count), 0);
    Tally others;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        const int part = parts.of_vertex[v];
        if (topology.vertex_faces[v].empty() || part == first_part || seen[part] != 0) continue;
        seen[part] = 1;
        if (others.count++ == 0) others.first = v;
    }
    if (others.count > 0)
        findings.push_back({MeshProblem::several_components, false, others.count + 1, others.first,
                            fmt::format("it falls into {} separate parts; vertex {} is not in the "
                                        "part of face 0",
                                        others.count + 1, others.first)});
    if (!finite) return;
    std::vector<double> volumes;
    add(findings, MeshProblem::inward_facing, inward_parts(mesh, topology, parts, volumes),
        [&](int v) {
            return fmt::format("the closed part of vertex {} looks inwards: its volume is {:.6g}",
                               v, volumes[parts.of_vertex[v]]);
        });
}

void throw_first(const Findings& findings, const std::string& where) {
    if (!findings.empty()) throw InputError(where + ": " + findings[0].sentence);
}

} // namespace

std::vector<MeshFinding> check_mesh(const TriangleMesh& mesh) {
    Findings findings = find_errors(mesh);
    const auto with_counts = [&] {
        for (MeshFinding& finding : findings)
            if (finding.count > 1 && finding.problem != MeshProblem::several_components)
                finding.sentence += fmt::format(" (and {} more)", finding.count - 1);
        return std::move(findings);
    };
    const auto has = [&](MeshProblem problem) {
        return std::any_of(findings.begin(), findings.end(),
                           [&](const MeshFinding& f) { return f.problem == problem; });
    };
    if (has(MeshProblem::empty) || has(MeshProblem::index_out_of_range) ||
        has(MeshProblem::repeated_index))
        return with_counts();
    find_warnings(mesh, !has(MeshProblem::non_finite_position), findings);
    return with_counts();
}

void check_indices(std::span<const Triangle> faces, int vertex_count, const std::string& where) {
    Findings findings;
    check_faces(faces, vertex_count, findings);
    throw_first(findings, where);
}

void check_indices(const TriangleMesh& mesh, const std::string& where) {
    check_indices(mesh.faces, mesh.vertex_count(), where);
}

} // namespace knead
