#pragma once

#include "knead/base/error.hpp"

#include <atomic>
#include <string>

namespace knead {

/// Kept by what only one call at a time may use, such as a solver with memory of its own. A second
/// call, from another thread or from within the first (out of its progress, say), is refused before
/// it has touched anything; the first goes on undisturbed.
class OneAtATime {
public:
    OneAtATime() = default;
    // A copy is used by nobody.
    OneAtATime(const OneAtATime&) {}
    OneAtATime& operator=(const OneAtATime&) { return *this; }

    /// For as long as it lives nobody else can have one.
    class Use {
    public:
        ~Use() { in_use_ = false; }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

    private:
        friend OneAtATime;
        explicit Use(std::atomic<bool>& in_use) : in_use_(in_use) {}
        std::atomic<bool>& in_use_;
    };

    /// Throws InputError, which begins with `what`, while there is a `Use`.
    [[nodiscard]] Use begin(const char* what) {
        if (in_use_.exchange(true))
            throw InputError(std::string(what) +
                             ": in use by another call, expected one call at a time");
        return Use(in_use_);
    }

private:
    std::atomic<bool> in_use_ = false;
};

} // namespace knead
