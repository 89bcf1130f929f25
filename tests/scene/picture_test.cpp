#include "knead/mesh/measures.hpp"
#include "knead/scene/picture/picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "scene/scene_folder.hpp"

namespace knead {
namespace {

class Picture : public SceneFolder {
protected:
    static constexpr const char* floor =
        "{'name': 'floor', 'mesh': {'grid': {'cells': [30, 30]}}, 'rigid': true}";

    // A ball in a rigid floor, with more keys of the ball.
    LoadedScene ball(std::string_view keys = "", double height = 0.7) const {
        return load(fmt::format("{{'name': 'ball', 'mesh': {{'sphere': {{'subdivisions': 3}}}}, "
                                "'transform': {{'translate': [0.1, {}, 0]}} {}}}, {}",
                                height, keys, floor));
    }
    static std::vector<std::vector<double>> field(const LoadedScene& scene,
                                                  const std::string& name) {
        const SolvedFrame solved = FrameSolver(scene).solve(1);
        return field_values(scene, make_gauge(scene), solved, solved.after, name);
    }
};

TEST_F(Picture, EtaIsOneWhereThereIsABulge) {
    const LoadedScene scene = ball();
    const std::vector<double> eta = field(scene, "eta")[0], u = field(scene, "u")[0];
    for (std::size_t v = 0; v < eta.size(); ++v)
        EXPECT_EQ(eta[v], u[v] > 0 && u[v] < 1 ? 1 : 0) << u[v];
    EXPECT_GT(std::ranges::count(eta, 1.0), 100);
    EXPECT_EQ(field(scene, "eta")[1], std::vector<double>(31 * 31, 0.0));
}

TEST_F(Picture, EtaIsWhatWasPainted) {
    const LoadedScene plain = ball();
    std::string csv;
    const TriangleMesh& mesh = plain.objects[0].source.mesh;
    for (const Vec3& p : mesh.positions) csv += fmt::format("{}\n", p.x() > 0 ? 2 : -0.5);
    write("side.csv", csv);
    const std::vector<double> eta =
        field(ball(", 'attributes': {'side': 'side.csv'}, 'bulge_map': 'side'"), "eta")[0];
    const std::vector<double> u = field(plain, "u")[0];
    for (std::size_t v = 0; v < eta.size(); ++v)
        if (u[v] > 0 && u[v] < 1) {
            EXPECT_EQ(eta[v], mesh.positions[v].x() > 0 ? 2 : -0.5);
        }
}

// Ahead of a floor is above it: the sides of the contact get less than the upper half.
TEST_F(Picture, EtaOfAnAnisotropicMapIsLargerAhead) {
    const LoadedScene scene = ball(", 'bulge_map': 'anisotropic'");
    const std::vector<double> eta = field(scene, "eta")[0];
    double low = 0, high = 0;
    for (std::size_t v = 0; v < eta.size(); ++v) {
        double& largest = scene.objects[0].source.mesh.positions[v].y() < -0.5 ? low : high;
        largest = std::max(largest, eta[v]);
    }
    EXPECT_GT(high, 1);
    EXPECT_LT(low, high);
}

TEST_F(Picture, DirectionIsTheAngleToTheNormal) {
    const LoadedScene scene = ball();
    const std::vector<double> angle = field(scene, "direction")[0], zone = field(scene, "zone")[0],
                              u = field(scene, "u")[0];
    const TriangleMesh& mesh = scene.objects[0].source.mesh;
    const std::vector<Vec3> normals = vertex_normals(mesh.positions, mesh.faces);
    int count = 0;
    for (std::size_t v = 0; v < angle.size(); ++v) {
        const double down = std::acos(std::min(1.0, -normals[v].y())) * 180 / std::acos(-1.0);
        if (zone[v] == 1) {
            // The mapping direction of a floor is its normal.
            EXPECT_NEAR(angle[v], down, 3);
            ++count;
        } else if (u[v] == 1) {
            EXPECT_NEAR(angle[v], 0, 1e-6);
        } else {
            EXPECT_LT(angle[v], down + 3);
        }
    }
    EXPECT_GT(count, 10);
}

TEST_F(Picture, FieldsOfWhatIsNotTouchedAreThereToo) {
    const LoadedScene scene = ball("", 3);
    for (const char* name :
         {"amplitude", "depth", "direction", "displacement", "eta", "gap", "slope", "zone"})
        EXPECT_EQ(field(scene, name)[0], std::vector<double>(642, 0.0)) << name;
    EXPECT_EQ(field(scene, "u")[0], std::vector<double>(642, 1.0));
    EXPECT_TRUE(field(scene, "none")[0].empty());
}

TEST_F(Picture, TheViewStaysWhenASettingIsChanged) {
    const auto stage_of = [](const LoadedScene& scene) {
        return make_stage(scene, FrameSolver(scene), std::vector{1.0}, {});
    };
    const PictureStage flat = stage_of(ball(", 'bulge': 0")), high = stage_of(ball(", 'bulge': 3"));
    EXPECT_EQ(flat.camera.eye, high.camera.eye);
    EXPECT_EQ(flat.camera.target, high.camera.target);
    // The floor is the lowest, and not in the ground.
    EXPECT_LT(flat.ground_height, -0.001);
    EXPECT_GT(flat.ground_height, -0.1);
}

TEST_F(Picture, UnknownFieldsAreNamed) {
    const LoadedScene scene = ball();
    PictureSettings settings;
    settings.field = "heat";
    EXPECT_EQ(
        input_error([&] { make_stage(scene, FrameSolver(scene), std::vector{1.0}, settings); }),
        here() + "scene.json: there is no field 'heat', expected one of amplitude, depth, "
                 "direction, displacement, eta, gap, pressure, slope, u, zone");
}

} // namespace
} // namespace knead
