#include "knead/scene/judge/report.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "demo_scenes.hpp"
#include "known_results.hpp"
#include "program.hpp"

namespace knead {
namespace {

// A demo made coarse enough for a test: the time it takes goes with the square of its faces.
struct Coarse {
    std::vector<std::string> changes; ///< as for --set
    int last_frame = 2;
    int steps_a_frame = 1; ///< every step is judged
};

const std::map<std::string, Coarse>& coarse_demos() {
    static const std::map<std::string, Coarse> demos = {
        {"ball-curtain",
         {{"objects.curtain.mesh.grid.cells=[24,24]", "objects.curtain.body.pins=[0,6,12,18,24]",
           "objects.ball.mesh.sphere.subdivisions=2"},
          20,
          4}},
        {"cloth-folds", {{"objects.cloth.mesh.grid.cells=[16,16]", "step=0.008"}, 21, 5}},
        // Five letters in a heap between walls that are near at once.
        {"letters",
         {{"objects.K1.copies=[]", "objects.N1.copies=[]", "objects.E1.copies=[]",
           "objects.A1.copies=[]", "objects.D1.copies=[]",
           "objects.K1.transform.translate=[0,0.3,0]", "objects.N1.transform.translate=[0,0.6,0]",
           "objects.E1.transform.translate=[0,0.9,0]", "objects.A1.transform.translate=[0,1.2,0]",
           "objects.D1.transform.translate=[0,1.5,0]",
           R"(objects.left.transform.translate={"keys":[[20,[-0.5,0.6,0]],[40,[-0.2,0.6,0]]]})",
           R"(objects.right.transform.translate={"keys":[[20,[0.5,0.6,0]],[40,[0.2,0.6,0]]]})"},
          40,
          1}},
        {"mixed-stack",
         {{"objects.pad.mesh.box.cells=[5,1,5]", "objects.pad.body.cells=4",
           "objects.crate.mesh.box.cells=[1,1,1]", "objects.tyre.mesh.torus.resolution=14",
           "objects.tyre.body.cells=4", "objects.cloth.mesh.grid.cells=[9,9]",
           "objects.ball.mesh.sphere.subdivisions=1", "objects.soft-ball.body.cells=4"},
          18,
          4}},
        {"six-layer-skirt",
         {{"objects.layer-1.mesh.lathe.resolution=24", "objects.layer-1.mesh.lathe.rows=9",
           "objects.layer-1.body.pins=[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,"
           "23]",
           "objects.body.mesh.lathe.resolution=24", "step=0.01"},
          21,
          2}},
        {"squeezed-ball",
         {{"objects.ball.mesh.sphere.subdivisions=2", "objects.ball.body.cells=4"}, 48, 2}},
    };
    return demos;
}

class SimulatedDemo : public Program, public testing::WithParamInterface<std::string> {};

// What must hold after every step of every simulation, until well after bodies met; and the same
// bytes with any number of threads.
TEST_P(SimulatedDemo, NeverEndsAStepInPenetration) {
    const auto found = coarse_demos().find(GetParam());
    ASSERT_NE(found, coarse_demos().end()) << "a demo that has no coarse version in this test";
    const Coarse& coarse = found->second;
    std::string options = " --frames 1:" + std::to_string(coarse.last_frame) + " --step " +
                          std::to_string(1.0 / coarse.steps_a_frame);
    for (const std::string& change : coarse.changes) options += " --set '" + change + "'";
    const std::string scene = std::string(KNEAD_SCENES) + "/" + GetParam() + ".json";
    for (const char* threads : {"1", "8"}) {
        const Outcome run = knead("run '" + scene + "' --quiet --format ply --threads " + threads +
                                  " --out " + threads + options);
        ASSERT_EQ(run.code, 0) << run.err;
    }
    EXPECT_EQ(content("1"), content("8"));

    const Report report = read_report(folder / "1" / "report.json");
    ASSERT_GT(report.frames.size(), 1u);
    int most_contacts = 0;
    for (const FrameReport& frame : report.frames) {
        ASSERT_TRUE(frame.dynamics.has_value());
        const DynamicsReport& dynamics = *frame.dynamics;
        EXPECT_EQ(dynamics.crossings, 0) << "at " << frame.frame;
        EXPECT_GE(dynamics.smallest_distance.value_or(*dynamics.tolerance),
                  0.5 * *dynamics.tolerance)
            << "at " << frame.frame;
        EXPECT_EQ(dynamics.notes, std::vector<std::string>()) << "at " << frame.frame;
        EXPECT_EQ(dynamics.refinement_rounds.size(), static_cast<std::size_t>(dynamics.steps));
        for (const int rounds : dynamics.refinement_rounds) EXPECT_GE(rounds, 1);
        most_contacts = std::max(most_contacts, dynamics.contacts_active);
    }
    EXPECT_GE(report.frames.back().dynamics->steps, 1);
    EXPECT_GT(most_contacts, 10); // or nothing was shown
    // Before the first frames with contacts are forgotten: rounding grows from step to step.
    for (const int frame : {2, coarse.last_frame})
        expect_known_result(
            GetParam(), frame,
            positions_of_frame(folder / "1", fmt::format("{:04}{}.ply", frame,
                                                         coarse.steps_a_frame > 1 ? ".000" : "")),
            1e-6);
}

INSTANTIATE_TEST_SUITE_P(Scenes, SimulatedDemo, testing::ValuesIn(demos_of(Method::dynamics)),
                         [](const auto& scene) { return test_name(scene.param); });

} // namespace
} // namespace knead
