#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "studio/page_client.hpp"

namespace knead::studio {

/// What a page sends, and how.
struct PageMessage {
    enum class Way {
        text,
        binary,
        broken_off ///< a frame that ends in its middle, and the connection with it
    } way = Way::text;
    std::string bytes;
    std::chrono::milliseconds pause{0}; ///< before it is sent
    bool waits = false;                 ///< until everything before it is answered
};

/// What conversations are made from.
struct MillStock {
    struct Mesh {
        std::string ending;
        std::string content;
    };
    std::vector<TestJson> documents;
    std::vector<TestJson> slow; ///< more of them, which come now and then
    std::vector<Mesh> meshes;
};

/// The bundled scenes, made coarse, and meshes of a corpus whose first byte tells the format.
MillStock read_stock(const std::filesystem::path& scenes, const std::filesystem::path& meshes);

/// What a page might say from beginning to end, in the order of a person who works on scenes:
/// documents with edits, frames, files, strokes, exports. A third of them is as the page would say
/// it; in the others values, keys, order and bytes are spoiled. The same seed gives the same.
std::vector<PageMessage> make_conversation(const MillStock& stock, std::uint64_t seed);

} // namespace knead::studio
