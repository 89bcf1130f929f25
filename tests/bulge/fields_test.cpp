#include "knead/bulge/fields.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

TEST(Fields, NamesAreViewsOfWhatASolverTakes) {
    for (const bool with_outward : {false, true}) {
        Fields fields;
        fields.resize(3, guide_count(with_outward));
        fields.columns.setZero();
        fields.distance()[2] = 1;
        Guides guides = fields.guides();
        guides.amplitude[0] = 2;
        guides.slope[1] = 3;
        EXPECT_EQ(guides.has_outward(), with_outward);
        if (with_outward) {
            guides.set_outward(1, {4, 5, 6});
            EXPECT_EQ(guides.outward_at(1), Vec3(4, 5, 6));
        }
        EXPECT_EQ(fields.distance_column().sum(), 1);
        EXPECT_EQ(fields.guide_columns().sum(), with_outward ? 20 : 5);
        EXPECT_EQ(fields.columns.sum(), with_outward ? 21 : 6);
    }
}

// As at the border of a zone, which is often shorter than the memory.
TEST(Fields, GuidesInTheFirstRowsOfAMatrixLeaveTheOthers) {
    Eigen::MatrixXd memory = Eigen::MatrixXd::Zero(5, guide_count(true));
    Guides guides = guides_in(memory.topRows(2));
    ASSERT_EQ(guides.slope.size(), 2u);
    guides.amplitude[1] = guides.slope[1] = 1;
    guides.set_outward(1, Vec3::Ones());
    EXPECT_EQ(memory.row(1).sum(), 5);
    EXPECT_EQ(memory.sum(), 5);
}

} // namespace
} // namespace knead
