#include "knead/scene/mesh_builder.hpp"

#include "knead/io/csv.hpp"
#include "knead/io/formats.hpp"
#include "knead/mesh/bumps.hpp"
#include "knead/mesh/primitives.hpp"

#include <numeric>

namespace knead {
namespace {

struct MakeMesh {
    std::optional<MeshSequence>& sequence;

    MeshFile operator()(const SceneFile& file) const {
        if (!file.is_sequence()) return read_mesh(file.path);
        sequence.emplace(file.path);
        return sequence->first();
    }
    MeshFile operator()(const SphereShape& s) const {
        return mesh_file(make_sphere(s.radius, s.subdivisions));
    }
    MeshFile operator()(const CapsuleShape& s) const {
        return mesh_file(make_capsule(s.radius, s.length, s.resolution));
    }
    MeshFile operator()(const GridShape& s) const { return mesh_file(make_grid(s.size, s.cells)); }
    MeshFile operator()(const BoxShape& s) const { return mesh_file(make_box(s.size, s.cells)); }
    MeshFile operator()(const TorusShape& s) const {
        return mesh_file(make_torus(s.ring_radius, s.tube_radius, s.resolution));
    }
    MeshFile operator()(const BlobSettings& blob) const { return mesh_file(make_blob(blob)); }
};

MeshFile build_source(const MeshSource& source, std::optional<MeshSequence>& sequence) {
    MeshFile file = std::visit(MakeMesh{sequence}, source.shape);
    if (source.bumps) {
        if (file.rig && !file.rig->clips.empty())
            throw InputError("an animated mesh cannot have bumps");
        file.rig.reset();
        add_bumps(file.mesh, source.bumps->amplitude, source.bumps->wavelength);
    }
    transform(file.mesh, source.at);
    formats::check_positions(file.mesh.positions, "the mesh");
    if (!source.group.empty()) {
        std::vector<int>& members = file.mesh.groups[source.group];
        members.resize(file.mesh.positions.size());
        std::iota(members.begin(), members.end(), 0);
    }
    return file;
}

MeshFile build_sources(std::span<const MeshSource> sources, std::optional<MeshSequence>& sequence) {
    MeshFile result;
    for (const MeshSource& source : sources) {
        MeshFile part = at_key(source.where, [&] { return build_source(source, sequence); });
        if (sources.size() == 1) return part;
        if (part.rig && !part.rig->clips.empty())
            throw InputError(source.where + ": an animated mesh cannot be part of a list");
        append(result, part);
    }
    return result;
}

} // namespace

VertexAttribute read_csv_painting(const SceneFile& file, const MeshFile& source) {
    VertexAttribute painted = read_csv_attribute(file.path, source.file_vertex_count());
    if (source.mesh_vertex_of.empty()) return painted;
    const int width = painted.components;
    VertexAttribute result{width, {}};
    result.values.resize(source.mesh.positions.size() * static_cast<std::size_t>(width));
    for (int v = source.file_vertex_count() - 1; v >= 0; --v)
        for (int c = 0; c < width; ++c)
            result.values[static_cast<std::size_t>(source.mesh_vertex(v)) * width + c] =
                painted.at(v, c);
    return result;
}

MeshFile build_mesh(const SceneObject& object, std::optional<MeshSequence>& sequence) {
    return build_sources(object.mesh, sequence);
}

void add_attributes(const SceneObject& object, MeshFile& file) {
    std::optional<Surface> surface; // to paint on
    for (const auto& [name, source] : object.attributes) {
        VertexAttribute& attribute = file.mesh.attributes[name];
        if (const auto* csv = std::get_if<SceneFile>(&source)) {
            attribute = at_key(csv->where, [&] { return read_csv_painting(*csv, file); });
        } else {
            if (!surface) surface = make_surface(file.mesh);
            attribute = paint_map(std::get<Painting>(source), *surface);
        }
    }
}

MeshFile build_proxy(const SceneObject& object) {
    std::optional<MeshSequence> none;
    MeshFile result = build_sources(object.proxy, none);
    if (result.mesh.faces.empty())
        throw InputError(object.proxy[0].where + ": the proxy has no faces");
    return result;
}

} // namespace knead
