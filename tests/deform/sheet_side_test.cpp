#include "knead/mesh/turned_over.hpp"

#include <gtest/gtest.h>

#include "pair.hpp"

namespace knead {
namespace {

// A ball below a soft sheet, 0.3 through it. Seen from behind, with the faces of the sheet turned
// over, it is the mirror image of a ball that comes from above.
TEST(SheetSide, PressedFromBehindIsTheMirrorImageOfPressedFromTheFront) {
    const Pair above = ball_on_floor(0.3, 3, 30);
    Pair below = above;
    Affine3 mirror = Affine3::Identity();
    mirror.linear().diagonal().y() = -1;
    transform(below.meshes[0], mirror);
    below.meshes[1].faces = above.meshes[1].faces;
    for (Vec3& p : below.meshes[1].positions) p = mirror * p;
    Pair turned = below;
    turned.meshes[1].faces = turned_over(std::move(turned.meshes[1].faces));

    const DeformResult expected = above.result(), found = turned.result();
    EXPECT_FALSE(expected.contacts[0].touched_from_behind);
    EXPECT_EQ(expected.contacts[0].note, "");
    EXPECT_FALSE(found.contacts[0].touched_from_behind);
    EXPECT_EQ(found.contacts[0].note, "");
    for (int i = 0; i < 2; ++i)
        for (std::size_t v = 0; v < expected.objects[i].positions.size(); ++v)
            ASSERT_LT(
                (found.objects[i].positions[v] - mirror * expected.objects[i].positions[v]).norm(),
                1e-9)
                << i << " " << v;
    EXPECT_GT(expected.objects[1].contact_vertices, 10);

    // Without that, the sheet is pulled over the ball, and the note says which of the two it is.
    EXPECT_EQ(below.result().contacts[0].touched_from_behind, 1);
    EXPECT_EQ(
        below.result().contacts[0].note,
        "most of the first object is behind the second, a sheet: it may be meant to touch the "
        "other side");
    std::swap(below.meshes[0], below.meshes[1]);
    EXPECT_EQ(below.result().contacts[0].touched_from_behind, 0);
}

// However deep it presses, a ball that has most of it in front comes from there.
TEST(SheetSide, DeepIsNotFromBehind) {
    EXPECT_FALSE(ball_on_floor(0.8).result().contacts[0].touched_from_behind);
    EXPECT_FALSE(two_balls(1.2).result().contacts[0].touched_from_behind);
    EXPECT_EQ(ball_on_floor(1.2).result().contacts[0].touched_from_behind, 1);
}

} // namespace
} // namespace knead
