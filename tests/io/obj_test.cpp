#include "knead/base/random.hpp"
#include "knead/mesh/primitives.hpp"

#include "io/io_testing.hpp"

namespace knead {
namespace {

MeshFile read(std::string_view content) {
    return read_mesh_from_memory(MeshFormat::obj, content, "m");
}
std::string obj_message(std::string_view content) {
    return message_of_reading(MeshFormat::obj, content);
}

TEST(Obj, ReadsEveryKindOfCorner) {
    const MeshFile file = read("# comment\r\n"
                               "o thing\r\n"
                               "v 0 0 0\r\n"
                               "v 1e0 +0 0 # trailing\r\n"
                               "v 1 1 0 1.0\r\n"
                               "v 0 1 0\r\n"
                               "vt 0 0\nvt 1 0\nvt 1 1\nvt 0.5\n"
                               "vn 0 0 1\n"
                               "s off\n"
                               "mtllib x.mtl\n"
                               "f 1 2 3\n"
                               "f 1/1 2/2 3/3\n"
                               "f 1//1 3//1 4//1\n"
                               "f 1/1/1 3/3/1 4/4/1\n"
                               "f -4/-4 -3/-3 -2/-2 -1/-1\n"
                               "f 1 \\\n 2 \\\n 4");
    EXPECT_EQ(file.name, "thing");
    EXPECT_EQ(file.mesh.vertex_count(), 4);
    ASSERT_EQ(file.polygons.count(), 6);
    EXPECT_EQ(file.polygons.corners,
              (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 2, 3, 0, 2, 3, 0, 1, 2, 3, 0, 1, 3}));
    EXPECT_EQ(file.corner_texture,
              (std::vector<int>{-1, -1, -1, 0, 1, 2, -1, -1, -1, 0, 2, 3, 0, 1, 2, 3, -1, -1, -1}));
    EXPECT_EQ(file.texture_coordinates[3], Vec2(0.5, 0));
    EXPECT_EQ(file.mesh.face_count(), 7);
}

TEST(Obj, FacesMayComeBeforeTheirVertices) {
    const MeshFile file =
        read("f 1/1 2/2 3/3\nvt 0 0\nvt 1 0\nvt 0 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
    EXPECT_EQ(file.mesh.faces, (std::vector<Triangle>{{0, 1, 2}}));
    EXPECT_EQ(file.corner_texture, (std::vector<int>{0, 1, 2}));
}

TEST(Obj, GroupsObjectsAndMaterialsAreKept) {
    const MeshFile file = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 2 2\n"
                               "o left\ng arm left\nusemtl skin\nf 1 2 3\n"
                               "o right\ng arm\nf 2 4 3\n"
                               "g\nusemtl steel#2\nf 3 4 5\n");
    EXPECT_EQ(file.mesh.groups.at("arm"), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(file.mesh.groups.at("left"), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(file.mesh.groups.at("right"), (std::vector<int>{1, 2, 3, 4}));
    EXPECT_EQ(file.face_groups.names, (std::vector<std::string>{"arm left", "arm", ""}));
    EXPECT_EQ(file.face_groups.of_polygon, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(file.face_objects.of_polygon, (std::vector<int>{0, 1, 1}));
    EXPECT_EQ(file.face_materials.names, (std::vector<std::string>{"skin", "steel#2"}));
}

TEST_F(Io, ObjRoundTripKeepsEverything) {
    const MeshFile file = read("mtllib skin and bone.mtl\nmtllib steel.mtl\n"
                               "o quad mesh\n"
                               "v 0.1 0.2 0.30000000000000004 0.5 0.25 1\n"
                               "v 1e-300 -0 1 1 1 1\n"
                               "v 1 1 1e22 0 0 0\nv 0 1 0\nv 3 3 3\n"
                               "vt 0.1 0.7\nvt 1 0\nvt 1 1\n"
                               "f 1/1 2/2 3/3\n"
                               "g palm\nusemtl skin\nf 1 2 3 4\n"
                               "g finger tip\nf 2/1 3/2 5/3\n");
    EXPECT_EQ(file.material_libraries,
              (std::vector<std::string>{"skin and bone.mtl", "steel.mtl"}));
    write_obj(folder / "again.obj", file, file.mesh.positions);
    expect_same(read_mesh(folder / "again.obj"), file);
    EXPECT_EQ(file_count(), 1);
}

TEST_F(Io, ObjKeepsRandomDoublesToTheLastBit) {
    TriangleMesh mesh = make_sphere(1, 3);
    Random random(7);
    for (Vec3& p : mesh.positions) p = std::ldexp(1.0, random.index(80) - 40) * random.direction();
    write_obj(folder / "m.obj", mesh_file(mesh, "ball"), mesh.positions);
    const MeshFile again = read_mesh(folder / "m.obj");
    expect_same(again, mesh_file(mesh, "ball"));
}

TEST_F(Io, ANameCannotBreakOutOfItsLine) {
    TriangleMesh mesh = make_sphere(1, 0);
    write_obj(folder / "m.obj", mesh_file(mesh, "a\nf 1 1 1"), mesh.positions);
    EXPECT_EQ(read_mesh(folder / "m.obj").name, "a f 1 1 1");
}

TEST_F(Io, WritersRefuseTheWrongNumberOfPositions) {
    const TriangleMesh mesh = make_sphere(1, 0);
    const std::vector<Vec3> one(1, Vec3::Zero());
    const std::string path = (folder / "m").string();
    EXPECT_EQ(message_of([&] { write_obj(path, mesh_file(mesh), one); }),
              path + ": 1 position given for a mesh of 12 vertices");
    EXPECT_EQ(message_of([&] { write_ply(path, mesh_file(mesh), one); }),
              path + ": 1 position given for a mesh of 12 vertices");
    EXPECT_EQ(message_of([&] {
                  write_ply(path, mesh_file(mesh), mesh.positions, {{"a", {2, {1, 2, 3}}}});
              }),
              path + ": attribute 'a' has 3 values, expected 24");
    EXPECT_EQ(file_count(), 0);
}

TEST(Obj, NamesWhatIsWrong) {
    const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    EXPECT_EQ(obj_message(""), "m: the mesh has no vertices, expected at least 3");
    EXPECT_EQ(obj_message(triangle), "m: the mesh has no faces, expected at least 1");
    EXPECT_EQ(obj_message("v 0 0\n"), "m: line 1: z is missing, expected a number");
    EXPECT_EQ(obj_message("v 0 zero 0\n"), "m: line 1: y is 'zero', expected a number");
    EXPECT_EQ(obj_message("v 0 0 1e999\n"), "m: line 1: z is '1e999', expected a number");
    EXPECT_EQ(obj_message("\nv nan 0 0\n"), "m: line 2: x is nan, expected a finite number");
    EXPECT_EQ(obj_message("v 0 -inf 0\n"), "m: line 1: y is -inf, expected a finite number");
    EXPECT_EQ(obj_message("v 0 0 0\nv 1e300 0 0\n"),
              "m: line 2: x is 1e+300, expected a coordinate between -1e100 and 1e100");
    EXPECT_EQ(obj_message("v 0 -1.5e100 0\n"),
              "m: line 1: y is -1.5e+100, expected a coordinate between -1e100 and 1e100");
    EXPECT_EQ(obj_message("v 1e100 0 0\nv 0 -1e100 0\nv 0 0 0\nf 1 2 3\n"), "no error");
    EXPECT_EQ(obj_message("v 0 0 0 1 1 1 1 1\n"), "m: line 1: the vertex has more than 7 numbers");
    EXPECT_EQ(obj_message(triangle + "f 1 2\n"),
              "m: line 4: the face has 2 corners, expected at least 3");
    EXPECT_EQ(obj_message(triangle + "f 1 2 2\n"), "m: line 4: the face uses vertex 2 twice");
    EXPECT_EQ(obj_message(triangle + "f 1 2 4\nf 1 2 3\n"),
              "m: line 4: the vertex index is 4, but the file has 3 vertices");
    EXPECT_EQ(obj_message(triangle + "f 1 2 0\n"),
              "m: line 4: the vertex index is '0', expected 1, 2 ... or -1, -2 ...");
    EXPECT_EQ(obj_message(triangle + "f 1 2 99999999999\n"),
              "m: line 4: the vertex index is '99999999999', expected 1, 2 ... or -1, -2 ...");
    EXPECT_EQ(obj_message(triangle + "f -1 -2 -4\n"),
              "m: line 4: the vertex index is -4, but only 3 come before");
    EXPECT_EQ(obj_message(triangle + "f 1/1 2/1 3/1\n"),
              "m: line 4: the texture index is 1, but the file has 0 texture coordinates");
    EXPECT_EQ(obj_message(triangle + "fox 1 2 3\n"),
              "m: line 4: found 'fox', expected a Wavefront OBJ "
              "keyword such as v, vt or f");
    EXPECT_EQ(obj_message("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2"),
              "m: line 4: the face has 2 corners, expected at least 3");
}

} // namespace
} // namespace knead
