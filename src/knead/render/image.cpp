#include "knead/render/image.hpp"

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"

#include <fmt/format.h>
#include <png.h>

namespace knead {

std::string encode_png(const Image& image) {
    const std::size_t expected = image.width < 1 || image.height < 1
                                     ? 0
                                     : 3 * static_cast<std::size_t>(image.width) * image.height;
    if (expected == 0 || image.bytes.size() != expected)
        throw InputError(fmt::format("png: a picture of {} x {} pixels with {} bytes, expected at "
                                     "least one pixel and three bytes each",
                                     image.width, image.height, image.bytes.size()));
    png_image header = {};
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(image.width);
    header.height = static_cast<png_uint_32>(image.height);
    header.format = PNG_FORMAT_RGB;
    // libpng never writes more than this bound, so one pass suffices.
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
    std::string encoded(size, '\0');
    if (!png_image_write_to_memory(&header, encoded.data(), &size, 0, image.bytes.data(), 0,
                                   nullptr))
        throw Error(fmt::format("png: {}", header.message));
    encoded.resize(size);
    return encoded;
}

void write_png(const std::filesystem::path& path, const Image& image) {
    write_file_atomically(path, encode_png(image));
}

} // namespace knead
