#include "knead/base/error.hpp"
#include "knead/base/file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ostream>

#include "own_folder.hpp"

namespace knead {
namespace {
namespace fs = std::filesystem;

class File : public testing::Test {
protected:
    OwnFolder own;
    const fs::path& folder = own.path();

    std::string message_of_reading(const fs::path& path, std::uintmax_t max_bytes = 1000) {
        try {
            read_text_file(path, max_bytes);
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    }
    std::ptrdiff_t file_count() {
        return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
    }
};

TEST_F(File, ReadsBackWhatWasWritten) {
    const std::string content("a\0b\r\n", 5);
    write_file_atomically(folder / "new" / "x.bin", content);
    EXPECT_EQ(read_text_file(folder / "new" / "x.bin"), content);
}

TEST_F(File, NamesWhatIsWrong) {
    EXPECT_EQ(message_of_reading(folder / "none"), (folder / "none").string() + ": no such file");
    EXPECT_EQ(message_of_reading(folder),
              folder.string() + ": expected a file, found something else");
    write_file_atomically(folder / "long", "12345");
    EXPECT_EQ(message_of_reading(folder / "long", 4),
              (folder / "long").string() + ": the file has 5 bytes, expected at most 4");
}

TEST_F(File, AFailedWriteLeavesTheOldFileAndNothingElse) {
    write_file_atomically(folder / "x", "old");
    const auto fail = [](std::ostream& out) {
        out << "half";
        throw InputError("stop");
    };
    EXPECT_THROW(write_file_atomically(folder / "x", fail), InputError);
    EXPECT_EQ(read_text_file(folder / "x"), "old");
    EXPECT_EQ(file_count(), 1);
}

TEST_F(File, UnfinishedFilesCanBeRemovedByASignalHandler) {
    write_file_atomically(folder / "whole", "w");
    EXPECT_THROW(write_file_atomically(folder / "x",
                                       [&](std::ostream&) {
                                           EXPECT_EQ(file_count(), 2);
                                           remove_unfinished_files();
                                           EXPECT_EQ(file_count(), 1);
                                       }),
                 InputError);
}

} // namespace
} // namespace knead
