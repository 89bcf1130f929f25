#include "knead/base/random.hpp"
#include "knead/solve/minimum_cut.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

double cost_of(std::span<const char> first, std::span<const double> to_first,
               std::span<const double> to_second, std::span<const CutCost> edges) {
    double cost = 0;
    for (std::size_t i = 0; i < first.size(); ++i) cost += first[i] ? to_second[i] : to_first[i];
    for (const CutCost& edge : edges)
        if (first[edge.a] != first[edge.b]) cost += edge.cost;
    return cost;
}

TEST(MinimumCut, AChainIsCutAtItsWeakestLink) {
    const std::vector<double> to_first = {9, 0, 0, 0, 0}, to_second = {0, 0, 0, 0, 9};
    const std::vector<CutCost> edges = {{0, 1, 3}, {1, 2, 2}, {2, 3, 0.5}, {3, 4, 2}};
    EXPECT_EQ(minimum_cut(to_first, to_second, edges), (std::vector<char>{1, 1, 1, 0, 0}));
}

TEST(MinimumCut, WithoutEdgesEveryNodeGoesWhereItIsCheaper) {
    EXPECT_EQ(minimum_cut(std::vector<double>{1, 2, 0}, std::vector<double>{2, 1, 1}, {}),
              (std::vector<char>{0, 1, 0}));
}

TEST(MinimumCut, NoOtherCutCostsLess) {
    Random random(7);
    for (int round = 0; round < 50; ++round) {
        const int n = 8;
        std::vector<double> to_first, to_second;
        std::vector<CutCost> edges;
        for (int i = 0; i < n; ++i) {
            to_first.push_back(random.uniform(0, 1));
            to_second.push_back(random.uniform(0, 1));
            for (int j = 0; j < i; ++j)
                if (random.uniform(0, 1) < 0.4) edges.push_back({j, i, random.uniform(0, 0.6)});
        }
        const double found =
            cost_of(minimum_cut(to_first, to_second, edges), to_first, to_second, edges);
        for (unsigned mask = 0; mask < 1u << n; ++mask) {
            std::vector<char> first(n);
            for (int i = 0; i < n; ++i) first[i] = mask >> i & 1;
            EXPECT_LE(found, cost_of(first, to_first, to_second, edges) + 1e-12);
        }
    }
}

} // namespace
} // namespace knead
