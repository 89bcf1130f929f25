#include "knead/mesh/motion_jumps.hpp"

#include "knead/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

namespace knead {
namespace {

using Pose = std::vector<std::vector<Vec3>>;

// A step is always seen at this many places, so that a jump has neighbours to stand out from.
constexpr int parts = 8;
// With this many times looked at, a motion is rough all over: then only the last place is pursued.
constexpr std::size_t most_times = 48;

// The furthest move between two poses, in edges.
MotionJump largest_move(const Pose& from, const Pose& to, std::span<const double> edges) {
    MotionJump largest;
    for (std::size_t object = 0; object < from.size(); ++object)
        for (std::size_t v = 0; v < from[object].size(); ++v) {
            const double size = (to[object][v] - from[object][v]).norm();
            if (!(size / edges[object] > largest.edges)) continue;
            largest.object = static_cast<int>(object);
            largest.vertex = static_cast<int>(v);
            largest.size = size;
            largest.edges = size / edges[object];
        }
    return largest;
}

// The times of a step that were looked at, and how much the motion between two of them stands out.
class StepSearch {
public:
    StepSearch(const Motion& motion, std::span<const double> edges, double low, double high)
        : motion_(motion),
          edges_(edges),
          // Far from 0, times are not as dense as one may wish.
          shortest_(std::max((high - low) * jump_resolution,
                             1e-15 * std::max(std::abs(low), std::abs(high)))) {
        for (int i = 0; i <= parts; ++i) {
            const double time = i == parts ? high : low + (high - low) * i / parts;
            samples_.push_back({time, motion(time), 0});
        }
        for (std::size_t i = 0; i + 1 < samples_.size(); ++i) samples_[i].excess = excess(i);
    }

    // Halves the interval that stands out most, for as long as it does so by more than `enough`
    // edges and might hold a larger jump than the one that was found: at first some of it may look
    // like a change of speed.
    void run(double enough) {
        std::size_t place = most_conspicuous(0, samples_.size() - 1);
        while (samples_[place].excess > std::max(enough, 0.25 * jump_.edges)) {
            halve(place);
            place = samples_.size() < most_times ? most_conspicuous(0, samples_.size() - 1)
                                                 : most_conspicuous(place, place + 2);
        }
        left_ = samples_[place].excess;
    }

    /// The largest one, however small; no object when no interval had to be halved to the end.
    const MotionJump& jump() const { return jump_; }
    double excess_left() const { return left_; }

private:
    struct Sample {
        double time;
        Pose pose;
        double excess; ///< of the interval that begins here
    };

    double length(std::size_t interval) const {
        return samples_[interval + 1].time - samples_[interval].time;
    }

    bool is_short(std::size_t interval) const { return length(interval) <= shortest_; }

    // Two other intervals, and how their moves foretell the one of an interval between or beside
    // them, as if speed changed evenly.
    struct Forecast {
        std::size_t a, b;
        double by_a, by_b;
    };
    Forecast forecast(std::size_t interval, std::size_t a, std::size_t b) const {
        const auto middle = [&](std::size_t i) {
            return 0.5 * (samples_[i].time + samples_[i + 1].time);
        };
        const double way = (middle(interval) - middle(a)) / (middle(b) - middle(a));
        return {a, b, length(interval) * (1 - way) / length(a), length(interval) * way / length(b)};
    }

    // Short intervals are left out: a jump that is known must not hide another one.
    std::array<Forecast, 3> forecasts_of(std::size_t interval) const {
        std::array<std::size_t, 3> before{}, after{};
        int lefts = 0, rights = 0;
        for (std::size_t i = interval; i-- > 0 && lefts < 3;)
            if (!is_short(i)) before[lefts++] = i;
        for (std::size_t i = interval + 1; i + 1 < samples_.size() && rights < 3; ++i)
            if (!is_short(i)) after[rights++] = i;
        const auto forecast_by = [&](std::size_t a, std::size_t b) {
            return forecast(interval, a, b);
        };
        return {lefts < 2 ? forecast_by(after[1], after[2]) : forecast_by(before[0], before[1]),
                lefts == 0    ? forecast_by(after[0], after[2])
                : rights == 0 ? forecast_by(before[0], before[2])
                              : forecast_by(before[0], after[0]),
                rights < 2 ? forecast_by(before[1], before[2]) : forecast_by(after[0], after[1])};
    }

    // How far a vertex departs, in edges, from the best of three forecasts: beside a jump at least
    // one of them knows nothing of it, at a jump none does.
    double excess(std::size_t interval) const {
        if (is_short(interval)) return 0; // judged already, by `halve`
        const std::array<Forecast, 3> forecasts = forecasts_of(interval);
        const std::size_t i = interval;
        double largest = 0;
        for (std::size_t object = 0; object < edges_.size(); ++object) {
            const auto at = [&](std::size_t sample) {
                return samples_[sample].pose[object].data();
            };
            const Vec3 *here = at(i), *there = at(i + 1);
            std::array<std::array<const Vec3*, 4>, 3> ends;
            for (int f = 0; f < 3; ++f)
                ends[f] = {at(forecasts[f].a), at(forecasts[f].a + 1), at(forecasts[f].b),
                           at(forecasts[f].b + 1)};
            double square = 0;
            for (std::size_t v = 0; v < samples_[i].pose[object].size(); ++v) {
                const Vec3 move = there[v] - here[v];
                double least = std::numeric_limits<double>::infinity();
                for (int f = 0; f < 3; ++f) {
                    const auto& [a0, a1, b0, b1] = ends[f];
                    least = std::min(least, (move - forecasts[f].by_a * (a1[v] - a0[v]) -
                                             forecasts[f].by_b * (b1[v] - b0[v]))
                                                .squaredNorm());
                }
                square = std::max(square, least);
            }
            largest = std::max(largest, std::sqrt(square) / edges_[object]);
        }
        return largest;
    }

    void halve(std::size_t interval) {
        const double middle = 0.5 * (samples_[interval].time + samples_[interval + 1].time);
        samples_.insert(samples_.begin() + static_cast<std::ptrdiff_t>(interval) + 1,
                        {middle, motion_(middle), 0});
        for (const std::size_t half : {interval, interval + 1}) {
            if (!is_short(half)) continue;
            MotionJump jump = largest_move(samples_[half].pose, samples_[half + 1].pose, edges_);
            jump.low = samples_[half].time;
            jump.high = samples_[half + 1].time;
            if (jump.edges > jump_.edges) jump_ = jump;
        }
        // All that may look at the halves, or now look past them.
        const std::size_t reach = is_short(interval) ? samples_.size() : 3;
        const std::size_t begin = interval < reach ? 0 : interval - reach;
        const std::size_t end = std::min(samples_.size() - 1, interval + 2 + reach);
        for (std::size_t i = begin; i < end; ++i) samples_[i].excess = excess(i);
    }

    std::size_t most_conspicuous(std::size_t begin, std::size_t end) const {
        const auto first = samples_.begin();
        return static_cast<std::size_t>(
            std::max_element(first + static_cast<std::ptrdiff_t>(begin),
                             first + static_cast<std::ptrdiff_t>(end),
                             [](const Sample& a, const Sample& b) { return a.excess < b.excess; }) -
            first);
    }

    const Motion& motion_;
    std::span<const double> edges_;
    double shortest_;
    std::vector<Sample> samples_;
    MotionJump jump_;
    double left_ = 0;
};

} // namespace

MotionJumps find_jumps(const Motion& motion, std::span<const double> times,
                       std::span<const double> edges, const Progress& progress) {
    struct Step {
        MotionJump jump;
        double excess_left = 0;
    };
    std::vector<Step> steps(times.size() < 2 ? 0 : times.size() - 1);
    std::mutex lock;
    std::size_t done = 0;
    parallel_for(steps.size(), 1, [&](std::size_t i) {
        if (progress.stop.stop_requested()) return;
        StepSearch search(motion, edges, times[i], times[i + 1]);
        search.run(negligible_jump);
        steps[i] = {search.jump(), search.excess_left()};
        const std::lock_guard guard(lock);
        progress.at(static_cast<double>(++done) / static_cast<double>(steps.size()));
    });
    progress.check();

    MotionJumps result;
    for (const Step& step : steps) {
        if (step.jump.edges < negligible_jump) continue;
        result.jumps.push_back(step.jump);
        if (step.jump.edges > result.largest.edges) result.largest = step.jump;
    }
    if (!result.jumps.empty() || steps.empty()) return result;
    const std::size_t i =
        static_cast<std::size_t>(std::max_element(steps.begin(), steps.end(),
                                                  [](const Step& a, const Step& b) {
                                                      return a.excess_left < b.excess_left;
                                                  }) -
                                 steps.begin());
    StepSearch search(motion, edges, times[i], times[i + 1]);
    search.run(0);
    result.largest = search.jump();
    return result;
}

} // namespace knead
