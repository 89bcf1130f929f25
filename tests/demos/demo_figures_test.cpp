#include "knead/scene/judge/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "demo_scenes.hpp"
#include "program.hpp"

namespace knead {
namespace {

// What a demo is held to all along its motion, not only where it is deepest. What some of them miss
// is named among the limits of docs/deformer.md.
struct DemoFigures {
    const char* demo;
    double left = 0.02; ///< of the depth before, in the same frame
    int crossings = 0;
    int flips = 0;
};

constexpr int flips_of_grip = 2, flips_of_fins = 31, flips_of_arm = 7, flips_of_finger = 16;
// Spikes that are crushed pass through themselves: what is inside them is not sure.
constexpr int crossings_of_thorns = 200, flips_of_thorns = 16;

constexpr DemoFigures figures[] = {
    {"animal-cushion"},
    {"ball-on-bulge"},
    {"ball-under-plate"},
    {"belt"},
    {"capsules-crossing"},
    {"capsules-end-to-end"},
    {"capsules-parallel"},
    {"clasp"},
    {"coarse-under-rod"},
    {"comb-bumpy-body"},
    {"cube-on-bumps"},
    {.demo = "fin-on-floor", .flips = flips_of_fins},
    {"fingers-ball"},
    {"fingers-palm"},
    {"first-touch"},
    {"foot-in-ground"},
    {.demo = "grip", .flips = flips_of_grip},
    {"hand-pillow"},
    {"hand-window"},
    {"hat-on-egg"},
    {"lip-under-ball"},
    {"painted-cushion"},
    {"ring-on-stem"},
    {"rough-ball"},
    {.demo = "skinned-capsule", .flips = flips_of_arm},
    {.demo = "skinned-finger", .flips = flips_of_finger},
    {"skinned-lips"},
    {"small-ball-large-ball"},
    {"soft-ring-on-stem"},
    {"sole-on-sheet"},
    {"sphere-on-plane"},
    {.demo = "sphere-on-thorns", .crossings = crossings_of_thorns, .flips = flips_of_thorns},
    {"spread-hand"},
    {"tubular-sphere"},
    {"two-spheres-plane"},
};

class FiguresOfDemo : public Program, public testing::WithParamInterface<DemoFigures> {};

TEST_P(FiguresOfDemo, HoldInEveryThirdFrame) {
    const DemoFigures& wanted = GetParam();
    ASSERT_EQ(knead(std::string("run '") + KNEAD_SCENES + "/" + wanted.demo +
                    ".json' --step 3 --quiet --format pc2 --out out")
                  .code,
              0);
    double deepest = 0;
    for (const FrameReport& frame : read_report(folder / "out" / "report.json").frames) {
        for (const ContactReport& contact : frame.contacts) {
            deepest = std::max(deepest, contact.depth_before);
            EXPECT_LE(contact.depth_after, wanted.left * contact.depth_before) << frame.frame;
            EXPECT_LE(contact.crossings_after, wanted.crossings) << frame.frame;
        }
        for (const ObjectReport& object : frame.objects)
            EXPECT_LE(object.flips, wanted.flips) << object.name << " at " << frame.frame;
    }
    EXPECT_GT(deepest, 0.03);
}

INSTANTIATE_TEST_SUITE_P(Scenes, FiguresOfDemo, testing::ValuesIn(figures),
                         [](const auto& scene) { return test_name(scene.param.demo); });

struct ContinuousPart {
    const char* demo;
    const char* frames;
};

class ContinuousDemo : public Program, public testing::WithParamInterface<ContinuousPart> {};

// Where contacts that go round begin to, where bulges beside them come near to folds, and where
// holes of zones close.
TEST_P(ContinuousDemo, HasNoJump) {
    const auto& [demo, frames] = GetParam();
    const auto ran = knead(std::string("inspect --jumps ") + KNEAD_SCENES + "/" + demo +
                           ".json --frames " + frames);
    ASSERT_EQ(ran.code, 0);
    EXPECT_NE(ran.out.find("\ncontinuous: nothing jumps"), std::string::npos) << ran.out;
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, ContinuousDemo,
    testing::Values(ContinuousPart{"belt", "12:13"}, ContinuousPart{"cube-on-bumps", "19:26"},
                    ContinuousPart{"foot-in-ground", "18:19"},
                    ContinuousPart{"foot-in-ground", "27:28"}, ContinuousPart{"grip", "24:25"},
                    ContinuousPart{"soft-ring-on-stem", "8:10"}),
    [](const auto& part) {
        std::string name = test_name(std::string(part.param.demo) + "_" + part.param.frames);
        std::replace(name.begin(), name.end(), ':', '_');
        return name;
    });

} // namespace
} // namespace knead
