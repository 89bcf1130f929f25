#include "knead/base/warning.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <fmt/format.h>

#include <limits>

#include "io/io_testing.hpp"

namespace knead {
namespace {

using Facets = std::vector<std::array<Vec3, 3>>;

std::string binary_stl(const Facets& facets, std::string header = "binary") {
    header.resize(80, ' ');
    std::string content = header + bytes_of(static_cast<std::uint32_t>(facets.size()));
    for (const auto& facet : facets) {
        content.append(12, '\0');
        for (const Vec3& p : facet)
            for (int i = 0; i < 3; ++i) content += bytes_of(static_cast<float>(p[i]));
        content.append(2, '\0');
    }
    return content;
}

std::string text_stl(const Facets& facets) {
    std::string content = "solid my part\n";
    for (const auto& facet : facets) {
        content += "  facet normal 0 0 0\n    outer loop\n";
        for (const Vec3& p : facet)
            content += fmt::format("      vertex {} {} {}\n", p.x(), p.y(), p.z());
        content += "    endloop\n  endfacet\n";
    }
    return content + "endsolid my part\n";
}

Facets facets_of(const TriangleMesh& mesh) {
    Facets facets;
    for (const Triangle& face : mesh.faces)
        facets.push_back(
            {mesh.positions[face[0]], mesh.positions[face[1]], mesh.positions[face[2]]});
    return facets;
}

std::string stl_message(std::string_view content) {
    return message_of_reading(MeshFormat::stl, content);
}
std::string off_message(std::string_view content) {
    return message_of_reading(MeshFormat::off, content);
}

TEST(Stl, BothKindsAreWelded) {
    const TriangleMesh box = make_box({2, 4, 8}, {2, 2, 2});
    for (const std::string& content : {text_stl(facets_of(box)), binary_stl(facets_of(box)),
                                       // Binary files that begin like text ones exist.
                                       binary_stl(facets_of(box), "solid box")}) {
        const MeshFile file = read_mesh_from_memory(MeshFormat::stl, content, "m");
        EXPECT_EQ(file.mesh.vertex_count(), box.vertex_count());
        ASSERT_EQ(file.mesh.face_count(), box.face_count());
        EXPECT_EQ(signed_volume(file.mesh.positions, file.mesh.faces, Vec3::Zero()), 64);
        for (int f = 0; f < box.face_count(); ++f)
            for (int i = 0; i < 3; ++i)
                EXPECT_EQ(file.mesh.positions[file.mesh.faces[f][i]],
                          box.positions[box.faces[f][i]]);
    }
    EXPECT_EQ(read_mesh_from_memory(MeshFormat::stl, text_stl(facets_of(box)), "m").name,
              "my part");
}

TEST(Stl, ZeroAndMinusZeroAreOnePlace) {
    const MeshFile file =
        read_mesh_from_memory(MeshFormat::stl,
                              binary_stl({{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)},
                                          {Vec3(-0.0, 0, 0), Vec3(0, 1, 0), Vec3(-1, 0, 0)}}),
                              "m");
    EXPECT_EQ(file.mesh.vertex_count(), 4);
}

TEST(Stl, FacetsWithoutAreaAreLeftOut) {
    std::string warning;
    set_warning_handler([&](std::string_view found) { warning = found; });
    const MeshFile file =
        read_mesh_from_memory(MeshFormat::stl,
                              binary_stl({{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 0, 0)},
                                          {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}}),
                              "m");
    set_warning_handler({});
    EXPECT_EQ(warning, "m: left out 1 facet with two corners at one place");
    EXPECT_EQ(file.mesh.face_count(), 1);
}

TEST(Stl, NamesWhatIsWrong) {
    const Facets facets{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}};
    EXPECT_EQ(stl_message(""),
              "m: neither begins with 'solid' nor has the 84 bytes of a binary STL header");
    const std::string binary = binary_stl(facets);
    EXPECT_EQ(stl_message(binary.substr(0, 100)),
              "m: the header promises 1 facet, which take 134 bytes, but the file has 100");
    EXPECT_EQ(stl_message(binary + "!"),
              "m: the header promises 1 facet, which take 134 bytes, but the file has 135");
    EXPECT_EQ(stl_message(std::string(84, '\xFF')),
              "m: the header promises 4294967295 facets, which take 214748364834 bytes, but the "
              "file has 84");
    EXPECT_EQ(stl_message(binary_stl({})), "m: the mesh has no vertices, expected at least 3");
    EXPECT_EQ(stl_message("solid x\nendsolid x\n"),
              "m: the mesh has no vertices, expected at least 3");
    const std::string text = text_stl(facets);
    EXPECT_EQ(stl_message(text.substr(0, text.size() - 17)), "m: the file ends before 'endsolid'");
    EXPECT_EQ(stl_message("solid x\nfacet\nvertex 0 0 0\nendfacet\n"),
              "m: line 4: the facet has 1 vertex, expected 3");
    EXPECT_EQ(stl_message("solid x\nvertex 0 0\n"), "m: line 2: z is missing, expected a number");
    EXPECT_EQ(stl_message("solid x\nvertex 0 inf 0\n"),
              "m: line 2: y is inf, expected a finite number");
    EXPECT_EQ(stl_message("solid x\nvertex 0 0 2e100\n"),
              "m: line 2: z is 2e+100, expected a coordinate between -1e100 and 1e100");
    EXPECT_EQ(stl_message("solid x\nvertices\n"),
              "m: line 2: found 'vertices', expected an STL keyword such as facet or vertex");
    Facets broken = facets;
    broken[0][2].y() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(stl_message(binary_stl(broken)),
              "m: vertex 2 is at (0, nan, 0), expected finite numbers");
}

TEST(Off, ReadsItsVariants) {
    const MeshFile plain =
        read_mesh_from_memory(MeshFormat::off,
                              "OFF # a comment\n\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
                              "3 0 1 2\n4 0 1 2 3 0.5 0.5 0.5\n",
                              "m");
    EXPECT_EQ(plain.mesh.vertex_count(), 4);
    EXPECT_EQ(plain.polygons.corners, (std::vector<int>{0, 1, 2, 0, 1, 2, 3}));

    const MeshFile all =
        read_mesh_from_memory(MeshFormat::off,
                              "STCNOFF 3 1 0\n0 0 0 0 0 1 255 0 51 255 0.5 0.25\n"
                              "1 0 0 0 0 1 1 0.5 0 1 1 0\n0 1 0 0 0 1 255 0 51 0 1\n3 0 1 2",
                              "m");
    EXPECT_EQ(all.mesh.attributes.at("color").values,
              (std::vector<double>{1, 0, 0.2, 1, 1, 0.5, 0, 1, 1, 0, 0.2, 1}));
    EXPECT_EQ(all.texture_coordinates[0], Vec2(0.5, 0.25));
    EXPECT_EQ(all.texture_coordinates[2], Vec2(0, 1));
    EXPECT_EQ(all.corner_texture, (std::vector<int>{0, 1, 2}));
}

TEST(Off, NamesWhatIsWrong) {
    EXPECT_EQ(off_message(""), "m: the file is empty, expected 'OFF'");
    EXPECT_EQ(off_message("4OFF\n"),
              "m: line 1: found '4OFF', expected OFF, COFF, NOFF, CNOFF or one of these behind ST");
    EXPECT_EQ(off_message("OFF\n"), "m: the file ends before its counts");
    EXPECT_EQ(off_message("OFF\n-1 2 0\n"),
              "m: line 2: the number of vertices is '-1', expected a whole number");
    EXPECT_EQ(off_message("OFF\n0 0 0\n"), "m: the mesh has no vertices, expected at least 3");
    EXPECT_EQ(off_message("OFF\n4000000000 1 0\n0 0 0\n"),
              "m: line 2: promises 4000000000 vertices and 1 face, the 6 bytes behind it cannot "
              "hold them");
    // One vertex too few, one too many; a face too few, one too many.
    EXPECT_EQ(off_message("OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n# filling\n"),
              "m: line 6: vertex 3 has 4 numbers, expected 3");
    EXPECT_EQ(off_message("OFF\n2 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
              "m: line 6: found '3 0 1 2' behind the last of 1 face");
    EXPECT_EQ(off_message("OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n# filling\n"),
              "m: the file ends within face 1 of 2");
    EXPECT_EQ(off_message("OFF\n3 1 0\n0 0 0\n1 0 0\n# filling filling filling\n"),
              "m: the file ends within vertex 2 of 3");
    EXPECT_EQ(off_message("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
              "m: face 0 uses vertex 3, expected 0 to 2");
    EXPECT_EQ(off_message("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 0\n"),
              "m: face 0 uses vertex 0 twice");
    EXPECT_EQ(off_message("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n9999 0 1 2\n"),
              "m: line 6: face 0 promises 9999 corners, more than the line holds");
    EXPECT_EQ(off_message("OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n"),
              "m: line 4: a number of the vertex is nan, expected a finite number");
    EXPECT_EQ(off_message("OFF\n3 1 0\n0 0 0\n1 1e300 0\n0 1 0\n3 0 1 2\n"),
              "m: vertex 1 is at (1, 1e+300, 0), expected coordinates between -1e100 and 1e100");
}

} // namespace
} // namespace knead
