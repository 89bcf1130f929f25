#include "knead/base/random.hpp"
#include "knead/io/polygons.hpp"
#include "knead/mesh/measures.hpp"

#include <numbers>
#include <numeric>

#include "io/io_testing.hpp"

namespace knead {
namespace {

Polygons one_polygon(int corners) {
    std::vector<int> indices(corners);
    std::iota(indices.begin(), indices.end(), 0);
    Polygons polygons;
    polygons.add(indices);
    return polygons;
}

// Triangles of a planar polygon with normal z: none turned over or empty, and the right area in
// all.
void expect_cut(const std::vector<Vec3>& outline, double area) {
    const std::vector<Triangle> faces =
        triangulate(one_polygon(static_cast<int>(outline.size())), outline, "m");
    ASSERT_EQ(faces.size(), outline.size() - 2);
    double sum = 0;
    for (const Triangle& face : faces) {
        const Vec3 a = outline[face[0]], b = outline[face[1]], c = outline[face[2]];
        const double signed_area = 0.5 * (b - a).cross(c - a).z();
        EXPECT_GT(signed_area, 0);
        sum += signed_area;
    }
    EXPECT_NEAR(sum, area, 1e-12 * area);
}

TEST(Polygons, ConvexOnesBecomeAFan) {
    const std::vector<Vec3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    EXPECT_EQ(triangulate(one_polygon(4), square, "m"),
              (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(Polygons, ConcaveOnesDoNotFold) {
    // An arrow head, begun at each of its corners.
    std::vector<Vec3> arrow{{0, 0, 0}, {2, 1, 0}, {0, 2, 0}, {0.5, 1, 0}};
    for (int i = 0; i < 4; ++i) {
        expect_cut(arrow, 1.5);
        std::rotate(arrow.begin(), arrow.begin() + 1, arrow.end());
    }
    // A comb with narrow teeth.
    std::vector<Vec3> comb{{0, -1, 0}, {10, -1, 0}};
    for (int tooth = 9; tooth >= 0; --tooth) {
        comb.emplace_back(tooth + 0.6, 5, 0);
        comb.emplace_back(tooth + 0.5, 0, 0);
    }
    double area = 0;
    for (std::size_t i = 0; i < comb.size(); ++i)
        area += 0.5 * comb[i].cross(comb[(i + 1) % comb.size()]).z();
    for (std::size_t i = 0; i < comb.size(); ++i) {
        expect_cut(comb, area);
        std::rotate(comb.begin(), comb.begin() + 1, comb.end());
    }
}

TEST(Polygons, CornersOnAStraightEdgeLeaveNoEmptyTriangle) {
    std::vector<Vec3> outline{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 2, 0}, {0, 2, 0}};
    for (std::size_t i = 0; i < outline.size(); ++i) {
        expect_cut(outline, 4);
        std::rotate(outline.begin(), outline.begin() + 1, outline.end());
    }
}

TEST(Polygons, RandomStarsKeepTheirAreaInAnyPose) {
    Random random(3);
    for (int round = 0; round < 200; ++round) {
        const int corners = 4 + random.index(60);
        const Quat rotation = random.rotation();
        const Vec3 shift = random.in_cube(10);
        std::vector<Vec3> outline;
        double area = 0;
        for (int i = 0; i < corners; ++i) {
            const double angle = 2 * std::numbers::pi * i / corners;
            outline.emplace_back(random.uniform(0.2, 1) *
                                 Vec3(std::cos(angle), std::sin(angle), 0));
        }
        for (int i = 0; i < corners; ++i)
            area += 0.5 * outline[i].cross(outline[(i + 1) % corners]).z();
        for (Vec3& p : outline) p = rotation * p + shift;
        const std::vector<Triangle> faces = triangulate(one_polygon(corners), outline, "m");
        // Unsigned areas add up to the polygon's only when no triangle is turned over.
        EXPECT_NEAR(surface_area(outline, faces), area, 1e-12);
    }
}

TEST(Polygons, NamesWhatIsWrong) {
    const auto check = [](std::vector<int> polygon) {
        return message_of([&] {
            Polygons polygons;
            polygons.add(std::vector{0, 1, 2});
            polygons.add(polygon);
            check_polygons(polygons, 12, "m");
        });
    };
    EXPECT_EQ(check({3, 4, 5}), "no error");
    EXPECT_EQ(check({}), "m: face 1 has 0 corners, expected at least 3");
    EXPECT_EQ(check({3, 4}), "m: face 1 has 2 corners, expected at least 3");
    EXPECT_EQ(check({3, 4, 12}), "m: face 1 uses vertex 12, expected 0 to 11");
    EXPECT_EQ(check({3, 4, -1}), "m: face 1 uses vertex -1, expected 0 to 11");
    EXPECT_EQ(check({3, 4, 3}), "m: face 1 uses vertex 3 twice");
    EXPECT_EQ(check({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 4}), "m: face 1 uses vertex 4 twice");
}

TEST(Polygons, HugeOnesAreFastOrRefused) {
    std::vector<Vec3> outline;
    for (int i = 0; i < 100000; ++i)
        outline.emplace_back(std::cos(6e-5 * i), std::sin(6e-5 * i), 0);
    EXPECT_EQ(triangulate(one_polygon(100000), outline, "m").size(), 99998u);
    for (int i = 0; i < 100000; i += 2) outline[i] *= 0.5;
    EXPECT_EQ(message_of([&] { triangulate(one_polygon(100000), outline, "m"); }),
              "m: face 0 is not convex and has 100000 corners, expected at most 1000");
}

} // namespace
} // namespace knead
