#include "knead/bulge/border_guides.hpp"
#include "knead/contact/pair_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "pair.hpp"

namespace knead {
namespace {

// The pair's contact with everything that is found before the objects move.
struct Found {
    std::array<std::vector<Vec3>, 2> normals;
    std::array<Surface, 2> surfaces;
    PairContact contact;

    explicit Found(const Pair& pair) {
        std::array<PairPart, 2> parts;
        for (int i = 0; i < 2; ++i) {
            normals[i] = vertex_normals(pair.meshes[i].positions, pair.meshes[i].faces);
            surfaces[i] = make_surface(pair.meshes[i]);
            const bool rigid = pair.objects[i].rigid, other_rigid = pair.objects[1 - i].rigid;
            parts[i] = {&surfaces[i], normals[i], mean_edge(pair.meshes[i]),
                        rigid         ? 1.0
                        : other_rigid ? 0.0
                                      : 0.5,
                        0};
        }
        ContactWorkspace workspace;
        PairTimes times;
        find_pair_contact(parts, {}, MappingMethod::direction, std::nullopt, workspace, contact,
                          times);
    }
};

// A ball of radius 1 on a rigid floor. At the angle t from its lowest point it is cos t - (1 - D)
// deep, so the way to the floor shrinks by sin t for each length over its surface: that is the
// slope at which the profile must leave the zone, times the extent.
TEST(Numbers, TheProfileLeavesTheZoneOfABallAsTheBallDoes) {
    for (const double depth : {0.1, 0.3}) {
        Pair pair = ball_on_floor(depth, 4, 40);
        pair.objects[1].rigid = true;
        const Found found(pair);
        const TriangleMesh& ball = pair.meshes[0];
        const Topology topology = build_topology(ball.faces, ball.vertex_count());
        const std::vector<char> border(ball.positions.size(), 0);
        const double extent = 1.3;
        const ContactZone& zone = found.contact.zones[0];
        std::vector<double> amplitude(zone.border.size()), slope(zone.border.size());
        border_guides(zone, {ball.positions, found.normals[0], ball.faces, &topology, border},
                      extent, mean_edge_length(ball.positions, topology), DirectionMethod::blended,
                      {amplitude, slope});
        ASSERT_GT(zone.border.size(), 10u);
        const Vec3 center(0.013, 1 - depth, 0.007);
        for (std::size_t i = 0; i < zone.border.size(); ++i) {
            const Vec3 from_center = zone.border[i].position - center;
            const double cosine = -from_center.y() / from_center.norm();
            EXPECT_NEAR(amplitude[i], cosine - (1 - depth), 0.01);
            EXPECT_NEAR(slope[i], extent * std::sqrt(1 - cosine * cosine), 0.08 * extent);
        }
    }
}

TEST(Numbers, AMirrorImageGivesTheMirrorImage) {
    Pair pair = two_balls(0.3, 0.7);
    Pair mirrored = pair;
    for (TriangleMesh& mesh : mirrored.meshes) {
        for (Vec3& p : mesh.positions) p.x() = -p.x();
        for (Triangle& face : mesh.faces) std::swap(face[1], face[2]);
    }
    const DeformResult there = pair.result(), here = mirrored.result();
    for (int i = 0; i < 2; ++i)
        for (std::size_t v = 0; v < pair.meshes[i].positions.size(); ++v) {
            Vec3 expected = there.objects[i].positions[v];
            expected.x() = -expected.x();
            EXPECT_LT((here.objects[i].positions[v] - expected).norm(), 1e-9);
        }
}

// Faces that the border of the zone runs through, against their neighbours.
double border_angle(const Pair& pair, const ObjectOutcome& outcome) {
    const TriangleMesh& mesh = pair.meshes[0];
    const Topology topology = build_topology(mesh.faces, mesh.vertex_count());
    const auto in_zone = [&](int face) {
        int count = 0;
        for (const int v : mesh.faces[face]) count += outcome.zone[v] == 1;
        return count;
    };
    const auto normal = [&](int face) {
        const Triangle& f = mesh.faces[face];
        return Vec3(
            area_vector(outcome.positions[f[0]], outcome.positions[f[1]], outcome.positions[f[2]])
                .normalized());
    };
    double sum = 0;
    int count = 0;
    for (int e = 0; e < topology.edge_count(); ++e) {
        if (topology.is_boundary_edge(e)) continue;
        const int a = topology.edge_faces[e][0], b = topology.edge_faces[e][1];
        const int at_a = in_zone(a), at_b = in_zone(b);
        if ((at_a == 0 || at_a == 3) && (at_b == 0 || at_b == 3)) continue;
        sum += std::acos(std::clamp(normal(a).dot(normal(b)), -1.0, 1.0));
        ++count;
    }
    return sum / count;
}

TEST(Numbers, TheBorderOfTheZoneIsSmootherOnFinerMeshes) {
    std::vector<double> angles;
    for (const int subdivisions : {2, 3, 4}) {
        Pair pair = ball_on_floor(0.3, subdivisions, 10 << (subdivisions - 2));
        pair.objects[1].rigid = true;
        angles.push_back(border_angle(pair, pair.result().objects[0]));
    }
    EXPECT_LT(angles[1], 0.75 * angles[0]);
    EXPECT_LT(angles[2], 0.75 * angles[1]);
}

TEST(Numbers, TheThresholdConvergesAboutQuadratically) {
    std::vector<double> thresholds;
    for (const int subdivisions : {2, 3, 4, 5}) {
        Pair pair = ball_on_floor(0.3, subdivisions, 12 << (subdivisions - 2));
        pair.objects[1].rigid = true;
        thresholds.push_back(Found(pair).contact.depths.overall.mean);
    }
    const double first = std::abs(thresholds[1] - thresholds[0]),
                 last = std::abs(thresholds[3] - thresholds[2]);
    // Four times less with each of two refinements, were it exactly second order.
    EXPECT_LT(last, first / 8);
}

TEST(Numbers, TheZonesOfBothSidesHaveTheSameArea) {
    Pair pair = two_balls(0.3, 0.7, 4);
    const DeformResult result = pair.result();
    const auto [first, second] = result.contacts[0].zone_area;
    const double edge = mean_edge(pair.meshes[1]), radius = std::sqrt(first / 3.14159265);
    EXPECT_NEAR(second / first, 1, 2 * std::pow(edge / radius, 2));
}

TEST(Numbers, ABulgeOfFourDoesNotFold) {
    Pair pair = ball_on_floor(0.3, 4, 40);
    pair.objects[1].rigid = true;
    pair.objects[0].bulge.bulge = 4;
    const DeformResult result = pair.result();
    const TriangleMesh& ball = pair.meshes[0];
    for (const Triangle& f : ball.faces) {
        const auto normal = [&](const std::vector<Vec3>& p) {
            return Vec3(area_vector(p[f[0]], p[f[1]], p[f[2]]).normalized());
        };
        EXPECT_GT(normal(ball.positions).dot(normal(result.objects[0].positions)), 0);
    }
}

TEST(Numbers, ExtremeApparentStiffnessIsFinite) {
    for (const double tau : {-100.0, -2.0, -std::sqrt(3.0), 3.0, 100.0}) {
        Pair pair = ball_on_floor(0.3, 2, 20);
        TriangleMesh second = make_sphere(0.9, 2);
        for (Vec3& p : second.positions) p += Vec3(1.9, 0.8, 0.2);
        append(pair.meshes[0], second);
        pair.contact.zone.apparent_stiffness = tau;
        const DeformResult result = pair.result();
        for (const ObjectOutcome& object : result.objects)
            for (const Vec3& p : object.positions) EXPECT_TRUE(p.allFinite()) << tau;
    }
}

TEST(Numbers, AGapGivenByARigidFloorIsKeptByTheBall) {
    Pair pair = ball_on_floor(0.3, 3, 30);
    pair.objects[1].rigid = true;
    pair.objects[1].offset = 0.05;
    const DeformResult result = pair.result();
    int in_zone = 0;
    for (std::size_t v = 0; v < result.objects[0].zone.size(); ++v)
        if (result.objects[0].zone[v] == 1) {
            EXPECT_NEAR(result.objects[0].positions[v].y(), 0.05, 1e-9);
            ++in_zone;
        }
    EXPECT_GT(in_zone, 10);
}

} // namespace
} // namespace knead
