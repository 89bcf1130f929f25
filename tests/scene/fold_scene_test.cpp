#include "knead/mesh/measures.hpp"
#include "knead/scene/judge/measure.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "io/gltf_testing.hpp"
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

    static constexpr const char* at_joint =
        "'contacts': [{'between': ['arm', 'arm'], 'fold': {'joints': ['a', 'b', 'c']}}],";

    struct Depths {
        double before = 0, after = 0;
    };
    static Depths depths(const LoadedScene& scene, const SolvedFrame& solved, int contact = 0) {
        const SceneGauge gauge = make_gauge(scene);
        return {measure_contact(gauge, gauge_frame(gauge, solved.before), contact).depth,
                measure_contact(gauge, gauge_frame(gauge, solved.after), contact).depth};
    }
    static void expect_resolved(const LoadedScene& scene, double frame, double least_before) {
        const SolvedFrame solved = FrameSolver(scene).solve(frame);
        const Depths depth = depths(scene, solved);
        EXPECT_GT(depth.before, least_before) << "at " << frame;
        EXPECT_LE(depth.after, 0.05 * depth.before + 0.5 / radius * edge * edge) << "at " << frame;
        EXPECT_NEAR(volume_change(scene, solved), 0, 1e-11) << "at " << frame;
    }
    static double volume_change(const LoadedScene& scene, const SolvedFrame& solved) {
        const std::vector<Triangle>& faces = scene.objects[0].source.mesh.faces;
        return signed_volume(solved.after[0], faces, Vec3::Zero()) -
               signed_volume(solved.before[0], faces, Vec3::Zero());
    }
};

TEST_F(FoldScene, AnArmIsResolvedAfterAnySkinning) {
    for (const char* method : {"lbs", "dqs", "cor"}) {
        const LoadedScene scene = load(arm(method), fold);
        const FrameSolver solver(scene);
        for (const double frame : {70.0, 85.0, 100.0}) {
            const SolvedFrame solved = solver.solve(frame);
            const Depths depth = depths(scene, solved);
            EXPECT_GT(depth.before, 0.1) << method;
            EXPECT_LE(depth.after, 0.05 * depth.before + 0.5 / radius * edge * edge)
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

TEST_F(FoldScene, TwoRegionsWithFieldsOfTheirOwnAreBlended) {
    const LoadedScene scene =
        load(arm("lbs"), "'contacts': [{'between': ['arm:lower', 'arm:upper'], 'fold': {'joints': "
                         "['a', 'b', 'c'], 'variant': 'two_regions'}}],");
    for (const double frame : {70.0, 85.0, 100.0}) expect_resolved(scene, frame, 0.1);
    EXPECT_NE(FrameSolver(scene).solve(85).after,
              FrameSolver(load(arm("lbs"), fold)).solve(85).after);
    const SolvedFrame open = FrameSolver(scene).solve(20);
    EXPECT_EQ(open.after, open.before);
}

TEST_F(FoldScene, SkinningWeightsTellTheGroups) {
    const LoadedScene scene = load(arm("lbs"), at_joint);
    EXPECT_EQ(side_name(scene.scene, scene.scene.contacts->at(0).between[0]), "arm:b to a");
    EXPECT_EQ(side_name(scene.scene, scene.scene.contacts->at(0).between[1]), "arm:b to c");
    const TriangleMesh& mesh = scene.objects[0].source.mesh;
    for (const int v : mesh.groups.at("b to a")) EXPECT_LT(mesh.positions[v].y(), 0.2);
    for (const int v : mesh.groups.at("b to c")) EXPECT_GT(mesh.positions[v].y(), -0.2);
    EXPECT_EQ(mesh.groups.at("b to a").size() + mesh.groups.at("b to c").size(),
              mesh.positions.size());
    for (const double frame : {70.0, 100.0}) expect_resolved(scene, frame, 0.1);
    // From the hand to the shoulder it is the same fold.
    const LoadedScene back =
        load(arm("lbs"),
             "'contacts': [{'between': ['arm', 'arm'], 'fold': {'joints': ['c', 'b', 'a']}}],");
    EXPECT_EQ(back.objects[0].source.mesh.groups.at("b to a"), mesh.groups.at("b to a"));
}

TEST_F(FoldScene, AGroupReachesTwiceAsFarAsItsBone) {
    // A long arm with a short hand: only what is near the wrist folds there.
    const LoadedScene scene = load(
        "{'name': 'arm', 'mesh': {'capsule': {'radius': 0.2, 'length': 4, 'resolution': 12}}, "
        "'skin': {'skeleton': [{'name': 'a', 'position': [0, 0.5, 0]}, {'name': 'b', 'parent': "
        "'a', 'position': [0, 1, 0]}, {'name': 'c', 'parent': 'b', 'position': [0, 2, 0]}]}}",
        at_joint);
    const TriangleMesh& mesh = scene.objects[0].source.mesh;
    double lowest = 1, highest = 1;
    for (const int v : mesh.groups.at("b to a")) lowest = std::min(lowest, mesh.positions[v].y());
    for (const int v : mesh.groups.at("b to c")) highest = std::max(highest, mesh.positions[v].y());
    EXPECT_NEAR(lowest, 0, 0.2);
    EXPECT_NEAR(highest, 2.2, 1e-9);
}

TEST_F(FoldScene, AGltfSkeletonFolds) {
    const LoadedScene skinned = load(arm("lbs"), fold);
    const TriangleMesh& mesh = skinned.objects[0].source.mesh;
    const SkinWeights& weights = skinned.objects[0].skin->skin.weights;
    std::vector<float> points, amounts;
    std::vector<std::uint8_t> joints;
    for (int v = 0; v < mesh.vertex_count(); ++v)
        for (int i = 0; i < 4; ++i) {
            if (i < 3) points.push_back(static_cast<float>(mesh.positions[v][i]));
            const int k = weights.starts[v] + i;
            const bool there = k < weights.starts[v + 1];
            joints.push_back(there ? static_cast<std::uint8_t>(weights.joints[k]) : 0);
            amounts.push_back(there ? static_cast<float>(weights.weights[k]) : 0);
        }
    std::vector<std::uint16_t> corners;
    for (const Triangle& face : mesh.faces)
        for (const int v : face) corners.push_back(static_cast<std::uint16_t>(v));
    using Json = GltfBuilder::Json;
    GltfBuilder builder = GltfBuilder::triangle();
    builder.primitive()["indices"] = builder.indices(corners);
    Json& attributes = builder.primitive()["attributes"];
    attributes["POSITION"] = builder.points(points);
    attributes["JOINTS_0"] = builder.accessor(joints, "VEC4", 4);
    attributes["WEIGHTS_0"] = builder.accessor(amounts, "VEC4", 4);
    builder.json["nodes"] = Json::parse(R"([{"mesh": 0, "skin": 0},
        {"children": [2], "name": "a", "translation": [0, -1.3, 0]},
        {"children": [3], "name": "b", "translation": [0, 1.3, 0]},
        {"name": "c", "translation": [0, 1.3, 0]}])");
    std::vector<float> bind;
    for (const float y : {1.3f, 0.0f, -1.3f})
        bind.insert(bind.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1});
    builder.json["skins"] = Json::parse(R"([{"joints": [1, 2, 3]}])");
    builder.json["skins"][0]["inverseBindMatrices"] = builder.accessor(bind, "MAT4", 16);
    // By 150 degrees in a second.
    const int turns =
        builder.accessor<float>({0, 0, 0, 1, 0, 0, 0.9659258f, 0.2588190f}, "VEC4", 4);
    Json animation{{"name", "bend"}};
    animation["samplers"] =
        Json::array({Json{{"input", builder.scalars({0, 1})}, {"output", turns}}});
    animation["channels"] =
        Json::array({Json{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}});
    builder.json["animations"].push_back(animation);
    write("arm.glb", builder.glb());
    const LoadedScene scene = load("{'name': 'arm', 'mesh': 'arm.glb'}",
                                   fmt::format("'frames': [0, 100], 'fps': 100, {}", at_joint));
    for (const double frame : {70.0, 85.0, 100.0}) expect_resolved(scene, frame, 0.1);
}

TEST_F(FoldScene, AMeshThatFilesAnimateFolds) {
    const LoadedScene skinned = load(arm("lbs"), at_joint);
    const TriangleMesh& mesh = skinned.objects[0].source.mesh;
    std::vector<char> is_upper(mesh.positions.size(), 0);
    for (const int v : mesh.groups.at("upper")) is_upper[v] = 1;
    std::string directions;
    const FrameSolver solver(skinned);
    for (const int frame : {1, 2, 3}) {
        const SolvedFrame solved = solver.solve(80 + 2 * frame);
        std::string obj;
        for (const Vec3& p : solved.before[0])
            obj += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
        for (const Triangle& f : mesh.faces) {
            const int count = is_upper[f[0]] + is_upper[f[1]] + is_upper[f[2]];
            obj += count == 0 ? "g lower\n" : count == 3 ? "g upper\n" : "g lower upper\n";
            obj += fmt::format("f {} {} {}\n", f[0] + 1, f[1] + 1, f[2] + 1);
        }
        write(fmt::format("arm.{:04}.obj", frame), obj);
        const Vec3 d = solved.contacts[0].direction;
        directions +=
            fmt::format("{}[{}, [{}, {}, {}]]", frame == 1 ? "" : ", ", frame, d.x(), d.y(), d.z());
    }
    const LoadedScene scene =
        load("{'name': 'arm', 'mesh': 'arm.####.obj'}",
             fmt::format("'frames': [1, 3], 'contacts': [{{'between': ['arm:lower', 'arm:upper'], "
                         "'direction': {{'keys': [{}]}}}}],",
                         directions));
    for (const double frame : {1.0, 1.5, 3.0}) expect_resolved(scene, frame, 0.1);
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
    EXPECT_EQ(error(arm("lbs"), "['arm', 'arm'], 'fold': {'joints': ['a', 'b', 'c'], "
                                "'variant': 'three_regions'}"),
              ":1: contacts[0].fold.variant: found \"three_regions\", expected \"unified\" or "
              "\"two_regions\"");
    EXPECT_EQ(error(arm("lbs"), "['arm', 'arm'], 'fold': {'joints': ['b']}"),
              ":1: contacts[0].fold.joints: found a list of 1, expected the names of three joints");
    EXPECT_EQ(error(arm("lbs"), "['arm', 'arm'], 'fold': {'joints': ['a', 'b', 'hand']}"),
              ":1: contacts[0].fold.joints[2]: found \"hand\", expected a joint; the object has "
              "\"a\", \"b\", \"c\"");
    EXPECT_EQ(error(arm("lbs"), "['arm', 'arm'], 'fold': {'joints': ['a', 'c', 'b']}"),
              ":1: contacts[0].fold.joints: found \"a\", \"c\" and \"b\", expected three joints in "
              "a row, each on the way from the one before");
    EXPECT_EQ(error(arm("lbs"), "['arm:lower', 'arm:upper'], 'fold': {'joints': ['a', 'c', 'b']}"),
              ":1: contacts[0].fold.joints: found \"a\", \"c\" and \"b\", expected three joints in "
              "a row, each on the way from the one before");
    EXPECT_EQ(
        error(arm("lbs", ", 'rigid': true"), "['arm', 'arm'], 'fold': {'joints': ['a', 'b', 'c']}"),
        ":1: contacts[0].fold: found a fold of a rigid object, expected one that is not rigid");
    EXPECT_EQ(error("{'name': 'arm', 'mesh': {'sphere': {'subdivisions': 1}}}",
                    "['arm', 'arm'], 'fold': {'joints': ['a', 'b', 'c']}"),
              ":1: contacts[0].fold.joints[0]: found \"a\", but the object has no skeleton; "
              "expected a direction instead");
    EXPECT_EQ(error(arm("lbs"), "['arm', 'arm'], 'fold': {}, 'direction': [1, 0, 0]"),
              ":1: contacts[0].between: found \"arm\" and \"arm\", expected two objects or two "
              "groups of one");
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
    const std::string with_proxy =
        std::string(two).insert(1, "'proxy': {'sphere': {'radius': 6, 'subdivisions': 2}}, ");
    EXPECT_EQ(error(with_proxy, "['feet:left', 'feet:right'], 'fold': {}, 'direction': [1, 0, 0]"),
              ": contact between \"feet:left\" and \"feet:right\": found a proxy, expected an "
              "object without one: a fold is on the mesh itself");
    EXPECT_EQ(error(with_proxy, "['feet:left', 'feet:right'], 'direction': [1, 0, 0]"), "no error");
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

// The bundled scenes, from first touch on and where each is deepest.
struct Bundled {
    const char* name;
    std::vector<double> frames;
    double radius, edge;
};

class BundledFold : public FoldScene, public testing::WithParamInterface<Bundled> {};

TEST_P(BundledFold, IsResolved) {
    const auto& [name, frames, smallest_radius, mesh_edge] = GetParam();
    const LoadedScene scene =
        load_scene(read_scene(std::string(KNEAD_SCENES) + "/" + name + ".json"));
    const FrameSolver solver(scene);
    double deepest = 0;
    for (const double frame : frames) {
        const SolvedFrame solved = solver.solve(frame);
        for (std::size_t c = 0; c < solved.contacts.size(); ++c) {
            const Depths depth = depths(scene, solved, static_cast<int>(c));
            deepest = std::max(deepest, depth.before);
            EXPECT_LE(depth.after,
                      0.05 * depth.before + 0.5 / smallest_radius * mesh_edge * mesh_edge)
                << "at " << frame;
        }
        EXPECT_NEAR(volume_change(scene, solved), 0, 1e-11) << "at " << frame;
    }
    EXPECT_GT(deepest, 0.02);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, BundledFold,
    testing::Values(Bundled{"skinned-capsule", {19, 25, 31, 37, 48}, 0.42, 0.085},
                    Bundled{"skinned-finger", {30, 36, 42, 48}, 0.26, 0.06},
                    Bundled{"skinned-lips", {19, 24}, 0.25, 0.055},
                    Bundled{"fingers-palm", {18, 24}, 0.1, 0.045}),
    [](const auto& bundled) {
        std::string name = bundled.param.name;
        for (char& c : name)
            if (c == '-') c = '_';
        return name;
    });

} // namespace
} // namespace knead
