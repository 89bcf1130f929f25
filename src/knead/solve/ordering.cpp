#include "knead/solve/ordering.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <mutex>
#include <numeric>

namespace knead {

std::vector<int> nested_dissection_order(const SparseMatrix& lower) {
    const idx_t n = static_cast<idx_t>(lower.cols());
    // METIS wants the graph: both directions of every edge, no loops.
    std::vector<idx_t> starts(static_cast<std::size_t>(n) + 1, 0);
    const auto for_each_edge = [&](auto&& visit) {
        for (int j = 0; j < lower.outerSize(); ++j)
            for (SparseMatrix::InnerIterator it(lower, j); it; ++it)
                if (it.row() > j) visit(static_cast<idx_t>(it.row()), static_cast<idx_t>(j));
    };
    for_each_edge([&](idx_t i, idx_t j) { ++starts[i + 1], ++starts[j + 1]; });
    std::inclusive_scan(starts.begin(), starts.end(), starts.begin());
    std::vector<int> order(static_cast<std::size_t>(n));
    if (starts.back() == 0) { // METIS cannot take a graph without edges
        std::iota(order.begin(), order.end(), 0);
        return order;
    }
    std::vector<idx_t> neighbours(static_cast<std::size_t>(starts.back()));
    std::vector<idx_t> next(starts.begin(), starts.end() - 1);
    for_each_edge([&](idx_t i, idx_t j) {
        neighbours[next[i]++] = j;
        neighbours[next[j]++] = i;
    });

    std::vector<idx_t> permutation(order.size()), inverse(order.size());
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    idx_t count = n;
    int status = METIS_OK;
    {
        // METIS draws from the process-wide random generator. It also takes SIGTERM and SIGABRT for
        // itself while it works, in whatever thread they arrive: a program that wants to hear them
        // waits for them in a thread of its own, and blocks them in all others.
        static std::mutex one_at_a_time;
        const std::lock_guard lock(one_at_a_time);
        status = METIS_NodeND(&count, starts.data(), neighbours.data(), nullptr, options,
                              permutation.data(), inverse.data());
    }
    if (status != METIS_OK)
        throw SolveError(fmt::format("ordering: METIS gave up with status {}", status));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(permutation[i]);
    return order;
}

} // namespace knead
