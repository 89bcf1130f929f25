#include "knead/base/error.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "input_error.hpp"
#include "pair.hpp"

namespace knead {
namespace {

double largest_difference(std::span<const Vec3> a, std::span<const Vec3> b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
    return largest;
}

// Number 1 of what right means: 5 % of the depth, and what two triangulations differ by.
void expect_resolved(Pair& pair, double curvature) {
    const double before = measure_penetration(pair.meshes[0], pair.meshes[1]).depth;
    const double edge = std::max(mean_edge(pair.meshes[0]), mean_edge(pair.meshes[1]));
    EXPECT_LE(depth_of(pair, pair.result()), 0.05 * before + 0.5 * curvature * edge * edge);
}

TEST(Deform, ResolvesAndKeepsTheVolume) {
    for (const double depth : {0.1, 0.3, 0.5}) {
        Pair floor = ball_on_floor(depth);
        floor.objects[1].rigid = true;
        Pair soft_floor = ball_on_floor(depth);
        Pair balls = two_balls(depth);
        Pair unequal = two_balls(0.5 * depth, 0.5);
        expect_resolved(floor, 1);
        expect_resolved(soft_floor, 1);
        expect_resolved(balls, 1);
        expect_resolved(unequal, 2);
        for (Pair* pair : {&floor, &soft_floor, &balls, &unequal}) {
            const DeformResult result = pair->result();
            for (int i = 0; i < 2; ++i) {
                const auto& faces = pair->meshes[i].faces;
                const double swept = 0.5 * depth * result.contacts[0].zone_area[i];
                EXPECT_NEAR(signed_volume(result.objects[i].positions, faces, Vec3::Zero()),
                            signed_volume(pair->meshes[i].positions, faces, Vec3::Zero()),
                            1e-9 * swept);
            }
        }
    }
}

void expect_same(const DeformResult& a, const DeformResult& b) {
    ASSERT_EQ(a.objects.size(), b.objects.size());
    for (std::size_t i = 0; i < a.objects.size(); ++i) {
        const ObjectOutcome &x = a.objects[i], &y = b.objects[i];
        EXPECT_EQ(x.positions, y.positions);
        EXPECT_EQ(x.contact_vertices, y.contact_vertices);
        for (const auto field :
             {&ObjectOutcome::gap, &ObjectOutcome::zone, &ObjectOutcome::u,
              &ObjectOutcome::amplitude, &ObjectOutcome::slope, &ObjectOutcome::eta})
            EXPECT_EQ(x.*field, y.*field);
        EXPECT_EQ(x.direction, y.direction);
    }
    ASSERT_EQ(a.contacts.size(), b.contacts.size());
    for (std::size_t c = 0; c < a.contacts.size(); ++c) {
        EXPECT_EQ(a.contacts[c].note, b.contacts[c].note);
        EXPECT_EQ(a.contacts[c].zone_area, b.contacts[c].zone_area);
    }
}

// Deep, apart, shallow, with a bulge that asks for more room than usual; all in one result.
TEST(Deform, TheMemoryOfAnEarlierResultChangesNothing) {
    Pair pair = two_balls(0.1);
    Deformer kept({make_structure(pair.meshes[0].positions, pair.meshes[0].faces),
                   make_structure(pair.meshes[1].positions, pair.meshes[1].faces)});
    DeformResult result;
    for (const double lower : {0.3, -1.0, 0.2, 0.4}) {
        for (Vec3& p : pair.meshes[0].positions) p.y() -= lower;
        for (const double bulge : {1.0, 3.0}) {
            pair.objects[0].bulge.bulge = bulge;
            const DeformResult fresh = pair.result();
            kept.deform(pair.posed(), std::span(&pair.contact, 1), ContactOrder::together, result);
            expect_same(result, fresh);
        }
        for (Vec3& p : pair.meshes[0].positions) p.y() += lower;
    }
}

TEST(Deform, StopsWhenAskedAndGoesOnAsBefore) {
    Pair pair = two_balls(0.3);
    const DeformResult fresh = pair.result();
    Deformer deformer({make_structure(pair.meshes[0].positions, pair.meshes[0].faces),
                       make_structure(pair.meshes[1].positions, pair.meshes[1].faces)});
    std::stop_source stop;
    Progress progress;
    progress.stop = stop.get_token();
    DeformResult result;
    const auto deform = [&] {
        deformer.deform(pair.posed(), std::span(&pair.contact, 1), ContactOrder::together, result,
                        progress);
    };
    deform();
    expect_same(result, fresh);
    stop.request_stop();
    EXPECT_THROW(deform(), Cancelled);
    progress = {};
    deform();
    expect_same(result, fresh);
}

TEST(Deform, ARigidObjectStaysAndTheZoneLiesOnIt) {
    Pair pair = ball_on_floor(0.3);
    pair.objects[1].rigid = true;
    pair.contact.crossing_free = false; // the last pass leaves a gap
    const DeformResult result = pair.result();
    EXPECT_EQ(result.objects[1].positions, pair.meshes[1].positions);
    Vec3 center = Vec3::Zero();
    int count = 0;
    for (std::size_t v = 0; v < result.objects[0].zone.size(); ++v)
        if (result.objects[0].zone[v] == 1) {
            EXPECT_NEAR(result.objects[0].positions[v].y(), 0, 1e-12);
            center += result.objects[0].positions[v];
            ++count;
        }
    ASSERT_GT(count, 10);
    EXPECT_LT((center / count - Vec3(0.013, 0, 0.007)).norm(), 0.05);
    EXPECT_EQ(count, result.objects[0].contact_vertices);
}

TEST(Deform, EqualBallsMeetInTheMiddle) {
    Pair pair = two_balls(0.3);
    const DeformResult result = pair.result();
    const Vec3 direction = result.contacts[0].direction;
    // Half-way between the centres.
    const Vec3 middle = 0.5 * (Vec3(0.013, 0.7, 0.007) + Vec3(0.05, -1, 0.03));
    const double edge = mean_edge(pair.meshes[0]);
    for (int i = 0; i < 2; ++i)
        for (std::size_t v = 0; v < result.objects[i].zone.size(); ++v)
            if (result.objects[i].zone[v] == 1) {
                EXPECT_NEAR(direction.dot(result.objects[i].positions[v] - middle), 0,
                            0.5 * edge * edge);
            }
    EXPECT_NEAR(result.contacts[0].zone_area[0], result.contacts[0].zone_area[1], 2 * edge * edge);
}

// Mirror images meet in the mirror.
TEST(Deform, MirrorImagesMeetInTheMiddleExactly) {
    Pair pair = ball_on_floor(0.15);
    pair.meshes[1] = pair.meshes[0];
    for (Vec3& p : pair.meshes[1].positions) p.y() = -p.y();
    for (Triangle& face : pair.meshes[1].faces) std::swap(face[1], face[2]);
    // The last pass leaves a gap, of which each side has its half.
    const double half_gap = 0.5 * 0.005 * mean_edge(pair.meshes[0]);
    const DeformResult result = pair.result();
    int zone = 0;
    for (std::size_t v = 0; v < pair.meshes[0].positions.size(); ++v) {
        const Vec3 &upper = result.objects[0].positions[v], &lower = result.objects[1].positions[v];
        EXPECT_LT((upper - Vec3(lower.x(), -lower.y(), lower.z())).norm(), 1e-9) << v;
        if (result.objects[0].zone[v] != 1) continue;
        ++zone;
        EXPECT_NEAR(upper.y(), half_gap, 0.02 * half_gap) << v;
    }
    EXPECT_GT(zone, 10);
}

TEST(Deform, SaysWhyThereIsNoZoneOrWhatIsWrongWithIt) {
    Pair pair = ball_on_floor(0.3);
    pair.contact.zone.apparent_stiffness = 40;
    EXPECT_EQ(pair.result().contacts[0].note.rfind("zone empty: threshold ", 0), 0u);
    pair = ball_on_floor(0.3);
    pair.objects[0].extent = 0.3;
    const std::string note = pair.result().contacts[0].note;
    EXPECT_EQ(note.rfind("extent shorter than 8 times the gap: 0.3, expected ", 0), 0u) << note;
    // It is made long enough: what was given is a wish, and the depth goes.
    EXPECT_GT(pair.result().contacts[0].extent[0], 0.3);
    expect_resolved(pair, 1);
}

TEST(Deform, PositionsThatDoNotFitAreNamed) {
    const Pair pair = ball_on_floor(0.3, 1, 4);
    Deformer deformer({make_structure(pair.meshes[0].positions, pair.meshes[0].faces),
                       make_structure(pair.meshes[1].positions, pair.meshes[1].faces)});
    std::vector<DeformObject> objects(2);
    objects[0].positions = pair.meshes[0].positions;
    objects[1].positions = std::span(pair.meshes[1].positions).first(24);
    const auto error = [&](std::span<const DeformObject> given) {
        return input_error([&] { deformer.deform(given, std::span(&pair.contact, 1)); });
    };
    EXPECT_EQ(error(objects), "deform: object 1 has 24 positions, expected 25");
    EXPECT_EQ(error(std::span(objects).first(1)), "deform: found 1 objects, expected 2");
    std::vector<Vec3> broken = pair.meshes[1].positions;
    broken[3].y() = std::nan("");
    objects[1].positions = broken;
    EXPECT_EQ(error(objects).rfind("deform: object 1, vertex 3 is at (", 0), 0u);
}

TEST(Deform, SwappingTheObjectsChangesNothing) {
    Pair pair = two_balls(0.25, 0.7);
    pair.objects[0].stiffness = 2;
    Pair swapped = pair;
    std::swap(swapped.meshes[0], swapped.meshes[1]);
    std::swap(swapped.objects[0], swapped.objects[1]);
    const DeformResult a = pair.result(), b = swapped.result();
    EXPECT_LT(largest_difference(a.objects[0].positions, b.objects[1].positions), 1e-9);
    EXPECT_LT(largest_difference(a.objects[1].positions, b.objects[0].positions), 1e-9);
}

TEST(Deform, FollowsRotationTranslationAndScale) {
    Pair pair = two_balls(0.3, 0.8);
    const DeformResult straight = pair.result();
    for (const double scale : {1e-3, 1.0, 50.0}) {
        Affine3 motion = Affine3::Identity();
        motion.translate(scale * Vec3(30, -20, 10))
            .rotate(Eigen::AngleAxisd(2.1, Vec3(3, -1, 2).normalized()));
        motion.scale(scale);
        Pair moved = pair;
        for (TriangleMesh& mesh : moved.meshes) transform(mesh, motion);
        const DeformResult turned = moved.result();
        for (int i = 0; i < 2; ++i) {
            std::vector<Vec3> expected = straight.objects[i].positions;
            for (Vec3& p : expected) p = motion * p;
            EXPECT_LT(largest_difference(turned.objects[i].positions, expected), 1e-9 * scale);
        }
    }
}

TEST(Deform, NothingToDoIsBitIdentical) {
    Pair apart = two_balls(-0.1);
    Pair swallowed = two_balls(0.9, 0.3);
    for (Vec3& p : swallowed.meshes[1].positions) p.y() += 0.7;
    for (Pair* pair : {&apart, &swallowed}) {
        const DeformResult result = pair->result();
        for (int i = 0; i < 2; ++i)
            EXPECT_EQ(result.objects[i].positions, pair->meshes[i].positions);
    }
}

TEST(Deform, AFrameDoesNotKnowWhatCameBefore) {
    Pair pair = two_balls(0.3, 0.8);
    const std::vector<Vec3> start = pair.meshes[0].positions;
    Deformer kept({make_structure(pair.meshes[0].positions, pair.meshes[0].faces),
                   make_structure(pair.meshes[1].positions, pair.meshes[1].faces)});
    for (const double shift : {0.0, 0.2, -0.1, 0.0}) {
        for (std::size_t v = 0; v < start.size(); ++v)
            pair.meshes[0].positions[v] = start[v] + Vec3(0, shift, 0);
        const DeformResult in_sequence = kept.deform(pair.posed(), std::span(&pair.contact, 1));
        const DeformResult alone = pair.result();
        for (int i = 0; i < 2; ++i)
            EXPECT_EQ(in_sequence.objects[i].positions, alone.objects[i].positions);
    }
}

TEST(Deform, StiffnessGoesContinuouslyToItsLimits) {
    Pair pair = two_balls(0.3);
    pair.objects[1].rigid = true;
    const std::vector<Vec3> against_rigid = pair.result().objects[0].positions;
    pair.objects[1].rigid = false;
    pair.objects[1].stiffness = 1e9;
    const DeformResult stiff = pair.result();
    EXPECT_LT(largest_difference(stiff.objects[1].positions, pair.meshes[1].positions), 1e-8);
    EXPECT_LT(largest_difference(stiff.objects[0].positions, against_rigid), 1e-7);
    std::vector<Vec3> previous;
    for (int i = 0; i <= 40; ++i) {
        pair.objects[0].stiffness = i / 40.0;
        pair.objects[1].stiffness = 1 - i / 40.0;
        const std::vector<Vec3> now = pair.result().objects[0].positions;
        if (!previous.empty()) {
            EXPECT_LT(largest_difference(now, previous), 0.05);
        }
        previous = now;
    }
}

TEST(Deform, TheBulgeIsTheArtists) {
    Pair pair = ball_on_floor(0.3);
    pair.objects[1].rigid = true;
    const auto widest = [&](double bulge) {
        pair.objects[0].bulge.bulge = bulge;
        double width = 0;
        const std::vector<Vec3> positions = pair.result().objects[0].positions;
        for (const Vec3& p : positions)
            width = std::max(width, std::hypot(p.x() - 0.013, p.z() - 0.007));
        return width;
    };
    EXPECT_LT(widest(0), 1.001);
    EXPECT_GT(widest(1), 1.02);
    EXPECT_GT(widest(4), widest(1) + 0.05);
    pair.objects[0].bulge.bulge = 1;
    pair.objects[0].envelope = 0;
    EXPECT_LT(largest_difference(pair.result().objects[0].positions, pair.meshes[0].positions),
              1e-15);
    pair.objects[0].envelope = 1;
    pair.objects[0].offset = 0.05;
    const DeformResult gap = pair.result();
    for (std::size_t v = 0; v < gap.objects[0].zone.size(); ++v)
        if (gap.objects[0].zone[v] == 1) {
            EXPECT_NEAR(gap.objects[0].positions[v].y(), 0.05, 1e-12);
        }
}

TEST(Deform, AnisotropicBulgesLieAheadAndKeepTheVolume) {
    Pair pair = ball_on_floor(0.3);
    pair.objects[0].rigid = true;
    pair.contact.direction = Vec3(0.5, 1, 0).normalized();
    pair.objects[1].bulge.map.anisotropic = true;
    pair.objects[1].bulge.map.psi = 0.2;
    const DeformResult result = pair.result();
    double ahead = 0, behind = 0;
    for (const Vec3& p : result.objects[1].positions)
        (p.x() < 0 ? ahead : behind) += std::max(0.0, p.y());
    EXPECT_GT(ahead, 1.2 * behind);
    EXPECT_NEAR(signed_volume(result.objects[1].positions, pair.meshes[1].faces, Vec3::Zero()), 0,
                1e-10);
}

TEST(Deform, WrongCallsAreNamed) {
    Pair pair = two_balls(0.1);
    const auto message = [&]() -> std::string {
        try {
            pair.result();
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    };
    pair.contact.second = 0;
    EXPECT_EQ(message(), "deform: contact 0 names object 0 twice, expected two of its parts");
    pair.contact.second = 7;
    EXPECT_EQ(message(), "deform: contact 0 names object 7, expected 0 to 1");
}

} // namespace
} // namespace knead
