#include "knead/scene/load/mesh_builder.hpp"

#include "knead/io/csv.hpp"
#include "knead/io/formats.hpp"
#include "knead/mesh/bumps.hpp"
#include "knead/mesh/check.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/scene/format/json.hpp"
#include "knead/scene/load/paint_strokes.hpp"

#include <fmt/format.h>

#include <algorithm>
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
    MeshFile operator()(const LatheShape& s) const {
        return mesh_file(make_lathe(s.profile, s.resolution, s.rows));
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

// Messy meshes are worked with, but not without a word.
std::vector<std::string> mesh_notes(const TriangleMesh& mesh) {
    using enum MeshProblem;
    std::vector<std::string> notes;
    for (const MeshFinding& finding : check_mesh(mesh))
        for (const MeshProblem problem : {zero_area_face, non_manifold_edge, non_manifold_vertex,
                                          inconsistent_orientation, inward_facing})
            if (finding.problem == problem) notes.push_back(finding.sentence);
    return notes;
}

struct PaintedMap {
    Painting painting;
    VertexAttribute map;
};

// What is there before the first stroke.
VertexAttribute base_of(const Painting& painting, const MeshFile& file) {
    if (!painting.base_file)
        return {1, std::vector<double>(file.mesh.positions.size(), painting.base)};
    const SceneFile& csv = *painting.base_file;
    VertexAttribute base = at_key(csv.where, [&] { return read_csv_painting(csv, file); });
    if (base.components != 1)
        throw InputError(fmt::format("{}: found {} numbers a row, expected one to paint on",
                                     csv.where, base.components));
    return base;
}

template <typename ToPaintOn>
VertexAttribute painted_on(VertexAttribute base, const Painting& painting,
                           const ToPaintOn& to_paint_on) {
    if (!painting.strokes.empty()) paint_strokes(painting.strokes, to_paint_on(), base);
    return base;
}

// A person paints stroke after stroke: those that were there before need not be painted again.
template <typename ToPaintOn>
VertexAttribute painted_on(const std::string& key, const Painting& painting, const MeshFile& file,
                           const ToPaintOn& to_paint_on, LoadWorkspace& workspace) {
    const std::vector<PaintingStroke>& strokes = painting.strokes;
    std::shared_ptr<const PaintedMap> before = workspace.find<PaintedMap>(key);
    const auto goes_on = [&](const Painting& earlier) {
        return earlier.base == painting.base && earlier.strokes.size() <= strokes.size() &&
               std::equal(earlier.strokes.begin(), earlier.strokes.end(), strokes.begin(),
                          [](const PaintingStroke& a, const PaintingStroke& b) {
                              return a.does_the_same_as(b);
                          });
    };
    if (before == nullptr || !goes_on(before->painting)) {
        before = std::make_shared<const PaintedMap>(
            PaintedMap{painting, painted_on(base_of(painting, file), painting, to_paint_on)});
    } else if (before->painting.strokes.size() < strokes.size()) {
        PaintedMap more{painting, before->map};
        paint_strokes(std::span(strokes).subspan(before->painting.strokes.size()), to_paint_on(),
                      more.map);
        before = std::make_shared<const PaintedMap>(std::move(more));
    }
    workspace.keep(key, before);
    return before->map;
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

BuiltMesh build_mesh(const SceneObject& object) {
    BuiltMesh built;
    built.file = build_sources(object.mesh, built.sequence);
    built.texture_coordinates = vertex_texture_coordinates(built.file);
    if (!built.file.mesh.faces.empty()) built.notes = mesh_notes(built.file.mesh);
    return built;
}

std::optional<std::string> words_for(const SceneFile& file) {
    // A sequence is many files, and so may a .gltf be.
    if (file.is_sequence() || file.path.extension() == ".gltf") return std::nullopt;
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file.path, error);
    if (error) return std::nullopt;
    const auto written = std::filesystem::last_write_time(file.path, error);
    if (error) return std::nullopt;
    return fmt::format("{}\n{} {}", file.path.string(), size, written.time_since_epoch().count());
}

std::optional<std::string> words_for(const std::string& text, std::span<const MeshSource> sources) {
    std::string words = text;
    for (const MeshSource& source : sources) {
        if (source.file() == nullptr) continue;
        const std::optional<std::string> file = words_for(*source.file());
        if (!file) return std::nullopt;
        words += "\n" + *file;
    }
    return words;
}

void add_attributes(const SceneObject& object, MeshFile& file, LoadWorkspace* workspace,
                    const std::optional<std::string>& mesh_words) {
    if (!mesh_words) workspace = nullptr;
    std::optional<Surface> surface;
    const auto to_paint_on = [&]() -> const Surface& {
        if (!surface && workspace != nullptr)
            surface = make_surface(
                *workspace->find_or_make<std::shared_ptr<const SurfaceStructure>>(
                    "structure\n" + *mesh_words,
                    [&] { return make_structure(file.mesh.positions, file.mesh.faces); }),
                file.mesh.positions);
        if (!surface) surface = make_surface(file.mesh);
        return *surface;
    };
    for (const auto& [name, source] : object.attributes) {
        VertexAttribute& attribute = file.mesh.attributes[name];
        if (const auto* csv = std::get_if<SceneFile>(&source)) {
            attribute = at_key(csv->where, [&] { return read_csv_painting(*csv, file); });
            continue;
        }
        const auto& painting = std::get<Painting>(source);
        const std::optional<std::string> base_words =
            painting.base_file ? words_for(*painting.base_file) : "";
        if (workspace == nullptr || !base_words)
            attribute = painted_on(base_of(painting, file), painting, to_paint_on);
        else
            attribute = painted_on(
                fmt::format("painting\n{}\n{}\n{}", in_quotes(name), *mesh_words, *base_words),
                painting, file, to_paint_on, *workspace);
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
