#pragma once

#include "knead/scene/spec/scene.hpp"

#include <map>
#include <span>
#include <utility>

namespace knead {

/// The files that a scene reads, so that nothing writes over them: the scene itself, meshes and
/// proxies with the buffers they name, sequences, vertex maps, skeletons and weights.
///
/// A file is known by what it is and not by how it is called: through links, `.` and `..`, too.
/// Names that would be read by the next run are taken as well, whether there is a file or not: of a
/// numbered sequence all of them, and those of files that come from a folder of `--assets` in the
/// scene's own, which is looked into first.
class InputFiles {
public:
    explicit InputFiles(const Scene& scene);

    /// One more file. `use` says what it is read as: "by object 'ball' (ball.json:3: ...)".
    void add(const std::filesystem::path& path, const std::string& use);

    /// Throws an InputError that ends with `remedy` ("choose another folder with --out") when a
    /// file of one of the names in the folder, neither of which need be there, is or would be read.
    void expect_not_written(const std::filesystem::path& folder, std::span<const std::string> names,
                            std::string_view remedy) const;

private:
    void add(const Scene& scene, const SceneObject& object, const SceneFile& file);
    void add(const Scene& scene, const SceneObject& object, std::span<const MeshSource> sources);
    const std::string* find_use(const std::filesystem::path& canonical_folder,
                                const std::string& name) const;

    /// Names in a folder that a numbered sequence takes.
    struct Sequence {
        std::filesystem::path folder; ///< canonical
        std::string before, after;    ///< the number
        std::size_t digits;           ///< of the number, at least
        std::string use;
    };

    std::map<std::filesystem::path, std::string> by_path_; ///< canonical path -> use
    std::map<std::pair<std::uintmax_t, std::uintmax_t>, std::string>
        by_inode_; ///< device and number -> use
    std::vector<Sequence> sequences_;
};

} // namespace knead
