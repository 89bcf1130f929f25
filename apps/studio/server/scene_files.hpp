#pragma once

#include "knead/base/error.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "document.hpp"

namespace knead::studio {

/// A file on disk is not the one that the page knows.
class Conflict : public InputError {
public:
    using InputError::InputError;
};

/// A path that the page gave, in the scenes' folder. Throws InputError when it leads out of it,
/// through a symbolic link either. `key` is the member of the request that has it.
std::filesystem::path below_folder(const Context& context, const std::string& path,
                                   const std::string& key);

/// Where a scene is as the page knows it.
std::string relative_name(const Context& context, const std::filesystem::path& path);

/// Files of the folder are called by their names alone in a sentence for a person.
void leave_out_folder(const std::filesystem::path& folder, std::string& sentence);

/// Tells versions of a file apart; nothing when there is no such file.
std::optional<std::string> revision_of(const std::filesystem::path& path);

/// A scene as the page reads it, and its revision.
struct OpenedScene {
    std::string document; ///< JSON
    std::string revision;
};

/// Throws InputError when it cannot be read or is not JSON.
OpenedScene open_scene(const Context& context, const std::filesystem::path& path);

/// Files below the folder that look like scenes, by name; at most some hundred of them.
std::vector<std::string> list_scenes(const Context& context);

struct SaveRequest {
    std::filesystem::path path;
    const JsonValue& document;
    std::vector<std::string> assets; ///< that the page sent and the document needs
    /// Revisions of those that the page has saved before: these may be overwritten.
    std::map<std::string, std::string> saved_assets;
    std::optional<std::string> revision; ///< that the page knows of
    bool overwrite = false;
};

struct SavedScene {
    std::string revision;
    std::map<std::string, std::string> assets; ///< their revisions
};

/// Writes the scene, and the assets beside it, each whole or not at all. Throws Conflict, with
/// nothing written, when one of them is there in another version, and InputError when the scene
/// would replace a file that it reads.
SavedScene save_scene(SessionState& session, const SaveRequest& request);

} // namespace knead::studio
