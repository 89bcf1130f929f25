#include "knead/base/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace knead {

struct ThreadLimit::State {
    tbb::global_control control;
};

ThreadLimit::ThreadLimit(int threads) {
    if (threads > 0)
        state_.reset(new State{tbb::global_control(tbb::global_control::max_allowed_parallelism,
                                                   static_cast<std::size_t>(threads))});
}

ThreadLimit::~ThreadLimit() = default;

int thread_count() {
    return static_cast<int>(
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

void detail::parallel_ranges(std::size_t count, std::size_t grain, RangeBody body,
                             const void* context) {
    const int threads = thread_count();
    if (threads <= 1 || count <= grain) {
        if (count > 0) body(context, 0, count);
        return;
    }
    const auto loop = [&] {
        // A loop within a loop is done to its end, also when another piece of the outer one has
        // thrown: what follows it counts on that.
        tbb::task_group_context on_its_own(tbb::task_group_context::isolated);
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, count, grain),
            [&](const tbb::blocked_range<std::size_t>& range) {
                body(context, range.begin(), range.end());
            },
            on_its_own);
    };
    // More threads than cores were asked for: the default arena would not give them.
    if (threads > tbb::info::default_concurrency() &&
        tbb::this_task_arena::max_concurrency() < threads) {
        tbb::task_arena arena(threads);
        arena.execute(loop);
    } else {
        loop();
    }
}

} // namespace knead
