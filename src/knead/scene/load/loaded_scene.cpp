#include "knead/scene/load/loaded_scene.hpp"

#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/base/warning.hpp"
#include "knead/io/formats.hpp"
#include "knead/mesh/topology.hpp"
#include "knead/mesh/turned_over.hpp"
#include "knead/scene/format/json.hpp"
#include "knead/scene/load/fold_groups.hpp"
#include "knead/scene/load/implicit_field.hpp"
#include "knead/scene/load/mesh_builder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <set>

namespace knead {
namespace {

const Rig* rig_of(const LoadedObject& object) {
    if (object.skin) {
        const auto* file = std::get_if<FileSkeleton>(&object.skin->skeleton);
        return file == nullptr ? nullptr : &file->rig;
    }
    return object.source.rig ? &*object.source.rig : nullptr;
}

std::vector<std::string> names_of(const LoadedObject& object, NameReference::Kind kind) {
    std::vector<std::string> names;
    const Rig* rig = rig_of(object);
    switch (kind) {
    case NameReference::Kind::attribute:
        for (const auto& [name, attribute] : object.source.mesh.attributes)
            if (attribute.components == 1) names.push_back(name);
        break;
    case NameReference::Kind::group:
        for (const auto& [name, vertices] : object.source.mesh.groups) names.push_back(name);
        break;
    case NameReference::Kind::joint: {
        const Skeleton* skeleton = rig == nullptr ? nullptr : &rig->skeleton;
        if (object.skin && std::holds_alternative<SceneSkeleton>(object.skin->skeleton))
            skeleton = &std::get<SceneSkeleton>(object.skin->skeleton).skeleton;
        if (skeleton != nullptr)
            for (const Joint& joint : skeleton->joints) names.push_back(joint.name);
        break;
    }
    case NameReference::Kind::vertex:
        break;
    case NameReference::Kind::animation:
        if (rig != nullptr)
            for (const Clip& clip : rig->clips) names.push_back(clip.name);
        break;
    }
    return names;
}

void check_vertex(const LoadedObject& object, const NameReference& reference) {
    const int count = object.source.file_vertex_count();
    if (parse_int(reference.name).value() >= count)
        throw InputError(fmt::format("{}: found vertex {}, expected 0 to {}", reference.where,
                                     reference.name, count - 1));
}

// What is painted is in range at every vertex and key.
void check_painted(const VertexAttribute& attribute, const NameReference& reference) {
    const PaintedNumber& number = reference.paints->number;
    const Bounds& bounds = reference.paints->bounds;
    if (attribute.values.empty()) return;
    const auto [least, most] =
        std::minmax_element(attribute.values.begin(), attribute.values.end());
    std::vector<double> frames;
    for (const Keyed<double>* end : {&number.low, &number.high})
        frames.insert(frames.end(), end->frames.begin(), end->frames.end());
    if (frames.empty()) frames.push_back(0);
    const bool constant = number.low.is_constant() && number.high.is_constant();
    for (const double frame : frames)
        for (const double painted : {*least, *most}) {
            const double value = number.at(frame, painted);
            if (bounds.contain(value)) continue;
            throw InputError(fmt::format(
                "{}: found {} where {} is {}{}, expected {}", reference.where, shortest(value),
                in_quotes(reference.name), shortest(painted),
                constant ? "" : fmt::format(" at frame {}", shortest(frame)), bounds.words));
        }
}

void check_reference(const LoadedObject& object, const NameReference& reference) {
    if (reference.kind == NameReference::Kind::vertex) return check_vertex(object, reference);
    std::vector<std::string> known = names_of(object, reference.kind);
    if (std::find(known.begin(), known.end(), reference.name) != known.end()) {
        if (reference.paints)
            check_painted(object.source.mesh.attributes.at(reference.name), reference);
        return;
    }
    using enum NameReference::Kind;
    const char* what = reference.kind == attribute ? "a vertex attribute with one number a vertex"
                       : reference.kind == group   ? "a vertex group"
                       : reference.kind == joint   ? "a joint"
                                                   : "an animation";
    if (reference.kind == joint && known.empty())
        throw InputError(fmt::format("{}: found {}, but {}", reference.where,
                                     in_quotes(reference.name), reference.without_joints));
    constexpr std::size_t most_shown = 20;
    const bool cut = known.size() > most_shown;
    known.resize(std::min(known.size(), most_shown));
    for (std::string& name : known) name = in_quotes(name);
    throw InputError(fmt::format("{}: found {}, expected {}; the object has {}{}", reference.where,
                                 in_quotes(reference.name), what,
                                 known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")),
                                 cut ? " ..." : ""));
}

// A map that is named where a group is asked for is one: of all vertices with at least half of it.
void add_painted_group(const NameReference& reference, TriangleMesh& mesh) {
    if (reference.kind != NameReference::Kind::group || mesh.groups.contains(reference.name))
        return;
    const auto map = mesh.attributes.find(reference.name);
    if (map == mesh.attributes.end() || map->second.components != 1) return;
    std::vector<int> vertices;
    for (std::size_t v = 0; v < map->second.values.size(); ++v)
        if (map->second.values[v] >= 0.5) vertices.push_back(static_cast<int>(v));
    if (vertices.empty())
        throw InputError(fmt::format("{}: found the map {}, expected one with at least 0.5 at some "
                                     "vertex to be a vertex group",
                                     reference.where, in_quotes(reference.name)));
    mesh.groups[reference.name] = std::move(vertices);
}

// What `make` makes, or has made from the same words before.
template <typename Make>
auto remembered(LoadWorkspace* workspace, const char* kind, const std::optional<std::string>& words,
                const Make& make) -> decltype(make()) {
    if (workspace == nullptr || !words) return make();
    return *workspace->find_or_make<decltype(make())>(fmt::format("{}\n{}", kind, *words), make);
}

// What a skin is made from; nothing when only looking at more than files and words would tell.
std::optional<std::string> words_for_skin(const SceneObject& object, const std::string& mesh) {
    const SkinSpec& skin = *object.skin;
    std::string words =
        fmt::format("{}\n{}\n{}", object.skin_text, in_quotes(object.animation), mesh);
    if (std::holds_alternative<AttributeWeights>(skin.weights)) return std::nullopt;
    for (const SceneFile* file :
         {std::get_if<SceneFile>(&skin.skeleton), std::get_if<SceneFile>(&skin.weights)}) {
        if (file == nullptr) continue;
        const std::optional<std::string> of_file = words_for(*file);
        if (!of_file) return std::nullopt;
        words += "\n" + *of_file;
    }
    return words;
}

// Makes the object's skin, which may change the rig of its mesh instead.
void add_skin(const SceneObject& object, LoadWorkspace* workspace,
              const std::optional<std::string>& mesh_words, LoadedObject& loaded) {
    struct Made {
        std::optional<ObjectSkin> skin;
        std::optional<Rig> rig;
    };
    Made made = remembered(workspace, "skin",
                           mesh_words ? words_for_skin(object, *mesh_words) : std::nullopt, [&] {
                               return at_key(object.skin->where, [&] {
                                   std::optional<ObjectSkin> skin =
                                       build_skin(*object.skin, object.animation, loaded.source);
                                   return Made{std::move(skin), loaded.source.rig};
                               });
                           });
    loaded.skin = std::move(made.skin);
    loaded.source.rig = std::move(made.rig);
}

// Turned over, a solid would be all that is outside of it.
void check_has_back(const TriangleMesh& mesh, const std::string& where) {
    if (!mesh.faces.empty() && is_closed(build_topology(mesh.faces, mesh.vertex_count())))
        throw InputError(where + ": found \"back\" of a closed mesh, expected \"front\": only an "
                                 "open sheet is touched from either side");
}

LoadedObject load_object(const SceneObject& object, double first_frame, LoadWorkspace* workspace) {
    LoadedObject loaded;
    std::optional<std::string> words =
        workspace == nullptr ? std::nullopt : words_for(object.mesh_text, object.mesh);
    // Without a mesh, an implicit solid has that of its samples, as far as it says how thick it is.
    const bool is_sampled = object.mesh.empty() && has_field(object.implicit);
    if (words && is_sampled && object.implicit.is_animated())
        *words += fmt::format("\n{}", first_frame);
    BuiltMesh built = remembered(workspace, "mesh", words, [&] {
        if (!is_sampled) return build_mesh(object);
        BuiltMesh sampled;
        sampled.file.mesh = sample_mesh(object, first_frame);
        return sampled;
    });
    loaded.source = std::move(built.file);
    loaded.sequence = std::move(built.sequence);
    loaded.texture_coordinates = std::move(built.texture_coordinates);
    loaded.notes = std::move(built.notes);
    add_attributes(object, loaded.source, workspace, words);
    if (object.mesh.size() == 1) loaded.at = object.mesh[0].at;
    if (loaded.source.name.empty()) loaded.source.name = object.name;
    if (!object.proxy.empty())
        loaded.proxy = remembered(workspace, "proxy",
                                  workspace == nullptr ? std::nullopt
                                                       : words_for(object.proxy_text, object.proxy),
                                  [&] { return build_proxy(object); });
    // Attributes come first: the skin may take its weights from them.
    for (const NameReference& reference : object.references)
        if (reference.kind == NameReference::Kind::attribute) check_reference(loaded, reference);
    if (object.skin) add_skin(object, workspace, words, loaded);
    for (const NameReference& reference : object.references) {
        add_painted_group(reference, loaded.source.mesh);
        check_reference(loaded, reference);
    }
    if (loaded.source.rig && !loaded.sequence)
        loaded.clip = find_clip(*loaded.source.rig, loaded.skin ? "" : object.animation);
    if (object.side == SheetSide::back)
        for (const MeshFile* file : {&loaded.source, loaded.proxy ? &*loaded.proxy : nullptr})
            if (file != nullptr) check_has_back(file->mesh, object.side_where);
    // The proxy rests in object space, where such a mesh does not stay as it is.
    if (loaded.proxy && (loaded.sequence || loaded.skin || loaded.clip >= 0))
        throw InputError(object.proxy[0].where +
                         ": a mesh with a skin, an animation or a sequence of files cannot have a "
                         "proxy");
    return loaded;
}

LoadedScene load_scene(Scene scene, LoadWorkspace* workspace) {
    LoadedScene loaded{std::move(scene), {}};
    loaded.objects.resize(loaded.scene.objects.size());
    // Of several objects that cannot be read, the first is complained about.
    std::vector<std::exception_ptr> errors(loaded.objects.size());
    parallel_for(loaded.objects.size(), 1, [&](std::size_t i) {
        try {
            loaded.objects[i] =
                load_object(loaded.scene.objects[i], loaded.scene.frames.first, workspace);
        } catch (...) {
            errors[i] = std::current_exception();
        }
    });
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
    add_fold_groups(loaded);
    for (std::size_t i = 0; i < loaded.objects.size(); ++i)
        for (const std::string& note : loaded.objects[i].notes)
            warn(fmt::format("{}: {}: {}", loaded.scene.path, loaded.scene.objects[i].name, note));
    if (workspace != nullptr) workspace->forget_unwanted();
    return loaded;
}

} // namespace

LoadedScene load_scene(Scene scene) {
    // What copies have in common is made once.
    std::set<std::string_view> meshes;
    for (const SceneObject& object : scene.objects) meshes.insert(object.mesh_text);
    LoadWorkspace workspace;
    const bool alike = meshes.size() < scene.objects.size();
    return load_scene(std::move(scene), alike ? &workspace : nullptr);
}

LoadedScene load_scene(Scene scene, LoadWorkspace& workspace) {
    return load_scene(std::move(scene), &workspace);
}

std::vector<Vec3> positions_at(const LoadedScene& loaded, int object, double frame) {
    const LoadedObject& from = loaded.objects[object];
    const double seconds = loaded.scene.seconds_at(frame);
    if (!(std::abs(frame) < 1e9))
        throw InputError(fmt::format("frame {}: expected a frame between -1e9 and 1e9", frame));

    std::vector<Vec3> positions;
    Affine3 to_object = from.at;
    if (from.sequence) {
        at_key(loaded.scene.objects[object].mesh[0].where,
               [&] { from.sequence->positions_at(frame, positions); });
    } else if (from.source.rig) {
        posed_positions(from.source, from.clip, seconds, positions);
    } else {
        positions = from.source.mesh.positions;
        to_object = Affine3::Identity();
    }
    const Affine3 placement = placement_at(loaded.scene, loaded.scene.objects[object], frame);
    if (from.skin) {
        for (Vec3& position : positions) position = to_object * position;
        apply_skin_at(*from.skin, frame, seconds, positions);
        to_object = Affine3::Identity();
    }
    const Affine3 to_world = placement * to_object;
    for (Vec3& position : positions) position = to_world * position;
    formats::check_positions(
        positions,
        fmt::format("object {} at frame {}", in_quotes(loaded.scene.objects[object].name), frame));
    return positions;
}

std::vector<std::vector<Vec3>> positions_at(const LoadedScene& loaded, double frame) {
    std::vector<std::vector<Vec3>> positions;
    for (int object = 0; object < static_cast<int>(loaded.objects.size()); ++object)
        positions.push_back(positions_at(loaded, object, frame));
    return positions;
}

std::vector<Vec3> joint_positions_at(const LoadedScene& loaded, int object,
                                     std::span<const std::string> names, double frame) {
    const LoadedObject& from = loaded.objects[object];
    const double seconds = loaded.scene.seconds_at(frame);
    const std::vector<Affine3> joints = from.skin
                                            ? joints_at(*from.skin, frame, seconds)
                                            : world_joints(*from.source.rig, from.clip, seconds);
    Affine3 to_world = placement_at(loaded.scene, loaded.scene.objects[object], frame);
    if (!from.skin) to_world = to_world * from.at;
    const std::vector<std::string> known = names_of(from, NameReference::Kind::joint);
    std::vector<Vec3> positions;
    for (const std::string& name : names) {
        const auto joint = std::find(known.begin(), known.end(), name) - known.begin();
        positions.push_back(to_world * joints[static_cast<std::size_t>(joint)].translation());
    }
    return positions;
}

std::vector<Triangle> touched_faces(const LoadedScene& loaded, int object) {
    const std::vector<Triangle>& faces = loaded.objects[object].source.mesh.faces;
    return loaded.scene.objects[object].side == SheetSide::back ? turned_over(faces) : faces;
}

bool is_animated(const LoadedScene& loaded, int object) {
    const LoadedObject& from = loaded.objects[object];
    return loaded.scene.objects[object].is_animated() || from.clip >= 0;
}

std::vector<double> values_at(const LoadedScene& loaded, int object, const PaintedNumber& number,
                              double frame) {
    const TriangleMesh& mesh = loaded.objects[object].source.mesh;
    std::vector<double> values(mesh.positions.size(), number.at(frame));
    if (number.is_painted()) {
        const VertexAttribute& attribute = mesh.attributes.at(number.map);
        for (int v = 0; v < mesh.vertex_count(); ++v) values[v] = number.at(frame, attribute.at(v));
    }
    return values;
}

} // namespace knead
