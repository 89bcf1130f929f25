#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace knead {

/// An 8-bit sRGB picture: rows from the top, three bytes a pixel.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> bytes = {};

    std::array<std::uint8_t, 3> at(int x, int y) const {
        const std::size_t i = offset(x, y);
        return {bytes[i], bytes[i + 1], bytes[i + 2]};
    }
    std::size_t offset(int x, int y) const { return 3 * (static_cast<std::size_t>(y) * width + x); }
};

/// The picture as the bytes of a PNG file. Throws InputError when the picture is empty or its bytes
/// do not match its size.
std::string encode_png(const Image& image);

/// Writes a PNG file, whole or not at all. Throws InputError when it cannot be written.
void write_png(const std::filesystem::path& path, const Image& image);

} // namespace knead
