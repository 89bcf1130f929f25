#include "terminal.hpp"

#include "knead/base/file.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <string_view>
#include <sys/time.h>
#include <unistd.h>

namespace knead::cli {
namespace {

// A handler can reach nothing but globals.
std::stop_source stop_source;
std::atomic<bool> stop_asked{false};

// Not all that takes long asks whether to stop: libraries of others do not, nor do loops that are
// over in less time on meshes of a usual size.
// The rest of a second is for the memory of a large scene, which takes time to be given back.
constexpr suseconds_t patience_in_microseconds = 500'000;

void end_at_once(int) {
    constexpr std::string_view words = "knead: interrupted; files that are there are whole\n";
    remove_unfinished_files();
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words.data(), words.size());
    _exit(130);
}

void set_timer(suseconds_t microseconds) {
    itimerval timer{};
    timer.it_value.tv_usec = microseconds;
    setitimer(ITIMER_REAL, &timer, nullptr);
}

void handle_interrupt(int signal) {
    if (stop_asked.exchange(true)) end_at_once(signal);
    std::signal(SIGALRM, end_at_once);
    set_timer(patience_in_microseconds);
    stop_source.request_stop();
}

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

ProgressDisplay::ProgressDisplay(std::string label, bool quiet)
    : label_(std::move(label)), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {
    std::signal(SIGINT, handle_interrupt);
    std::signal(SIGTERM, handle_interrupt);
}

ProgressDisplay::~ProgressDisplay() {
    if (open_line_) fmt::print(stderr, "\n");
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    set_timer(0); // it has stopped in time
}

Progress ProgressDisplay::progress() {
    return {[this](double fraction) { show(fraction); }, stop_source.get_token()};
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
        fmt::print(stderr, "{}: {} %{}\n", label_, step * 10, left);
        return;
    }
    constexpr int width = 30;
    const int filled = static_cast<int>(fraction * width);
    // The rest of a longer line goes.
    constexpr const char* clear_to_end = "\x1b[K";
    fmt::print(stderr, "\r{} [{:=<{}}{:<{}}] {:3} %  {:.1f} s{}{}", label_, "", filled, "",
               width - filled, step, seconds, left, clear_to_end);
    std::fflush(stderr);
    open_line_ = true;
}

} // namespace knead::cli
