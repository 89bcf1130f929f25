#include "knead/scene/read/scene_file.hpp"

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/hash.hpp"
#include "knead/io/mesh_file.hpp"
#include "knead/scene/format/overrides.hpp"
#include "knead/scene/read/part_readers.hpp"

#include <fmt/format.h>

#include <limits>
#include <set>

namespace knead {
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t max_scene_bytes = 64 << 20;
constexpr long long max_scene_frames = 1'000'000;
constexpr std::size_t max_objects = 1000;

Method read_method(const SceneValue& value) {
    if (const std::string* name = value.json().text())
        if (const std::optional<Method> method = method_of(*name)) return *method;
    std::vector<std::string_view> names;
    for (const Method method : methods()) names.push_back(method_name(method));
    value.expected_one_of(names);
}

FrameRange read_frames(const SceneValue& value) {
    constexpr int limit = 1'000'000'000;
    if (!value.is_list() || value.json().list()->size() != 2) value.expected("[first, last]");
    const FrameRange frames{value.item(0).integer(-limit, limit),
                            value.item(1).integer(-limit, limit)};
    const long long count = static_cast<long long>(frames.last) - frames.first + 1;
    if (count < 1)
        value.fail(fmt::format("found the last frame {} before the first frame {}", frames.last,
                               frames.first));
    if (count > max_scene_frames)
        value.fail(fmt::format("found {} frames, expected at most {}", count, max_scene_frames));
    return frames;
}

ViewSpec read_view(const SceneValue& value) {
    value.expect_keys({"azimuth", "elevation", "zoom"});
    ViewSpec view;
    read_member(value, "azimuth", view.azimuth,
                [](const SceneValue& v) { return v.number(bounds::any); });
    read_member(value, "elevation", view.elevation,
                [](const SceneValue& v) { return v.number(bounds::any); });
    read_member(value, "zoom", view.zoom,
                [](const SceneValue& v) { return v.number(bounds::positive); });
    return view;
}

std::string hash_of(std::string_view text, const std::vector<std::string>& overrides) {
    Hash hash;
    hash.add(text);
    for (const std::string& entry : overrides) hash.add(entry);
    return hash.text();
}

// The copies of an object: it again, with other values for some keys.
std::vector<SceneValue> copies_of(const SceneValue& object) {
    const auto copies = object.find("copies");
    if (!copies) return {};
    std::vector<SceneValue> result;
    for (const SceneValue& copy : copies->items("a list of copies")) {
        if (!copy.is_object()) copy.expected("an object with the keys that differ");
        for (const char* key : {"mesh", "copies"})
            if (const auto same = copy.find(key))
                same->fail("a copy has the mesh of its object, and no copies of its own");
        copy.require("name", "the copy's name");
        result.push_back(copy.over(object));
    }
    return result;
}

std::vector<SceneObject> read_objects(const SceneValue& value, const ScenePaths& paths, UpAxis up) {
    std::vector<SceneObject> objects;
    std::set<std::string> names;
    const auto add = [&](const SceneValue& item) {
        if (objects.size() == max_objects)
            value.fail(fmt::format("found more than {} objects, expected fewer", max_objects));
        objects.push_back(read_object(item, paths, up));
        if (!names.insert(objects.back().name).second)
            item.find("name")->fail(
                fmt::format("found {} a second time, expected names that differ",
                            in_quotes(objects.back().name)));
    };
    const std::vector<SceneValue> items = value.items("a list of objects");
    if (items.empty()) value.expected("a list of objects");
    for (const SceneValue& item : items) {
        add(item);
        for (const SceneValue& copy : copies_of(item)) add(copy);
    }
    return objects;
}

std::vector<ContactSpec> read_contacts(const SceneValue& value, Scene& scene) {
    std::vector<ContactSpec> contacts;
    std::set<std::array<std::string, 3>> known;
    for (const SceneValue& item : value.items("a list of contacts")) {
        contacts.push_back(read_contact(item, scene));
        std::string a = side_name(scene, contacts.back().between[0]);
        std::string b = side_name(scene, contacts.back().between[1]);
        if (b < a) std::swap(a, b);
        // An object may fold at several joints.
        const std::string joint = a == b ? contacts.back().fold->joints[1] : "";
        if (!known.insert({a, b, joint}).second)
            item.find("between")->fail(
                fmt::format("found {} and {} a second time, expected one contact a pair",
                            in_quotes(a), in_quotes(b)));
    }
    return contacts;
}

} // namespace

SceneFile read_path(const SceneValue& value, const ObjectContext& context) {
    return context.paths.resolve(value.text("the path of a file"), value.where());
}

Keyed<Vec3> read_world_vector(const SceneValue& value, UpAxis up) {
    Keyed<Vec3> result = value.keyed_vec3();
    for (Vec3& v : result.values) v = up_rotation(up) * v;
    return result;
}

Scene read_scene(const fs::path& path, const SceneOptions& options) {
    if (fs::is_directory(path))
        throw InputError(
            fmt::format("{}: is a folder, expected a scene file (.json)", path.string()));
    if (fs::exists(path) && path.extension() != ".json" && is_mesh_name(path))
        throw InputError(fmt::format("{}: is a mesh, expected a scene file (.json) that names it; "
                                     "knead inspect says what a mesh is",
                                     path.string()));
    return parse_scene(read_text_file(path, max_scene_bytes), path, options);
}

Scene parse_scene(std::string_view text, const fs::path& path, const SceneOptions& options) {
    const SceneText scene_text{path.string(), options.overrides};
    JsonValue json = parse_json(text, scene_text.name);
    apply_overrides(json, options.overrides);
    const SceneValue root(scene_text, json, "");
    if (!root.is_object()) root.expected("an object with the keys knead, frames, objects ...");
    root.expect_keys({"knead", "about", "frames", "fps", "up", "view", "objects", "contacts",
                      "contact_order", "exclude", "method", "gravity", "step", "tolerance", "wind",
                      "air_density", "separate"});
    const SceneValue version = root.require("knead", "1, the version of the format");
    if (version.json().number() == nullptr || *version.json().number() != 1)
        version.expected("1, the version of the format");

    Scene scene;
    scene.path = scene_text.name;
    scene.hash = hash_of(text, options.overrides);
    read_member(root, "about", scene.about,
                [](const SceneValue& v) { return v.text("a line about the scene"); });
    read_member(root, "view", scene.view, read_view);
    scene.paths = ScenePaths(path.parent_path(), options.assets, options.overlays);
    read_member(root, "frames", scene.frames, read_frames);
    read_member(root, "fps", scene.fps,
                [](const SceneValue& v) { return v.number(bounds::positive); });
    read_member(root, "up", scene.up, [](const SceneValue& v) {
        return v.choice<UpAxis>({{"y", UpAxis::y}, {"z", UpAxis::z}});
    });
    read_member(root, "method", scene.method, read_method);
    const auto world_vector = [&](const SceneValue& v) { return read_world_vector(v, scene.up); };
    read_member(root, "gravity", scene.gravity, world_vector);
    read_member(root, "wind", scene.wind, world_vector);
    read_member(root, "air_density", scene.air_density,
                [](const SceneValue& v) { return v.keyed_number(settings::air_density.bounds); });
    read_member(root, "separate", scene.separate, [](const SceneValue& v) { return v.boolean(); });
    read_member(root, "step", scene.step,
                [](const SceneValue& v) { return v.number(settings::step.bounds); });
    read_member(root, "tolerance", scene.tolerance,
                [](const SceneValue& v) { return v.number(settings::tolerance.bounds); });

    scene.objects =
        read_objects(root.require("objects", "a list of objects"), scene.paths, scene.up);
    read_member(root, "contacts", scene.contacts,
                [&](const SceneValue& v) { return read_contacts(v, scene); });
    read_member(root, "contact_order", scene.contact_order, [](const SceneValue& v) {
        return v.choice<ContactOrder>(
            {{"together", ContactOrder::together}, {"deepest_first", ContactOrder::deepest_first}});
    });
    read_member(root, "exclude", scene.exclude,
                [&](const SceneValue& v) { return read_exclude(v, scene); });
    return scene;
}

} // namespace knead
