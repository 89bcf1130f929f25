#include "knead/mesh/measures.hpp"
#include "knead/scene/frame_solver.hpp"
#include "knead/scene/measure.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "scene/scene_folder.hpp"

namespace knead {
namespace {

constexpr double edge = 0.11, radius = 0.4;

class FoldScene : public SceneFolder {
protected:
    // An arm that bends by 150 degrees over 100 frames.
    static std::string arm(std::string_view method, std::string_view more = "") {
        return fmt::format(
            "{{'name': 'arm', 'mesh': {{'blob': {{'segments': ["
            "{{'from': [0, -1.3, 0], 'to': [0, 0, 0], 'radii': [{0}, {0}], 'group': 'lower'}}, "
            "{{'from': [0, 0, 0], 'to': [0, 1.3, 0], 'radii': [{0}, {0}], 'group': 'upper'}}], "
            "'blend': 0.05, 'edge': {1}}}}}, 'skin': {{'skeleton': ["
            "{{'name': 'a', 'position': [0, -1.3, 0]}}, "
            "{{'name': 'b', 'parent': 'a', 'position': [0, 0, 0], 'rotate': {{'keys': "
            "[[0, [0, 0, 0]], [100, [0, 0, 150]]], 'interpolation': 'linear'}}}}, "
            "{{'name': 'c', 'parent': 'b', 'position': [0, 1.3, 0]}}], "
            "'weights': {{'smooth': 0.33}}, 'method': '{2}'}} {3}}}",
            radius, edge, method, more);
    }
    static constexpr const char* fold =
        "'contacts': [{'between': ['arm:lower', 'arm:upper'], 'fold': {'joints': ['a', 'b', "
        "'c']}}],";

    struct Depths {
        double before = 0, after = 0;
    };
    static Depths depths(const LoadedScene& scene, const SolvedFrame& solved, int contact = 0) {
        const SceneGauge gauge = make_gauge(scene);
        return {measure_contact(gauge, gauge_frame(gauge, solved.before), contact).depth,
                measure_contact(gauge, gauge_frame(gauge, solved.after), contact).depth};
    }
    static double volume_change(const LoadedScene& scene, const SolvedFrame& solved) {
        const std::vector<Triangle>& faces = scene.objects[0].source.mesh.faces;
        return signed_volume(solved.after[0], faces, Vec3::Zero()) -
               signed_volume(solved.before[0], faces, Vec3::Zero());
    }
};

TEST_F(FoldScene, AnArmIsResolvedAfterAnySkinning) {
    // Centres of rotation leave a loop at the crease that is narrower than the mesh is fine.
    for (const auto& [method, stays] :
         {std::pair{"lbs", 0.05}, std::pair{"dqs", 0.05}, std::pair{"cor", 0.12}}) {
        const LoadedScene scene = load(arm(method), fold);
        const FrameSolver solver(scene);
        for (const double frame : {70.0, 85.0, 100.0}) {
            const SolvedFrame solved = solver.solve(frame);
            const Depths depth = depths(scene, solved);
            EXPECT_GT(depth.before, 0.1) << method;
            EXPECT_LE(depth.after, stays * depth.before + 0.5 / radius * edge * edge)
                << method << " at " << frame;
            EXPECT_NEAR(volume_change(scene, solved), 0, 1e-11) << method;
            EXPECT_GT(solved.objects[0].contact_vertices, 10);
        }
        const SolvedFrame open = solver.solve(20);
        EXPECT_EQ(open.after, open.before) << method;
    }
}

TEST_F(FoldScene, MinimumCutFindsACreaseToo) {
    const LoadedScene scene =
        load(arm("lbs"), "'contacts': [{'between': ['arm:lower', 'arm:upper'], 'fold': {'joints': "
                         "['a', 'b', 'c'], 'crease': 'minimum_cut'}}],");
    const SolvedFrame solved = FrameSolver(scene).solve(85);
    const Depths depth = depths(scene, solved);
    EXPECT_LE(depth.after, 0.05 * depth.before + 0.5 / radius * edge * edge);
    EXPECT_NE(solved.after, FrameSolver(load(arm("lbs"), fold)).solve(85).after);
}

TEST_F(FoldScene, WhichPartComesFirstDoesNotMatter) {
    const SolvedFrame one = FrameSolver(load(arm("lbs"), fold)).solve(80);
    const SolvedFrame other =
        FrameSolver(load(arm("lbs"), "'contacts': [{'between': ['arm:upper', 'arm:lower'], "
                                     "'fold': {'joints': ['a', 'b', 'c']}}],"))
            .solve(80);
    EXPECT_LT((one.contacts[0].direction + other.contacts[0].direction).norm(), 1e-12);
    for (std::size_t v = 0; v < one.after[0].size(); ++v)
        ASSERT_LT((one.after[0][v] - other.after[0][v]).norm(), 1e-9);
}

TEST_F(FoldScene, AMeshFromAFileFoldsAlongAGivenDirection) {
    const LoadedScene skinned = load(arm("lbs"), fold);
    const SolvedFrame solved = FrameSolver(skinned).solve(85);
    const TriangleMesh& mesh = skinned.objects[0].source.mesh;
    // Groups of an OBJ file are of faces: those that both parts have a corner of belong to both.
    std::string obj;
    for (const Vec3& p : solved.before[0]) obj += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
    std::vector<char> is_upper(mesh.positions.size(), 0);
    for (const int v : mesh.groups.at("upper")) is_upper[v] = 1;
    for (const Triangle& f : mesh.faces) {
        const int count = is_upper[f[0]] + is_upper[f[1]] + is_upper[f[2]];
        obj += count == 0 ? "g lower\n" : count == 3 ? "g upper\n" : "g lower upper\n";
        obj += fmt::format("f {} {} {}\n", f[0] + 1, f[1] + 1, f[2] + 1);
    }
    write("arm.obj", obj);
    const Vec3 d = solved.contacts[0].direction;
    const LoadedScene scene =
        load("{'name': 'arm', 'mesh': 'arm.obj'}",
             fmt::format("'contacts': [{{'between': ['arm:lower', 'arm:upper'], 'fold': {{}}, "
                         "'direction': [{}, {}, {}]}}],",
                         d.x(), d.y(), d.z()));
    const SolvedFrame from_file = FrameSolver(scene).solve(1);
    const Depths depth = depths(scene, from_file);
    EXPECT_GT(depth.before, 0.1);
    EXPECT_LE(depth.after, 0.05 * depth.before + 0.5 / radius * edge * edge);
    EXPECT_NEAR(volume_change(scene, from_file), 0, 1e-11);
}

TEST_F(FoldScene, ErrorsSayWhatToChange) {
    const auto error = [&](std::string_view object, std::string_view contact) {
        const std::string message = input_error([&] {
            const LoadedScene scene =
                load(object, fmt::format("'contacts': [{{'between': {}}}],", contact));
            FrameSolver solver(scene);
        });
        const std::string begin = here() + "scene.json";
        return message.starts_with(begin) ? message.substr(begin.size()) : message;
    };
    EXPECT_EQ(error(arm("lbs"), "['arm:lower', 'arm:upper'], 'fold': {}"),
              ":1: contacts[0].fold: expected joints, the names of three, or a direction of the "
              "contact");
    EXPECT_EQ(error(arm("lbs"), "['arm:lower', 'arm:upper'], 'fold': {'joints': ['a', 'b', 'c'], "
                                "'crease': 'scissors'}"),
              ":1: contacts[0].fold.crease: found \"scissors\", expected \"random_walker\" or "
              "\"minimum_cut\"");
    const char* two = "{'name': 'feet', 'mesh': ["
                      "{'sphere': {'subdivisions': 1}, 'group': 'left'}, "
                      "{'sphere': {'subdivisions': 1}, 'group': 'right', 'at': "
                      "{'translate': [4, 0, 0]}}]}";
    EXPECT_EQ(error(two, "['feet:left', 'feet:right'], 'fold': {'joints': ['a', 'b', 'c']}"),
              ":1: contacts[0].fold.joints[0]: found \"a\", but the object has no skeleton; "
              "expected a direction instead");
    EXPECT_EQ(
        error(two, "['feet:left', 'feet:right'], 'fold': {}, 'direction': [1, 0, 0]"),
        ": contact between \"feet:left\" and \"feet:right\": the groups do not touch, expected "
        "two that overlap or have a border in common");
    // Without a fold, they are looked at apart from each other.
    EXPECT_EQ(error(two, "['feet:left', 'feet:right'], 'direction': [1, 0, 0]"), "no error");
    write("strip.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\ng l\nf 1 2 3\ng r\nf 2 4 3\n");
    EXPECT_EQ(
        error("{'name': 'a', 'mesh': 'strip.obj'}", "['a:l', 'a:r']"),
        ": contact between \"a:l\" and \"a:r\": found vertex 1 in both groups, expected a fold "
        "or a direction where groups overlap");
}

TEST_F(FoldScene, BonesThatLieOnEachOtherAreNoted) {
    const LoadedScene scene = load(
        "{'name': 'arm', 'mesh': {'blob': {'segments': ["
        "{'from': [0, -1, 0], 'to': [0, 0, 0], 'radii': [0.4, 0.4], 'group': 'lower'}, "
        "{'from': [0, 0, 0], 'to': [0, 1, 0], 'radii': [0.4, 0.4], 'group': 'upper'}], "
        "'blend': 0.05, 'edge': 0.3}}, 'skin': {'skeleton': ["
        "{'name': 'a', 'position': [0, -1, 0]}, {'name': 'b', 'parent': 'a', 'position': [0, 0, "
        "0], 'rotate': [0, 0, 180]}, {'name': 'c', 'parent': 'b', 'position': [0, 1, 0]}]}}",
        fold);
    const SolvedFrame solved = FrameSolver(scene).solve(1);
    EXPECT_EQ(solved.contacts[0].note,
              "no mapping direction: the bones of the fold lie on each other; give one");
    EXPECT_EQ(solved.after, solved.before);
}

// The bundled scenes, each in the frame in which it is deepest.
struct Bundled {
    const char* name;
    double frame, radius, edge;
};

class BundledFold : public FoldScene, public testing::WithParamInterface<Bundled> {};

TEST_P(BundledFold, IsResolved) {
    const auto [name, frame, smallest_radius, mesh_edge] = GetParam();
    const LoadedScene scene =
        load_scene(read_scene(std::string(KNEAD_SCENES) + "/" + name + ".json"));
    const SolvedFrame solved = FrameSolver(scene).solve(frame);
    double deepest = 0;
    for (std::size_t c = 0; c < solved.contacts.size(); ++c) {
        const Depths depth = depths(scene, solved, static_cast<int>(c));
        deepest = std::max(deepest, depth.before);
        EXPECT_LE(depth.after, 0.05 * depth.before + 0.5 / smallest_radius * mesh_edge * mesh_edge);
    }
    EXPECT_GT(deepest, 0.02);
    EXPECT_NEAR(volume_change(scene, solved), 0, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Scenes, BundledFold,
                         testing::Values(Bundled{"skinned-capsule", 48, 0.42, 0.085},
                                         Bundled{"skinned-finger", 48, 0.26, 0.06},
                                         Bundled{"skinned-lips", 24, 0.25, 0.055},
                                         Bundled{"fingers-palm", 24, 0.1, 0.045}),
                         [](const auto& bundled) {
                             std::string name = bundled.param.name;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

} // namespace
} // namespace knead
