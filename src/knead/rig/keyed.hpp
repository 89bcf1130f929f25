#pragma once

#include "knead/base/types.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace knead {

enum class Interpolation {
    smooth, ///< monotone cubic: never beyond the neighbouring keys, flat at the first and last key
    linear,
    step, ///< a key's value holds until the next key
};

/// A number or vector that is constant or goes through key frames. Before the first and after the
/// last key the value holds.
template <typename T>
struct Keyed {
    std::vector<double> frames; ///< strictly ascending, one a value; empty for a constant
    std::vector<T> values;      ///< at least one
    Interpolation interpolation = Interpolation::smooth;

    Keyed(T constant) : values{std::move(constant)} {}
    Keyed(std::vector<double> key_frames, std::vector<T> key_values,
          Interpolation between = Interpolation::smooth)
        : frames(std::move(key_frames)), values(std::move(key_values)), interpolation(between) {}

    bool is_constant() const { return values.size() == 1; }
    T at(double frame) const;
};

namespace detail {

/// `components` numbers a key, one key after the other; frames.front() < frame < frames.back().
void interpolate_keys(std::span<const double> frames, const double* values, int components,
                      Interpolation interpolation, double frame, double* result);

} // namespace detail

template <typename T>
T Keyed<T>::at(double frame) const {
    if (frames.size() < 2 || !(frame > frames.front())) return values.front();
    if (frame >= frames.back()) return values.back();
    constexpr int numbers =
        sizeof(T) / sizeof(double); // NOLINT(bugprone-sizeof-expression): T may be double
    static_assert(numbers * sizeof(double) == sizeof(T));
    T result{};
    detail::interpolate_keys(frames, reinterpret_cast<const double*>(values.data()), numbers,
                             interpolation, frame, reinterpret_cast<double*>(&result));
    return result;
}

} // namespace knead
