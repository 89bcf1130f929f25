#include <fmt/format.h>

#include "io/gltf_testing.hpp"

namespace knead {
namespace {

std::vector<Vec2> texture_of(MeshFormat format, std::string_view content) {
    return vertex_texture_coordinates(read_mesh_from_memory(format, content, "m"));
}

bool is_none(const Vec2& texture) {
    return !(texture.x() == texture.x() || texture.y() == texture.y());
}

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                           "vt 0 0\nvt 0.5 0\nvt 0.5 1\nvt 0 1\nvt 0.75 1\nvt 0.5 1\n";

TEST(VertexTexture, OfAnObjIsThatOfItsCorners) {
    const auto texture = texture_of(MeshFormat::obj, square + "f 1/1 2/2 3/3 4/4\n");
    EXPECT_EQ(texture, (std::vector<Vec2>{{0, 0}, {0.5, 0}, {0.5, 1}, {0, 1}}));
    EXPECT_TRUE(texture_of(MeshFormat::obj, square + "f 1 2 3 4\n").empty());
}

TEST(VertexTexture, IsNoneAtASeam) {
    // Vertex 3 has two that are equal, vertex 1 two that are not, vertex 4 one and none.
    const auto texture =
        texture_of(MeshFormat::obj, square + "v 0 2 0\nf 1/1 2/2 3/3\nf 1/5 3/6 4/4\nf 3 5 4\n");
    ASSERT_EQ(texture.size(), 5u);
    EXPECT_TRUE(is_none(texture[0]));
    EXPECT_EQ(texture[1], Vec2(0.5, 0));
    EXPECT_TRUE(is_none(texture[2])); // the third face has none there
    EXPECT_TRUE(is_none(texture[3]));
    EXPECT_TRUE(is_none(texture[4]));
    const auto same = texture_of(MeshFormat::obj, square + "f 1/1 2/2 3/3\nf 1/1 3/6 4/4\n");
    EXPECT_EQ(same[2], Vec2(0.5, 1));
}

TEST(VertexTexture, OfAPlyIsInItsFacesOrItsVertices) {
    const auto ply = [](std::string_view u, std::string_view v) {
        return fmt::format("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty "
                           "float y\nproperty float z\nproperty float {}\nproperty float {}\n"
                           "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                           "0 0 0 0.5 1\n1 0 0 2 3\n0 1 0 4 5\n3 0 1 2\n",
                           u, v);
    };
    const std::vector<Vec2> expected = {{0.5, 1}, {2, 3}, {4, 5}};
    EXPECT_EQ(texture_of(MeshFormat::ply, ply("s", "t")), expected);
    EXPECT_EQ(texture_of(MeshFormat::ply, ply("u", "v")), expected);
    EXPECT_EQ(texture_of(MeshFormat::ply, ply("texture_u", "texture_v")), expected);
    EXPECT_TRUE(texture_of(MeshFormat::ply, ply("s", "heat")).empty());
    EXPECT_EQ(texture_of(MeshFormat::ply,
                         "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty "
                         "float y\nproperty float z\nelement face 1\nproperty list uchar int "
                         "vertex_indices\nproperty list uchar float texcoord\nend_header\n"
                         "0 0 0\n1 0 0\n0 1 0\n3 0 1 2 6 0.5 1 2 3 4 5\n"),
              expected);
}

// glTF splits vertices at seams; welded, they have several.
TEST(VertexTexture, OfAGltfIsNoneWhereVerticesWereSplit) {
    GltfBuilder builder = GltfBuilder::triangle();
    const int position = builder.points({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
    const int uv = builder.accessor<float>({0, 0, 1, 0, 0, 1, 0.25f, 0.5f, 1, 1, 0, 1}, "VEC2", 2);
    builder.primitive()["attributes"] = {{"POSITION", position}, {"TEXCOORD_0", uv}};
    const auto texture = vertex_texture_coordinates(builder.read());
    ASSERT_EQ(texture.size(), 4u);
    EXPECT_EQ(texture[0], Vec2(0, 1));
    EXPECT_TRUE(is_none(texture[1]));
    EXPECT_EQ(texture[2], Vec2(0, 0));
    EXPECT_EQ(texture[3], Vec2(1, 0));
}

} // namespace
} // namespace knead
