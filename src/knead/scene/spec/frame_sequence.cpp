#include "knead/scene/spec/frame_sequence.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace knead {
namespace {

constexpr int max_frames = 1'000'000;
// Frames have three decimals; what is nearer than this is the same frame.
constexpr double frame_tolerance = 1e-6;

bool is_whole(double value) {
    return value == std::floor(value);
}

// Within what an addition of many steps may lose.
bool is_thousandth(double value) {
    return std::abs(value * 1000 - std::round(value * 1000)) < 1e-6;
}

} // namespace

int FrameSequence::count() const {
    // A last frame that is missed by rounding alone still counts.
    return last < first ? 0 : static_cast<int>(std::floor((last - first) / step + 1e-9)) + 1;
}

bool FrameSequence::is_fractional() const {
    return !is_whole(first) || !is_whole(step);
}

bool FrameSequence::contains(const FrameSequence& other) const {
    for (int i = 0; i < other.count(); ++i) {
        const double index = std::round((other.frame(i) - first) / step);
        if (index < 0 || index >= count() ||
            std::abs(first + index * step - other.frame(i)) > frame_tolerance)
            return false;
    }
    return true;
}

FrameSequence parse_frame_sequence(std::string_view text, double step, const std::string& where) {
    const std::size_t colon = text.find(':');
    const auto first = parse_double(text.substr(0, colon));
    const auto last =
        colon == std::string_view::npos ? first : parse_double(text.substr(colon + 1));
    if (!first || !last)
        throw InputError(fmt::format("{}: found {}, expected a frame or a range like 1:48", where,
                                     single_quoted(text)));
    const FrameSequence range{*first, *last, step};
    check_frame_sequence(range, where);
    return range;
}

void check_frame_sequence(const FrameSequence& range, const std::string& where) {
    const auto [first, last, step] = range;
    if (!std::isfinite(first) || !std::isfinite(last) || std::abs(first) > 1e9 ||
        std::abs(last) > 1e9)
        throw InputError(fmt::format("{}: found {}:{}, expected frames between -1e9 and 1e9", where,
                                     first, last));
    if (!(step > 0) || !std::isfinite(step))
        throw InputError(
            fmt::format("{}: the step is {}, expected a positive number", where, step));
    if (!is_thousandth(step) || !is_thousandth(first))
        throw InputError(fmt::format("{}: frame {} with step {} needs more than three decimals",
                                     where, first, step));
    if (last < first)
        throw InputError(fmt::format("{}: the range {}:{} runs backwards", where, first, last));
    if ((last - first) / step >= max_frames)
        throw InputError(fmt::format("{}: {} frames, expected at most {}", where,
                                     std::floor((last - first) / step) + 1, max_frames));
}

std::string frame_label(double frame, bool fractional) {
    const char* sign = frame < 0 ? "-" : "";
    return fractional ? fmt::format("{}{:08.3f}", sign, std::abs(frame))
                      : fmt::format("{}{:04d}", sign, std::llround(std::abs(frame)));
}

} // namespace knead
