#include "knead/scene/run/frame_store.hpp"

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/scene/spec/frame_sequence.hpp"

#include <fmt/format.h>

#include <fstream>
#include <numeric>

namespace knead {
namespace fs = std::filesystem;

namespace {

// Positions, then the maps.
constexpr std::size_t bytes_a_vertex =
    sizeof(Vec3) + std::tuple_size_v<OutputMaps> * sizeof(double);

template <typename T>
void put_list(std::ostream& out, const std::vector<T>& list) {
    out.write(reinterpret_cast<const char*>(list.data()),
              static_cast<std::streamsize>(list.size() * sizeof(T)));
}

template <typename T>
void get_list(std::istream& in, std::size_t count, std::vector<T>& list) {
    list.resize(count);
    in.read(reinterpret_cast<char*>(list.data()), static_cast<std::streamsize>(count * sizeof(T)));
}

fs::path lock_in(const fs::path& folder) {
    return folder / "lock";
}

constexpr std::string_view frame_ending = ".frame";

// What else is in the folder is not ours.
bool is_of_store(const fs::path& file) {
    const std::string name = file.filename().string();
    return name.ends_with(frame_ending) || name.ends_with(".state") ||
           name.starts_with("report.json");
}

} // namespace

FrameStore::FrameStore(fs::path folder, std::vector<std::size_t> vertex_counts,
                       const std::string& refusal)
    : folder_(std::move(folder)),
      vertex_counts_(std::move(vertex_counts)),
      lock_(FileLock::try_take(lock_in(folder_))) {
    if (!lock_) throw InputError(refusal);
    remove_left_overs(folder_);
}

FrameStore::~FrameStore() {
    if (!kept_) clear();
    lock_.reset();
    // Unless there is something in it.
    std::error_code ignored;
    fs::remove(folder_, ignored);
}

void FrameStore::clear() {
    std::error_code ignored;
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(folder_, ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        if (is_of_store(entry->path())) files.push_back(entry->path());
    for (const fs::path& file : files) fs::remove(file, ignored);
}

std::string FrameStore::name_of(double frame) {
    return frame_label(frame, true) + std::string(frame_ending);
}

fs::path FrameStore::path_of(double frame) const {
    return folder_ / name_of(frame);
}

bool FrameStore::has(double frame) const {
    const std::size_t vertices =
        std::accumulate(vertex_counts_.begin(), vertex_counts_.end(), std::size_t(0));
    std::error_code error;
    return fs::file_size(path_of(frame), error) == vertices * bytes_a_vertex && !error;
}

void FrameStore::write(double frame, std::span<const std::vector<Vec3>> positions,
                       std::span<const OutputMaps> maps) const {
    write_file_atomically(path_of(frame), [&](std::ostream& out) {
        for (std::size_t object = 0; object < vertex_counts_.size(); ++object) {
            if (vertex_counts_[object] == 0) continue;
            put_list(out, positions[object]);
            for (const std::vector<double>& map : maps[object]) put_list(out, map);
        }
    });
}

void FrameStore::read(double frame, int object, std::vector<Vec3>& positions,
                      OutputMaps& maps) const {
    const std::size_t before =
        std::accumulate(vertex_counts_.begin(), vertex_counts_.begin() + object, std::size_t(0));
    std::ifstream in(path_of(frame), std::ios::binary);
    in.seekg(static_cast<std::streamoff>(before * bytes_a_vertex));
    get_list(in, vertex_counts_[object], positions);
    for (std::vector<double>& map : maps) get_list(in, vertex_counts_[object], map);
    if (!in) throw InputError(fmt::format("{}: cannot be read back", path_of(frame).string()));
}

} // namespace knead
