#include "scene_files.hpp"

#include "knead/base/file.hpp"
#include "knead/base/hash.hpp"
#include "knead/scene/load/input_files.hpp"
#include "knead/scene/read/scene_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "assets.hpp"

namespace knead::studio {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_scenes = 500;
constexpr int most_entries = 20'000;
constexpr std::uintmax_t most_listed_bytes = 4 << 20;

bool is_below(const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
           folder.end();
}

bool looks_like_scene(const fs::path& path) {
    try {
        const JsonValue json = parse_json(read_text_file(path, most_listed_bytes), path.string());
        const JsonValue* objects = json.find("objects");
        return json.find("knead") != nullptr && objects != nullptr && objects->list() != nullptr;
    } catch (const InputError&) {
        return false;
    }
}

// By the scene's own file, which takes the place of an earlier version of itself only.
void expect_inputs_kept(Scene scene) {
    const fs::path path = scene.path;
    scene.path = (path.parent_path() / "another version").string();
    const std::array names = {path.filename().string()};
    InputFiles(scene).expect_not_written(path.parent_path(), names, "choose another name");
}

std::string hash_of(std::string_view text) {
    Hash hash;
    hash.add(text);
    return hash.text();
}

} // namespace

fs::path below_folder(const Context& context, const std::string& path, const std::string& key) {
    const bool odd =
        path.empty() || path.size() > 1000 || std::any_of(path.begin(), path.end(), [](char c) {
            return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\';
        });
    std::error_code error;
    fs::path full = odd ? fs::path() : fs::weakly_canonical(context.folder / path, error);
    if (odd || error || !is_below(full, context.folder))
        throw InputError(fmt::format("{}: found {}, expected a path below the scene's folder", key,
                                     in_quotes(path)));
    return full;
}

std::string relative_name(const Context& context, const fs::path& path) {
    return path.lexically_relative(context.folder).generic_string();
}

void leave_out_folder(const fs::path& folder, std::string& sentence) {
    const std::string part = folder.string() + "/";
    for (std::size_t at = sentence.find(part); at != std::string::npos;
         at = sentence.find(part, at))
        sentence.erase(at, part.size());
}

std::optional<std::string> revision_of(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return std::nullopt;
    return hash_of(read_text_file(path));
}

OpenedScene open_scene(const Context& context, const fs::path& path) {
    const std::string text = read_text_file(path, context.settings.limits.message_bytes / 2);
    return {json_text(parse_json(text, path.string())), hash_of(text)};
}

std::vector<std::string> list_scenes(const Context& context) {
    std::vector<std::string> names;
    std::error_code error;
    int entries = 0;
    fs::recursive_directory_iterator at(context.folder,
                                        fs::directory_options::skip_permission_denied, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
        if (++entries > most_entries || names.size() == most_scenes) break;
        std::error_code ignored;
        const std::string name = at->path().filename().string();
        if (at->is_directory(ignored)) {
            if (name.starts_with('.') || name == "node_modules" || at.depth() >= 4)
                at.disable_recursion_pending();
        } else if (name.ends_with(".json") && at->is_regular_file(ignored) &&
                   is_below(fs::weakly_canonical(at->path(), ignored), context.folder) &&
                   looks_like_scene(at->path())) {
            names.push_back(relative_name(context, at->path()));
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

SavedScene save_scene(SessionState& session, const SaveRequest& request) {
    if (request.path.extension() != ".json")
        throw InputError(fmt::format("path: found {}, expected a name that ends in .json",
                                     in_quotes(request.path.filename().string())));
    const std::string text = indented_json(request.document);
    SceneOptions options;
    options.overlays = {session.assets};
    session.read_as = request.path;
    expect_inputs_kept(parse_scene(text, request.path, options));

    // Pages that save at the same time come one after the other.
    const std::lock_guard guard(session.context->saving);
    const std::optional<std::string> on_disk = revision_of(request.path);
    if (on_disk && on_disk != request.revision && !request.overwrite)
        throw Conflict(fmt::format("{}: the file was changed by somebody else since it was opened",
                                   relative_name(*session.context, request.path)));
    SavedScene saved{hash_of(text), {}};
    for (const std::string& name : request.assets) {
        check_asset_name(name);
        const std::optional<std::string> sent = revision_of(session.assets / name);
        if (!sent)
            throw InputError(
                fmt::format("assets: found {}, which the page has not sent", in_quotes(name)));
        const fs::path target = request.path.parent_path() / name;
        const std::optional<std::string> there = revision_of(target);
        const auto known = request.saved_assets.find(name);
        const bool is_own = known != request.saved_assets.end() && there == known->second;
        if (there && there != sent && !is_own && !request.overwrite)
            throw Conflict(fmt::format("{}: another file of that name is there already",
                                       relative_name(*session.context, target)));
        saved.assets[name] = *sent;
    }
    for (const std::string& name : request.assets)
        write_file_atomically(request.path.parent_path() / name,
                              read_text_file(session.assets / name));
    write_file_atomically(request.path, text);
    return saved;
}

} // namespace knead::studio
