#pragma once

#include "knead/base/file.hpp"
#include "knead/scene/load/loaded_scene.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "own_folder.hpp"
#include "scene/scene_text.hpp"

namespace knead {

/// A folder of its own for each test, with files and scenes in it.
class SceneFolder : public testing::Test {
protected:
    const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

    /// The folder, as messages begin with it.
    std::string here() const { return folder_.string() + "/"; }
    void write(const std::string& name, std::string_view content) const {
        write_file_atomically(folder_ / name, content);
    }
    LoadedScene load(std::string_view objects, std::string_view scene_keys = "") const {
        return load_scene(parse_scene(
            json(fmt::format("{{'knead': 1, {} 'objects': [{}]}}", scene_keys, objects)),
            folder_ / "scene.json"));
    }

private:
    OwnFolder own_;
    const std::filesystem::path& folder_ = own_.path();
};

} // namespace knead
