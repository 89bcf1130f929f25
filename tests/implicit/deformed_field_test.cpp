#include "knead/base/random.hpp"
#include "knead/mesh/measures.hpp"

#include <gtest/gtest.h>

#include "implicit/solids_testing.hpp"

namespace knead {
namespace {

using testing::ball;
using testing::rigid;
using testing::slab;
using Shape = FieldPiece::Shape;

// A ball against another, rigid or not, of one skeleton or several.
std::vector<std::vector<SolidDefinition>> some_pairs(double depth) {
    const FieldFunction f{0.7, 1.2, 3};
    std::vector<std::vector<SolidDefinition>> pairs;
    for (const bool is_rigid : {false, true}) {
        std::vector<SolidDefinition> others{
            ball("other", {0, 0, 0}, 500),
            testing::solid_of("other",
                              {{Shape::chain, {{-1, 0, 0}, {0, 0.1, 0}}, f},
                               {Shape::chain, {{0, 0.1, 0}, {1, 0, 0.2}}, f}},
                              500),
            testing::solid_of("other",
                              {{Shape::chain,
                                {{-1, 0, 0}, {0.2, 0.3, 0}, {1, 0, 0.5}},
                                f,
                                FieldPiece::Kind::convolution}},
                              500)};
        for (SolidDefinition& other : others) {
            other.rigid = is_rigid;
            // Its lowest place below the middle goes so deep into the ball.
            other.pose.at.y() = 1 - depth - Field(other.pieces).project({0, -0.6, 0}, 1)->y();
            SolidDefinition self = ball("ball", {0, 0, 0}, 1500);
            self.propagation = {0.8, 0.5, {}};
            pairs.push_back({self, other});
        }
    }
    return pairs;
}

// The surface in a plane through the axis of contact: at an angle from the axis, how far from the
// centre of the ball.
struct Profile {
    const DeformedField& field;
    Vec3 across;

    Vec3 direction(double angle) const {
        return std::cos(angle) * Vec3::UnitY() + std::sin(angle) * across;
    }
    Vec3 at(double angle) const {
        // From outside; nothing is thinner than this on the way.
        const Vec3 way = direction(angle);
        double out = 2, in = out;
        while (in > 0.2 && !field.contains(in * way)) {
            out = in;
            in -= 1e-3;
        }
        for (int i = 0; i < 60; ++i) {
            const double middle = 0.5 * (in + out);
            (field.contains(middle * way) ? in : out) = middle;
        }
        return in * way;
    }
    bool in_contact(double angle) const {
        // At rest, the ball's surface is inside the other.
        const double other = field.neighbours()[0].field.value(direction(angle));
        return other >= 1;
    }
};

// The angle by which the surface bends between two places that are close together, over the same a
// little further apart: a crease keeps its angle, a smooth surface halves it.
TEST(DeformedField, has_no_crease_where_contact_ends_and_where_the_bulge_ends) {
    for (const double depth : {0.1, 0.3})
        for (const auto& definitions : some_pairs(depth)) {
            const std::vector<Solid> solids = make_solids(definitions);
            const auto contacts = find_contacts(solids);
            ASSERT_EQ(contacts.size(), 1u);
            const SolidFrame frame = frame_of(solids, contacts);
            const DeformedField field = deformed_field(solids, frame, 0);
            const Profile profile{field, Vec3(0.6, 0, 0.8)};
            // The end of the contact.
            double low = 0, high = 1.5;
            ASSERT_TRUE(profile.in_contact(low));
            for (int i = 0; i < 50; ++i) {
                const double middle = 0.5 * (low + high);
                (profile.in_contact(middle) ? low : high) = middle;
            }
            // The end of the bulge: the ball's own surface again.
            double bulged = high, still = 2.5;
            for (int i = 0; i < 50; ++i) {
                const double middle = 0.5 * (bulged + still);
                (profile.at(middle).norm() > 1 + 1e-9 ? bulged : still) = middle;
            }
            double most = 0;
            for (double angle = high; angle < still; angle += 0.01)
                most = std::max(most, profile.at(angle).norm() - 1);
            EXPECT_GT(most, 0.002); // there is a bulge
            for (const double end : {high, still}) {
                const auto bend = [&](double step) {
                    const Vec3 a = profile.at(end - step) - profile.at(end - 2 * step),
                               b = profile.at(end + 2 * step) - profile.at(end + step);
                    return std::atan2(a.cross(b).norm(), a.dot(b));
                };
                const double coarse = bend(2e-3), fine = bend(2.5e-4);
                EXPECT_LT(fine, std::max(0.3 * coarse, 2e-3))
                    << depth << " " << definitions[1].pieces.size()
                    << (definitions[1].rigid ? " rigid" : "") << " at " << end;
            }
        }
}

// In contact both solids have one surface, from both sides; beside it they never cross.
TEST(DeformedField, two_solids_share_a_surface_and_never_cross) {
    Random random(31);
    for (const auto& definitions : some_pairs(0.25)) {
        const std::vector<Solid> solids = make_solids(definitions);
        const SolidFrame frame = frame_of(solids, find_contacts(solids));
        const DeformedField one = deformed_field(solids, frame, 0),
                            two = deformed_field(solids, frame, 1);
        int shared = 0;
        for (int i = 0; i < 20000; ++i) {
            const Vec3 p = Vec3(0, 0.9, 0) + random.in_cube(0.8);
            EXPECT_FALSE(one.value(p) > 1 + 1e-12 && two.value(p) > 1 + 1e-12) << p.transpose();
            // Where both were, one of them is.
            if (solids[0].sampled().placed.value(p) > 1 &&
                solids[1].sampled().placed.value(p) > 1) {
                ++shared;
                EXPECT_TRUE(one.contains(p) || two.contains(p));
            }
        }
        EXPECT_GT(shared, 20);
    }
}

TEST(DeformedField, truncates_a_bulge_that_would_cross_and_says_so) {
    std::vector<SolidDefinition> definitions{ball("a", {0, 0, 0}, 1500),
                                             ball("b", {0, 1.6, 0}, 1500)};
    for (const double attenuation : {0.1, 3.0}) {
        for (SolidDefinition& definition : definitions)
            definition.propagation = {0.3, attenuation, {}};
        const std::vector<Solid> solids = make_solids(definitions);
        const SolidFrame frame = frame_of(solids, find_contacts(solids));
        const SolidShape shape = deformed_shape(solids, frame, 0);
        EXPECT_EQ(shape.truncated, attenuation > 1);
        const PlacedField other = solids[1].sampled().placed, self = solids[0].sampled().placed;
        for (const Vec3& p : shape.positions) EXPECT_LE(other.value(p), self.value(p) + 1e-9);
    }
}

// One bulge around a contact with a rigid floor whose field ends nearer than the bulge may reach.
TEST(DeformedField, has_one_bulge_around_a_contact) {
    std::vector<SolidDefinition> definitions{ball("ball", {0, -0.7, 0}, 1500, {1, 2, 1.5}),
                                             rigid(slab("floor", 4, {0.5, 1, 4}))};
    // Upside down, so that the floor is above.
    definitions[1].pose.turn =
        Eigen::AngleAxisd(std::numbers::pi, Vec3::UnitX()).toRotationMatrix();
    definitions[0].propagation = {1, 0.3, {}};
    const std::vector<Solid> solids = make_solids(definitions);
    const SolidFrame frame = frame_of(solids, find_contacts(solids));
    const DeformedField field = deformed_field(solids, frame, 0);
    int peaks = 0;
    double before = 0, last = 0;
    for (double angle = 0.8; angle < 2; angle += 0.004) {
        const Vec3 way = std::cos(angle) * Vec3::UnitY() + std::sin(angle) * Vec3::UnitX();
        double in = 0.5, out = 1.6; // the surface is a graph over directions from the centre
        for (int i = 0; i < 40; ++i) {
            const double middle = 0.5 * (in + out);
            (field.contains(Vec3(0, -0.7, 0) + middle * way) ? in : out) = middle;
        }
        const double height = in - 1;
        // What is left of a second one, where the floor's field ends, cannot be seen.
        if (last > before + 1e-5 && last > height + 1e-5 && last > 2e-3) ++peaks;
        if (angle > 0.85 && last > 0 && height > 0) {
            EXPECT_LT(std::abs(height - last), 0.01) << angle;
        }
        before = last;
        last = height;
    }
    EXPECT_EQ(peaks, 1);
}

// At first touch the bulge is nothing and grows from there: no vertex jumps.
TEST(DeformedField, bulge_grows_from_nothing) {
    double last = 0;
    for (const double depth : {1e-4, 1e-3, 1e-2, 0.05}) {
        std::vector<SolidDefinition> definitions{ball("a", {0, 0, 0}, 8000),
                                                 rigid(ball("b", {0, 2 - depth, 0}, 500))};
        definitions[0].propagation = {0.5, 1, {}};
        // A sample where the other touches.
        definitions[0].mesh.positions[0] = Vec3::UnitY();
        const std::vector<Solid> solids = make_solids(definitions);
        const SolidFrame frame = frame_of(solids, find_contacts(solids));
        const SolidShape shape = deformed_shape(solids, frame, 0);
        double most = 0;
        for (const Vec3& p : shape.positions) most = std::max(most, p.norm() - 1);
        EXPECT_LE(most, depth);
        EXPECT_GE(most, last);
        last = most;
    }
}

// Three solids in each other leave a small gap, and no pair crosses.
TEST(DeformedField, three_solids_leave_a_gap) {
    std::vector<SolidDefinition> definitions{
        ball("a", {0, 0, 0}, 3000), ball("b", {1.5, 0, 0}, 3000), ball("c", {0.75, 1.3, 0}, 3000)};
    const std::vector<Solid> solids = make_solids(definitions);
    const SolidFrame frame = frame_of(solids, find_contacts(solids));
    std::vector<DeformedField> fields;
    for (int i = 0; i < 3; ++i) fields.push_back(deformed_field(solids, frame, i));
    const Vec3 middle(0.75, 0.43, 0);
    Random random(32);
    int gap = 0, in_one = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3 p = middle + random.in_cube(0.3);
        int inside = 0, before = 0;
        for (int s = 0; s < 3; ++s) {
            inside += fields[s].value(p) > 1 + 1e-12 ? 1 : 0;
            before += solids[s].sampled().placed.value(p) > 1 ? 1 : 0;
        }
        EXPECT_LE(inside, 1);
        if (before == 3) (inside == 0 ? gap : in_one) += 1;
    }
    EXPECT_GT(gap, 0);
    EXPECT_GT(in_one, gap);
    // Samples lie on the deformed surface, there too.
    for (int s = 0; s < 3; ++s) {
        const SolidShape shape = deformed_shape(solids, frame, s);
        for (const Vec3& p : shape.positions) EXPECT_NEAR(fields[s].value(p), 1, 1e-7);
    }
}

// On the way along the surface of one solid in contact with a second, where the third begins.
TEST(DeformedField, has_no_crease_where_a_third_solid_begins) {
    const std::vector<Solid> solids =
        make_solids(std::vector{ball("a", {0, 0, 0}, 2000), ball("b", {0, 1.5, 0}, 2000),
                                ball("c", {1.35, 0.75, 0}, 2000)});
    const SolidFrame frame = frame_of(solids, find_contacts(solids));
    const DeformedField field = deformed_field(solids, frame, 0);
    ASSERT_EQ(field.neighbours().size(), 2u);
    const Profile profile{field, Vec3::UnitX()};
    // On the contact surface with b, which is at y = 0.75 until c begins.
    const auto in_c = [&](double angle) {
        return field.neighbours()[1].field.value(profile.at(angle)) >= 1;
    };
    double low = 0, high = 0.75;
    ASSERT_FALSE(in_c(low));
    ASSERT_TRUE(in_c(high));
    EXPECT_NEAR(profile.at(0.1).y(), 0.75, 1e-9);
    for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (low + high);
        (in_c(middle) ? high : low) = middle;
    }
    const auto bend = [&](double step) {
        const Vec3 a = profile.at(high - step) - profile.at(high - 2 * step),
                   b = profile.at(high + 2 * step) - profile.at(high + step);
        return std::atan2(a.cross(b).norm(), a.dot(b));
    };
    EXPECT_GT(bend(4e-2), 0.01); // it does bend
    EXPECT_LT(bend(1e-3), 0.3 * bend(8e-3));
}

TEST(DeformedField, is_polygonized_on_demand) {
    for (const auto& definitions : some_pairs(0.2)) {
        const std::vector<Solid> solids = make_solids(definitions);
        const SolidFrame frame = frame_of(solids, find_contacts(solids));
        const TriangleMesh mesh = polygonize(deformed_field(solids, frame, 0), 0.06);
        EXPECT_TRUE(is_closed(build_topology(mesh.faces, mesh.vertex_count())));
        const double volume = signed_volume(mesh.positions, mesh.faces, Vec3::Zero());
        EXPECT_NEAR(volume / deformed_shape(solids, frame, 0).volume, 1, 0.01);
    }
}

TEST(DeformedShape, samples_are_on_the_deformed_surface_and_come_back) {
    for (const auto& definitions : some_pairs(0.2)) {
        const std::vector<Solid> solids = make_solids(definitions);
        const SolidFrame frame = frame_of(solids, find_contacts(solids));
        for (int i = 0; i < 2; ++i) {
            const SolidShape shape = deformed_shape(solids, frame, i);
            const DeformedField field = deformed_field(solids, frame, i);
            int in_contact = 0;
            for (std::size_t v = 0; v < shape.positions.size(); ++v) {
                in_contact += shape.pressures[v] > 0 ? 1 : 0;
                const Vec3 &n = solids[i].samples.normals[v], &p = shape.positions[v];
                const Vec3 rest = solids[i].pose.to_world(solids[i].samples.positions[v]);
                EXPECT_LT((p - rest).cross(solids[i].pose.turn * n).norm(), 1e-12);
                // Just inside on one side, and outside on the other.
                if (solids[i].definition.rigid) {
                    EXPECT_EQ(p, rest);
                } else {
                    EXPECT_TRUE(field.contains(p - 1e-7 * n));
                    EXPECT_FALSE(field.contains(p + 1e-7 * n));
                }
            }
            EXPECT_EQ(in_contact > 0, !solids[i].definition.rigid);
            EXPECT_LE(shape.volume_in_contact, shape.volume_at_rest * (1 + 1e-12));
            EXPECT_GE(shape.volume, shape.volume_in_contact);
        }
    }
    // Without contact everything is as it rests, to the bit.
    const std::vector<Solid> apart =
        make_solids(std::vector{ball("a", {0, 0, 0}, 500), ball("b", {3, 0, 0}, 500)});
    const SolidShape shape = deformed_shape(apart, frame_of(apart, find_contacts(apart)), 0);
    for (std::size_t v = 0; v < shape.positions.size(); ++v)
        EXPECT_EQ(shape.positions[v], apart[0].pose.to_world(apart[0].samples.positions[v]));
}

TEST(DeformedShape, bulge_makes_up_for_the_volume_as_far_as_asked) {
    for (const bool is_rigid : {true, false})
        for (const double lost : {0.0, 0.4, 1.0}) {
            std::vector<SolidDefinition> definitions{ball("ball", {0, 0.9, 0}, 4000, {1, 2, 2}),
                                                     slab("floor", 3, {0.6, 1.4, 2})};
            definitions[1].rigid = is_rigid;
            definitions[0].propagation = {1.2, 0, lost};
            const std::vector<Solid> solids = make_solids(definitions);
            const SolidShape shape =
                deformed_shape(solids, frame_of(solids, find_contacts(solids)), 0);
            const double displaced = shape.volume_at_rest - shape.volume_in_contact;
            EXPECT_GT(displaced, 0);
            EXPECT_NEAR((shape.volume_at_rest - shape.volume) / displaced, lost, 0.02)
                << is_rigid << " " << lost;
        }
}

TEST(FirstCrossing, misses_nothing_that_brute_force_finds) {
    Random random(33);
    for (const auto& definitions : some_pairs(0.25)) {
        const std::vector<Solid> solids = make_solids(definitions);
        const SolidFrame frame = frame_of(solids, find_contacts(solids));
        for (int solid = 0; solid < 2; ++solid) {
            const DeformedField field = deformed_field(solids, frame, solid);
            int hits = 0;
            for (int i = 0; i < 300; ++i) {
                const Vec3 origin = 4 * random.direction();
                const Vec3 target = Vec3(0, 0.9, 0) + random.in_cube(0.9);
                const Vec3 direction = (target - origin).normalized();
                const auto found = first_crossing(field, origin, direction, 0, 9, 1e-4);
                std::optional<double> expected;
                for (double t = 0; t < 9 && !expected; t += 1e-3)
                    if (field.contains(origin + t * direction)) expected = t;
                if (expected) {
                    ++hits;
                    ASSERT_TRUE(found);
                    EXPECT_LE(*found, *expected + 1e-9);
                    EXPECT_GE(*found, *expected - 1.1e-3);
                }
                if (found) {
                    EXPECT_TRUE(field.contains(origin + *found * direction));
                    EXPECT_FALSE(field.contains(origin + (*found - 1e-9) * direction));
                }
            }
            EXPECT_GT(hits, 50);
        }
    }
}

TEST(DeformedField, normals_are_those_of_the_surface) {
    for (const auto& definitions : some_pairs(0.2)) {
        const std::vector<Solid> solids = make_solids(definitions);
        const SolidFrame frame = frame_of(solids, find_contacts(solids));
        const DeformedField field = deformed_field(solids, frame, 0);
        const Profile profile{field, Vec3(0.6, 0, 0.8)};
        for (double angle = 0.02; angle < 2; angle += 0.0513) {
            const Vec3 p = profile.at(angle);
            const Vec3 tangent = (profile.at(angle + 1e-4) - profile.at(angle - 1e-4)).normalized();
            EXPECT_NEAR(field.normal(p).dot(tangent), 0, 0.01) << angle;
            EXPECT_GT(field.normal(p).dot(p), 0.3);
        }
    }
}

} // namespace
} // namespace knead
