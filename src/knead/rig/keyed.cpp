#include "knead/rig/keyed.hpp"

#include <cmath>

namespace knead::detail {
namespace {

// The slope at a key between two secants, weighted by the lengths of the intervals; at most three
// times either secant, which is enough for monotony. [Fritsch and Butland 1984]
double slope_at_key(double length_before, double secant_before, double length_after,
                    double secant_after) {
    if (!(secant_before * secant_after > 0)) return 0;
    const double weight_before = length_before + 2 * length_after;
    const double weight_after = 2 * length_before + length_after;
    return (weight_before + weight_after) /
           (weight_before / secant_before + weight_after / secant_after);
}

} // namespace

void interpolate_keys(std::span<const double> frames, const double* values, int components,
                      Interpolation interpolation, double frame, double* result) {
    const std::size_t next = static_cast<std::size_t>(
        std::upper_bound(frames.begin(), frames.end(), frame) - frames.begin());
    const std::size_t last = next - 1;
    const double length = frames[next] - frames[last];
    const double t = (frame - frames[last]) / length;

    for (int c = 0; c < components; ++c) {
        const auto value = [&](std::size_t key) { return values[key * components + c]; };
        const auto secant = [&](std::size_t key) {
            return (value(key + 1) - value(key)) / (frames[key + 1] - frames[key]);
        };
        const double a = value(last), b = value(next);
        if (interpolation == Interpolation::step) {
            result[c] = a;
        } else if (interpolation == Interpolation::linear) {
            result[c] = (1 - t) * a + t * b;
        } else {
            const double slope_a = last == 0 ? 0
                                             : slope_at_key(frames[last] - frames[last - 1],
                                                            secant(last - 1), length, secant(last));
            const double slope_b =
                next + 1 == frames.size()
                    ? 0
                    : slope_at_key(length, secant(last), frames[next + 1] - frames[next],
                                   secant(next));
            const double u = 1 - t;
            const double cubic = u * u * ((1 + 2 * t) * a + t * length * slope_a) +
                                 t * t * ((1 + 2 * u) * b - u * length * slope_b);
            result[c] = std::clamp(cubic, std::min(a, b), std::max(a, b));
        }
    }
}

} // namespace knead::detail
