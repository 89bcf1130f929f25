#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/mesh/surface_point.hpp"
#include "knead/mesh/triangle_mesh.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

TriangleMesh triangle() {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.faces = {{0, 1, 2}};
    return mesh;
}

TEST(TriangleMesh, AppendShiftsFacesAndGroups) {
    TriangleMesh a = triangle(), b = triangle();
    a.groups = {{"left", {0, 1}}, {"both", {2}}};
    b.groups = {{"right", {1}}, {"both", {0, 2}}};
    append(a, b);
    EXPECT_EQ(a.vertex_count(), 6);
    EXPECT_EQ(a.faces, (std::vector<Triangle>{{0, 1, 2}, {3, 4, 5}}));
    EXPECT_EQ(a.groups.at("left"), (std::vector{0, 1}));
    EXPECT_EQ(a.groups.at("right"), (std::vector{4}));
    EXPECT_EQ(a.groups.at("both"), (std::vector{2, 3, 5}));
}

TEST(TriangleMesh, AppendFillsMissingAttributesWithZero) {
    TriangleMesh a = triangle(), b = triangle();
    a.attributes["shared"] = {1, {1, 2, 3}};
    b.attributes["shared"] = {1, {4, 5, 6}};
    a.attributes["uv"] = {2, {1, 2, 3, 4, 5, 6}};
    b.attributes["weight"] = {1, {7, 8, 9}};
    a.attributes["other"] = {1, {1, 1, 1}};
    b.attributes["other"] = {2, {2, 2, 2, 2, 2, 2}};
    append(a, b);
    EXPECT_EQ(a.attributes["shared"].values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(a.attributes["uv"].values, (std::vector<double>{1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(a.attributes["uv"].at(1, 1), 4);
    EXPECT_EQ(a.attributes["weight"].values, (std::vector<double>{0, 0, 0, 7, 8, 9}));
    EXPECT_EQ(a.attributes["other"].values, (std::vector<double>{1, 1, 1, 0, 0, 0}));
}

TEST(TriangleMesh, AppendToItself) {
    TriangleMesh mesh = triangle();
    mesh.groups = {{"one", {0}}};
    mesh.attributes["weight"] = {1, {1, 2, 3}};
    append(mesh, mesh);
    EXPECT_EQ(mesh.vertex_count(), 6);
    EXPECT_EQ(mesh.faces, (std::vector<Triangle>{{0, 1, 2}, {3, 4, 5}}));
    EXPECT_EQ(mesh.groups.at("one"), (std::vector{0, 3}));
    EXPECT_EQ(mesh.attributes["weight"].values, (std::vector<double>{1, 2, 3, 1, 2, 3}));
}

TEST(TriangleMesh, MirrorsStillLookOutwards) {
    for (const Vec3& scale : {Vec3(2, 1, 1), Vec3(-1, 1, 1), Vec3(-1e-6, -1e-6, -1e-6)}) {
        TriangleMesh box = make_box({1, 1, 1}, {1, 2, 3});
        transform(box, Affine3(Eigen::Scaling(scale)));
        EXPECT_NEAR(signed_volume(box.positions, box.faces, {0, 0, 0}) / std::abs(scale.prod()), 1,
                    1e-12);
    }
    TriangleMesh box = make_box({1, 1, 1}, {1, 1, 1});
    const auto faces = box.faces;
    transform(box, Affine3(Eigen::Translation3d(1, 2, 3)));
    EXPECT_EQ(box.faces, faces);
    EXPECT_EQ(bounding_box(box.positions).center(), Vec3(1, 2, 3));
}

TEST(SurfacePoint, CarriesValuesAndPositions) {
    const TriangleMesh mesh = triangle();
    const std::vector<Edge> edges{{0, 1}, {0, 2}, {1, 2}};
    const std::vector<double> values{1, 2, 4};
    const std::span<const double> v(values);
    EXPECT_EQ(interpolate(EdgePoint{2, 0.25}, std::span<const Edge>(edges), v), 2.5);
    EXPECT_EQ(
        interpolate(FacePoint{0, {0.5, 0.25, 0.25}}, std::span<const Triangle>(mesh.faces), v), 2);
    const std::span<const Vec3> p(mesh.positions);
    EXPECT_EQ(
        interpolate(FacePoint{0, {0.5, 0.25, 0.25}}, std::span<const Triangle>(mesh.faces), p),
        Vec3(0.25, 0.25, 0));
}

} // namespace
} // namespace knead
