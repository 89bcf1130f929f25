#pragma once

#include <chrono>

namespace knead {

class Stopwatch {
public:
    double milliseconds() const {
        return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
    }
    /// Milliseconds since the start or the last lap.
    double lap() {
        const double elapsed = milliseconds();
        start_ = Clock::now();
        return elapsed;
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

} // namespace knead
