#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/continuous_collision.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "collision_queries.hpp"
#include "shapes.hpp"

namespace knead {
namespace {

using testing::CollisionQuery;

using Points = std::array<Vec3, 4>;

CollisionQuery make_query(bool edges, const Points& start, const Points& end) {
    CollisionQuery query;
    query.edges = edges;
    for (int i = 0; i < 4; ++i) query.points[i] = {start[i], end[i]};
    return query;
}

std::optional<double> impact(const CollisionQuery& query, double distance = 0) {
    const auto& [a, b, c, d] = query.points;
    return query.edges ? edge_edge_impact({a, b}, {c, d}, distance)
                       : vertex_face_impact(a, {b, c, d}, distance);
}

Points points_at(const CollisionQuery& query, double time) {
    Points points;
    for (int i = 0; i < 4; ++i)
        points[i] = (1 - time) * query.points[i].start + time * query.points[i].end;
    return points;
}

// By means that the detector does not share. The distance to a segment is convex along the other.
double pair_distance(const CollisionQuery& query, double time) {
    const auto [a, b, c, d] = points_at(query, time);
    if (!query.edges) return std::sqrt(closest_point_on_triangle(a, {b, c, d}).squared_distance);
    const Vec3 p = a, u = b - a, q = c, v = d - c;
    const auto from = [&](double s) {
        const Vec3 offset = p + s * u - q;
        const double t = std::clamp(offset.dot(v) / v.squaredNorm(), 0.0, 1.0);
        return (offset - t * v).norm();
    };
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
        const double left = low + (high - low) / 3, right = high - (high - low) / 3;
        (from(left) < from(right) ? high : low) = from(left) < from(right) ? right : left;
    }
    return std::min({from(low), from(0), from(1)});
}

CollisionQuery random_query(Random& random, bool edges) {
    Points start, end;
    const double motion = random.uniform(0.1, 3);
    for (int i = 0; i < 4; ++i) {
        start[i] = random.in_cube(1);
        end[i] = start[i] + random.in_cube(motion);
    }
    return make_query(edges, start, end);
}

void expect_impact(const CollisionQuery& query, double distance, double time) {
    const auto found = impact(query, distance);
    ASSERT_TRUE(found);
    EXPECT_LE(*found, time);
    EXPECT_GT(*found, time - 1e-8);
}

const Points face_below{Vec3(0, 0, 1), Vec3(-1, -1, 0), Vec3(2, -1, 0), Vec3(-1, 2, 0)};
const Points crossed{Vec3(-1, 0, 1), Vec3(1, 0, 1), Vec3(0, -1, 0), Vec3(0, 1, 0)};

Points with_first_moved(Points points, bool edges, const Vec3& by) {
    points[0] += by;
    if (edges) points[1] += by;
    return points;
}

CollisionQuery falling(bool edges, const Vec3& by) {
    const Points& points = edges ? crossed : face_below;
    return make_query(edges, points, with_first_moved(points, edges, by));
}

TEST(ContinuousCollision, FallsOnTo) {
    for (const bool edges : {false, true}) {
        expect_impact(falling(edges, {0, 0, -2}), 0, 0.5);
        expect_impact(falling(edges, {0.25, 0.25, -2}), 0.25, 0.375);
        expect_impact(falling(edges, {0, 0, -1}), 0, 1);
        EXPECT_FALSE(impact(falling(edges, {0, 0, -0.9999999})));
        EXPECT_TRUE(impact(falling(edges, {0, 0, -0.9999999}), 1e-6));
        EXPECT_FALSE(impact(falling(edges, {0, 0, 2})));
        EXPECT_FALSE(impact(falling(edges, {10, 0, -2}))); // passes beside
    }
}

TEST(ContinuousCollision, TurningFaceAndEdge) {
    // The face tilts about its corner at the origin; above (1, 1) its height is 3 t.
    const Points flat{Vec3(1, 1, 1), Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};
    const Points tilted{Vec3(1, 1, 1), Vec3(0, 0, 0), Vec3(4, 0, 6), Vec3(0, 4, 6)};
    expect_impact(make_query(false, flat, tilted), 0, 1.0 / 3);
    // A seesaw: the point a quarter along falls from 1 to 0.5 - 1, the other edge waits at 0.
    const Points level{Vec3(-1, 0, 1), Vec3(3, 0, 1), Vec3(0, -1, 0), Vec3(0, 1, 0)};
    const Points down{Vec3(-1, 0, -2), Vec3(3, 0, 4), Vec3(0, -1, 0), Vec3(0, 1, 0)};
    expect_impact(make_query(true, level, down), 0, 2.0 / 3);
}

TEST(ContinuousCollision, SharpTouchBetweenCornersIsAHypotenuse) {
    // A vertex passes a corner of the face at (2, -1, 0) in a line at distance 0.5.
    CollisionQuery query = make_query(false, face_below, face_below);
    query.points[0] = {Vec3(5, -1, 0.5), Vec3(1, -1, 0.5)};
    // Within 0.75 of the corner from x = 2 + sqrt(0.75^2 - 0.5^2) on.
    expect_impact(query, 0.75, (3 - std::sqrt(0.3125)) / 4);
    EXPECT_FALSE(impact(query, 0.4999));
}

TEST(ContinuousCollision, AgreesWithDenseSampling) {
    Random random(81);
    int hits = 0, misses = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const CollisionQuery query = random_query(random, trial % 2 == 1);
        const double distance = trial % 3 == 0 ? 0 : std::pow(10.0, random.uniform(-4, -0.5));
        const auto found = impact(query, distance);
        (found ? hits : misses)++;
        const double until = found.value_or(1);
        for (int i = 0; until > 0 && i <= 100; ++i)
            ASSERT_GT(pair_distance(query, until * i / 100), distance - 1e-14) << trial;
        // Neither early nor a false alarm.
        if (found) {
            ASSERT_LT(pair_distance(query, *found), distance + 1e-7) << trial;
        }
    }
    EXPECT_GT(hits, 150);
    EXPECT_GT(misses, 500);
}

// A contact in numbers that doubles hold exactly, at time 1/2: nothing but rounding could hide it.
// Every other one is tangential, where a root finder sees a double root or none.
TEST(ContinuousCollision, ExactTouchesAreNeverMissed) {
    Random random(82);
    const auto whole = [&](int reach) {
        const int x = random.index(2 * reach + 1), y = random.index(2 * reach + 1);
        return Vec3(x - reach, y - reach, random.index(2 * reach + 1) - reach);
    };
    for (int trial = 0; trial < 40000; ++trial) {
        const bool edges = trial % 2 == 1, tangential = trial % 4 < 2;
        Points middle, move;
        for (int i = 1; i < 4; ++i) {
            middle[i] = 4 * whole(trial % 3 == 0 ? 2 : 1000);
            move[i] = whole(trial % 5 == 0 ? 2 : 1000);
        }
        const double w = random.index(5), v = random.index(5 - static_cast<int>(w));
        if (edges) {
            // Points at w and v quarters.
            const Vec3 touch = middle[2] + v / 4 * (middle[3] - middle[2]);
            const Vec3 along = whole(1000);
            middle[0] = touch - w * along;
            middle[1] = touch + (4 - w) * along;
            move[0] = tangential ? Vec3(move[2] + along) : whole(1000);
            if (tangential) move[1] = move[0];
        } else {
            middle[0] =
                middle[1] + w / 4 * (middle[2] - middle[1]) + v / 4 * (middle[3] - middle[1]);
            move[0] = tangential ? Vec3(move[1] + (middle[2] - middle[1])) : whole(1000);
            if (tangential) move[2] = move[3] = move[1];
        }
        for (const double scale : {1.0, 0x1p27, 0x1p-80}) {
            Points start, touching, end;
            for (int i = 0; i < 4; ++i) {
                start[i] = scale * (middle[i] - move[i]);
                touching[i] = scale * middle[i];
                end[i] = scale * (middle[i] + move[i]);
            }
            // A step that ends in contact.
            ASSERT_TRUE(impact(make_query(edges, start, touching))) << trial;
            const auto found = impact(make_query(edges, start, end));
            ASSERT_TRUE(found) << trial;
            ASSERT_LE(*found, 0.5) << trial;
        }
    }
}

TEST(ContinuousCollision, OrderAndPlaceDoNotMatter) {
    Random random(83);
    int hits = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        const bool edges = trial % 2 == 1;
        const CollisionQuery query = random_query(random, edges);
        const double distance = trial % 3 == 0 ? 0 : 0.05;
        const auto expected = impact(query, distance);
        hits += expected.has_value();
        const auto expect_same = [&](const std::optional<double>& found) {
            ASSERT_EQ(found.has_value(), expected.has_value()) << trial;
            if (found) {
                ASSERT_NEAR(*found, *expected, 1e-6) << trial;
            }
        };
        const auto& [a, b, c, d] = query.points;
        if (edges) {
            expect_same(edge_edge_impact({c, d}, {a, b}, distance));
            expect_same(edge_edge_impact({b, a}, {c, d}, distance));
            expect_same(edge_edge_impact({a, b}, {d, c}, distance));
        } else {
            expect_same(vertex_face_impact(a, {c, d, b}, distance));
            expect_same(vertex_face_impact(a, {b, d, c}, distance));
        }
        const testing::Pose pose = testing::random_pose(random);
        // A frame that moves changes nothing either.
        const Vec3 drift = pose.scale * random.in_cube(3);
        CollisionQuery moved = query, backwards = query;
        for (int i = 0; i < 4; ++i) {
            moved.points[i] = {pose.transform * query.points[i].start,
                               pose.transform * query.points[i].end + drift};
            std::swap(backwards.points[i].start, backwards.points[i].end);
        }
        expect_same(impact(moved, pose.scale * distance));
        ASSERT_EQ(impact(backwards, distance).has_value(), expected.has_value()) << trial;
    }
    EXPECT_GT(hits, 300);
}

TEST(ContinuousCollision, NoMotionAndStartInContact) {
    for (const bool edges : {false, true}) {
        EXPECT_FALSE(impact(falling(edges, Vec3::Zero())));
        EXPECT_FALSE(impact(falling(edges, Vec3::Zero()), 0.9999999));
        EXPECT_EQ(impact(falling(edges, Vec3::Zero()), 1.0000001), 0);
        EXPECT_EQ(impact(falling(edges, {0, 0, 1}), 1.5), 0); // though they part
        CollisionQuery touching = falling(edges, Vec3::Zero());
        for (int i = 0; i < (edges ? 2 : 1); ++i) touching.points[i].start.z() = 0;
        EXPECT_EQ(impact(touching), 0);
        // A corner they share.
        touching = falling(edges, {1, 2, 3});
        touching.points[2] = touching.points[0];
        EXPECT_EQ(impact(touching), 0);
    }
}

TEST(ContinuousCollision, CoplanarMotion) {
    // Into the face from its side x = -1, and past it.
    CollisionQuery query = make_query(false, face_below, face_below);
    query.points[0] = {Vec3(-3, 0, 0), Vec3(1, 0, 0)};
    expect_impact(query, 0, 0.5);
    expect_impact(query, 0.5, 0.375);
    query.points[0] = {Vec3(-3, -2, 0), Vec3(1, -2, 0)};
    EXPECT_FALSE(impact(query, 0.999));
    // Along the face, hardly above it: steps of distance by speed would never arrive.
    query.points[0] = {Vec3(-3, 0, 1e-13), Vec3(5, 0, 1e-13)};
    EXPECT_FALSE(impact(query));
    EXPECT_TRUE(impact(query, 1e-12));
    // Two edges in one plane: an end meets the middle of the other.
    const Points start{Vec3(-4, 0, 0), Vec3(-2, 0, 0), Vec3(0, -1, 0), Vec3(0, 1, 0)};
    expect_impact(make_query(true, start, with_first_moved(start, true, {8, 0, 0})), 0, 0.25);
}

TEST(ContinuousCollision, ParallelEdges) {
    const Points start{Vec3(0, 0, 1), Vec3(2, 0, 1), Vec3(1, 0, 0), Vec3(3, 0, 0)};
    const auto moved = [&](const Vec3& by) {
        return make_query(true, start, with_first_moved(start, true, by));
    };
    expect_impact(moved({0, 0, -2}), 0, 0.5);
    expect_impact(moved({0, 0, -2}), 0.5, 0.25);
    EXPECT_FALSE(impact(moved({0, 4, 0}), 0.999));
    EXPECT_FALSE(impact(moved({-10, 0, -1.5})));
    // On one line, end to end.
    const Points line{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(3, 0, 0)};
    expect_impact(make_query(true, line, with_first_moved(line, true, {4, 0, 0})), 0, 0.25);
}

TEST(ContinuousCollision, EdgesWithoutLengthAndFacesWithoutArea) {
    // Two points, as edges and as vertex and face.
    const Vec3 p(0, 0, 0), q(3, 4, 0), to(6, 8, 0);
    const Points points{p, p, q, q}, later{to, to, q, q};
    const Points vertex_face{p, q, q, q}, vertex_face_later{to, q, q, q};
    expect_impact(make_query(true, points, later), 0, 0.5);
    expect_impact(make_query(true, points, later), 2.5, 0.25);
    expect_impact(make_query(false, vertex_face, vertex_face_later), 0, 0.5);
    expect_impact(make_query(false, vertex_face, vertex_face_later), 2.5, 0.25);
    // A segment as face, in whatever order; the vertex crosses its line within and beyond it.
    const Vec3 a(-1, 0, 0), b(1, 0, 0), c(0.25, 0, 0);
    for (const auto& corners : {std::array{a, b, c}, std::array{c, a, b}, std::array{b, a, a}}) {
        const auto passing = [&](double x) {
            const Points start{Vec3(x, -1, 0), corners[0], corners[1], corners[2]};
            return make_query(false, start, with_first_moved(start, false, {0, 4, 0}));
        };
        expect_impact(passing(-0.5), 0, 0.25);
        EXPECT_FALSE(impact(passing(1.001)));
        EXPECT_TRUE(impact(passing(1.001), 0.01));
    }
    // A face that collapses as it is hit, and one that turns inside out through a segment.
    Points collapsed = face_below;
    for (int i = 1; i < 4; ++i) collapsed[i].y() = 0;
    collapsed[0].z() = 0;
    expect_impact(make_query(false, face_below, collapsed), 0, 1);
    for (int i = 1; i < 4; ++i) collapsed[i].y() = -face_below[i].y();
    collapsed[0].z() = -1;
    expect_impact(make_query(false, face_below, collapsed), 0, 0.5);
}

// Slivers that a plane keeps apart by a billionth of their length while they turn about: rounding
// blurs which direction is the shortest, and few may be taken for contacts.
TEST(ContinuousCollision, SliversOnBothSidesOfAPlane) {
    Random random(84);
    int hits = 0;
    for (int trial = 0; trial < 8000; ++trial) {
        const bool edges = trial % 2 == 1;
        const Quat turn = random.rotation();
        const auto point = [&](int i) {
            const double side = i < (edges ? 2 : 1) ? 1 : -1;
            const double height = random.index(3) == 0 ? 0 : 1e-8 * random.uniform();
            const double x = random.uniform(-1, 1);
            return Vec3(turn * Vec3(x, 1e-8 * random.uniform(-1, 1), side * (0.5e-9 + height)));
        };
        CollisionQuery query;
        query.edges = edges;
        for (int i = 0; i < 4; ++i) {
            query.points[i].start = point(i);
            query.points[i].end = point(i);
        }
        hits += impact(query).has_value();
    }
    EXPECT_LE(hits, 16);
}

TEST(ContinuousCollision, HugeAndTinyCoordinates) {
    for (const bool edges : {false, true})
        for (const double scale : {1e-60, 1e-8, 1e8, 1e60}) {
            CollisionQuery query = falling(edges, {0.25, 0.25, -2});
            for (LinearMotion& point : query.points) {
                point.start *= scale;
                point.end *= scale;
            }
            expect_impact(query, 0.25 * scale, 0.375);
            EXPECT_FALSE(impact(falling(edges, {0.25, 0.25, -0.5}), 0.499));
        }
    // Small things far away, where coordinates keep 27 bits of them; small things that move far.
    for (const bool edges : {false, true}) {
        CollisionQuery query = falling(edges, {0.25, 0.25, -2});
        for (LinearMotion& point : query.points) {
            point.start += Vec3(0x1p27, -0x1p26, 0x1p27);
            point.end += Vec3(-0x1p26, 0x1p27, 0x1p25);
        }
        expect_impact(query, 0.25, 0.375);
        expect_impact(falling(edges, {0, 0, -1e8}), 0, 1e-8);
        query = falling(edges, {0, 0, -1e8});
        for (int i = 0; i < (edges ? 2 : 1); ++i) query.points[i].start.z() = 1e8;
        expect_impact(query, 1e-8, 1e8 / (2e8 - 1));
    }
}

TEST(ContinuousCollision, WhatIsNotFiniteIsInContact) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (const bool edges : {false, true}) {
        const CollisionQuery far = falling(edges, {0, 0, 5});
        ASSERT_FALSE(impact(far));
        for (const double bad : {nan, infinity, -infinity, 1e300, -1e300, 1e71})
            for (int i = 0; i < 8; ++i)
                for (int k = 0; k < 3; ++k) {
                    CollisionQuery query = far;
                    (i < 4 ? query.points[i].start : query.points[i - 4].end)[k] = bad;
                    EXPECT_EQ(impact(query), 0);
                }
        EXPECT_EQ(impact(far, nan), 0);
        EXPECT_EQ(impact(far, infinity), 0);
        EXPECT_FALSE(impact(far, -infinity));
        expect_impact(falling(edges, {0, 0, -2}), -1, 0.5);
        // All numbers at the end of their range.
        CollisionQuery all = far;
        for (LinearMotion& point : all.points) point.start = point.end = Vec3::Constant(infinity);
        EXPECT_EQ(impact(all), 0);
    }
}

TEST(CollisionQueries, AreReadExactly) {
    std::stringstream file("1,2,-3,4,5,1,1\n0,1,0,1,0,1,1\n0,1,0,1,0,1,1\n0,1,0,1,0,1,1\n"
                           "1,3,0,1,0,1,1\n0,1,0,1,0,1,1\n0,1,0,1,0,1,1\n"
                           "0,1,0,1,-6589603590721879,162259276829213363391578010288128,1\n");
    const auto queries = testing::read_queries(file, true, "queries.csv");
    ASSERT_EQ(queries.size(), 1u);
    EXPECT_TRUE(queries[0].edges);
    EXPECT_TRUE(queries[0].collides);
    EXPECT_EQ(queries[0].points[0].start, Vec3(0.5, -0.75, 5));
    EXPECT_EQ(queries[0].points[3].end, Vec3(0, 0, -6589603590721879 * 0x1p-107));
    // A third is no double: the true point is within this much of the one that was read.
    EXPECT_EQ(queries[0].rounding, 0x1p-51 * (1.0 / 3));
    std::stringstream exact("1,2,0,1,0,1,0\n");
    EXPECT_EQ(testing::read_queries(exact, false, "queries.csv")[0].rounding, 0);
    std::stringstream torn("1,2,0,1,0\n");
    EXPECT_THROW(testing::read_queries(torn, false, "queries.csv"), InputError);
}

// The queries are not ours to give: KNEAD_COLLISION_QUERIES names the folder they were put in.
TEST(CollisionQueries, NoneIsMissed) {
    const char* folder = std::getenv("KNEAD_COLLISION_QUERIES");
    if (!folder) GTEST_SKIP() << "KNEAD_COLLISION_QUERIES is not set";
    std::size_t count = 0, false_positives = 0;
    for (const auto& file : testing::read_query_folder(folder))
        for (std::size_t i = 0; i < file.queries.size(); ++i) {
            const bool hit = file.queries[i].impact().has_value();
            EXPECT_TRUE(hit || !file.queries[i].collides) << file.name << " " << i;
            false_positives += hit && !file.queries[i].collides;
            ++count;
        }
    EXPECT_GT(count, 0u);
    // Pairs that pass each other at 1e-16 of their size are there by design.
    EXPECT_LT(false_positives * 30, count);
}

} // namespace
} // namespace knead
