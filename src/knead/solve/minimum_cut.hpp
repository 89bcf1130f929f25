#pragma once

#include <span>
#include <vector>

namespace knead {

/// Two nodes of a graph and what it costs to part them.
struct CutCost {
    int a = 0, b = 0;
    double cost = 0;
};

/// Parts the nodes of a graph in two so that the sum of what it costs is least: `to_first[i]` where
/// node i does not go to the first side, `to_second[i]` where it does not go to the second, and the
/// cost of every edge whose ends are parted. Costs must not be negative. Returns 1 for the nodes on
/// the first side.
///
/// Y. Boykov and V. Kolmogorov, "An Experimental Comparison of Min-Cut/Max-Flow Algorithms for
/// Energy Minimization in Vision", PAMI 26(9), 2004, as Boost.Graph has it.
std::vector<char> minimum_cut(std::span<const double> to_first, std::span<const double> to_second,
                              std::span<const CutCost> edges);

} // namespace knead
