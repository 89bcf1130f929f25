#include "knead/scene/judge/report.hpp"
#include "knead/scene/read/scene_file.hpp"

#include <algorithm>
#include <vector>

#include "demo_scenes.hpp"
#include "known_results.hpp"
#include "program.hpp"

namespace knead {
namespace {

// A proxy keeps its own volume, and some objects are asked for other bulges, such as the thorns for
// none.
bool keeps_its_volume(const SceneObject& object) {
    return object.proxy.empty() && !object.bulge.is_painted() && object.bulge.at(1) == 1;
}

// Of the depth.
constexpr double largest_part_left = 0.02;

class Demo : public Program, public testing::WithParamInterface<std::string> {};

// Every bundled scene of the deformer at a few frames: the files of the contract, contact at some
// time, and the same bytes in every run.
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

    const std::vector<SceneObject> objects = read_scene(scene).objects;
    const Report report = read_report(folder / "1" / "report.json");
    ASSERT_EQ(report.frames.size(), 3u);
    double deepest = 0, left = 0;
    for (const FrameReport& frame : report.frames) {
        for (const ContactReport& contact : frame.contacts) {
            deepest = std::max(deepest, contact.depth_before);
            left = std::max(left, contact.depth_after);
        }
        double zones = 0;
        for (const ContactReport& contact : frame.contacts)
            zones += contact.zone_area[0] + contact.zone_area[1];
        ASSERT_EQ(frame.objects.size(), objects.size());
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const ObjectReport& object = frame.objects[i];
            if (keeps_its_volume(objects[i]) && zones > 0) {
                EXPECT_NEAR(object.volume_after, object.volume_before,
                            1e-9 * (zones * object.max_displacement +
                                    1e-3 * std::abs(object.volume_before)))
                    << object.name << " at " << frame.frame;
            }
        }
    }
    EXPECT_GT(deepest, 0.01);
    EXPECT_LT(left, largest_part_left * deepest);
    EXPECT_EQ(files.size(), 1 + 3 * report.frames[0].objects.size());
    EXPECT_TRUE(files.contains(report.frames[0].objects[0].name + ".0024.500.obj"));
    for (const auto& [frame, name] :
         {std::pair(1.0, "0001.000.obj"), {24.5, "0024.500.obj"}, {48.0, "0048.000.obj"}})
        expect_known_result(GetParam(), frame, positions_of_frame(folder / "1", name), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Demo, testing::ValuesIn(demos_of(Method::deform)),
                         [](const auto& scene) { return test_name(scene.param); });

} // namespace
} // namespace knead
