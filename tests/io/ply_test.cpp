#include "knead/mesh/primitives.hpp"

#include <fmt/format.h>

#include <limits>

#include "io/io_testing.hpp"
#include "processor_time.hpp"

namespace knead {
namespace {

std::string ply_message(std::string_view content) {
    return message_of_reading(MeshFormat::ply, content);
}

const std::string text_ply = "ply\n"
                             "format ascii 1.0\n"
                             "comment made by hand\n"
                             "element vertex 4\n"
                             "property float x\nproperty float y\nproperty float z\n"
                             "property float nx\n"
                             "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                             "property double firmness\n"
                             "property float flow_0\nproperty float flow_1\n"
                             "property list uchar int neighbours\n"
                             "element edge 1\n"
                             "property int vertex1\nproperty int vertex2\n"
                             "element face 2\n"
                             "property list uchar int vertex_indices\n"
                             "property uchar flags\n"
                             "end_header\n"
                             "0 0 0 9 255 0 51 0.25 1 2 0\n"
                             "1 0 0 9 255 0 51 0.5 3 4 2 7 8\n"
                             "1 1 0 9 255 0 51 0.75 5 6 1 7\n"
                             "\n"
                             "0 1 0 9 255 0 51 1 7 8 0\n"
                             "0 1\n"
                             "3 0 1 2 9\n"
                             "4 0 1 2 3 9\n";

TEST(Ply, ReadsTextAndItsAttributes) {
    const MeshFile file = read_mesh_from_memory(MeshFormat::ply, text_ply, "m");
    EXPECT_EQ(file.mesh.vertex_count(), 4);
    EXPECT_EQ(file.polygons.corners, (std::vector<int>{0, 1, 2, 0, 1, 2, 3}));
    ASSERT_EQ(file.mesh.attributes.size(), 3u);
    EXPECT_EQ(file.mesh.attributes.at("firmness").values,
              (std::vector<double>{0.25, 0.5, 0.75, 1}));
    EXPECT_EQ(file.mesh.attributes.at("flow").components, 2);
    EXPECT_EQ(file.mesh.attributes.at("flow").at(3, 1), 8);
    EXPECT_EQ(file.mesh.attributes.at("color").components, 3);
    EXPECT_EQ(file.mesh.attributes.at("color").at(2, 2), 0.2);
}

// Every scalar type, in either byte order.
std::string binary_ply(bool big) {
    const bool turned = big == (std::endian::native == std::endian::little);
    std::string content = std::string("ply\r\nformat binary_") + (big ? "big" : "little") +
                          "_endian 1.0\r\nelement vertex 3\r\n"
                          "property double x\r\nproperty float y\r\nproperty short z\r\n"
                          "property char a\r\nproperty uint8 b\r\nproperty ushort c\r\n"
                          "property int d\r\nproperty uint32 e\r\n"
                          "element face 1\r\nproperty list uint16 uint vertex_index\r\n"
                          "property float area\r\nend_header\r\n";
    for (int v = 0; v < 3; ++v) {
        content += bytes_of(v == 1 ? 0.1 : 0.0, turned);
        content += bytes_of(v == 2 ? 0.5f : 0.0f, turned);
        content += bytes_of(static_cast<std::int16_t>(-300), turned);
        content += bytes_of(static_cast<std::int8_t>(-3), turned);
        content += bytes_of(static_cast<std::uint8_t>(200), turned);
        content += bytes_of(static_cast<std::uint16_t>(60000), turned);
        content += bytes_of(static_cast<std::int32_t>(-70000), turned);
        content += bytes_of(static_cast<std::uint32_t>(4000000000u), turned);
    }
    content += bytes_of(static_cast<std::uint16_t>(3), turned);
    for (std::uint32_t i = 0; i < 3; ++i) content += bytes_of(i, turned);
    return content + bytes_of(1.0f, turned);
}

TEST(Ply, ReadsBinaryOfBothByteOrders) {
    for (const bool big : {false, true}) {
        const MeshFile file = read_mesh_from_memory(MeshFormat::ply, binary_ply(big), "m");
        EXPECT_EQ(file.mesh.positions[1], Vec3(0.1, 0, -300));
        EXPECT_EQ(file.mesh.positions[2], Vec3(0, 0.5, -300));
        EXPECT_EQ(file.mesh.faces, (std::vector<Triangle>{{0, 1, 2}}));
        EXPECT_EQ(file.mesh.attributes.at("a").values[2], -3);
        EXPECT_EQ(file.mesh.attributes.at("b").values[2], 200);
        EXPECT_EQ(file.mesh.attributes.at("c").values[2], 60000);
        EXPECT_EQ(file.mesh.attributes.at("d").values[2], -70000);
        EXPECT_EQ(file.mesh.attributes.at("e").values[2], 4000000000.0);
    }
}

TEST_F(Io, PlyRoundTripKeepsEverything) {
    MeshFile file = read_mesh_from_memory(MeshFormat::ply, text_ply, "m");
    file.mesh.positions[1].x() = 0.1;
    file.texture_coordinates = {{0, 0.1}, {1, 0}, {1, 1}};
    file.corner_texture = {0, 1, 2, -1, -1, -1, -1};
    write_ply(folder / "again.ply", file, file.mesh.positions, file.mesh.attributes);
    expect_same(read_mesh(folder / "again.ply"), file);
    // Colours that are no whole bytes keep their digits.
    file.mesh.attributes.at("color").values[0] = 0.1;
    write_ply(folder / "again.ply", file, file.mesh.positions, file.mesh.attributes);
    expect_same(read_mesh(folder / "again.ply"), file);
    EXPECT_EQ(file_count(), 1);
}

TEST_F(Io, PlyHoldsPolygonsOfManyCorners) {
    MeshFile file;
    for (int i = 0; i < 300; ++i) {
        file.mesh.positions.emplace_back(std::cos(0.02 * i), std::sin(0.02 * i), 0);
        file.polygons.corners.push_back(i);
    }
    file.polygons.close();
    write_ply(folder / "m.ply", file, file.mesh.positions);
    EXPECT_EQ(read_mesh(folder / "m.ply").polygons, file.polygons);
}

std::string with_header(std::string_view elements, std::string_view body,
                        std::string_view format = "ascii") {
    return "ply\nformat " + std::string(format) + " 1.0\n" + std::string(elements) +
           "end_header\n" + std::string(body);
}
std::string triangle_ply(std::string_view body) {
    return with_header("element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                       "element face 1\nproperty list uchar int vertex_indices\n",
                       body);
}

TEST(Ply, NamesWhatIsWrongInTheHeader) {
    EXPECT_EQ(ply_message(""), "m: does not begin with 'ply' as a PLY file does");
    EXPECT_EQ(ply_message("solid\n"), "m: does not begin with 'ply' as a PLY file does");
    EXPECT_EQ(ply_message("ply\nformat ascii 1.0\n"), "m: the file ends before 'end_header'");
    EXPECT_EQ(ply_message("ply\nend_header\n"), "m: line 2: the header ends without a format line");
    EXPECT_EQ(ply_message("ply\nformat morse 1.0\n"),
              "m: line 2: found format 'morse', expected ascii, binary_little_endian or "
              "binary_big_endian");
    EXPECT_EQ(ply_message("ply\nproperty float x\n"),
              "m: line 2: a property comes before the first element");
    EXPECT_EQ(ply_message("ply\nelement vertex many\n"),
              "m: line 2: the count of the element is 'many', expected a whole number");
    EXPECT_EQ(ply_message("ply\nelement vertex 3\nproperty half x\n"),
              "m: line 3: found type 'half', expected one such as float, double, uchar or int");
    EXPECT_EQ(ply_message("ply\nelement face 3\nproperty list float int vertex_indices\n"),
              "m: line 3: the count of a list is a floating-point type, expected a whole-number "
              "type");
    EXPECT_EQ(ply_message("ply\nelements vertex 3\n"),
              "m: line 2: found 'elements' in the header, expected format, element, property, "
              "comment or end_header");
    EXPECT_EQ(
        ply_message(with_header("element vertex 1\nproperty float x\nproperty float y\n", "0 0")),
        "m: the vertices have no property 'z'");
    const std::string xyz =
        "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n";
    EXPECT_EQ(ply_message(with_header(xyz + "property float a\nproperty float a\n", "0 0 0 1 2")),
              "m: the vertices have the attribute 'a' twice, expected names that differ");
    EXPECT_EQ(ply_message(with_header(xyz + "property int a\nproperty int a_0\nproperty int a_1\n",
                                      "0 0 0 1 2 3")),
              "m: the vertices have the attribute 'a' twice, expected names that differ");
    EXPECT_EQ(ply_message(with_header("element face 1\nproperty int vertex_indices\n", "0 0")),
              "m: the faces have no list 'vertex_indices'");
    EXPECT_EQ(
        ply_message(with_header("element vertex 1\nproperty float x\nproperty float y\nproperty "
                                "float z\n",
                                "0 0 0")),
        "m: the mesh has no faces, expected at least 1");
    EXPECT_EQ(ply_message(with_header("", "")), "m: the mesh has no vertices, expected at least 3");
}

TEST(Ply, NumbersOfAttributesAreFinite) {
    const auto message_of_values = [](std::string_view values, std::string_view texture) {
        return ply_message(
            with_header("element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                        "property float heat\nproperty float flow_0\nproperty float flow_1\n"
                        "element face 1\nproperty list uchar int vertex_indices\n"
                        "property list uchar float texcoord\n",
                        fmt::format("0 0 0 1 2 3\n1 0 0 {}\n0 1 0 1 2 3\n3 0 1 2 6 0 0 1 0 {}\n",
                                    values, texture)));
    };
    EXPECT_EQ(message_of_values("1 2 3", "0 1"), "no error");
    EXPECT_EQ(message_of_values("nan 2 3", "0 1"),
              "m: vertex 1: attribute 'heat' is nan, expected a finite number");
    EXPECT_EQ(message_of_values("1 2 -inf", "0 1"),
              "m: vertex 1: attribute 'flow_1' is -inf, expected a finite number");
    EXPECT_EQ(message_of_values("1 2 3", "0 inf"),
              "m: face 0: a texture coordinate is inf, expected a finite number");
}

TEST(Ply, NamesWhatIsWrongInTheBody) {
    EXPECT_EQ(ply_message(triangle_ply("0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")), "no error");
    EXPECT_EQ(ply_message(triangle_ply("0 0 0\n1 0 0\n0 1 0000000000\n")),
              "m: the file ends within face 0 of 1");
    EXPECT_EQ(ply_message(triangle_ply("0 0 0\n1 0 zero\n0 1 0\n3 0 1 2\n")),
              "m: line 11: z is 'zero', expected a number");
    EXPECT_EQ(ply_message(triangle_ply("0 0 0\n1 0 0 5\n0 1 0\n3 0 1 2\n")),
              "m: line 11: found '5' behind the last number of vertex 1");
    EXPECT_EQ(ply_message(triangle_ply("0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n")),
              "m: vertex 1 is at (1, nan, 0), expected finite numbers");
    EXPECT_EQ(ply_message(triangle_ply("0 0 0\n1 -1e300 0\n0 1 0\n3 0 1 2\n")),
              "m: vertex 1 is at (1, -1e+300, 0), expected coordinates between -1e100 and 1e100");
    EXPECT_EQ(ply_message(triangle_ply("0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n")),
              "m: face 0 uses vertex 3, expected 0 to 2");
    EXPECT_EQ(ply_message(triangle_ply("0 0 0\n1 0 0\n0 1 0\n3 0 1 1\n")),
              "m: face 0 uses vertex 1 twice");
    EXPECT_EQ(ply_message(triangle_ply("0 0 0\n1 0 0\n0 1 0\n2 0 1\n")),
              "m: face 0 has 2 corners, expected at least 3");
    EXPECT_EQ(ply_message(triangle_ply("0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n")),
              "m: face 0: a vertex index is 1.5, expected a whole number below 2^31");
    EXPECT_EQ(ply_message(triangle_ply("0 0 0\n1 0 0\n0 1 0\n4000000000 0 1 2\n")),
              "m: face 0: the list 'vertex_indices' promises 4000000000 numbers, more than the "
              "file holds");
    for (const bool big : {false, true}) {
        const std::string whole = binary_ply(big);
        EXPECT_EQ(ply_message(whole.substr(0, whole.size() - 1)),
                  "m: the file ends within face 0 of 1");
        EXPECT_EQ(ply_message(whole.substr(0, whole.size() - 80)),
                  "m: the header promises 3 of element 'vertex', the 16 bytes behind it cannot "
                  "hold them");
    }
}

TEST(Ply, PromisesAreComparedWithTheFileBeforeAnythingIsAllocated) {
    const std::string_view xyz = "property float x\nproperty float y\nproperty float z\n";
    const ProcessorTime time;
    EXPECT_EQ(
        ply_message(with_header("element vertex 1000000000000\n" + std::string(xyz), "0 0 0")),
        "m: the header promises 1000000000000 of element 'vertex', the 5 bytes behind it "
        "cannot hold them");
    EXPECT_EQ(ply_message(with_header("element vertex 1000000000000\n" + std::string(xyz), "0 0 0",
                                      "binary_little_endian")),
              "m: the header promises 1000000000000 of element 'vertex', the 5 bytes behind it "
              "cannot hold them");
    EXPECT_EQ(ply_message(with_header("element nothing 1000000000000\n", "")),
              "m: the header promises 1000000000000 of element 'nothing', the 0 bytes behind it "
              "cannot hold them");
    const std::string huge_list = bytes_of(0xEE6B2800u); // 4e9
    EXPECT_EQ(ply_message(with_header("element face 1\nproperty list uint int vertex_indices\n",
                                      huge_list, "binary_little_endian")),
              "m: face 0: the list 'vertex_indices' promises 4000000000 numbers, more than the "
              "file holds");
    EXPECT_LT(time.milliseconds(), 1000 * sanitizer_slowdown);
}

TEST_F(Io, AHugeSparsePlyIsRefusedAtOnce) {
    const auto path = write("huge.ply", triangle_ply(""));
    std::filesystem::resize_file(path, std::uintmax_t(2) << 30);
    ProcessorTime time;
    EXPECT_EQ(message_of([&] { read_mesh(path); }),
              path.string() + ": the file has 2147483648 bytes, expected at most 1073741824");
    // Small enough to be looked into.
    std::filesystem::resize_file(path, std::uintmax_t(64) << 20);
    EXPECT_EQ(message_of([&] { read_mesh(path); }), path.string() + ": line 10: x is '" +
                                                        std::string(60, '?') +
                                                        "...', expected a number");
    EXPECT_LT(time.milliseconds(), 1000 * sanitizer_slowdown);
}

} // namespace
} // namespace knead
