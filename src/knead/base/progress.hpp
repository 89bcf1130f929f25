#pragma once

#include "knead/base/error.hpp"

#include <functional>
#include <stop_token>

namespace knead {

/// For loops deep in a call, which are handed the token alone.
inline void check_stop(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Cancelled();
}

/// Passed into every long call: tells how far it is, and lets the caller stop it.
struct Progress {
    /// Called with a fraction from 0 to 1, never from two threads at once. May be empty.
    std::function<void(double)> report = {};
    /// A stop request makes the call throw `Cancelled` at the next safe place, within a second.
    std::stop_token stop = {};

    void at(double fraction) const {
        if (report) report(fraction);
    }
    void check() const { check_stop(stop); }
};

} // namespace knead
