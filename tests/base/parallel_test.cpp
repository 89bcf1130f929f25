#include "knead/base/parallel.hpp"
#include "knead/base/random.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

namespace knead {
namespace {

TEST(Parallel, VisitsEveryIndexOnce) {
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        EXPECT_EQ(thread_count(), threads);
        std::vector<int> visits(10007, 0);
        parallel_for(visits.size(), 16, [&](std::size_t i) { ++visits[i]; });
        for (const int count : visits) ASSERT_EQ(count, 1);
    }
}

TEST(Parallel, SumsAreTheSameBitsForAnyNumberOfThreads) {
    Random random(1);
    std::vector<double> values(100003);
    for (double& value : values) value = random.uniform(-1, 1) * std::exp(random.uniform(-20, 20));
    const auto sum = [&](int threads) {
        const ThreadLimit limit(threads);
        return parallel_sum(values.size(), 0.0, [&](std::size_t i) { return values[i]; });
    };
    EXPECT_EQ(sum(1), sum(2));
    EXPECT_EQ(sum(1), sum(8));
}

TEST(Parallel, AnExceptionReachesTheCaller) {
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        EXPECT_THROW(parallel_for(1000, 1,
                                  [](std::size_t i) {
                                      if (i == 500) throw std::runtime_error("stop");
                                  }),
                     std::runtime_error);
    }
}

TEST(Parallel, ALoopWithinOneThatThrowsIsDoneToItsEnd) {
    const ThreadLimit limit(4);
    std::atomic<bool> thrown = false;
    std::atomic<int> begun = 0, not_done = 0;
    const auto piece = [&](std::size_t) {
        if (begun++ == 0) {
            while (begun < 2) std::this_thread::yield();
            thrown = true;
            throw std::runtime_error("first");
        }
        while (!thrown) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        std::atomic<int> visits = 0;
        parallel_for(100, 1, [&](std::size_t) { ++visits; });
        not_done += visits != 100;
    };
    EXPECT_THROW(parallel_for(8, 1, piece), std::runtime_error);
    EXPECT_EQ(not_done, 0);
}

// How many threads worked on a loop of pieces that take a while, each with a loop within it.
std::size_t threads_of_a_loop() {
    std::mutex lock;
    std::set<std::thread::id> seen;
    const auto note = [&](std::size_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const std::lock_guard guard(lock);
        seen.insert(std::this_thread::get_id());
    };
    parallel_for(32, 1, [&](std::size_t i) {
        note(i);
        parallel_for(4, 1, note);
    });
    return seen.size();
}

TEST(Parallel, ALimitHoldsForLoopsAndThoseWithinThem) {
    for (const int threads : {1, 2, 3, 8}) {
        const ThreadLimit limit(threads);
        EXPECT_LE(threads_of_a_loop(), static_cast<std::size_t>(threads));
        {
            const ThreadLimit inner(1);
            EXPECT_EQ(thread_count(), 1);
            EXPECT_EQ(threads_of_a_loop(), 1u);
        }
        EXPECT_EQ(thread_count(), threads);
    }
    const ThreadLimit limit(3);
    EXPECT_GE(threads_of_a_loop(), 2u);
}

// A host program has threads of its own, and TBB is the whole program's.
TEST(Parallel, ALimitIsNoOtherThreads) {
    const auto allowed = [] {
        return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    };
    const std::size_t before = allowed();
    const int unlimited = thread_count();
    const ThreadLimit limit(1);
    EXPECT_EQ(allowed(), before);
    std::thread([&] { EXPECT_EQ(thread_count(), unlimited); }).join();
    EXPECT_EQ(thread_count(), 1);
}

TEST(Parallel, WithinALoopOfOneLimitAnotherOneCanHold) {
    const ThreadLimit limit(2);
    parallel_for(8, 1, [](std::size_t) {
        EXPECT_EQ(thread_count(), 2);
        const ThreadLimit one(1);
        EXPECT_EQ(thread_count(), 1);
        EXPECT_EQ(threads_of_a_loop(), 1u);
    });
}

TEST(Parallel, EmptyLoopsAreFine) {
    parallel_for(0, [](std::size_t) { FAIL(); });
    EXPECT_EQ(parallel_sum(0, 0.0, [](std::size_t) { return 1.0; }), 0.0);
}

} // namespace
} // namespace knead
