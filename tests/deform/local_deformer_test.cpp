#include "knead/deform/local_deformer.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/spatial/penetration.hpp"

#include <gtest/gtest.h>

#include "../input_error.hpp"
#include "../second_call.hpp"

namespace knead {
namespace {

// A small ball on a large one, which stands still or moves as a whole.
struct OnLargeBall {
    TriangleMesh body = make_sphere(1, 6), ball = make_sphere(0.12, 3);
    std::shared_ptr<const SurfaceStructure> body_structure =
        make_structure(body.positions, body.faces);
    std::shared_ptr<const SurfaceStructure> ball_structure =
        make_structure(ball.positions, ball.faces);
    LocalDeformer local{{{body_structure, body.positions}, {ball_structure, ball.positions}}};
    std::vector<Vec3> body_positions = body.positions, ball_positions = ball.positions;
    // The last pass knows of a closed body what it does not of a region.
    DeformContact contact{.crossing_free = false};

    static Affine3 ball_at(const Affine3& body_at, double height, double angle = 0.4) {
        const Vec3 up = Eigen::AngleAxisd(angle, Vec3(1, 0.3, 0.2).normalized()) * Vec3::UnitY();
        return body_at * Eigen::Translation3d(height * up);
    }

    LocalResult run(const Affine3& body_at, const Affine3& ball_at,
                    const DeformSettings& settings = {},
                    std::span<const Vec2> texture_coordinates = {}) {
        const std::array<LocalObject, 2> objects = {
            LocalObject{{}, settings, texture_coordinates, body_at, body_positions},
            LocalObject{{}, {}, {}, ball_at, ball_positions},
        };
        return local.deform(objects, std::span(&contact, 1));
    }

    // What `Deformer` makes of the whole meshes.
    DeformResult whole(const Affine3& body_at, const Affine3& ball_at,
                       const DeformSettings& settings = {}) const {
        std::array<std::vector<Vec3>, 2> positions;
        for (const Vec3& p : body.positions) positions[0].push_back(body_at * p);
        for (const Vec3& p : ball.positions) positions[1].push_back(ball_at * p);
        Deformer deformer({body_structure, ball_structure});
        std::array<DeformObject, 2> objects;
        objects[0].settings = settings;
        for (int i = 0; i < 2; ++i) objects[i].positions = positions[i];
        return deformer.deform(objects, std::span(&contact, 1));
    }
};

double largest_difference(std::span<const Vec3> local, const Affine3& at,
                          std::span<const Vec3> whole) {
    double largest = 0;
    for (std::size_t v = 0; v < local.size(); ++v)
        largest = std::max(largest, (at * local[v] - whole[v]).norm());
    return largest;
}

TEST(LocalDeformer, DoesWhatTheWholeMeshesWouldDo) {
    OnLargeBall scene;
    const Affine3 moved =
        Eigen::Translation3d(3, -1, 0.5) * Eigen::AngleAxisd(0.7, Vec3(0.2, 1, 0.1).normalized());
    for (const Affine3& body_at : {Affine3(Affine3::Identity()), moved})
        for (const double height : {1.1, 1.06, 1.02}) {
            const Affine3 ball_at = OnLargeBall::ball_at(body_at, height);
            const LocalResult local = scene.run(body_at, ball_at);
            const DeformResult whole = scene.whole(body_at, ball_at);
            EXPECT_GT(local.moved[0].size(), 100);
            EXPECT_LT(local.moved[0].size(), scene.body.positions.size() / 8);
            EXPECT_LT(largest_difference(scene.body_positions, body_at, whole.objects[0].positions),
                      2e-8);
            EXPECT_LT(largest_difference(scene.ball_positions, ball_at, whole.objects[1].positions),
                      2e-8);
            EXPECT_NEAR(local.contacts[0].zone_area[0], whole.contacts[0].zone_area[0], 1e-9);
        }
}

TEST(LocalDeformer, LeavesNoCrossing) {
    OnLargeBall scene;
    scene.contact.crossing_free = true;
    const Affine3 at = Affine3::Identity();
    for (const double height : {1.1, 1.06, 1.02}) {
        const Affine3 ball_at = OnLargeBall::ball_at(at, height);
        scene.run(at, ball_at);
        TriangleMesh body = scene.body, ball = scene.ball;
        body.positions = scene.body_positions;
        for (std::size_t v = 0; v < ball.positions.size(); ++v)
            ball.positions[v] = ball_at * scene.ball_positions[v];
        EXPECT_EQ(measure_penetration(body, ball).crossings, 0) << height;
    }
}

TEST(LocalDeformer, PutsBackWhatAnEarlierFrameMoved) {
    OnLargeBall scene;
    const Affine3 at = Affine3::Identity();
    scene.run(at, OnLargeBall::ball_at(at, 1.05));
    EXPECT_NE(scene.body_positions, scene.body.positions);
    const LocalResult away = scene.run(at, OnLargeBall::ball_at(at, 1.3));
    EXPECT_TRUE(away.moved[0].empty());
    EXPECT_EQ(scene.body_positions, scene.body.positions);
    EXPECT_EQ(scene.ball_positions, scene.ball.positions);
}

TEST(LocalDeformer, EarlierFramesChangeNoBit) {
    OnLargeBall fresh, used;
    const Affine3 at = Affine3::Identity();
    for (double angle = -1; angle < 1; angle += 0.25)
        used.run(at, OnLargeBall::ball_at(at, 0.99 + 0.1 * std::abs(angle), angle));
    fresh.run(at, OnLargeBall::ball_at(at, 1.06));
    used.run(at, OnLargeBall::ball_at(at, 1.06));
    EXPECT_EQ(fresh.body_positions, used.body_positions);
    EXPECT_EQ(fresh.ball_positions, used.ball_positions);
}

TEST(LocalDeformer, GathersWhatIsPainted) {
    OnLargeBall scene;
    std::vector<double> stiffness;
    for (const Vec3& p : scene.body.positions) stiffness.push_back(1 + 0.8 * p.x());
    DeformSettings settings;
    settings.stiffness = stiffness;
    const Affine3 at = Affine3::Identity(), ball_at = OnLargeBall::ball_at(at, 1.05);
    scene.run(at, ball_at, settings);
    const DeformResult whole = scene.whole(at, ball_at, settings);
    EXPECT_LT(largest_difference(scene.body_positions, at, whole.objects[0].positions), 2e-8);
    stiffness.pop_back();
    settings.stiffness = stiffness;
    EXPECT_EQ(input_error([&] { scene.run(at, ball_at, settings); }),
              "deform: object 0 has a map with 40961 values, expected 40962");
}

TEST(LocalDeformer, TakesBodiesWhosePositionsChange) {
    OnLargeBall scene;
    const Affine3 at = Affine3::Identity(), ball_at = OnLargeBall::ball_at(at, 1.05);
    std::vector<Vec3> posed;
    for (const Vec3& p : scene.ball.positions) posed.push_back(ball_at * p);
    LocalObject ball{{}, {}, {}, at, scene.ball_positions};
    ball.pose = posed;
    const std::array<LocalObject, 2> objects = {LocalObject{{}, {}, {}, at, scene.body_positions},
                                                ball};
    const LocalResult local = scene.local.deform(objects, std::span(&scene.contact, 1));
    const DeformResult whole = scene.whole(at, ball_at);
    EXPECT_FALSE(local.moved[1].empty());
    EXPECT_LT(largest_difference(scene.ball_positions, at, whole.objects[1].positions), 2e-8);
    EXPECT_LT(largest_difference(scene.body_positions, at, whole.objects[0].positions), 2e-8);
}

TEST(LocalDeformer, AnotherBallJustAboveABulgeIsInItsWay) {
    OnLargeBall scene;
    const Affine3 at = Affine3::Identity();
    // Beside the first ball, and not touching the body.
    const std::array<Affine3, 2> balls_at = {OnLargeBall::ball_at(at, 1.03),
                                             OnLargeBall::ball_at(at, 1.1215, 0.56)};
    LocalDeformer local({{scene.body_structure, scene.body.positions},
                         {scene.ball_structure, scene.ball.positions},
                         {scene.ball_structure, scene.ball.positions}});
    std::vector<Vec3> second_positions = scene.ball.positions;
    DeformContact second;
    second.second = 2;
    std::array<DeformContact, 2> contacts = {scene.contact, second};
    for (const ContactOrder order : {ContactOrder::together, ContactOrder::deepest_first}) {
        const std::array<LocalObject, 3> objects = {
            LocalObject{{}, {}, {}, at, scene.body_positions},
            LocalObject{{}, {}, {}, balls_at[0], scene.ball_positions},
            LocalObject{{}, {}, {}, balls_at[1], second_positions},
        };
        local.deform(objects, contacts, order);
        Deformer deformer({scene.body_structure, scene.ball_structure, scene.ball_structure});
        std::array<std::vector<Vec3>, 2> posed;
        std::array<DeformObject, 3> whole;
        whole[0].positions = scene.body.positions;
        for (int i = 0; i < 2; ++i) {
            for (const Vec3& p : scene.ball.positions) posed[i].push_back(balls_at[i] * p);
            whole[i + 1].positions = posed[i];
        }
        const DeformResult expected = deformer.deform(whole, contacts, order);
        EXPECT_LT(largest_difference(scene.body_positions, at, expected.objects[0].positions),
                  2e-8);
        EXPECT_LT(
            largest_difference(scene.ball_positions, balls_at[0], expected.objects[1].positions),
            2e-8);
    }
}

TEST(LocalDeformer, ScalesWithTheBody) {
    OnLargeBall scene;
    const Affine3 body_at = Affine3(Eigen::Scaling(0.02)) * Eigen::Translation3d(3, 0, 0);
    const Affine3 ball_at = OnLargeBall::ball_at(body_at, 1.05);
    scene.run(body_at, ball_at);
    const DeformResult whole = scene.whole(body_at, ball_at);
    EXPECT_LT(largest_difference(scene.body_positions, body_at, whole.objects[0].positions),
              0.02 * 2e-8);
}

TEST(LocalDeformer, ABodyMayBePosedInBetween) {
    OnLargeBall scene;
    const Affine3 at = Affine3::Identity(), ball_at = OnLargeBall::ball_at(at, 1.05);
    scene.run(at, ball_at);
    const std::vector<Vec3> expected = scene.body_positions;
    std::vector<Vec3> posed = scene.body.positions;
    for (Vec3& p : posed) p.x() += 7;
    LocalObject body{{}, {}, {}, at, scene.body_positions};
    body.pose = posed;
    const std::array<LocalObject, 2> objects = {
        body, LocalObject{{}, {}, {}, ball_at, scene.ball_positions}};
    scene.local.deform(objects, std::span(&scene.contact, 1));
    EXPECT_EQ(scene.body_positions, posed);
    scene.run(at, ball_at);
    EXPECT_EQ(scene.body_positions, expected);
}

TEST(LocalDeformer, SaysWhatDoesNotFit) {
    OnLargeBall scene;
    const LocalObject body{{}, {}, {}, Affine3::Identity(), scene.body_positions};
    EXPECT_EQ(input_error([&] { scene.local.deform(std::span(&body, 1), {}); }),
              "deform: found 1 objects, expected 2");
    const std::array<LocalObject, 2> short_room = {
        body,
        LocalObject{{}, {}, {}, Affine3::Identity(), std::span(scene.ball_positions).first(3)}};
    EXPECT_EQ(input_error([&] { scene.local.deform(short_room, {}); }),
              "deform: object 1 has room for 3 positions, expected 642");
    const Affine3 uneven = Affine3(Eigen::Scaling(1.0, 2.0, 1.0));
    EXPECT_EQ(input_error([&] { scene.run(uneven, Affine3::Identity()); }),
              "deform: object 0 is not moved as a whole; expected a turn, a shift and one scale "
              "for all axes");
    const std::vector<Vec2> few(5, Vec2::Zero());
    EXPECT_EQ(input_error([&] { scene.run(Affine3::Identity(), Affine3::Identity(), {}, few); }),
              "deform: object 0 has 5 texture coordinates, expected 40962");
    scene.contact.second = 2;
    EXPECT_EQ(input_error([&] { scene.run(Affine3::Identity(), Affine3::Identity()); }),
              "deform: contact 0 names object 2, expected 0 to 1");
    EXPECT_EQ(input_error([&] {
                  LocalDeformer({{scene.ball_structure, {Vec3::Zero()}}});
              }),
              "deform: body 0 has 1 positions at rest, expected 642");
}

TEST(LocalDeformer, ASecondCallIsRefused) {
    OnLargeBall scene;
    const Affine3 at = Affine3::Identity(), ball_at = OnLargeBall::ball_at(at, 1.08);
    const LocalResult alone = scene.run(at, ball_at);
    EXPECT_FALSE(alone.moved[0].empty());
    const std::vector<Vec3> positions = scene.body_positions;
    EXPECT_EQ(error_of_second_call([&] { scene.run(at, ball_at); }),
              "deform: in use by another call, expected one call at a time");
    EXPECT_EQ(scene.run(at, ball_at).moved, alone.moved);
    EXPECT_EQ(scene.body_positions, positions);
}

} // namespace
} // namespace knead
