#include "assets.hpp"

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace knead::studio {
namespace fs = std::filesystem;

void check_asset_name(const std::string& name) {
    constexpr std::array<std::string_view, 8> endings = {".obj", ".ply",  ".stl", ".off",
                                                         ".glb", ".gltf", ".bin", ".csv"};
    const bool fit =
        name.size() <= 100 && std::all_of(name.begin(), name.end(), [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-';
        });
    const bool known = std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
        return name.size() > ending.size() && name.ends_with(ending);
    });
    if (!fit || !known || name.front() == '.')
        throw InputError(fmt::format("name: found {}, expected at most 100 letters, digits, '.', "
                                     "'_' and '-' that end in .obj, .ply, .stl, .off, .glb, "
                                     ".gltf, .bin or .csv",
                                     in_quotes(name)));
}

AnnouncedAsset read_announcement(const Limits& limits, const Request& request) {
    const RequestReader reader(request);
    const std::string name = reader.require("name", "the name of a file").text("a file's name");
    check_asset_name(name);
    const SceneValue bytes = reader.require("bytes", "how long the file is");
    const double most = static_cast<double>(limits.asset_bytes);
    if (bytes.number(bounds::not_negative) > most)
        bytes.expected(fmt::format("at most {}", limits.asset_bytes));
    return {name, static_cast<std::size_t>(bytes.number())};
}

std::string store_asset(const SessionState& session, const AnnouncedAsset& asset,
                        const std::string& content) {
    if (content.size() != asset.bytes)
        throw InputError(
            fmt::format("bytes: found {}, expected {} as announced", content.size(), asset.bytes));
    const Limits& limits = session.context->settings.limits;
    int files = 1;
    std::uintmax_t bytes = content.size();
    for (const fs::directory_entry& entry : fs::directory_iterator(session.assets)) {
        if (entry.path().filename() == asset.name) continue;
        ++files;
        bytes += entry.file_size();
    }
    if (files > limits.assets)
        throw InputError(
            fmt::format("name: found {} files, expected at most {}", files, limits.assets));
    if (bytes > limits.all_asset_bytes)
        throw InputError(fmt::format("bytes: found {} bytes in all files, expected at most {}",
                                     bytes, limits.all_asset_bytes));
    write_file_atomically(session.assets / asset.name, content);
    Hash hash;
    hash.add(content);
    return hash.text();
}

} // namespace knead::studio
