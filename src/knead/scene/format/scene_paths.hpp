#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace knead {

/// A file named by a scene. `where` is the key that names it, to begin messages with.
struct SceneFile {
    std::string name; ///< as written in the scene
    /// Where that is; a sequence still has its run of # for the frame number.
    std::filesystem::path path;
    std::string where;

    bool is_sequence() const { return name.find('#') != std::string::npos; }
};

/// The folders a scene may read from: its own and those the user allows. A path that leaves them,
/// directly or through a symbolic link, is refused.
class ScenePaths {
public:
    ScenePaths() = default;
    /// What is in an overlay stands for what the scene's own folder has under the same name.
    ScenePaths(const std::filesystem::path& scene_folder,
               const std::vector<std::filesystem::path>& asset_folders,
               const std::vector<std::filesystem::path>& overlay_folders = {});

    /// `name` is relative to the scene's folder; when nothing is there, to an asset folder. Of a
    /// sequence every file is looked at. Throws an InputError that begins with `where`.
    SceneFile resolve(const std::string& name, const std::string& where) const;

private:
    bool allows(const std::filesystem::path& canonical) const;
    /// The file exists, or a file of the sequence.
    bool is_there(const std::filesystem::path& path, const std::string& where) const;

    std::vector<std::filesystem::path> folders_;  // canonical: the scene's own, then the assets'
    std::vector<std::filesystem::path> overlays_; // the same
};

} // namespace knead
