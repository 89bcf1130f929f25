#include "knead/scene/load/input_files.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/io/mesh_file.hpp"

#include <fmt/format.h>

#include <optional>
#include <sys/stat.h>

namespace knead {
namespace fs = std::filesystem;

namespace {

using Inode = std::pair<std::uintmax_t, std::uintmax_t>;

std::optional<Inode> inode_of(const fs::path& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) return std::nullopt;
    return Inode(found.st_dev, found.st_ino);
}

// Links and dots resolved as far as the path exists; as it is when that is impossible.
fs::path canonical_or_same(const fs::path& path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    const fs::path canonical = error ? fs::path() : fs::weakly_canonical(absolute, error);
    return error ? path : canonical;
}

} // namespace

InputFiles::InputFiles(const Scene& scene) {
    add(scene.path, "as the scene itself");
    for (const SceneObject& object : scene.objects) {
        add(scene, object, object.mesh);
        add(scene, object, object.proxy);
        for (const auto& [name, source] : object.attributes) {
            if (const auto* csv = std::get_if<SceneFile>(&source))
                add(scene, object, *csv);
            else if (const auto& base = std::get<Painting>(source).base_file)
                add(scene, object, *base);
        }
        if (!object.skin) continue;
        if (const auto* skeleton = std::get_if<SceneFile>(&object.skin->skeleton))
            add(scene, object, *skeleton);
        if (const auto* weights = std::get_if<SceneFile>(&object.skin->weights))
            add(scene, object, *weights);
    }
}

void InputFiles::add(const fs::path& path, const std::string& use) {
    by_path_.try_emplace(canonical_or_same(path), use);
    if (const std::optional<Inode> inode = inode_of(path)) by_inode_.try_emplace(*inode, use);
}

void InputFiles::add(const Scene& scene, const SceneObject& object,
                     std::span<const MeshSource> sources) {
    for (const MeshSource& source : sources)
        if (const SceneFile* file = source.file()) add(scene, object, *file);
}

void InputFiles::add(const Scene& scene, const SceneObject& object, const SceneFile& file) {
    const std::string use =
        fmt::format("by object {} ({})", single_quoted(object.name), file.where);
    for (const fs::path& path : {file.path, fs::path(scene.path).parent_path() / file.name}) {
        if (!file.is_sequence()) {
            add(path, use);
            continue;
        }
        // A scene that is called by its bare name is where one is.
        const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
        const std::string name = path.filename().string();
        const std::size_t begin = name.find('#'), end = name.rfind('#') + 1;
        sequences_.push_back(
            {canonical_or_same(folder), name.substr(0, begin), name.substr(end), end - begin, use});
        std::error_code error;
        for (fs::directory_iterator entry(folder, error), none; !error && entry != none;
             entry.increment(error))
            if (find_use(sequences_.back().folder, entry->path().filename().string()) != nullptr)
                add(entry->path(), use);
    }
    if (file.is_sequence()) return;
    try {
        for (const fs::path& buffer : buffers_of_mesh(file.path)) add(buffer, use);
    } catch (const InputError&) {
        // Of a file that cannot be read there is no more to lose than itself.
    }
}

const std::string* InputFiles::find_use(const fs::path& canonical_folder,
                                        const std::string& name) const {
    if (const auto found = by_path_.find(canonical_folder / name); found != by_path_.end())
        return &found->second;
    for (const Sequence& sequence : sequences_) {
        const std::size_t around = sequence.before.size() + sequence.after.size();
        if (canonical_folder == sequence.folder && name.size() >= around + sequence.digits &&
            name.starts_with(sequence.before) && name.ends_with(sequence.after) &&
            name.substr(sequence.before.size(), name.size() - around)
                    .find_first_not_of("0123456789") == std::string::npos)
            return &sequence.use;
    }
    return nullptr;
}

void InputFiles::expect_not_written(const fs::path& folder, std::span<const std::string> names,
                                    std::string_view remedy) const {
    const fs::path canonical_folder = canonical_or_same(folder.empty() ? "." : folder);
    for (const std::string& name : names) {
        const fs::path path = folder / name;
        const std::string* use = find_use(canonical_folder, name);
        if (const auto inode = inode_of(path); use == nullptr && inode)
            if (const auto found = by_inode_.find(*inode); found != by_inode_.end())
                use = &found->second;
        if (use != nullptr)
            throw InputError(fmt::format("{}: writing this would replace a file that is read {}; "
                                         "{}",
                                         path.string(), *use, remedy));
    }
}

} // namespace knead
