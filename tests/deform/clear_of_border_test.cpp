#include "knead/deform/settle/clear_of_border.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

// A point goes out over the edge of a sheet, on whose border its nearest point then is.
TEST(ClearOfBorder, IsLostOnTheWayOutWithoutAJump) {
    const TriangleMesh sheet = make_grid({2, 2}, {4, 4});
    Surface surface;
    surface.structure = make_structure(sheet.positions, sheet.faces);
    move(surface, sheet.positions);
    const ClearOfBorder clear(surface);
    const auto at = [&](double x) {
        const Vec3 position(x, 0.1, 0.03);
        return clear(position, closest_point(surface, position).value());
    };
    EXPECT_EQ(at(0.5), 1);
    EXPECT_EQ(at(1.1), 0);
    double largest = 0;
    for (int i = 0; i < 1000; ++i)
        largest = std::max(largest, std::abs(at(0.5 + 0.0006 * (i + 1)) - at(0.5 + 0.0006 * i)));
    EXPECT_LT(largest, 0.02);
}

} // namespace
} // namespace knead
