#include "knead/scene/format/scene_paths.hpp"

#include "knead/base/error.hpp"
#include "knead/scene/format/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace knead {
namespace fs = std::filesystem;

namespace {

bool is_below(const fs::path& path, const fs::path& folder) {
    const auto [folder_rest, path_rest] =
        std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return folder_rest == folder.end() || (folder_rest->empty() && path_rest != path.end());
}

// Symbolic links and dots resolved, as far as the path exists.
fs::path canonical(const fs::path& path, const std::string& where, const std::string& name) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    fs::path result = error ? fs::path() : fs::weakly_canonical(absolute, error);
    if (error)
        throw InputError(fmt::format("{}: the path {} cannot be used: {}", where, in_quotes(name),
                                     error.message()));
    return result;
}

std::string leaves(const std::string& where, const std::string& name) {
    return fmt::format("{}: found {}, which leaves the scene's folder; expected a path below it or "
                       "below a folder given by --assets",
                       where, in_quotes(name));
}

bool has_control_character(const std::string& name) {
    return std::any_of(name.begin(), name.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

} // namespace

ScenePaths::ScenePaths(const fs::path& scene_folder, const std::vector<fs::path>& asset_folders,
                       const std::vector<fs::path>& overlay_folders) {
    folders_.push_back(canonical(scene_folder.empty() ? "." : scene_folder, "scene folder",
                                 scene_folder.string()));
    for (const fs::path& folder : asset_folders) {
        std::error_code error;
        if (!fs::is_directory(folder, error))
            throw InputError(fmt::format("--assets {}: no such folder", folder.string()));
        folders_.push_back(canonical(folder, "--assets", folder.string()));
    }
    for (const fs::path& folder : overlay_folders)
        overlays_.push_back(canonical(folder, "overlay", folder.string()));
}

bool ScenePaths::allows(const fs::path& canonical) const {
    return std::any_of(folders_.begin(), folders_.end(),
                       [&](const fs::path& folder) { return is_below(canonical, folder); });
}

bool ScenePaths::is_there(const fs::path& path, const std::string& where) const {
    std::error_code error;
    const std::string name = path.filename().string();
    if (name.find('#') == std::string::npos) return fs::exists(path, error);
    const std::string before = name.substr(0, name.find('#'));
    const std::string after = name.substr(name.rfind('#') + 1);
    bool found = false;
    for (fs::directory_iterator entry(path.parent_path(), error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string file = entry->path().filename().string();
        if (!file.starts_with(before) || !file.ends_with(after)) continue;
        if (!allows(canonical(entry->path(), where, file))) throw InputError(leaves(where, file));
        found = true;
    }
    return found;
}

SceneFile ScenePaths::resolve(const std::string& name, const std::string& where) const {
    if (name.empty() || has_control_character(name))
        throw InputError(
            fmt::format("{}: found {}, expected the path of a file", where, in_quotes(name)));
    if (std::count(name.begin(), name.end(), '#') > 0) {
        const std::size_t first = name.find('#'), last = name.rfind('#');
        const std::size_t slash = name.rfind('/');
        if (last - first > 8 || name.find_first_not_of('#', first) < last ||
            (slash != std::string::npos && slash > first))
            throw InputError(fmt::format("{}: found {}, expected one run of at most 9 # in the "
                                         "file's name",
                                         where, in_quotes(name)));
    }
    for (const fs::path& overlay : overlays_) {
        const fs::path path = canonical(overlay / name, where, name);
        if (is_below(path, overlay) && is_there(path, where)) return {name, path, where};
    }
    std::optional<fs::path> first_allowed;
    for (const fs::path& base : folders_) {
        const fs::path path = canonical(base / name, where, name);
        if (!allows(path)) continue;
        if (is_there(path, where)) return {name, path, where};
        if (!first_allowed) first_allowed = path;
    }
    if (!first_allowed) throw InputError(leaves(where, name));
    return {name, *first_allowed, where};
}

} // namespace knead
