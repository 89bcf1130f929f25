#include "knead/base/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <optional>

namespace knead {

// Loops run in an arena of their own, so that the limit is no other thread's.
struct ThreadLimit::State {
    int threads;
    State* outer;
    tbb::task_arena arena;
    // TBB has no more threads than cores unless it is told that it may. This only allows them:
    // they work for arenas that ask for so many.
    std::optional<tbb::global_control> more_than_cores;

    // That of this thread; whoever else works in its arena hears of it from TBB.
    static State*& current() {
        thread_local State* innermost = nullptr;
        return innermost;
    }
};

ThreadLimit::ThreadLimit(int threads) {
    if (threads <= 0) return;
    state_.reset(new State{threads, State::current(), tbb::task_arena(threads), std::nullopt});
    if (threads > tbb::info::default_concurrency())
        state_->more_than_cores.emplace(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(threads));
    State::current() = state_.get();
}

ThreadLimit::~ThreadLimit() {
    if (state_) State::current() = state_->outer;
}

int thread_count() {
    // A host may have set a limit of its own for the whole process.
    const int allowed = static_cast<int>(
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
    const ThreadLimit::State* limit = ThreadLimit::State::current();
    return std::min(allowed, limit ? limit->threads : tbb::this_task_arena::max_concurrency());
}

void detail::parallel_ranges(std::size_t count, std::size_t grain, RangeBody body,
                             const void* context) {
    if (thread_count() <= 1 || count <= grain) {
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
    if (auto* limit = ThreadLimit::State::current())
        limit->arena.execute(loop);
    else
        loop();
}

} // namespace knead
