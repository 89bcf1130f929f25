#include "knead/io/mesh_file.hpp"

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/text.hpp"
#include "knead/io/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace knead {
namespace formats {

void check_positions(std::span<const Vec3> positions, const std::string& file) {
    for (std::size_t v = 0; v < positions.size(); ++v) {
        const Vec3& p = positions[v];
        // Not a number compares with nothing.
        if ((p.array().abs() <= max_coordinate).all()) continue;
        throw InputError(fmt::format(
            "{}: vertex {} is at ({}, {}, {}), expected {}", file, v, p.x(), p.y(), p.z(),
            p.allFinite() ? "coordinates between -1e100 and 1e100" : "finite numbers"));
    }
}

void complete(MeshFile& result, const std::string& file) {
    TriangleMesh& mesh = result.mesh;
    if (mesh.positions.empty())
        throw InputError(fmt::format("{}: the mesh has no vertices, expected at least 3", file));
    if (result.polygons.count() == 0)
        throw InputError(fmt::format("{}: the mesh has no faces, expected at least 1", file));
    check_positions(mesh.positions, file);
    check_polygons(result.polygons, mesh.positions.size(), file);
    mesh.faces = triangulate(result.polygons, mesh.positions, file);
    // Without larger polygons every face is its own polygon.
    if (result.polygons.corners.size() == 3 * static_cast<std::size_t>(result.polygons.count()))
        result.polygons = {};
}

void add_groups_of_faces(MeshFile& result, const FaceLabels& labels, bool split) {
    if (labels.empty()) return;
    std::vector<std::vector<int>> members(labels.names.size());
    for (int p = 0; p < result.polygon_count(); ++p)
        if (const int label = labels.of_polygon[p]; label >= 0)
            for (const int vertex : result.polygon(p))
                members[label].push_back(result.mesh_vertex(vertex));
    for (std::size_t label = 0; label < members.size(); ++label) {
        std::string_view names = labels.names[label];
        while (!names.empty()) {
            const std::string_view name = names.substr(0, split ? names.find(' ') : names.npos);
            names.remove_prefix(std::min(names.size(), name.size() + 1));
            if (name.empty()) continue;
            std::vector<int>& group = result.mesh.groups[std::string(name)];
            group.insert(group.end(), members[label].begin(), members[label].end());
        }
    }
    for (auto& [name, group] : result.mesh.groups) {
        std::sort(group.begin(), group.end());
        group.erase(std::unique(group.begin(), group.end()), group.end());
    }
}

void check_position_count(const MeshFile& source, std::span<const Vec3> positions,
                          const std::filesystem::path& path) {
    if (positions.size() != source.mesh.positions.size())
        throw InputError(fmt::format("{}: {} given for a mesh of {}", path.string(),
                                     counted(std::ssize(positions), "position", "positions"),
                                     counted(source.mesh.vertex_count(), "vertex", "vertices")));
}

void check_attributes(const MeshFile& source,
                      const std::map<std::string, VertexAttribute>& attributes,
                      const std::filesystem::path& path) {
    for (const auto& [name, attribute] : attributes) {
        const std::size_t expected = source.mesh.positions.size() * attribute.components;
        if (attribute.components < 1 || attribute.values.size() != expected)
            throw InputError(fmt::format("{}: attribute {} has {} values, expected {}",
                                         path.string(), single_quoted(name),
                                         attribute.values.size(), expected));
    }
}

} // namespace formats

namespace {

std::string lower_extension(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return extension;
}

void append(FaceLabels& labels, int polygons, const FaceLabels& other, int other_polygons) {
    if (labels.empty() && other.empty()) return;
    labels.of_polygon.resize(static_cast<std::size_t>(polygons), -1);
    std::map<std::string_view, int> index_of;
    for (std::size_t i = 0; i < labels.names.size(); ++i)
        index_of.emplace(labels.names[i], static_cast<int>(i));
    std::vector<int> label_of;
    const int first_new = static_cast<int>(labels.names.size());
    std::vector<std::string> added;
    for (const std::string& name : other.names) {
        const auto [entry, is_new] =
            index_of.try_emplace(name, first_new + static_cast<int>(added.size()));
        if (is_new) added.push_back(name);
        label_of.push_back(entry->second);
    }
    labels.names.insert(labels.names.end(), added.begin(), added.end());
    for (const int label : other.of_polygon)
        labels.of_polygon.push_back(label < 0 ? -1 : label_of[label]);
    labels.of_polygon.resize(
        static_cast<std::size_t>(polygons) + static_cast<std::size_t>(other_polygons), -1);
}

std::size_t corner_count(const MeshFile& file) {
    return file.polygons.count() == 0 ? 3 * file.mesh.faces.size() : file.polygons.corners.size();
}

void append_texture(MeshFile& file, const MeshFile& other) {
    const int first = static_cast<int>(file.texture_coordinates.size());
    file.texture_coordinates.insert(file.texture_coordinates.end(),
                                    other.texture_coordinates.begin(),
                                    other.texture_coordinates.end());
    if (file.corner_texture.empty() && other.corner_texture.empty()) return;
    const std::size_t corners = corner_count(file);
    file.corner_texture.resize(corners, -1);
    for (const int texture : other.corner_texture)
        file.corner_texture.push_back(texture < 0 ? -1 : first + texture);
    file.corner_texture.resize(corners + corner_count(other), -1);
}

// Polygons are written out for both as soon as one has them.
void append_polygons(MeshFile& file, const MeshFile& other) {
    if (file.polygons.count() == 0 && other.polygons.count() == 0) return;
    if (file.polygons.count() == 0)
        for (const Triangle& face : file.mesh.faces) file.polygons.add(face);
    const int first = file.file_vertex_count();
    for (int p = 0; p < other.polygon_count(); ++p) {
        for (const int vertex : other.polygon(p)) file.polygons.corners.push_back(first + vertex);
        file.polygons.close();
    }
}

void append_vertex_map(MeshFile& file, const MeshFile& other) {
    if (file.mesh_vertex_of.empty() && other.mesh_vertex_of.empty()) return;
    const int first = file.mesh.vertex_count();
    if (file.mesh_vertex_of.empty()) {
        file.mesh_vertex_of.resize(file.mesh.positions.size());
        std::iota(file.mesh_vertex_of.begin(), file.mesh_vertex_of.end(), 0);
    }
    for (int v = 0; v < other.file_vertex_count(); ++v)
        file.mesh_vertex_of.push_back(first + other.mesh_vertex(v));
}

} // namespace

bool is_mesh_name(const std::filesystem::path& path) {
    static constexpr std::string_view own[] = {".obj", ".ply", ".stl", ".off", ".glb", ".gltf"};
    const std::string extension = lower_extension(path);
    return std::find(std::begin(own), std::end(own), extension) != std::end(own) ||
           formats::assimp_reads(extension);
}

MeshFile read_mesh(const std::filesystem::path& path) {
    const std::string extension = lower_extension(path), file = path.string();
    const auto content = [&] { return read_text_file(path, max_mesh_file_bytes); };
    if (extension == ".obj") return formats::read_obj(content(), file);
    if (extension == ".ply") return formats::read_ply(content(), file);
    if (extension == ".stl") return formats::read_stl(content(), file);
    if (extension == ".off") return formats::read_off(content(), file);
    if (extension == ".glb" || extension == ".gltf")
        return formats::read_gltf(content(), file, path.parent_path());
    if (formats::assimp_reads(extension))
        return formats::read_by_assimp(content(), file, extension);
    if (std::filesystem::is_directory(path))
        throw InputError(fmt::format("{}: is a folder, expected a mesh file", file));
    if (!std::filesystem::exists(path)) throw InputError(fmt::format("{}: no such file", file));
    throw InputError(fmt::format("{}: {}, expected .obj, .ply, .stl, .off, .glb, .gltf or one that "
                                 "assimp reads such as .fbx, .dae or .3ds",
                                 file,
                                 extension.size() < 2
                                     ? "the name has no extension"
                                     : "unknown extension " + single_quoted(extension)));
}

std::vector<std::filesystem::path> buffers_of_mesh(const std::filesystem::path& path) {
    const std::string extension = lower_extension(path);
    if (extension != ".glb" && extension != ".gltf") return {};
    return formats::gltf_buffers(read_text_file(path, max_mesh_file_bytes), path.string(),
                                 path.parent_path());
}

MeshFile read_mesh_from_memory(MeshFormat format, std::string_view content,
                               const std::string& name) {
    switch (format) {
    case MeshFormat::obj:
        return formats::read_obj(content, name);
    case MeshFormat::ply:
        return formats::read_ply(content, name);
    case MeshFormat::stl:
        return formats::read_stl(content, name);
    case MeshFormat::off:
        return formats::read_off(content, name);
    case MeshFormat::gltf:
        return formats::read_gltf(content, name, std::nullopt);
    }
    throw InputError(fmt::format("{}: unknown mesh format", name));
}

void posed_positions(const MeshFile& file, int clip, double time, std::vector<Vec3>& positions) {
    if (file.rig)
        posed_positions(*file.rig, clip, time, positions);
    else
        positions = file.mesh.positions;
}

MeshFile mesh_file(TriangleMesh mesh, std::string name) {
    MeshFile result;
    result.name = std::move(name);
    result.mesh = std::move(mesh);
    return result;
}

void append(MeshFile& file, const MeshFile& other) {
    if (&file == &other) {
        append(file, MeshFile(other));
        return;
    }
    const int polygons = file.polygon_count(), added = other.polygon_count();
    append(file.face_groups, polygons, other.face_groups, added);
    append(file.face_objects, polygons, other.face_objects, added);
    append(file.face_materials, polygons, other.face_materials, added);
    std::set<std::string> libraries(file.material_libraries.begin(), file.material_libraries.end());
    for (const std::string& library : other.material_libraries)
        if (libraries.insert(library).second) file.material_libraries.push_back(library);
    // Each counts what the next one changes.
    append_texture(file, other);
    append_polygons(file, other);
    append_vertex_map(file, other);
    append(file.mesh, other.mesh);
}

} // namespace knead
