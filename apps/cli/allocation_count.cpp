// The program's own operator new and delete, so that `knead bench` can say what a frame asks of the
// heap.
#include "allocation_count.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

std::atomic<bool> counting = false;
std::atomic<std::int64_t> allocations = 0, bytes = 0, peak = 0;

} // namespace

// The address sanitizer has operators of its own, which these would hide from it.
#if !defined(KNEAD_SANITIZED)

namespace {

void* allocate(std::size_t size, std::size_t alignment) {
    void* const memory =
        alignment > alignof(std::max_align_t)
            ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
            : std::malloc(size > 0 ? size : 1);
    if (memory == nullptr) throw std::bad_alloc();
    if (counting.load(std::memory_order_relaxed)) {
        ++allocations;
        const auto now = bytes += static_cast<std::int64_t>(malloc_usable_size(memory));
        auto most = peak.load();
        while (now > most && !peak.compare_exchange_weak(most, now)) {
        }
    }
    return memory;
}

void release(void* memory) {
    if (memory != nullptr && counting.load(std::memory_order_relaxed))
        bytes -= static_cast<std::int64_t>(malloc_usable_size(memory));
    std::free(memory);
}

} // namespace

void* operator new(std::size_t size) {
    return allocate(size, 0);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    release(memory);
}

#endif

namespace knead::cli {

void start_counting_allocations() {
    allocations = bytes = peak = 0;
    counting = true;
}

AllocationCount counted_allocations() {
    return {allocations, peak};
}

} // namespace knead::cli
