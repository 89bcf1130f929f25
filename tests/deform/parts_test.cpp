#include <gtest/gtest.h>

#include <numeric>

#include "input_error.hpp"
#include "pair.hpp"

namespace knead {
namespace {

std::vector<int> vertices_where(const TriangleMesh& mesh, const auto& holds) {
    std::vector<int> vertices;
    for (int v = 0; v < mesh.vertex_count(); ++v)
        if (holds(mesh.positions[v])) vertices.push_back(v);
    return vertices;
}

DeformResult result_with_parts(Pair& pair, std::vector<DeformPart> parts) {
    Deformer deformer({make_structure(pair.meshes[0].positions, pair.meshes[0].faces),
                       make_structure(pair.meshes[1].positions, pair.meshes[1].faces)},
                      std::move(parts));
    return deformer.deform(pair.posed(), std::span(&pair.contact, 1));
}

TEST(DeformPart, OneThatIsTheWholeMeshChangesNoBit) {
    Pair pair = two_balls(0.3, 0.8);
    const DeformResult whole = pair.result();
    std::vector<DeformPart> parts;
    for (int i = 0; i < 2; ++i)
        parts.push_back({i, vertices_where(pair.meshes[i], [](const Vec3&) { return true; })});
    pair.contact.first_part = 0;
    pair.contact.second_part = 1;
    const DeformResult same = result_with_parts(pair, parts);
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(same.objects[i].positions, whole.objects[i].positions);
        EXPECT_EQ(same.objects[i].u, whole.objects[i].u);
        EXPECT_EQ(same.objects[i].direction, whole.objects[i].direction);
        EXPECT_EQ(same.contacts[0].zone_area[i], whole.contacts[0].zone_area[i]);
    }
}

TEST(DeformPart, VerticesOutsideStayAndTheContactIsResolvedInside) {
    for (const double details : {0.0, 0.3}) {
        Pair pair = ball_on_floor(0.1, 4, 40);
        pair.objects[1].rigid = true;
        const std::vector<int> lower =
            vertices_where(pair.meshes[0], [](const Vec3& p) { return p.y() < 1.1; });
        pair.contact.first_part = 0;
        pair.objects[0].details = details;
        const DeformResult result = result_with_parts(pair, {{0, lower}});
        EXPECT_LT(depth_of(pair, result),
                  0.05 * 0.1 + 0.5 * std::pow(mean_edge(pair.meshes[1]), 2));
        std::vector<char> is_lower(pair.meshes[0].positions.size(), 0);
        for (const int v : lower) is_lower[v] = 1;
        double widest = 0;
        for (std::size_t v = 0; v < is_lower.size(); ++v) {
            const Vec3 move = result.objects[0].positions[v] - pair.meshes[0].positions[v];
            if (is_lower[v])
                widest = std::max(widest, std::hypot(move.x(), move.z()));
            else
                EXPECT_EQ(result.objects[0].positions[v], pair.meshes[0].positions[v]);
        }
        EXPECT_GT(widest, 0.002);
        const auto volume = [&](const std::vector<Vec3>& positions) {
            return signed_volume(positions, pair.meshes[0].faces, Vec3::Zero());
        };
        EXPECT_NEAR(volume(result.objects[0].positions), volume(pair.meshes[0].positions), 1e-12);
    }
}

TEST(DeformPart, ContactOutsideOfItGetsNoResponse) {
    Pair pair = ball_on_floor(0.3);
    pair.contact.first_part = 0;
    const std::vector<int> upper =
        vertices_where(pair.meshes[0], [](const Vec3& p) { return p.y() > 0.6; });
    for (const std::vector<int>& vertices : {upper, std::vector<int>{}, std::vector<int>{0}}) {
        const DeformResult result = result_with_parts(pair, {{0, vertices}});
        for (int i = 0; i < 2; ++i)
            EXPECT_EQ(result.objects[i].positions, pair.meshes[i].positions);
        EXPECT_EQ(result.contacts[0].note, "");
    }
}

TEST(DeformPart, ABulgeMapIsPaintedOnTheObjectAndSeenByThePart) {
    Pair pair = ball_on_floor(0.3);
    pair.objects[1].rigid = true;
    std::vector<double> painted;
    for (const Vec3& p : pair.meshes[0].positions) painted.push_back(p.x() > 0.013 ? 1 : 0);
    pair.objects[0].bulge.map.painted = painted;
    const std::vector<int> lower =
        vertices_where(pair.meshes[0], [](const Vec3& p) { return p.y() < 0.9; });
    pair.contact.first_part = 0;
    const DeformResult result = result_with_parts(pair, {{0, lower}});
    double left = 0, right = 0;
    for (const Vec3& p : result.objects[0].positions) {
        left = std::max(left, 0.013 - p.x());
        right = std::max(right, p.x() - 0.013);
    }
    EXPECT_LT(left, 1.001);
    EXPECT_GT(right, 1.02);
}

TEST(DeformPart, WrongOnesAreNamed) {
    Pair pair = two_balls(0.1);
    const auto message = [&](std::vector<DeformPart> parts) {
        return input_error([&] { result_with_parts(pair, std::move(parts)); });
    };
    EXPECT_EQ(message({{2, {0}}}), "deform: part 0 is of object 2, expected 0 to 1");
    EXPECT_EQ(message({{0, {0}}, {1, {3, 642}}}),
              "deform: part 1 has vertex 642, expected 0 to 641");
    pair.contact.first_part = 1;
    EXPECT_EQ(message({{0, {0}}}), "deform: contact 0 names part 1, expected one of object 0");
    pair.contact.first_part = -1;
    EXPECT_EQ(message({{0, {0}}}), "deform: contact 0 names part -1, expected one of object 0");
    pair.contact.first_part = 0;
    EXPECT_EQ(message({{1, {0}}}), "deform: contact 0 names part 0, expected one of object 0");
}

} // namespace
} // namespace knead
