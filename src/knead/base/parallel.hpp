#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace knead {

namespace detail {
using RangeBody = void (*)(const void* context, std::size_t begin, std::size_t end);
void parallel_ranges(std::size_t count, std::size_t grain, RangeBody body, const void* context);
} // namespace detail

/// Limits how many threads the loops below use, for as long as it lives, when they are begun by the
/// thread that made it, or within such a loop. Loops of other threads, a host's among them, are not
/// limited. It is destroyed by the thread that made it, the last one made first. 0 means as many as
/// without it.
class ThreadLimit {
public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
    struct State;
    std::unique_ptr<State> state_;

    friend int thread_count();
    friend void detail::parallel_ranges(std::size_t, std::size_t, detail::RangeBody, const void*);
};

/// Threads that the loops below may use now, begun here.
int thread_count();

/// Calls `body(i)` for every i in [0, count). Iterations must write to disjoint places; then the
/// result does not depend on the number of threads. `grain` is the smallest piece worth handing to
/// a thread. An exception thrown by `body` reaches the caller.
template <typename Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
    detail::parallel_ranges(
        count, grain,
        [](const void* context, std::size_t begin, std::size_t end) {
            const Body& call = *static_cast<const Body*>(context);
            for (std::size_t i = begin; i < end; ++i) call(i);
        },
        &body);
}

template <typename Body>
void parallel_for(std::size_t count, const Body& body) {
    parallel_for(count, 1024, body);
}

/// Sums `term(i)` over [0, count) in pieces of fixed size that are added in order: the same bits
/// for any number of threads.
template <typename T, typename Term>
T parallel_sum(std::size_t count, T zero, const Term& term) {
    constexpr std::size_t piece = 2048;
    std::vector<T> partial((count + piece - 1) / piece, zero);
    parallel_for(partial.size(), 1, [&](std::size_t p) {
        const std::size_t end = std::min(count, (p + 1) * piece);
        for (std::size_t i = p * piece; i < end; ++i) partial[p] += term(i);
    });
    T total = std::move(zero);
    for (const T& part : partial) total += part;
    return total;
}

} // namespace knead
