#include "knead/base/one_at_a_time.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"

namespace knead {
namespace {

TEST(OneAtATime, RefusesASecondUseUntilTheFirstEnds) {
    OneAtATime guard;
    const auto use = [&] { const OneAtATime::Use one = guard.begin("solve"); };
    EXPECT_EQ(input_error([&] {
                  const OneAtATime::Use first = guard.begin("solve");
                  use();
              }),
              "solve: in use by another call, expected one call at a time");
    EXPECT_EQ(input_error(use), "no error");
}

TEST(OneAtATime, ACopyIsUsedByNobody) {
    OneAtATime guard;
    const OneAtATime::Use first = guard.begin("solve");
    OneAtATime copy = guard;
    EXPECT_EQ(input_error([&] { const OneAtATime::Use second = copy.begin("solve"); }), "no error");
}

} // namespace
} // namespace knead
