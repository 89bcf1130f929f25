#include "knead/io/mesh_file.hpp"

#include <limits>

namespace knead {
namespace {

// PLY files that have one a vertex hold them as properties by these names.
constexpr std::array<std::array<const char*, 2>, 3> attribute_names = {
    {{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}}};

std::vector<Vec2> from_attributes(const TriangleMesh& mesh) {
    for (const auto& [first, second] : attribute_names) {
        const auto u = mesh.attributes.find(first), v = mesh.attributes.find(second);
        if (u == mesh.attributes.end() || v == mesh.attributes.end() || u->second.components != 1 ||
            v->second.components != 1)
            continue;
        std::vector<Vec2> result;
        for (int i = 0; i < mesh.vertex_count(); ++i)
            result.emplace_back(u->second.at(i), v->second.at(i));
        return result;
    }
    return {};
}

} // namespace

std::vector<Vec2> vertex_texture_coordinates(const MeshFile& file) {
    if (file.corner_texture.empty()) return from_attributes(file.mesh);
    const Vec2 none = Vec2::Constant(std::numeric_limits<double>::quiet_NaN());
    std::vector<Vec2> result(file.mesh.positions.size(), none);
    std::vector<char> seen(result.size(), 0);
    std::size_t corner = 0;
    for (int p = 0; p < file.polygon_count(); ++p)
        for (const int v : file.polygon(p)) {
            const int texture = file.corner_texture[corner++];
            const Vec2 here = texture < 0 ? none : file.texture_coordinates[texture];
            const std::size_t vertex = static_cast<std::size_t>(file.mesh_vertex(v));
            if (!seen[vertex])
                result[vertex] = here;
            else if (result[vertex] != here)
                result[vertex] = none;
            seen[vertex] = 1;
        }
    return result;
}

} // namespace knead
