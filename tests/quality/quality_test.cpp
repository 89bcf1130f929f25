#include "knead/base/file.hpp"
#include "knead/io/mesh_file.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"
#include "knead/scene/read/scene_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "contact_region.hpp"
#include "measure_motion.hpp"
#include "measure_pressed.hpp"
#include "mesh_page.hpp"
#include "page_rows.hpp"
#include "quality_page.hpp"
#include "resolution.hpp"
#include "scene/scene_text.hpp"
#include "still.hpp"
#include "thin_section.hpp"

namespace knead::quality {
namespace {

// A ball in a rigid floor at frame 3, turned so that nothing lies on anything by symmetry.
constexpr const char* ball_on_floor = R"({'knead': 1, 'frames': [1, 5], 'objects': [
  {'name': 'ball', 'mesh': {'sphere': {'radius': 1, 'subdivisions': 3}}, 'offset': 0.02,
   'transform': {'rotate': [10, 20, 30],
                 'translate': {'keys': [[1, [0, 1.1, 0]], [3, [0, 0.7, 0]], [5, [0, 1.1, 0]]]}}},
  {'name': 'floor', 'mesh': {'grid': {'size': [4, 4], 'cells': [20, 20]}}}],
  'contacts': [{'between': ['ball', 'floor'], 'direction': [0.1, 1, 0]}]})";

std::vector<int> all_edges(const Surface& surface) {
    std::vector<int> edges;
    for (int e = 0; e < surface.topology().edge_count(); ++e) edges.push_back(e);
    return edges;
}

double edge_of(const TriangleMesh& mesh) {
    return mean_edge_length(mesh.positions, build_topology(mesh.faces, mesh.vertex_count()));
}

TEST(Quality, EveryShapeGetsEdgesHalfAsLong) {
    const Scene scene = scene_of(R"({'knead': 1, 'objects': [{'name': 'all', 'mesh': [
        {'sphere': {'subdivisions': 3}}, {'sphere': {}}, {'capsule': {'resolution': 20}},
        {'grid': {'cells': [10, 12]}}, {'box': {'cells': [4, 6, 8]}}, {'torus': {'resolution': 30}},
        {'blob': {'segments': [{'from': [0, 0, 0], 'to': [1, 0, 0], 'radii': [0.5, 0.5]}],
                  'edge': 0.2}}]}]})");
    Scene fine = scene, coarse = scene;
    scale_resolution(fine, 2);
    scale_resolution(coarse, 0.5);
    for (std::size_t s = 0; s < scene.objects[0].mesh.size(); ++s) {
        const auto edge = [&](Scene one) {
            one.objects[0].mesh = {one.objects[0].mesh[s]};
            return edge_of(load_scene(std::move(one)).objects[0].source.mesh);
        };
        EXPECT_NEAR(edge(fine) / edge(scene), 0.5, 0.03) << s;
        EXPECT_NEAR(edge(coarse) / edge(scene), 2, 0.2) << s;
    }
}

TEST(Quality, CurvatureOfBallsAndCapsulesIsOneOverTheRadius) {
    for (const double radius : {0.25, 3.0}) {
        const TriangleMesh ball = make_sphere(radius, 4);
        const Surface ball_surface = make_surface(ball);
        EXPECT_NEAR(curvature(ball_surface, all_edges(ball_surface)) * radius, 1, 0.04);
        const TriangleMesh capsule = make_capsule(radius, 4 * radius, 40);
        const Surface capsule_surface = make_surface(capsule);
        EXPECT_NEAR(curvature(capsule_surface, all_edges(capsule_surface)) * radius, 1, 0.02);
    }
}

TEST(Quality, CreasesAreNotCurved) {
    const TriangleMesh box = make_box({2, 2, 2}, {8, 8, 8});
    const Surface surface = make_surface(box);
    EXPECT_LT(curvature(surface, all_edges(surface)), 1e-7);
}

TEST(Quality, TheEdgesOfAContactAreThoseInTheOtherObject) {
    const TriangleMesh floor = make_grid({4, 4}, {40, 40});
    TriangleMesh ball = make_sphere(1, 4);
    for (Vec3& p : ball.positions) p += Vec3(0.01, 0.8, 0.02);
    const Surface on = make_surface(ball), below = make_surface(floor);
    const std::vector<int> of_ball = edges_inside(on, below), of_floor = edges_inside(below, on);
    for (const int e : of_ball) {
        const auto& edge = on.topology().edges[e];
        EXPECT_LT(std::min(ball.positions[edge[0]].y(), ball.positions[edge[1]].y()), 0);
    }
    // A disc of radius 0.6, and the edges across its border.
    const double area_of_edge = 16.0 / below.topology().edge_count();
    EXPECT_NEAR(static_cast<double>(of_floor.size()) * area_of_edge, 0.36 * 3.1416, 0.4);
    EXPECT_NEAR(mean_edge(below, of_floor), edge_of(floor), 0.01);
}

// A roof: two slopes of 0.1 beside a flat strip, which is the zone.
TEST(Quality, AnglesAtTheBorderOfAZone) {
    TriangleMesh mesh = make_grid({6, 6}, {6, 6});
    std::vector<double> zone(mesh.positions.size(), 0.0);
    for (std::size_t v = 0; v < zone.size(); ++v) {
        Vec3& p = mesh.positions[v];
        zone[v] = std::abs(p.x()) < 1.5;
        p.y() = -0.1 * std::max(0.0, std::abs(p.x()) - 1);
    }
    const Topology topology = build_topology(mesh.faces, mesh.vertex_count());
    const auto angles = zone_border_angles(mesh.positions, mesh.faces, topology, zone);
    // Each of the six rows has one crease and one flat edge on each side.
    ASSERT_EQ(angles.size(), 24u);
    EXPECT_NEAR(angles[11], 0, 1e-9);
    EXPECT_NEAR(angles[12], std::atan(0.1) * 180 / 3.14159265358979, 1e-9);
    EXPECT_NEAR(angles[23], angles[12], 1e-9);
    EXPECT_TRUE(zone_border_angles(mesh.positions, mesh.faces, topology, {}).empty());
}

TEST(Quality, QuantilesAndOrders) {
    EXPECT_EQ(quantile({}, 0.5), 0);
    EXPECT_DOUBLE_EQ(quantile(std::vector<double>{1, 2, 4}, 0.5), 2);
    EXPECT_DOUBLE_EQ(quantile(std::vector<double>{1, 2, 4}, 0.75), 3);
    EXPECT_DOUBLE_EQ(order_of_convergence({3, 1.5, 1.125}).value(), 2);
    EXPECT_LT(order_of_convergence({1, 1, 2}).value(), 0);
    EXPECT_FALSE(order_of_convergence({3, 1.0005, 1}).has_value());
}

// Lengths and directions among the controls must go along, or the results differ.
void expect_placed_and_swapped(const std::string& keys) {
    SCOPED_TRACE(keys);
    std::string text = ball_on_floor;
    text.insert(text.find("'offset'"), keys);
    const LoadedScene scene = load_scene(scene_of(text.c_str()));
    const SolvedFrame in_motion = FrameSolver(scene).solve(2.5);
    LoadedScene still = still_of(scene, 2.5);
    const auto at_rest = FrameSolver(still).solve(2.5).after;
    for (std::size_t o = 0; o < 2; ++o)
        for (std::size_t v = 0; v < at_rest[o].size(); ++v)
            ASSERT_LT((at_rest[o][v] - in_motion.after[o][v]).norm(), 1e-12);

    Random random(3);
    disturb(still, 2.5, random);
    const SolvedFrame solved = FrameSolver(still).solve(2.5);
    const double disturbed = (solved.before[0][0] - in_motion.before[0][0]).norm();
    EXPECT_GT(disturbed, 1e-4);
    EXPECT_LT(disturbed, 0.05);

    const Similarity similarity{random.rotation(), {1, 2, 3}, 3};
    LoadedScene placed = still, swapped = still;
    place(placed, similarity);
    swap_order(swapped);
    EXPECT_EQ(swapped.scene.objects[0].name, "floor");
    const auto placed_after = FrameSolver(placed).solve(2.5).after;
    const auto swapped_after = FrameSolver(swapped).solve(2.5).after;
    double moved = 0, by_place = 0, by_swap = 0;
    for (std::size_t o = 0; o < 2; ++o)
        for (std::size_t v = 0; v < solved.after[o].size(); ++v) {
            moved = std::max(moved, (solved.after[o][v] - solved.before[o][v]).norm());
            by_place =
                std::max(by_place, (similarity(solved.after[o][v]) - placed_after[o][v]).norm());
            by_swap = std::max(by_swap, (solved.after[o][v] - swapped_after[1 - o][v]).norm());
        }
    EXPECT_GT(moved, 0.05);
    EXPECT_LT(by_place, 1e-9);
    EXPECT_LT(by_swap, 1e-9);
}

TEST(Quality, StillScenesCanBePlacedAndSwapped) {
    expect_placed_and_swapped("");
    expect_placed_and_swapped("'details': 0.3, 'smooth_normals': 0.1, "
                              "'profile': {'wrinkles': {'amplitude': 0.02}}, ");
    expect_placed_and_swapped("'proxy': {'sphere': {'radius': 1.02, 'subdivisions': 3}}, ");
}

// The arm of the demo, coarse and only a little bent: it keeps its rest pose, joints and fold.
constexpr const char* bent_arm = R"({'knead': 1, 'frames': [1, 9], 'up': 'z', 'objects': [
  {'name': 'arm', 'mesh': {'blob': {'edge': 0.16, 'blend': 0.05, 'segments': [
      {'from': [0, -1.6, 0], 'to': [0, 0, 0], 'radii': 0.45, 'group': 'lower'},
      {'from': [0, 0, 0], 'to': [0, 1.6, 0], 'radii': 0.45, 'group': 'upper'}]}},
   'skin': {'skeleton': [
      {'name': 'shoulder', 'position': [0, -1.6, 0]},
      {'name': 'elbow', 'parent': 'shoulder', 'position': [0, 0, 0],
       'rotate': {'keys': [[1, [0, 0, 0]], [9, [0, 0, 140]]]}},
      {'name': 'hand', 'parent': 'elbow', 'position': [0, 1.6, 0]}], 'weights': {'smooth': 0.35}},
   'transform': {'rotate': [20, 100, -50], 'translate': [3, 1, 2], 'scale': [1.1, 1, 1.2]}}],
  'contacts': [{'between': ['arm:lower', 'arm:upper'],
                'fold': {'joints': ['shoulder', 'elbow', 'hand']}}]})";

TEST(Quality, StillSkinFoldsAsItDoesInMotion) {
    const LoadedScene scene = load_scene(scene_of(bent_arm));
    const std::vector<Vec3> in_motion = FrameSolver(scene).solve(8.25).after[0];
    LoadedScene still = still_of(scene, 8.25);
    const SolvedFrame solved = FrameSolver(still).solve(8.25);
    EXPECT_GT(solved.contacts[0].zone_area[0], 0.05);
    const Similarity similarity{Random(5).rotation(), {1, 2, 3}, 0.4};
    LoadedScene placed = still, swapped = still;
    place(placed, similarity);
    swap_order(swapped);
    const auto placed_after = FrameSolver(placed).solve(8.25).after[0];
    const auto swapped_after = FrameSolver(swapped).solve(8.25).after[0];
    double by_rest = 0, by_place = 0, by_swap = 0;
    for (std::size_t v = 0; v < in_motion.size(); ++v) {
        const Vec3& p = solved.after[0][v];
        by_rest = std::max(by_rest, (p - in_motion[v]).norm());
        by_place = std::max(by_place, (similarity(p) - placed_after[v]).norm());
        by_swap = std::max(by_swap, (p - swapped_after[v]).norm());
    }
    EXPECT_LT(by_rest, 1e-10);
    EXPECT_LT(by_place, 1e-9);
    EXPECT_LT(by_swap, 1e-9);
}

TEST(Quality, RowsOfOtherScenesStayOnThePage) {
    const std::string older = "old\n| scene | x |\n| --- | --- |\n| a | 1 |\n| b | 2 |\n| b | 3 |\n"
                              "| d | 4 |\n\nmore\n| --- |\n| b | 5 |\n";
    const std::string page = "new\n| scene | x |\n| --- | --- |\n| b | 7 |\n| c | 8 |\n\nmore\n"
                             "| --- |\n| c | 9 |\nend\n";
    EXPECT_EQ(with_rows_of(page, older),
              "new\n| scene | x |\n| --- | --- |\n| a | 1 |\n| b | 7 |\n| c | 8 |\n| d | 4 |\n\n"
              "more\n| --- |\n| b | 5 |\n| c | 9 |\nend\n");
    EXPECT_EQ(with_rows_of(page, page), page);
    // Not the same tables.
    EXPECT_EQ(with_rows_of(page, "| --- |\n| a | 1 |\n"), page);
}

TEST(Quality, ASceneIsMeasuredAndPutOnAPage) {
    MeasureSettings settings;
    settings.placements = 1;
    settings.jump_resolutions = 1;
    const SceneQuality quality = measure_scene(scene_of(ball_on_floor), "ball", settings);
    EXPECT_EQ(quality.deepest_frame, 3);
    for (const ResolutionQuality& r : quality.resolutions) {
        EXPECT_NEAR(r.frame.depth_before, 0.3, 0.07);
        EXPECT_LT(r.frame.depth.value, 1);
        EXPECT_GT(r.frame.depth.bound, 0.05);
        ASSERT_TRUE(r.frame.volume.has_value());
        EXPECT_LT(r.frame.volume->value, 1e-9);
        EXPECT_GT(r.zone_area, 0.1);
        EXPECT_GT(r.border_angle_high, r.border_angle_mean);
        EXPECT_TRUE(r.same_alone && r.same_threads && r.frame.finite);
        EXPECT_GT(r.frame.crossings_before, 0);
    }
    EXPECT_TRUE(quality.resolutions[0].jump && !quality.resolutions[1].jump);
    EXPECT_EQ(quality.resolutions[1].vertices, 642 + 441);

    const std::string page = quality_page(std::span(&quality, 1), settings);
    EXPECT_NE(page.find("| `ball` |"), std::string::npos);
    EXPECT_NE(page.find("from 1 random"), std::string::npos);
}

TEST(Quality, BoundsThatAreNotKeptAreMarked) {
    SceneQuality quality;
    quality.name = "ball";
    for (ResolutionQuality& r : quality.resolutions) r.frame.depth = {0.01, 0.05};
    quality.resolutions[2].frame.depth = {0.123, 0.05};
    const std::string page = quality_page(std::span(&quality, 1), {});
    EXPECT_NE(page.find("| `ball` | **no**: fine 12.3 (5) | - |"), std::string::npos);
    EXPECT_NE(page.find("| `ball` | 1 (5) | 1 (5) | **12.3** (5) |"), std::string::npos);
}

TEST(Quality, FlipsAndCrossingsNameTheirFrames) {
    SceneQuality quality;
    quality.name = "ball";
    quality.resolutions[0].motion.flips = 3;
    quality.resolutions[0].motion.flips_frame = 7;
    MotionQuality& middle = quality.resolutions[1].motion;
    middle.other_crossings = 12;
    middle.other_frame = 5;
    middle.why = "an open surface has no inside";
    quality.open = "floor";
    quality.resolutions[2].milliseconds = 10;
    quality.resolutions[2].last_pass = 4;
    std::string page = quality_page(std::span(&quality, 1), {});
    EXPECT_NE(page.find("| **no**: coarse 3 at 7 | `floor` open: middle 12 at 5, an open surface "
                        "has no inside | yes |"),
              std::string::npos);
    EXPECT_NE(page.find("| `ball` | **3 at 7** | 0 | 0 |"), std::string::npos);
    EXPECT_NE(page.find("| 0.00 (0) | 0.00 (0) | **4.00 (40)** |"), std::string::npos);

    middle.crossings = 2;
    middle.crossings_frame = 6;
    middle.why = "no way apart was found";
    page = quality_page(std::span(&quality, 1), {});
    EXPECT_NE(page.find("| **no**: middle 2 at 6, no way apart was found | yes |"),
              std::string::npos);
    EXPECT_NE(page.find("| `ball` | floor | 0, 0 | 0, **2 at 6, no way apart was found** | 0, 0 |"),
              std::string::npos);
}

TEST(Quality, OnlyWholeClosedObjectsAreToBeCrossingFree) {
    const LoadedScene scene = load_scene(scene_of(R"({'knead': 1, 'frames': [1, 3], 'objects': [
      {'name': 'ball', 'mesh': {'sphere': {'radius': 1, 'subdivisions': 2}}},
      {'name': 'other', 'mesh': {'sphere': {'radius': 1, 'subdivisions': 2}}, 'rigid': true,
       'transform': {'translate': {'keys': [[1, [0.1, 2.1, 0.2]], [3, [0.1, 1.6, 0.2]]]}}},
      {'name': 'third', 'mesh': {'sphere': {'radius': 1, 'subdivisions': 2}}, 'rigid': true,
       'transform': {'translate': [9, 0, 0]}},
      {'name': 'sheet', 'mesh': {'grid': {'size': [3, 3], 'cells': [8, 8]}}, 'rigid': true,
       'transform': {'translate': [0.1, -0.7, 0.2]}}],
      'contacts': [{'between': ['ball', 'other']}, {'between': ['ball', 'sheet']},
                   {'between': ['third', 'other']},
                   {'between': ['ball', 'third'], 'crossing_free': false}]})"));
    const SceneGauge gauge = make_gauge(scene);
    EXPECT_TRUE(is_to_be_crossing_free(scene, gauge, 0));
    for (const int contact : {1, 2, 3}) EXPECT_FALSE(is_to_be_crossing_free(scene, gauge, contact));
    EXPECT_EQ(open_objects(scene), "sheet");
    const MotionQuality motion = measure_motion(scene, gauge, FrameSolver(scene));
    EXPECT_EQ(motion.crossings, 0);
    EXPECT_EQ(motion.flips, 0);
    EXPECT_LT(motion.depth.value, 0.1);

    // Without the last pass, crossings count where none were promised.
    LoadedScene without = scene;
    without.scene.contacts->resize(1);
    (*without.scene.contacts)[0].crossing_free = false;
    const MotionQuality left = measure_motion(without, make_gauge(without), FrameSolver(without));
    EXPECT_EQ(left.crossings, 0);
    EXPECT_GT(left.other_crossings, 0);
    EXPECT_EQ(left.other_frame, 3);
}

TEST(Quality, FiguresAreKeptForTheSameSceneAndTheSameSettings) {
    const auto folder = std::filesystem::temp_directory_path() / "knead_kept_figures";
    std::filesystem::remove_all(folder);
    MeasureSettings settings;
    settings.placements = 0;
    settings.jump_resolutions = 0;
    settings.kept = folder;
    int measured = 0;
    settings.say = [&](const std::string& what) {
        if (what.find("placements") != std::string::npos) ++measured;
    };
    Scene scene = scene_of(ball_on_floor);
    const SceneQuality first = measure_scene(scene, "ball", settings);
    EXPECT_EQ(measured, 3);
    const SceneQuality again = measure_scene(scene, "ball", settings);
    EXPECT_EQ(measured, 3);
    EXPECT_EQ(quality_page(std::span(&first, 1), settings),
              quality_page(std::span(&again, 1), settings));
    // A file that is damaged is measured again, and so is another scene.
    std::filesystem::resize_file(folder / "ball.middle.json", 40);
    measure_scene(scene, "ball", settings);
    EXPECT_EQ(measured, 4);
    scene.hash = "another";
    measure_scene(scene, "ball", settings);
    EXPECT_EQ(measured, 7);
    std::filesystem::remove_all(folder);
}

// Two balls on a rod, askew.
TriangleMesh dumbbell() {
    const std::array<Vec2, 8> outline = {Vec2(0, -2), {0.8, -1.6}, {0.8, -1.2}, {0.3, -0.9},
                                         {0.3, 0.9},  {0.8, 1.2},  {0.8, 1.6},  {0, 2}};
    TriangleMesh mesh = make_lathe(outline, 48, 60);
    Affine3 place = Affine3::Identity();
    place.translate(Vec3(1, 2, 3)).rotate(Eigen::AngleAxisd(0.5, Vec3::UnitX()));
    place.scale(Vec3(1, 1, 0.8));
    transform(mesh, place);
    return mesh;
}

TEST(Quality, TheThinnestPartIsWhereALoopIsShortest) {
    const TriangleMesh mesh = dumbbell();
    const auto section = thinnest_section(mesh);
    ASSERT_TRUE(section.has_value());
    // The rod is along Y turned by 0.5 about X; a plane at 45 degrees is the nearest to across.
    const Vec3 along = Eigen::AngleAxisd(0.5, Vec3::UnitX()) * Vec3::UnitY();
    EXPECT_GT(std::abs(section->axes.col(1).dot(along)), 0.85);
    EXPECT_NEAR((section->center - Vec3(1, 2, 3)).cross(along).norm(), 0, 0.02);
    EXPECT_LT((section->center - Vec3(1, 2, 3)).norm(), 1);
    EXPECT_NEAR(section->half_axes[0], 0.3, 0.02);
    EXPECT_NEAR(section->half_axes[1], 0.24, 0.05);
    EXPECT_NEAR(section->axes.determinant(), 1, 1e-12);

    // A ball has none that is shorter than the one which leaves a twentieth: 0.1 of its diameter.
    const auto of_ball = thinnest_section(make_sphere(1, 4));
    ASSERT_TRUE(of_ball.has_value());
    EXPECT_NEAR(of_ball->center.norm(), 0.9, 0.05);
}

TEST(Quality, MeshesArePressedFromTheFirstTouchOn) {
    const auto folder = std::filesystem::temp_directory_path() / "knead_pressed_meshes";
    const std::array<NamedMesh, 2> meshes = {NamedMesh{"dumbbell", "dumbbell.obj", dumbbell()},
                                             NamedMesh{"ball", "ball.obj", make_sphere(0.1, 3)}};
    for (const NamedMesh& mesh : meshes)
        write_obj(folder / mesh.file, mesh_file(mesh.mesh), mesh.mesh.positions);
    const Vec3 size = bounding_box(meshes[0].mesh.positions).size();
    for (const Press press : {Press::floor, Press::ball, Press::ring, Press::other}) {
        const std::string name = press_names[static_cast<std::size_t>(press)];
        SCOPED_TRACE(name);
        const auto text = press_scene(meshes[0], press, meshes[1]);
        ASSERT_TRUE(text.has_value());
        const std::filesystem::path file = folder / (name + ".json");
        write_file_atomically(file, *text);
        const LoadedScene scene = load_scene(read_scene(file));
        const SceneGauge gauge = make_gauge(scene);
        const auto deep = [&](double frame) {
            return measure_contact(gauge, gauge_frame(gauge, positions_at(scene, frame)), 0);
        };
        EXPECT_EQ(deep(1).crossings, 0);
        EXPECT_EQ(deep(1.7).crossings, 0);
        EXPECT_GT(deep(1.9).crossings, 0);
        const double depth = deep(9).depth;
        // A flat floor is as deep as it was pressed, what is round somewhat less.
        const double asked = press == Press::ring    ? 0.05
                             : press == Press::other ? 0.1 * size.z()
                                                     : 0.1 * size.y();
        EXPECT_NEAR(depth / asked, 1, press == Press::floor ? 0.1 : 0.5);
    }
    MeasureSettings settings;
    settings.jump_resolutions = 0;
    const PressedMesh pressed{"dumbbell", Press::floor, "",
                              measure_pressed(folder / "floor.json", settings)};
    EXPECT_NEAR(pressed.quality.motion.depth_before, 0.1 * size.y(), 0.01 * size.y());
    EXPECT_GT(pressed.quality.motion.crossings_before, 0);
    EXPECT_GT(pressed.quality.milliseconds, 0);
    EXPECT_NE(mesh_page(std::span(&pressed, 1)).find("| `dumbbell` |"), std::string::npos);
    std::filesystem::remove_all(folder);
}

} // namespace
} // namespace knead::quality
