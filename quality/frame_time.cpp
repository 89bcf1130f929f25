#include "frame_time.hpp"

#include "knead/base/parallel.hpp"

#include <algorithm>
#include <vector>

namespace knead::quality {

FrameTime median_time(const FrameSolver& solver, std::span<const double> frames) {
    constexpr int tries = 3;
    const ThreadLimit one(1);
    std::vector<FrameTime> times;
    for (const double frame : frames) {
        FrameTime best;
        for (int i = 0; i <= tries; ++i) { // plans are made in the first
            FrameTime time;
            for (const auto& [stage, milliseconds] : solver.solve(frame).milliseconds) {
                if (stage == "separate") time.last_pass = milliseconds;
                if (stage == "total") time.total = milliseconds;
            }
            if (i <= 1 || time.total < best.total) best = time;
        }
        times.push_back(best);
    }
    std::sort(times.begin(), times.end(),
              [](const FrameTime& a, const FrameTime& b) { return a.total < b.total; });
    return times.empty() ? FrameTime() : times[times.size() / 2];
}

} // namespace knead::quality
