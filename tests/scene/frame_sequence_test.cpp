#include "knead/base/error.hpp"
#include "knead/scene/spec/frame_sequence.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

std::vector<std::string> labels(std::string_view text, double step) {
    const FrameSequence range = parse_frame_sequence(text, step, "--frames");
    std::vector<std::string> result;
    for (int i = 0; i < range.count(); ++i)
        result.push_back(frame_label(range.frame(i), range.is_fractional()));
    return result;
}

std::string message(std::string_view text, double step) {
    try {
        parse_frame_sequence(text, step, "--frames");
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

using Labels = std::vector<std::string>;

TEST(FrameSequence, NamesFramesAsTheContractSays) {
    EXPECT_EQ(labels("11:13", 1), (Labels{"0011", "0012", "0013"}));
    EXPECT_EQ(labels("12:13", 0.5), (Labels{"0012.000", "0012.500", "0013.000"}));
    EXPECT_EQ(labels("7", 1), (Labels{"0007"}));
    EXPECT_EQ(labels("12.25", 1), (Labels{"0012.250"}));
    EXPECT_EQ(labels("1:6", 2), (Labels{"0001", "0003", "0005"}));
    EXPECT_EQ(labels("12345:12345", 1), (Labels{"12345"}));
    EXPECT_EQ(labels("-1:0", 1), (Labels{"-0001", "0000"}));
}

TEST(FrameSequence, AStepThatIsNoBinaryFractionStillReachesTheLastFrame) {
    EXPECT_EQ(parse_frame_sequence("0:1", 0.1, "").count(), 11);
    EXPECT_EQ(parse_frame_sequence("1:3", 0.001, "").count(), 2001);
    EXPECT_EQ(labels("1:1.3", 0.1).back(), "0001.300");
}

TEST(FrameSequence, SaysWhatIsWrong) {
    EXPECT_EQ(message("a:b", 1), "--frames: found 'a:b', expected a frame or a range like 1:48");
    EXPECT_EQ(message("1:", 1), "--frames: found '1:', expected a frame or a range like 1:48");
    EXPECT_EQ(message("nan:3", 1), "--frames: found nan:3, expected frames between -1e9 and 1e9");
    EXPECT_EQ(message("5:1", 1), "--frames: the range 5:1 runs backwards");
    EXPECT_EQ(message("1:5", 0), "--frames: the step is 0, expected a positive number");
    EXPECT_EQ(message("1:5", 0.0001),
              "--frames: frame 1 with step 0.0001 needs more than three decimals");
    EXPECT_EQ(message("1:2000000", 1), "--frames: 2000000 frames, expected at most 1000000");
}

} // namespace
} // namespace knead
