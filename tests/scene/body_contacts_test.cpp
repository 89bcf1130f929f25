#include "knead/scene/methods/dynamics/body_contacts.hpp"

#include <algorithm>

#include "scene/scene_folder.hpp"

namespace knead {
namespace {

class BodyContactsTest : public SceneFolder {
protected:
    // A cube with a side of 1, and what is said of the other.
    static std::string cube_and(const std::string& other) {
        return "{'name': 'cube', 'mesh': {'box': {'size': [1, 1, 1], 'cells': [4, 4, 4]}}, 'body': "
               "{'type': 'rigid'}}, {'name': 'other', " +
               other + "}";
    }
    static std::string sheet_at(double height, double size = 3) {
        return fmt::format(
            "'mesh': {{'grid': {{'size': [{}, {}], 'cells': [6, 6]}}}}, 'transform': "
            "{{'translate': [0, {}, 0]}}",
            size, size, height);
    }
    BodyContacts measure(const LoadedScene& scene, double reach = 0.01) const {
        const auto positions = positions_at(scene, 1);
        return measure_bodies(scene, make_bodies(scene), positions, positions, reach);
    }
};

TEST_F(BodyContactsTest, OnlyPairsWithinReachAreListed) {
    const auto contacts = [&](double height) {
        return measure(load(cube_and(sheet_at(height)))).contacts.size();
    };
    EXPECT_EQ(contacts(-0.5), 1u);
    EXPECT_EQ(contacts(-0.509), 1u);
    EXPECT_EQ(contacts(-0.511), 0u);
}

TEST_F(BodyContactsTest, VerticesWithinReachTouch) {
    const BodyContacts found = measure(load(cube_and(sheet_at(-0.505))));
    const ContactReport& contact = found.contacts.at(0);
    EXPECT_EQ(contact.between, (std::array<std::string, 2>{"cube", "other"}));
    // All 25 vertices of the cube's underside, and the sheet's single one within it and its edges.
    EXPECT_EQ(std::count(found.touching[0].begin(), found.touching[0].end(), 1.0), 25);
    EXPECT_EQ(std::count(found.touching[1].begin(), found.touching[1].end(), 1.0), 9);
    EXPECT_LT((contact.direction - Vec3(0, 1, 0)).norm(), 1e-12);
    EXPECT_GT(contact.zone_area[0], 1); // the corners have a part of the sides, too
    EXPECT_LT(contact.zone_area[0], 1.7);
    EXPECT_EQ(contact.depth_after, 0);
    EXPECT_EQ(contact.crossings_after, 0);
    EXPECT_TRUE(measure(load(cube_and(sheet_at(-0.505))), 0.004).contacts.empty());
}

TEST_F(BodyContactsTest, WhatLiesBehindAnOpenSurfaceIsNotInItUnlessTheyCross) {
    // The sheet looks up; the cube is below it.
    const BodyContacts under = measure(load(cube_and(sheet_at(0.505))));
    EXPECT_EQ(under.contacts.at(0).depth_after, 0);
    const BodyContacts across = measure(load(cube_and(sheet_at(0.3))));
    EXPECT_GT(across.contacts.at(0).crossings_after, 0);
    EXPECT_NEAR(across.contacts.at(0).depth_after, 0.8, 1e-12);
    // A sheet within the cube crosses nothing, and is in it.
    const BodyContacts inside = measure(load(cube_and(sheet_at(0.3, 0.5))));
    EXPECT_EQ(inside.contacts.at(0).crossings_after, 0);
    EXPECT_NEAR(inside.contacts.at(0).depth_after, 0.2, 1e-12);
}

TEST_F(BodyContactsTest, SolidsAreMeasuredAsByTheDeformersJudge) {
    const LoadedScene scene =
        load(cube_and("'mesh': {'sphere': {'radius': 0.2, 'subdivisions': 2}}, 'transform': "
                      "{'translate': [0, 0.6, 0]}"));
    const ContactReport contact = measure(scene).contacts.at(0);
    EXPECT_NEAR(contact.depth_before, 0.1, 1e-3);
    EXPECT_EQ(contact.depth_before, contact.depth_after);
    EXPECT_GT(contact.crossings_after, 10);
    EXPECT_EQ(contact.crossings_before, contact.crossings_after);
}

TEST_F(BodyContactsTest, KinematicBodiesAndExcludedPairsAreNotLookedAt) {
    const std::string sheet = sheet_at(0.3);
    EXPECT_EQ(measure(load(cube_and(sheet), "'exclude': [['cube', 'other']],")).contacts.size(),
              0u);
    EXPECT_EQ(
        measure(load("{'name': 'a', " + sheet + "}, {'name': 'b', " + sheet + "}")).contacts.size(),
        0u);
}

} // namespace
} // namespace knead
