#include "knead/base/parallel.hpp"
#include "knead/base/random.hpp"
#include "knead/io/cache.hpp"
#include "knead/mesh/primitives.hpp"

#include <fmt/format.h>

#include <limits>
#include <thread>

#include "io/gltf_testing.hpp"

namespace knead {
namespace {

std::vector<FramePositions> wobbling(const TriangleMesh& mesh, const std::vector<double>& frames) {
    Random random(11);
    std::vector<FramePositions> result;
    for (const double frame : frames) {
        result.push_back({frame, mesh.positions});
        for (Vec3& p : result.back().positions) p += random.in_cube(0.3);
    }
    return result;
}

float float_at(const std::string& bytes, std::size_t offset) {
    float value;
    std::memcpy(&value, bytes.data() + offset, 4);
    return value;
}
int int_at(const std::string& bytes, std::size_t offset) {
    int value;
    std::memcpy(&value, bytes.data() + offset, 4);
    return value;
}

// A quad and a triangle with a UV seam between them, groups and attributes.
MeshFile small_mesh() {
    MeshFile file = read_mesh_from_memory(MeshFormat::obj,
                                          "o 1st mesh\n"
                                          "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\n"
                                          "v 0 1 0 0 0 0\nv 2 0 0.1 1 1 1\n"
                                          "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.25\n"
                                          "g palm\nf 1/1 2/2 3/3 4/4\n"
                                          "g finger tip\nf 2/5 5/1 3/3\n",
                                          "m");
    file.mesh.attributes["firmness"] = {1, {0, 0.25, 0.5, 0.75, 1}};
    file.mesh.attributes["flow dir"] = {2, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
    return file;
}

TEST_F(Io, Pc2HoldsEverySample) {
    const MeshFile ball = mesh_file(make_sphere(1, 2), "ball");
    const auto frames = wobbling(ball.mesh, {2, 2.5, 3});
    write_cache(folder / "ball.pc2", CacheFormat::pc2, ball, frames);
    const std::string bytes = read_text_file(folder / "ball.pc2");
    const std::size_t vertices = ball.mesh.positions.size();
    ASSERT_EQ(bytes.size(), 32 + 3 * vertices * 12);
    EXPECT_EQ(bytes.substr(0, 12), std::string("POINTCACHE2\0", 12));
    EXPECT_EQ(int_at(bytes, 12), 1);
    EXPECT_EQ(int_at(bytes, 16), static_cast<int>(vertices));
    EXPECT_EQ(float_at(bytes, 20), 2.0f);
    EXPECT_EQ(float_at(bytes, 24), 0.5f);
    EXPECT_EQ(int_at(bytes, 28), 3);
    for (std::size_t f = 0; f < 3; ++f)
        for (std::size_t v = 0; v < vertices; ++v)
            for (int i = 0; i < 3; ++i)
                ASSERT_EQ(float_at(bytes, 32 + ((f * vertices + v) * 3 + i) * 4),
                          static_cast<float>(frames[f].positions[v][i]));
}

TEST_F(Io, GlbPlaysTheFramesItWasGiven) {
    MeshFile ball = mesh_file(make_sphere(1, 2), "ball");
    const auto frames = wobbling(ball.mesh, {1, 2, 4, 4.5});
    write_cache(folder / "ball.glb", CacheFormat::glb, ball, frames, {.fps = 10});
    const MeshFile again = read_mesh(folder / "ball.glb");
    EXPECT_EQ(again.name, "ball");
    EXPECT_EQ(again.mesh.faces, ball.mesh.faces);
    EXPECT_TRUE(again.mesh_vertex_of.empty());
    ASSERT_TRUE(again.rig.has_value());
    ASSERT_EQ(again.rig->clips.size(), 1u);
    std::vector<Vec3> positions;
    const auto difference_at = [&](double frame, const std::vector<Vec3>& expected) {
        posed_positions(again, 0, (frame - 1) / 10, positions);
        double largest = 0;
        for (std::size_t v = 0; v < expected.size(); ++v)
            largest = std::max(largest, (positions[v] - expected[v]).norm());
        return largest;
    };
    for (const FramePositions& frame : frames)
        EXPECT_LT(difference_at(frame.frame, frame.positions), 1e-6) << frame.frame;
    // Linear between frames.
    std::vector<Vec3> middle;
    for (std::size_t v = 0; v < frames[1].positions.size(); ++v)
        middle.push_back(0.5 * (frames[1].positions[v] + frames[2].positions[v]));
    EXPECT_LT(difference_at(3, middle), 1e-6);
}

TEST_F(Io, GlbKeepsUvsAttributesAndSeams) {
    const MeshFile source = small_mesh();
    write_cache(folder / "m.glb", CacheFormat::glb, source, wobbling(source.mesh, {1, 2}));
    const MeshFile again = read_mesh(folder / "m.glb");
    EXPECT_EQ(again.name, "1st mesh");
    EXPECT_EQ(again.mesh.faces, source.mesh.faces);
    // Vertex 1 has two UVs; its copy comes behind all others.
    EXPECT_EQ(again.mesh_vertex_of, (std::vector<int>{0, 1, 2, 3, 4, 1}));
    ASSERT_EQ(again.corner_texture.size(), 9u);
    const std::vector<Vec2> expected{{0, 0}, {1, 0},      {1, 1}, {0, 0}, {1, 1},
                                     {0, 1}, {0.5, 0.25}, {0, 0}, {1, 1}};
    for (std::size_t c = 0; c < 9; ++c)
        EXPECT_EQ(again.texture_coordinates[again.corner_texture[c]], expected[c]) << c;
    ASSERT_EQ(again.mesh.attributes.size(), 3u);
    for (const auto& [name, attribute] : source.mesh.attributes) {
        EXPECT_EQ(again.mesh.attributes.at(name).components, attribute.components);
        EXPECT_EQ(again.mesh.attributes.at(name).values, attribute.values);
    }
}

TEST_F(Io, OneFrameMakesAStillGlb) {
    const MeshFile source = small_mesh();
    const std::vector<FramePositions> frame{{7, source.mesh.positions}};
    write_cache(folder / "m.glb", CacheFormat::glb, source, frame);
    EXPECT_FALSE(read_mesh(folder / "m.glb").rig.has_value());
    const MeshFile nameless = mesh_file(source.mesh);
    write_cache(folder / "m.glb", CacheFormat::glb, nameless, frame);
    EXPECT_EQ(read_mesh(folder / "m.glb").name, "");
}

TEST_F(Io, WeldedGltfIsMappedBackInEveryCache) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.primitive()["attributes"]["POSITION"] =
        builder.points({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
    const MeshFile source = builder.read();
    ASSERT_EQ(source.mesh.vertex_count(), 4);
    const std::vector<FramePositions> frames{{0, {4, Vec3(1, 2, 3)}}, {1, source.mesh.positions}};
    write_cache(folder / "m.pc2", CacheFormat::pc2, source, frames);
    EXPECT_EQ(read_text_file(folder / "m.pc2").size(), 32u + 2 * 6 * 12);
    write_cache(folder / "m.glb", CacheFormat::glb, source, frames);
    EXPECT_EQ(read_mesh(folder / "m.glb").file_vertex_count(), 6);
    write_cache(folder / "m.usda", CacheFormat::usda, source, frames);
    EXPECT_NE(read_text_file(folder / "m.usda")
                  .find("1: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]"),
              std::string::npos);
}

TEST_F(Io, UsdaIsWrittenToTheLetter) {
    const MeshFile source = small_mesh();
    std::vector<FramePositions> frames{{1, source.mesh.positions}, {2.5, source.mesh.positions}};
    frames[1].positions[0].x() = 0.1;
    write_cache(folder / "m.usda", CacheFormat::usda, source, frames, {.fps = 30, .up = 'z'});
    EXPECT_EQ(read_text_file(folder / "m.usda"), R"(#usda 1.0
(
    defaultPrim = "_1st_mesh"
    endTimeCode = 2.5
    framesPerSecond = 30
    startTimeCode = 1
    timeCodesPerSecond = 30
    upAxis = "Z"
)

def Mesh "_1st_mesh"
{
    int[] faceVertexCounts = [4, 3]
    int[] faceVertexIndices = [0, 1, 2, 3, 1, 4, 2]
    point3f[] points.timeSamples = {
        1: [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 0, 0.1)],
        2.5: [(0.1, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 0, 0.1)],
    }
    float3[] extent.timeSamples = {
        1: [(0, 0, 0), (2, 1, 0.1)],
        2.5: [(0, 0, 0), (2, 1, 0.1)],
    }
    texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0.25)] (
        interpolation = "faceVarying"
    )
    int[] primvars:st:indices = [0, 1, 2, 3, 4, 0, 2]
    color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0), (1, 1, 1)] (
        interpolation = "vertex"
    )
    double[] primvars:firmness = [0, 0.25, 0.5, 0.75, 1] (
        interpolation = "vertex"
    )
    double2[] primvars:flow_dir = [(1, 2), (3, 4), (5, 6), (7, 8), (9, 10)] (
        interpolation = "vertex"
    )
    uniform token subdivisionScheme = "none"

    def GeomSubset "palm"
    {
        uniform token elementType = "face"
        int[] indices = [0]
    }

    def GeomSubset "finger_tip"
    {
        uniform token elementType = "face"
        int[] indices = [1]
    }
}
)");
}

TEST_F(Io, UsdaMapsAreSampledAndStandInForAttributesOfTheirName) {
    MeshFile source = small_mesh();
    source.mesh.attributes = {{"contact", {1, std::vector<double>(5, 7.0)}},
                              {"con.tact", {1, std::vector<double>(5, 8.0)}},
                              {"con_tact", {1, std::vector<double>(5, 9.0)}}};
    const CacheSettings settings{.maps = {"contact", "con_tact"}};
    const std::vector<double> first = {0, 1, 0, 0.5, 0}, second = {1, 1, 1, 1, 0.1}, none(5, 0.0);
    CacheWriter two(folder / "m.usda", CacheFormat::usda, source, settings);
    two.add(2, source.mesh.positions, std::vector{second, none});
    two.add(1, source.mesh.positions, std::vector{first, none});
    two.finish();
    const std::string text = read_text_file(folder / "m.usda");
    for (const char* expected : {R"(    double[] primvars:contact (
        interpolation = "vertex"
    )
    double[] primvars:contact.timeSamples = {
        1: [0, 1, 0, 0.5, 0],
        2: [1, 1, 1, 1, 0.1],
    }
    double[] primvars:con_tact ()",
                                 "primvars:con_tact_2 = [8, 8, 8, 8, 8]"})
        EXPECT_NE(text.find(expected), std::string::npos) << text;
    EXPECT_EQ(text.find("7, 7"), std::string::npos);
    EXPECT_EQ(text.find("9, 9"), std::string::npos);

    CacheWriter one(folder / "m.usda", CacheFormat::usda, source, settings);
    one.add(1, source.mesh.positions, std::vector{first, none});
    one.finish();
    EXPECT_NE(read_text_file(folder / "m.usda")
                  .find(R"(    double[] primvars:contact = [0, 1, 0, 0.5, 0] (
        interpolation = "vertex"
    )
)"),
              std::string::npos);
}

TEST_F(Io, MapsOfCachesAreChecked) {
    const MeshFile source = small_mesh();
    CacheWriter writer(folder / "m.usda", CacheFormat::usda, source, {.maps = {"contact"}});
    const std::string begin = (folder / "m.usda").string() + ": frame 3: ";
    const auto message = [&](const std::vector<std::vector<double>>& maps) {
        return message_of([&] { writer.add(3, source.mesh.positions, maps); });
    };
    EXPECT_EQ(message({}), begin + "0 maps given, expected 1");
    EXPECT_EQ(message({{1, 2}}), begin + "map 'contact' has 2 values, expected 5");
    EXPECT_EQ(message({{1, 2, 3, 4, std::nan("")}}),
              begin + "map 'contact' has the value nan, expected finite numbers");
}

TEST_F(Io, UsdaNamesAreIdentifiersAndUnique) {
    MeshFile source = small_mesh();
    source.name = "é \"";
    source.face_groups.names = {"a b", "a.b"};
    source.mesh.attributes = {{"", {1, std::vector<double>(5)}},
                              {"st", {1, std::vector<double>(5)}}};
    const std::vector<FramePositions> frame{{1, source.mesh.positions}};
    write_cache(folder / "m.usda", CacheFormat::usda, source, frame);
    const std::string text = read_text_file(folder / "m.usda");
    for (const char* expected :
         {"def Mesh \"mesh\"", "primvars:attribute = ", "primvars:st_2 = ", "\"a_b\"", "\"a_b_2\"",
          "point3f[] points = [", "float3[] extent = ["})
        EXPECT_NE(text.find(expected), std::string::npos) << expected;
}

TEST_F(Io, TheOrderOfFramesDoesNotMatter) {
    const MeshFile ball = mesh_file(make_sphere(1, 2), "ball");
    std::vector<double> numbers;
    for (int f = 1; f <= 40; ++f) numbers.push_back(f);
    const auto frames = wobbling(ball.mesh, numbers);
    for (const auto& [format, name] :
         {std::pair(CacheFormat::pc2, "pc2"), std::pair(CacheFormat::glb, "glb"),
          std::pair(CacheFormat::usda, "usda")}) {
        write_cache(folder / "ordered", format, ball, frames);
        CacheWriter writer(folder / "parallel", format, ball);
        parallel_for(frames.size(), 1, [&](std::size_t f) {
            const FramePositions& frame = frames[frames.size() - 1 - f];
            writer.add(frame.frame, frame.positions);
        });
        writer.finish();
        EXPECT_EQ(read_text_file(folder / "ordered"), read_text_file(folder / "parallel")) << name;
    }
}

TEST_F(Io, AnUnfinishedCacheLeavesNothingBehind) {
    const MeshFile ball = mesh_file(make_sphere(1, 2), "ball");
    write_file_atomically(folder / "ball.pc2", "old");
    {
        CacheWriter writer(folder / "ball.pc2", CacheFormat::pc2, ball);
        writer.add(1, ball.mesh.positions);
        EXPECT_EQ(file_count(), 1);
    }
    EXPECT_EQ(file_count(), 1);
    EXPECT_EQ(read_text_file(folder / "ball.pc2"), "old");
}

TEST_F(Io, CachesNameWhatIsWrong) {
    const MeshFile ball = mesh_file(make_sphere(1, 0), "ball");
    const std::string path = (folder / "m.pc2").string();
    const auto write_frames = [&](const std::vector<double>& frames) {
        return message_of(
            [&] { write_cache(path, CacheFormat::pc2, ball, wobbling(ball.mesh, frames)); });
    };
    EXPECT_EQ(write_frames({}), path + ": no frames given, expected at least 1");
    EXPECT_EQ(write_frames({1, 2, 1}), path + ": frame 1 given twice");
    EXPECT_EQ(write_frames({1, 2, 4}),
              path + ": frame 4 follows frame 2, expected steps of 1 as between the first two");
    EXPECT_EQ(write_frames({std::numeric_limits<double>::infinity()}),
              path + ": frame inf given, expected a finite number");
    EXPECT_EQ(message_of([&] {
                  write_cache(path, CacheFormat::pc2, ball,
                              std::vector<FramePositions>{{1, {Vec3::Zero()}}});
              }),
              path + ": 1 position given for a mesh of 12 vertices");
    std::vector<Vec3> broken = ball.mesh.positions;
    broken[3].y() = std::numeric_limits<double>::quiet_NaN();
    broken[3].x() = broken[3].z() = 0;
    EXPECT_EQ(
        message_of([&] {
            write_cache(path, CacheFormat::pc2, ball, std::vector<FramePositions>{{1, broken}});
        }),
        path + ": frame 1: vertex 3 is at (0, nan, 0), expected finite numbers");
    EXPECT_EQ(message_of([&] { CacheWriter(path, CacheFormat::glb, ball, {.fps = 0}); }),
              path + ": fps is 0, expected a positive number");
    EXPECT_EQ(message_of([&] { CacheWriter(path, CacheFormat::usda, ball, {.up = 'x'}); }),
              path + ": up is 'x', expected 'y' or 'z'");
    const std::string nowhere = "/proc/none/m.pc2";
    EXPECT_EQ(message_of([&] { CacheWriter(nowhere, CacheFormat::pc2, ball); }),
              "/proc/none: the folder cannot be made: No such file or directory");
    EXPECT_EQ(file_count(), 0);
}

} // namespace
} // namespace knead
