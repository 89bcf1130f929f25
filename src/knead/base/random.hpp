#pragma once

#include "knead/base/types.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace knead {

/// A small seeded generator (SplitMix64) whose numbers are the same on every platform, unlike those
/// of the standard distributions.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        state_ += 0x9E3779B97F4A7C15ull;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    /// Uniform in [0, 1).
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Uniform in [0, count).
    int index(int count) { return static_cast<int>(bits() % static_cast<std::uint64_t>(count)); }
    Vec3 in_cube(double half) {
        const double x = uniform(-half, half), y = uniform(-half, half);
        return {x, y, uniform(-half, half)};
    }
    Vec3 direction() {
        const double z = uniform(-1, 1), angle = uniform(0, 2 * std::numbers::pi);
        const double r = std::sqrt(std::max(0.0, 1 - z * z));
        return {r * std::cos(angle), r * std::sin(angle), z};
    }
    /// Uniform over all rotations.
    Quat rotation() {
        const double a = uniform(), b = uniform(0, 2 * std::numbers::pi),
                     c = uniform(0, 2 * std::numbers::pi);
        const double s = std::sqrt(1 - a), t = std::sqrt(a);
        return Quat(s * std::sin(b), s * std::cos(b), t * std::sin(c), t * std::cos(c));
    }

private:
    std::uint64_t state_;
};

} // namespace knead
