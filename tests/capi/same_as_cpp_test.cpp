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
#include <utility>
#include <vector>

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

// A pair that is resolved by both headers: what one says is what the other does.
struct Pair {
    std::array<TriangleMesh, 2> meshes;
    std::array<DeformSettings, 2> settings = {};
    DeformContact contact = {};
    Handle deformer = create();

    explicit Pair(TriangleMesh first, TriangleMesh second)
        : meshes{std::move(first), std::move(second)} {
        for (const TriangleMesh& mesh : meshes) add(deformer.get(), mesh);
        int added = -1;
        EXPECT_EQ(knead_add_contact(deformer.get(), 0, 1, &added), KNEAD_OK);
        EXPECT_EQ(added, 0);
    }
};

Pair ball_on_box(double height = 1.75) {
    TriangleMesh ball = make_sphere(1, 3);
    for (Vec3& p : ball.positions) p += Vec3(0.1, height, 0.05);
    return Pair(std::move(ball), make_box({3, 2, 3}, {12, 8, 12}));
}

void expect_same_fields(knead_deformer* deformer, int object, const ObjectOutcome& expected) {
    const std::array<std::pair<const char*, const std::vector<double>*>, 6> fields{
        {{"zone", &expected.zone},
         {"gap", &expected.gap},
         {"u", &expected.u},
         {"amplitude", &expected.amplitude},
         {"slope", &expected.slope},
         {"eta", &expected.eta}}};
    for (const auto& [name, values] : fields) {
        std::vector<double> found(expected.positions.size(), -7);
        EXPECT_EQ(knead_get_field(deformer, object, name, found.data(), found.size()), KNEAD_OK);
        const double untouched = std::string_view(name) == "u" ? 1 : 0;
        EXPECT_EQ(found, values->empty() ? std::vector<double>(found.size(), untouched) : *values)
            << name << " of object " << object;
    }
}

void expect_same_contact(knead_deformer* deformer, const ContactOutcome& expected) {
    knead_contact found{};
    ASSERT_EQ(knead_get_contact(deformer, 0, &found), KNEAD_OK) << knead_error();
    EXPECT_EQ(Vec3(found.direction[0], found.direction[1], found.direction[2]), expected.direction);
    EXPECT_EQ(found.depth, expected.depth);
    for (const int side : {0, 1}) {
        EXPECT_EQ(found.zone_area[side], expected.zone_area[side]);
        EXPECT_EQ(found.extent[side], expected.extent[side]);
    }
    const char* note = knead_get_note(deformer, 0);
    ASSERT_NE(note, nullptr);
    EXPECT_EQ(note, expected.note);
}

// Everything that the C header tells is what C++ finds, which is handed on.
DeformResult expect_same(const Pair& pair) {
    EXPECT_EQ(knead_solve(pair.deformer.get()), KNEAD_OK) << knead_error();
    const std::array<DeformObject, 2> objects{
        {{.positions = pair.meshes[0].positions, .settings = pair.settings[0]},
         {.positions = pair.meshes[1].positions, .settings = pair.settings[1]}}};
    DeformResult expected = Deformer(pair.meshes).deform(objects, {&pair.contact, 1});
    for (const int object : {0, 1}) {
        const ObjectOutcome& outcome = expected.objects[object];
        EXPECT_EQ(positions_of(pair.deformer.get(), object, outcome.positions.size()),
                  outcome.positions);
        expect_same_fields(pair.deformer.get(), object, outcome);
    }
    expect_same_contact(pair.deformer.get(), expected.contacts[0]);
    return expected;
}

TEST(CApi, GivesTheBitsOfCpp) {
    Pair pair = ball_on_box();
    knead_deformer* deformer = pair.deformer.get();
    const DeformResult plain = expect_same(pair);
    EXPECT_NE(plain.objects[0].positions, pair.meshes[0].positions);
    EXPECT_FALSE(plain.objects[0].zone.empty());
    EXPECT_GT(plain.contacts[0].extent[0], 0);

    // All settings by their names.
    const std::vector<double> map(pair.meshes[0].positions.size(), 0.45);
    for (const NamedSetting& named : named_settings()) {
        const std::string name(named.setting.name);
        ASSERT_EQ(knead_set_number(deformer, 1, name.c_str(), 0.5), KNEAD_OK) << name;
        named.of(pair.settings[1]) = 0.5;
        ASSERT_EQ(knead_set_map(deformer, 0, name.c_str(), map.data(), map.size()), KNEAD_OK)
            << name;
        named.of(pair.settings[0]) = map;
    }
    ASSERT_EQ(knead_set_contact_number(deformer, 0, "apparent_stiffness", 0.2), KNEAD_OK);
    pair.contact.zone.apparent_stiffness = 0.2;
    const Vec3 direction(0.1, 1, 0);
    ASSERT_EQ(knead_set_direction(deformer, 0, direction.data()), KNEAD_OK);
    pair.contact.direction = direction;
    EXPECT_NE(expect_same(pair).objects[0].positions, plain.objects[0].positions);

    for (const NamedSetting& named : named_settings())
        for (const int object : {0, 1})
            ASSERT_EQ(knead_unset(deformer, object, std::string(named.setting.name).c_str()),
                      KNEAD_OK);
    ASSERT_EQ(knead_set_direction(deformer, 0, nullptr), KNEAD_OK);
    pair.settings = {};
    pair.contact.direction.reset();
    expect_same(pair);
}

// What is no number that may be painted: each changes something, and goes back.
TEST(CApi, SetsAllElseToo) {
    Pair pair = ball_on_box();
    knead_deformer* deformer = pair.deformer.get();
    const std::vector<Vec3> plain = expect_same(pair).objects[0].positions;
    const auto expect_changed = [&] {
        const std::vector<Vec3> changed = expect_same(pair).objects[0].positions;
        EXPECT_NE(changed, plain);
        return changed;
    };

    ASSERT_EQ(knead_set_number(deformer, 1, "rigid", 1), KNEAD_OK);
    pair.settings[1].rigid = true;
    const std::vector<Vec3> on_rigid = expect_changed();
    ASSERT_EQ(knead_set_contact_number(deformer, 0, "ball_radius", 0.3), KNEAD_OK);
    pair.contact.zone.ball_radius = 0.3;
    EXPECT_NE(expect_changed(), on_rigid);
    pair = ball_on_box();
    deformer = pair.deformer.get();

    ASSERT_EQ(knead_set_number(deformer, 0, "anisotropic", 1), KNEAD_OK);
    pair.settings[0].bulge.map.anisotropic = true;
    expect_changed();
    ASSERT_EQ(knead_unset(deformer, 0, "anisotropic"), KNEAD_OK);
    pair.settings[0].bulge.map.anisotropic = false;

    std::vector<double> map;
    for (const Vec3& p : pair.meshes[0].positions) map.push_back(p.x() > 0 ? 1 : 0.2);
    ASSERT_EQ(knead_set_map(deformer, 0, "bulge_map", map.data(), map.size()), KNEAD_OK);
    pair.settings[0].bulge.map.painted = map;
    expect_changed();
    ASSERT_EQ(knead_unset(deformer, 0, "bulge_map"), KNEAD_OK);
    pair.settings[0].bulge.map.painted = {};
    EXPECT_EQ(expect_same(pair).objects[0].positions, plain);

    // Apart: nothing is said of what does not touch.
    for (Vec3& p : pair.meshes[0].positions) p.y() += 5;
    ASSERT_EQ(knead_set_positions(deformer, 0, pair.meshes[0].positions[0].data(), map.size()),
              KNEAD_OK);
    EXPECT_TRUE(expect_same(pair).objects[0].zone.empty());
}

TEST(CApi, TheLastPassCanBeLeftOut) {
    Pair pair(make_sphere(1, 2), make_box({3, 2, 3}, {3, 2, 3}));
    for (Vec3& p : pair.meshes[0].positions) p += Vec3(0.1, 1.5, 0.05);
    knead_deformer* deformer = pair.deformer.get();
    ASSERT_EQ(knead_set_positions(deformer, 0, pair.meshes[0].positions[0].data(),
                                  pair.meshes[0].positions.size()),
              KNEAD_OK);
    const DeformResult parted = expect_same(pair);
    ASSERT_EQ(knead_set_crossing_free(deformer, 0, 0), KNEAD_OK);
    pair.contact.crossing_free = false;
    EXPECT_NE(expect_same(pair).objects[0].positions, parted.objects[0].positions);
    ASSERT_EQ(knead_set_crossing_free(deformer, 0, 1), KNEAD_OK);
    pair.contact.crossing_free = true;
    EXPECT_EQ(expect_same(pair).objects[0].positions, parted.objects[0].positions);
    EXPECT_EQ(knead_set_crossing_free(deformer, 1, 0), KNEAD_BAD_INPUT);
    EXPECT_STREQ(knead_error(), "found contact 1, expected one of the 1 that were added");
}

TEST(CApi, TellsTheNote) {
    Pair pair = ball_on_box();
    for (const int object : {0, 1}) {
        ASSERT_EQ(knead_set_number(pair.deformer.get(), object, "extent", 0.01), KNEAD_OK);
        pair.settings[object].extent = 0.01;
    }
    EXPECT_NE(expect_same(pair).contacts[0].note, "");
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
