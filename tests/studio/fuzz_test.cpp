#include <gtest/gtest.h>

#include "own_folder.hpp"
#include "studio/fuzz_run.hpp"

namespace knead::studio {
namespace {

// The same as tests/fuzz/studio_fuzz, for some seconds.
TEST(StudioFuzz, ShortAndAlwaysTheSame) {
    const OwnFolder folder;
    FuzzSettings settings;
    settings.messages = 400;
    settings.scenes = KNEAD_SCENES;
    settings.meshes = KNEAD_MESH_CORPUS;
    settings.folder = folder.path();
    const FuzzCounts counts = fuzz_studio(settings);
    EXPECT_GE(counts.messages, settings.messages);
    // Most of what is said is understood, and some of it is not.
    EXPECT_GT(counts.answers, counts.messages / 2);
    EXPECT_GT(counts.refusals, counts.messages / 50);
    EXPECT_GT(counts.closed, 0);
}

} // namespace
} // namespace knead::studio
