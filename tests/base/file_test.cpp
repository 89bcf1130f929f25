#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/file_lock.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <thread>
#include <vector>

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
    EXPECT_EQ(message_of_reading(folder), folder.string() + ": is a folder, expected a file");
    EXPECT_EQ(message_of_reading("/dev/null"), "/dev/null: expected a file, found something else");
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

TEST_F(File, LeftOversGoAndFilesOnTheirWayStay) {
    // As a program leaves it that was killed, and others that only look like it.
    const std::vector<std::string> foreign = {
        "x.part",   "x.1.part",  "x.1-.part",          "x.-1.part",       "x-1.part",
        "1-1.part", ".a-1.part", "movie.2019-12.part", ".knead-1-1.part", "x.knead-1.part"};
    for (const std::string& name : foreign) std::ofstream(folder / name) << "precious";
    for (const char* name : {"x.obj.knead-4711-0.part", "x.knead-1-12.part"})
        std::ofstream(folder / name) << "half";
    fs::create_symlink("x.part", folder / "linked.knead-1-1.part");
    write_file_atomically(folder / "y", [&](std::ostream& out) {
        out << "whole";
        remove_left_overs(folder);
    });
    EXPECT_EQ(read_text_file(folder / "y"), "whole");
    for (const std::string& name : foreign) EXPECT_TRUE(fs::exists(folder / name)) << name;
    EXPECT_EQ(file_count(), static_cast<std::ptrdiff_t>(foreign.size()) + 2);
    remove_left_overs(folder / "none");
}

TEST_F(File, ALockIsHeldByOneAtATime) {
    const fs::path path = folder / "new" / "lock";
    {
        const auto first = FileLock::try_take(path);
        EXPECT_TRUE(first);
        EXPECT_FALSE(FileLock::try_take(path));
    }
    EXPECT_FALSE(fs::exists(path));
    // What is left over from somebody who was killed is no lock.
    std::ofstream(path) << "";
    EXPECT_TRUE(FileLock::try_take(path));
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(File, LocksKeepAllThatIsAdded) {
    constexpr int adders = 8, additions = 50;
    write_file_atomically(folder / "sum", "0");
    std::vector<std::thread> threads;
    for (int i = 0; i < adders; ++i)
        threads.emplace_back([&] {
            for (int n = 0; n < additions; ++n) {
                const FileLock lock(folder / "sum.lock");
                const int sum = std::stoi(read_text_file(folder / "sum"));
                write_file_atomically(folder / "sum", std::to_string(sum + 1));
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(read_text_file(folder / "sum"), std::to_string(adders * additions));
    EXPECT_EQ(file_count(), 1);
}

} // namespace
} // namespace knead
