#include "knead/io/sequence.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace fs = std::filesystem;

MeshSequence::MeshSequence(const fs::path& pattern) : folder_(pattern.parent_path()) {
    const std::string name = pattern.filename().string();
    const std::size_t begin = name.find('#'), end = name.find_last_of('#') + 1;
    if (begin == std::string::npos || name.find_first_not_of('#', begin) < end)
        throw InputError(
            fmt::format("{}: expected one run of # where the frame number goes", pattern.string()));
    before_ = name.substr(0, begin);
    after_ = name.substr(end);
    digits_ = end - begin;

    std::error_code error;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(folder_.empty() ? fs::path(".") : folder_, error)) {
        const std::string file = entry.path().filename().string();
        if (file.size() < before_.size() + digits_ + after_.size() || !file.starts_with(before_) ||
            !file.ends_with(after_))
            continue;
        const std::string_view number = std::string_view(file).substr(
            before_.size(), file.size() - before_.size() - after_.size());
        if (number.find_first_not_of("0123456789") != number.npos) continue;
        const std::optional<int> frame = parse_int(number);
        // "00012" is not how frame 12 is written with four digits.
        if (frame && path_of(*frame).filename() == file) frames_.push_back(*frame);
    }
    if (frames_.empty()) throw InputError(fmt::format("{}: no such files", pattern.string()));
    std::sort(frames_.begin(), frames_.end());
    first_ = read_mesh(path_of(frames_.front()));
}

fs::path MeshSequence::path_of(int frame) const {
    return folder_ / fmt::format("{}{:0{}}{}", before_, frame, digits_, after_);
}

std::vector<Vec3> MeshSequence::read(int frame) const {
    if (frame == first_frame()) return first_.mesh.positions;
    const fs::path path = path_of(frame);
    MeshFile file = read_mesh(path);
    const std::string first = path_of(first_frame()).filename().string();
    if (file.mesh.vertex_count() != first_.mesh.vertex_count() ||
        file.mesh_vertex_of != first_.mesh_vertex_of)
        throw InputError(fmt::format("{}: the mesh has {}, expected {} as in {}", path.string(),
                                     counted(file.mesh.vertex_count(), "vertex", "vertices"),
                                     first_.mesh.vertex_count(), first));
    if (file.polygon_count() != first_.polygon_count())
        throw InputError(fmt::format("{}: the mesh has {}, expected {} as in {}", path.string(),
                                     counted(file.polygon_count(), "face", "faces"),
                                     first_.polygon_count(), first));
    for (int p = 0; p < file.polygon_count(); ++p)
        if (!std::ranges::equal(file.polygon(p), first_.polygon(p)))
            throw InputError(
                fmt::format("{}: face {} has other corners than in {}", path.string(), p, first));
    return std::move(file.mesh.positions);
}

void MeshSequence::positions_at(double frame, std::vector<Vec3>& positions) const {
    const double held = std::clamp(frame, double(first_frame()), double(last_frame()));
    const int before = static_cast<int>(std::floor(held));
    const double fraction = held - before;
    positions = read(before);
    if (fraction == 0) return;
    const std::vector<Vec3> next = read(before + 1);
    for (std::size_t v = 0; v < positions.size(); ++v)
        positions[v] = (1 - fraction) * positions[v] + fraction * next[v];
}

} // namespace knead
