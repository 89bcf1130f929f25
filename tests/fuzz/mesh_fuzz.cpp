// Every mesh reader of our own: the first byte picks the format, the rest is the file.
#include "knead/base/error.hpp"
#include "knead/io/mesh_file.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace knead;

void require(bool condition) {
    if (!condition) std::abort();
}

// What a mesh that was read promises to the rest of the house.
void check(const MeshFile& file) {
    const int vertices = file.mesh.vertex_count();
    require(!file.mesh.faces.empty());
    for (const Vec3& position : file.mesh.positions)
        require((position.array().abs() <= max_coordinate).all());
    for (const Triangle& face : file.mesh.faces)
        for (const int corner : face) require(corner >= 0 && corner < vertices);
    std::size_t corners = 0;
    for (int p = 0; p < file.polygon_count(); ++p) {
        corners += file.polygon(p).size();
        for (const int corner : file.polygon(p)) {
            require(corner >= 0 && corner < file.file_vertex_count());
            require(file.mesh_vertex(corner) >= 0 && file.mesh_vertex(corner) < vertices);
        }
    }
    require(file.corner_texture.empty() || file.corner_texture.size() == corners);
    for (const int texture : file.corner_texture)
        require(texture >= -1 && texture < std::ssize(file.texture_coordinates));
    for (const FaceLabels* labels : {&file.face_groups, &file.face_objects, &file.face_materials}) {
        require(labels->empty() || std::ssize(labels->of_polygon) == file.polygon_count());
        for (const int label : labels->of_polygon)
            require(label >= -1 && label < std::ssize(labels->names));
    }
    for (const auto& [name, attribute] : file.mesh.attributes) {
        require(attribute.values.size() == file.mesh.positions.size() * attribute.components);
        for (const double value : attribute.values) require(std::isfinite(value));
    }
    for (const auto& [name, group] : file.mesh.groups)
        for (const int vertex : group) require(vertex >= 0 && vertex < vertices);
    if (!file.rig) return;
    std::vector<Vec3> positions;
    for (int clip = -1; clip < std::ssize(file.rig->clips); ++clip)
        for (const double time : {-1.0, 0.0, 0.3, 1e9}) {
            posed_positions(file, clip, time, positions);
            require(positions.size() == file.mesh.positions.size());
        }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view content(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        check(read_mesh_from_memory(static_cast<MeshFormat>(data[0] % 5), content, "fuzz"));
    } catch (const InputError&) {
    }
    return 0;
}
