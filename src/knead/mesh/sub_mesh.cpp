#include "knead/mesh/sub_mesh.hpp"

#include <bit>

namespace knead {
namespace {

// A set of indices that is listed in order: a word is looked at for every 64 that there might be,
// which is faster than to sort them.
void set(std::vector<std::uint64_t>& bits, int index) {
    bits[static_cast<std::size_t>(index) / 64] |= std::uint64_t(1) << (index % 64);
}

std::vector<int> take(std::vector<std::uint64_t>& bits) {
    std::vector<int> indices;
    for (std::size_t word = 0; word < bits.size(); ++word)
        for (; bits[word] != 0; bits[word] &= bits[word] - 1)
            indices.push_back(static_cast<int>(64 * word) + std::countr_zero(bits[word]));
    return indices;
}

std::vector<std::uint64_t> no_bits(std::size_t count) {
    return std::vector<std::uint64_t>(count / 64 + 1, 0);
}

void number(std::span<const int> chosen, std::vector<int>& places) {
    for (std::size_t i = 0; i < chosen.size(); ++i) places[chosen[i]] = static_cast<int>(i);
}

} // namespace

SubMeshMaker::SubMeshMaker(std::span<const Triangle> faces, const Topology& topology)
    : faces_(faces),
      topology_(topology),
      vertex_bits_(no_bits(static_cast<std::size_t>(topology.vertex_count))),
      edge_bits_(no_bits(topology.edges.size())),
      face_bits_(no_bits(faces.size())),
      of_vertex_(static_cast<std::size_t>(topology.vertex_count)),
      of_edge_(topology.edges.size()),
      of_face_(faces.size()) {}

SubMesh SubMeshMaker::make(std::span<const int> chosen_faces) {
    for (const int face : chosen_faces) {
        set(face_bits_, face);
        for (const int vertex : faces_[face]) set(vertex_bits_, vertex);
        for (const int edge : topology_.face_edges[face]) set(edge_bits_, edge);
    }
    SubMesh mesh;
    mesh.vertices = take(vertex_bits_);
    mesh.edges = take(edge_bits_);
    mesh.faces = take(face_bits_);
    number(mesh.vertices, of_vertex_);
    number(mesh.edges, of_edge_);
    number(mesh.faces, of_face_);

    Topology& topology = mesh.topology;
    topology.vertex_count = static_cast<int>(mesh.vertices.size());
    mesh.triangles.reserve(mesh.faces.size());
    topology.face_edges.reserve(mesh.faces.size());
    for (const int face : mesh.faces) {
        const Triangle& corners = faces_[face];
        const std::array<int, 3>& sides = topology_.face_edges[face];
        mesh.triangles.push_back(
            {of_vertex_[corners[0]], of_vertex_[corners[1]], of_vertex_[corners[2]]});
        topology.face_edges.push_back({of_edge_[sides[0]], of_edge_[sides[1]], of_edge_[sides[2]]});
    }
    // What is in the lists of the mesh without being here has a place that belongs to another.
    const auto here = [](int index, const std::vector<int>& places, std::span<const int> chosen) {
        const int place = places[index];
        return place < static_cast<int>(chosen.size()) && chosen[place] == index;
    };
    topology.edges.reserve(mesh.edges.size());
    topology.edge_faces.starts.reserve(mesh.edges.size() + 1);
    topology.edge_faces.items.reserve(3 * mesh.faces.size());
    for (const int edge : mesh.edges) {
        const Edge& ends = topology_.edges[edge];
        topology.edges.push_back({of_vertex_[ends[0]], of_vertex_[ends[1]]});
        for (const int face : topology_.edge_faces[edge])
            if (here(face, of_face_, mesh.faces))
                topology.edge_faces.items.push_back(of_face_[face]);
        topology.edge_faces.starts.push_back(static_cast<int>(topology.edge_faces.items.size()));
    }
    topology.vertex_faces.starts.reserve(mesh.vertices.size() + 1);
    topology.vertex_faces.items.reserve(3 * mesh.faces.size());
    for (const int vertex : mesh.vertices) {
        for (const int face : topology_.vertex_faces[vertex])
            if (here(face, of_face_, mesh.faces))
                topology.vertex_faces.items.push_back(of_face_[face]);
        topology.vertex_faces.starts.push_back(
            static_cast<int>(topology.vertex_faces.items.size()));
    }
    list_rings(topology);
    return mesh;
}

} // namespace knead
