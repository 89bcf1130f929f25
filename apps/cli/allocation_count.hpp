#pragma once

#include <cstdint>

namespace knead::cli {

/// What was asked of the heap since `start_counting_allocations`, by all threads.
struct AllocationCount {
    std::int64_t allocations = 0;
    std::int64_t peak_bytes = 0; ///< that were in use at once, beyond those at the start
};

/// From here on `operator new` counts; before that it costs nothing but a look.
void start_counting_allocations();
AllocationCount counted_allocations();

} // namespace knead::cli
