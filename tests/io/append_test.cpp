#include "knead/mesh/primitives.hpp"

#include "io/gltf_testing.hpp"

namespace knead {
namespace {

MeshFile read_obj(std::string_view text) {
    return read_mesh_from_memory(MeshFormat::obj, text, "m");
}

const std::string quad = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST(Append, OfTwoFilesIsTheFileOfBoth) {
    const std::string first = "mtllib a.mtl\n" + quad +
                              "vt 0 0\nvt 1 0\nvt 1 1\n"
                              "o left\ng palm\nusemtl skin\nf 1/1 2/2 3/3\n"
                              "o rest\ng thumb\nf 1 3 4\n";
    const std::string second = "mtllib a.mtl\nmtllib b.mtl\n" + quad +
                               "vt 0.5 0.25\n"
                               "o right\ng nail\nusemtl bone\nf 1/1 2 3 4\n"
                               "o left\ng palm\nusemtl skin\nf 1 2 3\n";
    MeshFile both = read_obj(first);
    append(both, read_obj(second));
    expect_same(both, read_obj("mtllib a.mtl\nmtllib b.mtl\n" + quad + quad +
                               "vt 0 0\nvt 1 0\nvt 1 1\nvt 0.5 0.25\n"
                               "o left\ng palm\nusemtl skin\nf 1/1 2/2 3/3\n"
                               "o rest\ng thumb\nf 1 3 4\n"
                               "o right\ng nail\nusemtl bone\nf 5/4 6 7 8\n"
                               "o left\ng palm\nusemtl skin\nf 5 6 7\n"));
}

TEST(Append, TrianglesStayTriangles) {
    MeshFile file;
    append(file, mesh_file(make_sphere(1, 0)));
    append(file, file);
    EXPECT_EQ(file.mesh.vertex_count(), 24);
    EXPECT_EQ(file.polygon_count(), 40);
    EXPECT_EQ(file.polygons.count(), 0);
    EXPECT_TRUE(file.mesh_vertex_of.empty());
    EXPECT_TRUE(file.corner_texture.empty());
    EXPECT_TRUE(file.face_groups.empty());
}

TEST(Append, VerticesOfTheFileKeepTheirMeshVertex) {
    // Two triangles that share an edge, split there.
    GltfBuilder builder = GltfBuilder::triangle();
    builder.primitive()["attributes"]["POSITION"] =
        builder.points({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
    const MeshFile split = builder.read();
    ASSERT_EQ(split.file_vertex_count(), 6);
    ASSERT_EQ(split.mesh.vertex_count(), 4);
    const MeshFile plain = read_obj(quad + "f 1 2 3\n");
    for (const bool split_first : {true, false}) {
        MeshFile file = split_first ? split : plain;
        const MeshFile& other = split_first ? plain : split;
        append(file, other);
        ASSERT_EQ(file.polygon_count(), 3);
        ASSERT_EQ(file.file_vertex_count(), 10);
        for (int p = 0; p < 3; ++p)
            for (int i = 0; i < 3; ++i)
                EXPECT_EQ(file.mesh_vertex(file.polygon(p)[i]), file.mesh.faces[p][i]);
        EXPECT_EQ(file.polygon(2)[2], split_first ? 8 : 9);
    }
}

} // namespace
} // namespace knead
