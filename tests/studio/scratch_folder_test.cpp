#include "knead/base/file.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <sys/wait.h>
#include <unistd.h>

#include "own_folder.hpp"
#include "scratch_folder.hpp"

namespace knead::studio {
namespace {
namespace fs = std::filesystem;

TEST(ScratchFolder, WhatAKilledProcessLeftGoesWithTheNextAndWhatIsInUseStays) {
    const OwnFolder parent;
    const ScratchFolder in_use(parent.path());
    write_file_atomically(in_use.path() / "page/file.obj", "mine");
    // Folders of other programs that have such a name, too.
    write_file_atomically(parent.path() / "knead-studio-notes/text", "mine");
    fs::create_symlink(in_use.path(), parent.path() / "knead-studio-link");
    const auto count = [&] {
        return std::distance(fs::directory_iterator(parent.path()), fs::directory_iterator());
    };
    ASSERT_EQ(count(), 3);
    const pid_t child = fork();
    if (child == 0) {
        const ScratchFolder left(parent.path());
        write_file_atomically(left.path() / "page/file.obj", "left");
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
    ASSERT_EQ(count(), 4);
    std::optional<ScratchFolder> next(parent.path());
    EXPECT_EQ(count(), 4);
    EXPECT_TRUE(fs::exists(in_use.path() / "page/file.obj"));
    EXPECT_TRUE(fs::exists(parent.path() / "knead-studio-notes/text"));
    EXPECT_TRUE(fs::exists(next->path()));
    next.reset();
    EXPECT_EQ(count(), 3);
}

} // namespace
} // namespace knead::studio
