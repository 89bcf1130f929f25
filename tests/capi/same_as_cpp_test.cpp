#include "knead/deform/deform.hpp"
#include "knead/deform/object/named_settings.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <knead.h>
#include <memory>
#include <string>
#include <thread>

namespace knead {
namespace {

struct Destroy {
    void operator()(knead_deformer* deformer) const { knead_destroy(deformer); }
};
using Handle = std::unique_ptr<knead_deformer, Destroy>;

Handle create() {
    knead_deformer* made = nullptr;
    EXPECT_EQ(knead_create(&made), KNEAD_OK);
    return Handle(made);
}

int add(knead_deformer* deformer, const TriangleMesh& mesh) {
    int object = -1;
    EXPECT_EQ(knead_add_object(deformer, mesh.positions[0].data(), mesh.positions.size(),
                               mesh.faces[0].data(), mesh.faces.size(), &object),
              KNEAD_OK)
        << knead_error();
    return object;
}

std::vector<Vec3> positions_of(knead_deformer* deformer, int object, std::size_t vertices) {
    std::vector<Vec3> positions(vertices);
    EXPECT_EQ(knead_get_positions(deformer, object, positions[0].data(), vertices), KNEAD_OK);
    return positions;
}

struct BallOnBox {
    TriangleMesh ball = make_sphere(1, 3), box = make_box({3, 2, 3}, {12, 8, 12});

    BallOnBox() {
        for (Vec3& p : ball.positions) p += Vec3(0.1, 1.75, 0.05);
    }
};

TEST(CApi, GivesTheBitsOfCpp) {
    const BallOnBox pair;
    const Handle deformer = create();
    const int ball = add(deformer.get(), pair.ball), box = add(deformer.get(), pair.box);
    int contact = -1;
    ASSERT_EQ(knead_add_contact(deformer.get(), ball, box, &contact), KNEAD_OK);
    std::array<DeformSettings, 2> settings;
    DeformContact as_cpp;
    // Each setting by its name, one after the other, then all together.
    const std::vector<double> map(pair.ball.positions.size(), 0.45);
    for (const NamedSetting& named : named_settings()) {
        const std::string name(named.setting.name);
        ASSERT_EQ(knead_set_number(deformer.get(), box, name.c_str(), 0.5), KNEAD_OK) << name;
        named.of(settings[1]) = 0.5;
        ASSERT_EQ(knead_set_map(deformer.get(), ball, name.c_str(), map.data(), map.size()),
                  KNEAD_OK)
            << name;
        named.of(settings[0]) = map;
    }
    ASSERT_EQ(knead_set_contact_number(deformer.get(), contact, "apparent_stiffness", 0.2),
              KNEAD_OK);
    as_cpp.zone.apparent_stiffness = 0.2;
    const Vec3 direction(0.1, 1, 0);
    ASSERT_EQ(knead_set_direction(deformer.get(), contact, direction.data()), KNEAD_OK);
    as_cpp.direction = direction;
    ASSERT_EQ(knead_solve(deformer.get()), KNEAD_OK) << knead_error();
    const auto expected = deform(pair.ball, pair.box, as_cpp, settings);
    EXPECT_EQ(positions_of(deformer.get(), ball, expected[0].size()), expected[0]);
    EXPECT_EQ(positions_of(deformer.get(), box, expected[1].size()), expected[1]);
    EXPECT_NE(expected[0], pair.ball.positions);

    for (const NamedSetting& named : named_settings())
        for (const int object : {ball, box})
            ASSERT_EQ(knead_unset(deformer.get(), object, std::string(named.setting.name).c_str()),
                      KNEAD_OK);
    ASSERT_EQ(knead_set_direction(deformer.get(), contact, nullptr), KNEAD_OK);
    ASSERT_EQ(knead_solve(deformer.get()), KNEAD_OK);
    DeformContact plain;
    plain.zone.apparent_stiffness = 0.2;
    EXPECT_EQ(positions_of(deformer.get(), ball, expected[0].size()),
              deform(pair.ball, pair.box, plain)[0]);
}

TEST(CApi, TakesOneCallAtATimeAndCanBeStopped) {
    const Handle deformer = create();
    TriangleMesh ball = make_sphere(1, 6);
    add(deformer.get(), ball);
    for (Vec3& p : ball.positions) p += Vec3(0.1, 1.7, 0);
    add(deformer.get(), ball);
    int contact = -1;
    ASSERT_EQ(knead_add_contact(deformer.get(), 0, 1, &contact), KNEAD_OK);
    knead_status status = KNEAD_OK;
    std::atomic<bool> ended = false;
    std::thread solving([&] {
        // It is refused itself while the other thread has a call.
        do status = knead_solve(deformer.get());
        while (status == KNEAD_BAD_INPUT);
        ended = true;
    });
    bool refused = false;
    while (!ended) {
        knead_stop(deformer.get());
        if (knead_set_threads(deformer.get(), 2) == KNEAD_BAD_INPUT)
            refused = refused || std::string(knead_error()) ==
                                     "knead_deformer: in use by another call, expected one call at "
                                     "a time";
    }
    solving.join();
    EXPECT_EQ(status, KNEAD_STOPPED);
    EXPECT_TRUE(refused);
    EXPECT_EQ(knead_solve(deformer.get()), KNEAD_OK) << knead_error();
}

} // namespace
} // namespace knead
