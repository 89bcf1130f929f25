#pragma once

#include <ctime>

namespace knead {

/// Milliseconds the processor has spent since this was made: a busy machine fails no test that asks
/// for it.
class ProcessorTime {
public:
    double milliseconds() const {
        return 1000.0 * static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC;
    }

private:
    std::clock_t start_ = std::clock();
};

/// Sanitizers take their share.
#ifdef KNEAD_SANITIZED
constexpr double sanitizer_slowdown = 5;
#else
constexpr double sanitizer_slowdown = 1;
#endif

} // namespace knead
