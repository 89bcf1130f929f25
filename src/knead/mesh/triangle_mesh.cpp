#include "knead/mesh/triangle_mesh.hpp"

#include <algorithm>

namespace knead {

void append(TriangleMesh& mesh, const TriangleMesh& other) {
    if (&mesh == &other) {
        append(mesh, TriangleMesh(other));
        return;
    }
    const int first = mesh.vertex_count();
    for (auto& [name, attribute] : mesh.attributes) {
        const auto found = other.attributes.find(name);
        if (found != other.attributes.end() && found->second.components == attribute.components)
            attribute.values.insert(attribute.values.end(), found->second.values.begin(),
                                    found->second.values.end());
        else
            attribute.values.resize(attribute.values.size() +
                                    other.positions.size() * attribute.components);
    }
    for (const auto& [name, attribute] : other.attributes) {
        if (mesh.attributes.contains(name)) continue;
        VertexAttribute grown{attribute.components,
                              std::vector<double>(mesh.positions.size() * attribute.components)};
        grown.values.insert(grown.values.end(), attribute.values.begin(), attribute.values.end());
        mesh.attributes.emplace(name, std::move(grown));
    }
    for (const auto& [name, members] : other.groups)
        for (const int vertex : members) mesh.groups[name].push_back(first + vertex);
    mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
    for (const Triangle& face : other.faces)
        mesh.faces.push_back({face[0] + first, face[1] + first, face[2] + first});
}

void transform(TriangleMesh& mesh, const Affine3& transform) {
    for (Vec3& position : mesh.positions) position = transform * position;
    if (transform.linear().determinant() < 0)
        for (Triangle& face : mesh.faces) std::swap(face[1], face[2]);
}

} // namespace knead
