#include "knead/base/random.hpp"
#include "knead/io/csv.hpp"
#include "knead/io/sequence.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <fmt/format.h>

#include "io/gltf_testing.hpp"
#include "processor_time.hpp"

namespace knead {
namespace {

const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

std::string message(const std::filesystem::path& path) {
    return message_of([&] { read_mesh(path); });
}

TEST_F(Io, TheExtensionDecides) {
    EXPECT_EQ(read_mesh(write("a.OBJ", triangle)).mesh.vertex_count(), 3);
    EXPECT_EQ(read_mesh(write("a.Glb", GltfBuilder::triangle().glb())).mesh.vertex_count(), 3);
    const auto unknown = [&](const std::string& name, const std::string& extension) {
        const auto path = write(name, triangle);
        EXPECT_EQ(message(path),
                  path.string() + ": unknown extension '" + extension +
                      "', expected .obj, .ply, .stl, .off, .glb, .gltf or one that assimp reads "
                      "such as .fbx, .dae or .3ds");
    };
    unknown("a.png", ".png");
    for (const char* name : {"a", "a."}) {
        const auto path = write(name, triangle);
        EXPECT_EQ(message(path),
                  path.string() + ": the name has no extension, expected .obj, .ply, .stl, .off, "
                                  ".glb, .gltf or one that assimp reads such as .fbx, .dae or "
                                  ".3ds");
    }
    EXPECT_EQ(message(folder), folder.string() + ": is a folder, expected a mesh file");
    EXPECT_EQ(message(folder / "none"), (folder / "none").string() + ": no such file");
}

TEST_F(Io, MissingFilesAndFolders) {
    for (const char* extension : {".obj", ".ply", ".stl", ".off", ".glb", ".gltf", ".fbx"}) {
        const auto path = folder / (std::string("none") + extension);
        EXPECT_EQ(message(path), path.string() + ": no such file");
        std::filesystem::create_directory(path);
        EXPECT_EQ(message(path), path.string() + ": is a folder, expected a file");
    }
}

TEST_F(Io, AWrongExtensionIsAnError) {
    const auto in_folder = [&](const std::string& name, std::string_view content) {
        const auto path = write(name, content);
        return message(path).substr(path.string().size());
    };
    EXPECT_EQ(in_folder("a.ply", triangle), ": does not begin with 'ply' as a PLY file does");
    EXPECT_EQ(in_folder("a.off", triangle),
              ": line 1: found 'v', expected OFF, COFF, NOFF, CNOFF or one of these behind ST");
    EXPECT_EQ(in_folder("a.stl", triangle),
              ": neither begins with 'solid' nor has the 84 bytes of a binary STL header");
    EXPECT_EQ(in_folder("a.gltf", triangle), ": the JSON is broken at byte 1");
    EXPECT_EQ(in_folder("a.glb", triangle), ": the JSON is broken at byte 1");
    EXPECT_EQ(in_folder("a.obj", "ply\nformat ascii 1.0\n"),
              ": line 1: found 'ply', expected a Wavefront OBJ keyword such as v, vt or f");
}

TEST_F(Io, GarbageAndEmptyFilesAreErrorsUnderEveryExtension) {
    Random random(5);
    for (int round = 0; round < 20; ++round)
        for (const char* extension :
             {".obj", ".ply", ".stl", ".off", ".glb", ".gltf", ".fbx", ".dae", ".3ds", ".x3d"}) {
            std::string garbage(round == 0 ? 0 : 50 * round, '\0');
            for (char& c : garbage) c = static_cast<char>(random.bits());
            const auto path = write(std::string("a") + extension, garbage);
            const std::string found = message(path);
            EXPECT_EQ(found.substr(0, path.string().size() + 2), path.string() + ": ");
        }
}

// Whatever the place at which it is cut off: an error or a mesh, never a crash.
TEST_F(Io, CutOffFilesAreErrors) {
    const MeshFile box = mesh_file(make_box({1, 1, 1}, {1, 1, 1}), "box");
    write_ply(folder / "box.ply", box, box.mesh.positions);
    write_obj(folder / "box.obj", box, box.mesh.positions);
    const std::string ply = read_text_file(folder / "box.ply"),
                      obj = read_text_file(folder / "box.obj"), glb = GltfBuilder::triangle().glb();
    const auto errors = [](MeshFormat format, const std::string& content) {
        std::size_t count = 0;
        for (std::size_t length = 0; length < content.size(); ++length)
            count += message_of_reading(format, content.substr(0, length)) != "no error";
        return count;
    };
    // The last line end may be missing, and OBJ has no end that could be missed.
    EXPECT_EQ(errors(MeshFormat::ply, ply), ply.size() - 1);
    EXPECT_EQ(errors(MeshFormat::gltf, glb), glb.size());
    EXPECT_GT(errors(MeshFormat::obj, obj), obj.find("\nf"));
}

const std::string collada = R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><up_axis>Y_UP</up_axis></asset>
  <library_geometries>
    <geometry id="quad" name="quad"><mesh>
      <source id="p"><float_array id="pa" count="15">0 0 0 1 0 0 1 1 0 0 1 0 2 0 0</float_array>
        <technique_common><accessor source="#pa" count="5" stride="3">
          <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
        </accessor></technique_common></source>
      <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
      <polylist count="2"><input semantic="VERTEX" source="#v" offset="0"/>
        <vcount>4 3</vcount><p>0 1 2 3 1 4 2</p></polylist>
    </mesh></geometry>
  </library_geometries>
  <library_visual_scenes><visual_scene id="s"><node id="sheet" name="sheet">
    <translate>0 0 5</translate><instance_geometry url="#quad"/>
  </node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>)";

TEST_F(Io, AssimpFormatsKeepPolygonsAndAreWelded) {
    const MeshFile file = read_mesh(write("sheet.dae", collada));
    EXPECT_EQ(file.mesh.vertex_count(), 5);
    ASSERT_EQ(file.polygons.count(), 2);
    EXPECT_EQ(file.polygons[0].size(), 4u);
    EXPECT_EQ(file.mesh.face_count(), 3);
    EXPECT_EQ(file.name, "sheet");
    EXPECT_NEAR(surface_area(file.mesh.positions, file.mesh.faces), 1.5, 1e-12);
    for (const Vec3& p : file.mesh.positions) EXPECT_EQ(p.z(), 5);
}

TEST_F(Io, AssimpSaysWhatItCannotRead) {
    const auto path = write("a.dae", "<COLLADA");
    EXPECT_EQ(message(path).substr(0, path.string().size() + 23),
              path.string() + ": assimp cannot read it");
}

TEST_F(Io, AMillionTrianglesLoadInSeconds) {
    const TriangleMesh grid = make_grid({1, 1}, {708, 708});
    ASSERT_GT(grid.face_count(), 1000000);
    write_obj(folder / "grid.obj", mesh_file(grid), grid.positions);
    const ProcessorTime time;
    const MeshFile file = read_mesh(folder / "grid.obj");
    EXPECT_LT(time.milliseconds(),
              20000 * sanitizer_slowdown); // a guard against quadratic work, not a benchmark
    EXPECT_EQ(file.mesh.faces, grid.faces);
    EXPECT_EQ(file.mesh.positions, grid.positions);
}

TEST_F(Io, SequencesBlendAndHold) {
    for (const int frame : {2, 3, 4})
        write(fmt::format("hand.{:04}.obj", frame),
              fmt::format("v 0 0 {}\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4 3\n", frame * frame));
    write("hand.00003.obj", triangle);
    write("hand.0005.ply", triangle);
    write("hand.x005.obj", triangle);
    const MeshSequence sequence(folder / "hand.####.obj");
    EXPECT_EQ(sequence.first_frame(), 2);
    EXPECT_EQ(sequence.last_frame(), 4);
    EXPECT_EQ(sequence.path_of(12345), folder / "hand.12345.obj");
    std::vector<Vec3> positions;
    for (const auto& [frame, z] : {std::pair(-5.0, 4.0), std::pair(2.0, 4.0), std::pair(2.5, 6.5),
                                   std::pair(3.0, 9.0), std::pair(99.0, 16.0)}) {
        sequence.positions_at(frame, positions);
        EXPECT_EQ(positions[0].z(), z) << frame;
    }
}

TEST_F(Io, SequencesNameTheFrameThatDiffers) {
    const std::string path = (folder / "hand.#.obj").string();
    const auto sequence_message = [&](const std::string& second) {
        write("hand.1.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
        write("hand.2.obj", second);
        std::vector<Vec3> positions;
        return message_of([&] { MeshSequence(path).positions_at(2, positions); });
    };
    const std::string second = (folder / "hand.2.obj").string();
    EXPECT_EQ(sequence_message(triangle),
              second + ": the mesh has 3 vertices, expected 4 as in hand.1.obj");
    EXPECT_EQ(sequence_message("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n"),
              second + ": the mesh has 1 face, expected 2 as in hand.1.obj");
    EXPECT_EQ(sequence_message("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 3 4\n"),
              second + ": face 1 has other corners than in hand.1.obj");
    EXPECT_EQ(sequence_message("v 0 0 0\n"),
              second + ": the mesh has no faces, expected at least 1");
    std::filesystem::rename(folder / "hand.2.obj", folder / "hand.3.obj");
    std::vector<Vec3> positions;
    EXPECT_EQ(message_of([&] { MeshSequence(path).positions_at(2, positions); }),
              second + ": no such file");
    EXPECT_EQ(message_of([&] { MeshSequence(folder / "foot.##.obj"); }),
              (folder / "foot.##.obj").string() + ": no such files");
    EXPECT_EQ(message_of([&] { MeshSequence(folder / "a#b#.obj"); }),
              (folder / "a#b#.obj").string() +
                  ": expected one run of # where the frame number goes");
}

TEST_F(Io, CsvHoldsValuesAVertex) {
    const VertexAttribute one = read_csv_attribute(write("v.csv", "0.5\r\n\r\n+1\r\n-2e-3"), 3);
    EXPECT_EQ(one.components, 1);
    EXPECT_EQ(one.values, (std::vector<double>{0.5, 1, -2e-3}));
    const VertexAttribute two = read_csv_attribute_from_memory("u, v\n1, 2\n3 ,4\n", "m", 2);
    EXPECT_EQ(two.components, 2);
    EXPECT_EQ(two.values, (std::vector<double>{1, 2, 3, 4}));
}

TEST_F(Io, CsvErrorsNameTheLine) {
    const auto csv_message = [](std::string_view content) {
        return message_of([&] { read_csv_attribute_from_memory(content, "m", 2); });
    };
    EXPECT_EQ(csv_message("1\ntwo\n"), "m: line 2: found 'two', expected a finite number");
    EXPECT_EQ(csv_message("1\nnan\n"), "m: line 2: found 'nan', expected a finite number");
    EXPECT_EQ(csv_message("1,2\n3\n"),
              "m: line 2: found 1 number, expected 2 as on the first line");
    EXPECT_EQ(csv_message("1,\n2,\n"), "m: line 1: found '', expected a finite number");
    EXPECT_EQ(csv_message("1\n2\n3\n"),
              "m: line 3: found a value for vertex 2 of a mesh of 2 vertices");
    EXPECT_EQ(csv_message("1\n"), "m: has 1 value, expected one for each of 2 vertices");
    EXPECT_EQ(csv_message(""), "m: has 0 values, expected one for each of 2 vertices");
}

} // namespace
} // namespace knead
