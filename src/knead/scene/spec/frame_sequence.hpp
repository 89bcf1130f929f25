#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace knead {

/// The frames of a run: first, first + step, ... up to and including last.
struct FrameSequence {
    double first = 1;
    double last = 1;
    double step = 1;

    int count() const;
    double frame(int index) const { return first + index * step; }
    /// True when some frame is not a whole number; names then carry three decimals.
    bool is_fractional() const;
    /// Every frame of the other one is here, too.
    bool contains(const FrameSequence& other) const;

    friend bool operator==(const FrameSequence&, const FrameSequence&) = default;
};

/// "A:B", or one frame "A". An InputError names `where`.
FrameSequence parse_frame_sequence(std::string_view text, double step, const std::string& where);

/// Throws an InputError that names `where` when the range is empty, runs backwards, has more than a
/// million frames or a step that three decimals cannot tell apart.
void check_frame_sequence(const FrameSequence& range, const std::string& where);

/// "0012", or "0012.500" in a fractional range.
std::string frame_label(double frame, bool fractional);

} // namespace knead
