#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "input_error.hpp"

namespace knead {

/// What the first of two calls that meet complains about: two threads call until one is refused, or
/// for a minute, which is "no error".
template <typename Call>
std::string error_of_second_call(const Call& call) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    std::mutex lock;
    std::string first = "no error";
    std::atomic<bool> refused = false;
    const auto call_on = [&] {
        while (!refused && std::chrono::steady_clock::now() < end) {
            const std::string error = input_error(call);
            if (error == "no error") continue;
            const std::lock_guard guard(lock);
            if (!refused.exchange(true)) first = error;
        }
    };
    std::thread other(call_on);
    call_on();
    other.join();
    return first;
}

} // namespace knead
