#include "knead/base/text.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "scene/scene_folder.hpp"

namespace knead {
namespace {

// A number of the deformer, and where it stands in the file.
struct Control {
    const char* name;
    const char* object_keys; ///< of the ball; {} is the value
    const char* contact_keys = "";
    double low, high;
};

std::ostream& operator<<(std::ostream& out, const Control& control) {
    return out << control.name;
}

std::string with_value(std::string text, const std::string& value) {
    if (const std::size_t at = text.find("{}"); at != text.npos) text.replace(at, 2, value);
    return text;
}

// A soft ball in a soft floor; nothing but the control changes from frame to frame.
class KeyFrames : public SceneFolder, public testing::WithParamInterface<Control> {
protected:
    LoadedScene scene(const std::string& object_value, const std::string& contact_value) const {
        const Control& control = GetParam();
        return load(fmt::format("{{'name': 'ball', 'mesh': {{'sphere': {{'subdivisions': 2}}}}, "
                                "'attributes': {{'side': 'side.csv'}}, "
                                "'transform': {{'translate': [0.1, 0.7, 0]}} {}}}, "
                                "{{'name': 'floor', 'mesh': {{'grid': {{'cells': [20, 20]}}}}}}",
                                with_value(control.object_keys, object_value)),
                    fmt::format("'contacts': [{{'between': ['ball', 'floor'] {}}}],",
                                with_value(control.contact_keys, contact_value)));
    }
    LoadedScene scene(const std::string& value) const { return scene(value, value); }
    void SetUp() override {
        SceneFolder::SetUp();
        std::string side;
        for (int v = 0; v < 162; ++v) side += v % 2 == 0 ? "0\n" : "1\n";
        write("side.csv", side);
    }
    static std::vector<std::vector<Vec3>> solve(const LoadedScene& scene, double frame) {
        return FrameSolver(scene).solve(frame).after;
    }
};

TEST_P(KeyFrames, AFrameIsWhatTheConstantWouldBe) {
    const auto [low, high] = std::pair(GetParam().low, GetParam().high);
    const LoadedScene keyed =
        scene(fmt::format("{{'keys': [[1, {}], [3, {}]], 'interpolation': 'linear'}}", low, high));
    const auto first = solve(keyed, 1), middle = solve(keyed, 2), last = solve(keyed, 3);
    EXPECT_NE(first, last);
    EXPECT_NE(first, middle);
    EXPECT_NE(middle, last);
    EXPECT_EQ(first, solve(scene(shortest(low)), 1));
    EXPECT_EQ(middle, solve(scene(shortest(0.5 * low + 0.5 * high)), 1));
    EXPECT_EQ(last, solve(scene(shortest(high)), 1));
}

INSTANTIATE_TEST_SUITE_P(
    Controls, KeyFrames,
    testing::Values(
        Control{"stiffness", ", 'stiffness': {}", "", 0.5, 3},
        Control{"extent", ", 'extent': {}", "", 1.5, 2.5},
        Control{"bulge", ", 'bulge': {}", "", 0, 2},
        Control{"omega", ", 'bulge_map': 'anisotropic', 'anisotropy': {'omega': {}}", "", 1, 3},
        Control{"psi", ", 'bulge_map': 'anisotropic', 'anisotropy': {'psi': {}}", "", 0, 1},
        Control{"bulge_at", ", 'profile': {'bulge_at': {}}", "", 0.2, 0.7},
        Control{"end_at", ", 'profile': {'end_at': {}}", "", 0.5, 0.9},
        Control{"wrinkle_amplitude", ", 'profile': {'wrinkles': {'amplitude': {}}}", "", 0, 0.1},
        Control{"waves", ", 'profile': {'wrinkles': {'amplitude': 0.05, 'waves': {}}}", "", 1, 4},
        Control{"softness", ", 'softness': {}", "", 0.2, 0.8},
        Control{"smooth_normals", ", 'smooth_normals': {}", "", 0, 0.5},
        Control{"details", ", 'details': {}", "", 0, 0.5},
        Control{"envelope", ", 'envelope': {}", "", 0, 1},
        Control{"offset", ", 'offset': {}", "", 0, 0.05},
        Control{"map_low", ", 'bulge': {'map': 'side', 'low': {}, 'high': 2}", "", 0, 1},
        Control{"map_high", ", 'bulge': {'map': 'side', 'high': {}}", "", 0.5, 2},
        Control{"painted_details", ", 'details': {'map': 'side', 'high': {}}", "", 0.2, 0.5},
        Control{"ball_radius", ", 'rigid': true", ", 'zone': 'ball', 'ball_radius': {}", 0.1, 0.3},
        Control{"apparent_stiffness", "", ", 'apparent_stiffness': {}", -0.5, 0.5}),
    [](const auto& instance) { return std::string(instance.param.name); });

class KeyFramed : public SceneFolder {
protected:
    LoadedScene ball(std::string_view keys, std::string_view contact_keys = "") const {
        return load(
            fmt::format(
                "{{'name': 'ball', 'mesh': {{'sphere': {{'subdivisions': 3}}}}, "
                "'transform': {{'translate': [0.1, 0.7, 0]}} {}}}, "
                "{{'name': 'floor', 'mesh': {{'grid': {{'cells': [30, 30]}}}}, 'rigid': true}}",
                keys),
            fmt::format("'contacts': [{{'between': ['ball', 'floor'] {}}}],", contact_keys));
    }
};

TEST_F(KeyFramed, ADirection) {
    const LoadedScene keyed = ball("", ", 'direction': {'keys': [[1, [0, 1, 0]], [3, [1, 3, 0]]]}");
    const FrameSolver solver(keyed);
    EXPECT_EQ(solver.solve(1).contacts[0].direction, Vec3(0, 1, 0));
    EXPECT_EQ(solver.solve(3).contacts[0].direction, Vec3(1, 3, 0).normalized());
    EXPECT_NE(solver.solve(1).after, solver.solve(3).after);
    const LoadedScene constant = ball("", ", 'direction': [1, 3, 0]");
    EXPECT_EQ(solver.solve(3).after, FrameSolver(constant).solve(1).after);
}

TEST_F(KeyFramed, AnEnvelopeBringsTheResponseIn) {
    const LoadedScene scene =
        ball(", 'envelope': {'keys': [[1, 0], [3, 1]], 'interpolation': 'linear'}");
    const FrameSolver solver(scene);
    const SolvedFrame none = solver.solve(1), half = solver.solve(2), full = solver.solve(3);
    EXPECT_EQ(none.after, none.before);
    EXPECT_NE(full.after, full.before);
    for (std::size_t v = 0; v < half.after[0].size(); ++v)
        EXPECT_EQ(half.after[0][v],
                  Vec3(half.before[0][v] + 0.5 * (full.after[0][v] - full.before[0][v])));
}

TEST_F(KeyFramed, AnOffsetLiftsTheZone) {
    const LoadedScene scene =
        ball(", 'offset': {'keys': [[1, 0], [3, 0.1]], 'interpolation': 'linear'}");
    const FrameSolver solver(scene);
    for (const double frame : {1.5, 2.0, 3.0}) {
        const SolvedFrame solved = solver.solve(frame);
        int count = 0;
        for (std::size_t v = 0; v < solved.objects[0].zone.size(); ++v)
            if (solved.objects[0].zone[v] == 1) {
                EXPECT_NEAR(solved.after[0][v].y(), 0.05 * (frame - 1), 1e-9);
                ++count;
            }
        EXPECT_GT(count, 10);
    }
}

TEST_F(KeyFramed, TwoRigidObjectsHaveNothingToSay) {
    const SolvedFrame solved = FrameSolver(ball(", 'rigid': true")).solve(1);
    EXPECT_EQ(solved.after, solved.before);
    EXPECT_EQ(solved.contacts[0].note, "");
}

} // namespace
} // namespace knead
