#include "knead/base/parallel.hpp"
#include "knead/base/random.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
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

TEST(Parallel, EmptyLoopsAreFine) {
    parallel_for(0, [](std::size_t) { FAIL(); });
    EXPECT_EQ(parallel_sum(0, 0.0, [](std::size_t) { return 1.0; }), 0.0);
}

} // namespace
} // namespace knead
