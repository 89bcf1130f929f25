#include "terminal.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace knead::cli {
namespace {

// ", 12 s left"; nobody plans by more digits. Nothing at the start, and at the end.
std::string time_left(double fraction, double seconds) {
    if (fraction <= 0 || fraction >= 1) return "";
    constexpr double minute = 60, hour = 3600;
    const double left = seconds * (1 - fraction) / fraction;
    if (left < 100) return fmt::format(", {:.0f} s left", std::ceil(left));
    if (left < 100 * minute) return fmt::format(", {:.0f} min left", std::ceil(left / minute));
    return fmt::format(", {:.0f} h left", std::ceil(left / hour));
}

} // namespace

void tell(const std::string& text) {
    std::fputs(text.c_str(), stderr);
}

ProgressDisplay::ProgressDisplay(std::string label, bool quiet)
    : label_(std::move(label)), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressDisplay::~ProgressDisplay() {
    if (open_line_) tell("\n");
}

Progress ProgressDisplay::progress() {
    return {[this](double fraction) { show(fraction); }, interruptible_.stop()};
}

void ProgressDisplay::show(double fraction) {
    if (quiet_) return;
    const double seconds = since_start_.milliseconds() / 1000;
    if (fraction < last_fraction_) part_began_ = seconds;
    last_fraction_ = fraction;
    const int step = static_cast<int>(fraction * (terminal_ ? 100 : 10));
    if (step == last_step_) return;
    last_step_ = step;
    const std::string left = time_left(fraction, seconds - part_began_);
    if (!terminal_) {
        tell(fmt::format("{}: {} %{}\n", label_, step * 10, left));
        return;
    }
    constexpr int width = 30;
    const int filled = static_cast<int>(fraction * width);
    // The rest of a longer line goes.
    constexpr const char* clear_to_end = "\x1b[K";
    tell(fmt::format("\r{} [{:=<{}}{:<{}}] {:3} %  {:.1f} s{}{}", label_, "", filled, "",
                     width - filled, step, seconds, left, clear_to_end));
    std::fflush(stderr);
    open_line_ = true;
}

} // namespace knead::cli
