#include "knead/render/image.hpp"

#include <gtest/gtest.h>
#include <png.h>

#include <filesystem>
#include <fstream>

#include "own_folder.hpp"
#include "picture.hpp"

namespace knead {
namespace {

namespace fs = std::filesystem;

class PngFile : public ::testing::Test {
protected:
    OwnFolder own_;
    const fs::path& folder_ = own_.path();
};

Image pattern(int width, int height) {
    Image image{width, height, {}};
    for (int i = 0; i < 3 * width * height; ++i)
        image.bytes.push_back(static_cast<std::uint8_t>(i * 37 + i / 11));
    return image;
}

TEST_F(PngFile, ReadsBackBitForBit) {
    for (const auto& [width, height] : {std::pair{1, 1}, {17, 5}, {64, 128}}) {
        const Image image = pattern(width, height);
        const fs::path path = folder_ / "picture.png";
        write_png(path, image);
        png_image header = {};
        header.version = PNG_IMAGE_VERSION;
        ASSERT_TRUE(png_image_begin_read_from_file(&header, path.c_str()));
        EXPECT_EQ(static_cast<int>(header.width), width);
        EXPECT_EQ(static_cast<int>(header.height), height);
        header.format = PNG_FORMAT_RGB;
        std::vector<std::uint8_t> bytes(PNG_IMAGE_SIZE(header));
        ASSERT_TRUE(png_image_finish_read(&header, nullptr, bytes.data(), 0, nullptr));
        EXPECT_EQ(bytes, image.bytes);
    }
}

TEST_F(PngFile, WrongPicturesAndPathsAreNamed) {
    EXPECT_EQ(input_error([] { encode_png(Image{}); }),
              "png: a picture of 0 x 0 pixels with 0 bytes, expected at least one pixel and three "
              "bytes each");
    Image image = pattern(4, 4);
    image.bytes.pop_back();
    EXPECT_EQ(input_error([&] { encode_png(image); }),
              "png: a picture of 4 x 4 pixels with 47 bytes, expected at least one pixel and three "
              "bytes each");
    const fs::path blocked = folder_ / "file";
    std::ofstream(blocked) << "not a folder";
    EXPECT_EQ(input_error([&] { write_png(blocked / "picture.png", pattern(2, 2)); }),
              blocked.string() + ": the folder cannot be made: Not a directory");
}

} // namespace
} // namespace knead
