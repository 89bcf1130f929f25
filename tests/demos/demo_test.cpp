#include "knead/scene/report.hpp"

#include <algorithm>
#include <vector>

#include "program.hpp"

namespace knead {
namespace {

std::vector<std::string> demo_names() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(KNEAD_SCENES))
        names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

class Demo : public Program, public testing::WithParamInterface<std::string> {};

// Every bundled scene at a few frames: the files of the contract, contact at some time, and the
// same bytes in every run.
TEST_P(Demo, WritesTheSameFilesWithAnyNumberOfThreads) {
    const std::string scene = std::string(KNEAD_SCENES) + "/" + GetParam() + ".json";
    for (const char* threads : {"1", "2", "8"})
        ASSERT_EQ(knead("run '" + scene + "' --frames 1:48 --step 23.5 --quiet --threads " +
                        threads + " --out " + threads)
                      .code,
                  0);
    const auto files = content("1");
    EXPECT_EQ(files, content("2"));
    EXPECT_EQ(files, content("8"));

    const Report report = read_report(folder / "1" / "report.json");
    ASSERT_EQ(report.frames.size(), 3u);
    double deepest = 0;
    for (const FrameReport& frame : report.frames)
        for (const ContactReport& contact : frame.contacts)
            deepest = std::max(deepest, contact.depth_before);
    EXPECT_GT(deepest, 0.01);
    EXPECT_EQ(files.size(), 1 + 3 * report.frames[0].objects.size());
    EXPECT_TRUE(files.contains(report.frames[0].objects[0].name + ".0024.500.obj"));
}

INSTANTIATE_TEST_SUITE_P(Scenes, Demo, testing::ValuesIn(demo_names()), [](const auto& scene) {
    std::string name = scene.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

} // namespace
} // namespace knead
