#include "knead/scene/judge/report.hpp"

#include <gtest/gtest.h>

#include "demo_scenes.hpp"
#include "program.hpp"

namespace knead {
namespace {

// What a demo is held to all along its motion, not only where it is deepest. What some of them miss
// is named among the limits of docs/deformer.md.
struct DemoFigures {
    const char* demo;
    double left = 0.02; ///< of the depth before, in the same frame
    bool closed = true; ///< so that nothing may cross
    int flips = 0;
};

constexpr double left_of_treads = 0.3, left_at_lip = 0.04;
constexpr int flips_of_grip = 2, flips_of_fins = 30;

constexpr DemoFigures figures[] = {
    {"belt"},
    {"clasp"},
    {"coarse-under-rod"},
    {.demo = "fin-on-floor", .flips = flips_of_fins},
    {.demo = "grip", .flips = flips_of_grip},
    {.demo = "lip-under-ball", .left = left_at_lip, .closed = false},
    {"ring-on-stem"},
    {"soft-ring-on-stem"},
    {.demo = "sole-on-sheet", .left = left_of_treads, .closed = false},
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
            if (wanted.closed) {
                EXPECT_EQ(contact.crossings_after, 0) << frame.frame;
            }
        }
        for (const ObjectReport& object : frame.objects)
            EXPECT_LE(object.flips, wanted.flips) << object.name << " at " << frame.frame;
    }
    EXPECT_GT(deepest, 0.05);
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

INSTANTIATE_TEST_SUITE_P(Scenes, ContinuousDemo,
                         testing::Values(ContinuousPart{"belt", "12:13"},
                                         ContinuousPart{"cube-on-bumps", "19:26"},
                                         ContinuousPart{"foot-in-ground", "27:28"},
                                         ContinuousPart{"grip", "24:25"},
                                         ContinuousPart{"soft-ring-on-stem", "8:10"}),
                         [](const auto& part) { return test_name(part.param.demo); });

} // namespace
} // namespace knead
