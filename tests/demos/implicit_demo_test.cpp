#include "knead/scene/judge/report.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "demo_scenes.hpp"
#include "known_results.hpp"
#include "program.hpp"

namespace knead {
namespace {

// A demo with fewer samples, so that it takes seconds.
struct Fewer {
    std::vector<std::string> changes; ///< as for --set
    int last_frame = 1;
    std::vector<std::string> at_rest; ///< objects that move, and rest at the end
    double resting = 1e-6;            ///< their kinetic energy
};

const std::map<std::string, Fewer>& fewer_samples() {
    static const std::map<std::string, Fewer> demos = {
        // With fewer samples it takes other turns, and longer to rest.
        {"clover-stairs", {{}, 145, {"clover"}}},
        {"flesh-arm",
         {{"objects.table.samples=400", "objects.cushion.samples=700", "objects.arm.samples=900",
           "objects.ball.samples=500"},
          145,
          {"cushion", "ball"}}},
        // All twenty, for as long as it takes to be sure that they settle.
        {"heap-of-twenty",
         {{"objects.tray.samples=1000", "objects.ball-1.samples=200",
           "objects.capsule-1.samples=200"},
          60,
          {},
          5e-3}},
        {"implicit-ball-on-floor",
         {{"objects.ball.mesh.sphere.subdivisions=3", "objects.floor.mesh.grid.cells=[20,20]"},
          48,
          {}}},
        {"vaulting-horse",
         {{"objects.floor.samples=400", "objects.horse.samples=1500", "objects.ball.samples=600",
           "objects.second.samples=600"},
          73,
          {"horse", "ball", "second"}}},
    };
    return demos;
}

class ImplicitDemo : public Program, public testing::WithParamInterface<std::string> {};

// What is let go loses energy until it rests, its weight is carried to 1 %, and solids are apart.
TEST_P(ImplicitDemo, ComesToRestUnderItsWeight) {
    const auto found = fewer_samples().find(GetParam());
    ASSERT_NE(found, fewer_samples().end()) << "a demo that this test does not know";
    const Fewer& fewer = found->second;
    std::string options = " --frames 1:" + std::to_string(fewer.last_frame);
    for (const std::string& change : fewer.changes) options += " --set '" + change + "'";
    const std::string scene = std::string(KNEAD_SCENES) + "/" + GetParam() + ".json";
    const Outcome run = knead("run '" + scene + "' --quiet --format pc2 --out out" + options);
    ASSERT_EQ(run.code, 0) << run.err;

    const Report report = read_report(folder / "out" / "report.json");
    ASSERT_EQ(report.frames.size(), static_cast<std::size_t>(fewer.last_frame));
    const std::vector<SceneObject> objects = read_scene(scene).objects;
    const bool is_pushed =
        std::any_of(objects.begin(), objects.end(), [](const SceneObject& object) {
            return !object.transform.is_constant() || (object.skin && object.skin->is_animated());
        });
    double before = report.frames[0].dynamics->energy(), deepest = 0;
    for (const FrameReport& frame : report.frames) {
        const double energy = frame.dynamics->energy();
        if (!is_pushed) {
            EXPECT_LE(energy, before + 2e-3 * std::abs(before)) << frame.frame;
        }
        before = energy;
        for (const ContactReport& contact : frame.contacts) {
            deepest = std::max(deepest, contact.depth_before);
            // What is left is between samples, whose chords cut into curved surfaces; thin parts
            // may be pressed to their skeleton for the moment in which they hit an edge.
            EXPECT_LT(contact.depth_after, 0.06)
                << contact.between[0] << " and " << contact.between[1] << " at " << frame.frame;
        }
    }
    EXPECT_GT(deepest, 0.03);
    const FrameReport& last = report.frames.back();
    expect_known_result(GetParam(), last.frame, last_positions_of_caches(folder / "out"), 1e-4);
    EXPECT_LT(last.dynamics->kinetic, fewer.resting);
    for (const ContactReport& contact : last.contacts) EXPECT_EQ(contact.note, "");
    for (const std::string& name : fewer.at_rest) {
        Vec3 force = Vec3::Zero();
        for (const ContactReport& contact : last.contacts) {
            if (contact.between[0] == name) force += *contact.force;
            if (contact.between[1] == name) force -= *contact.force;
        }
        const auto spec =
            std::find_if(objects.begin(), objects.end(),
                         [&](const SceneObject& object) { return object.name == name; });
        const auto object = std::find_if(last.objects.begin(), last.objects.end(),
                                         [&](const ObjectReport& o) { return o.name == name; });
        const double weight = 9.81 * spec->implicit.density->at(1) * object->volume_before;
        EXPECT_LT((force - Vec3(0, weight, 0)).norm(), 0.01 * weight) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, ImplicitDemo, testing::ValuesIn(demos_of(Method::implicit)),
                         [](const auto& scene) { return test_name(scene.param); });

} // namespace
} // namespace knead
