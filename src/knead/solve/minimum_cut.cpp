#include "knead/solve/minimum_cut.hpp"

#if defined(__GNUC__) && !defined(__clang__)
// Boost's iterator over all edges has an optional that GCC cannot follow.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

namespace knead {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;

struct Node {
    boost::default_color_type color = boost::white_color;
    long distance = 0;
    Traits::edge_descriptor predecessor;
};

struct Arc {
    double capacity = 0;
    double residual = 0;
    Traits::edge_descriptor reverse;
};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Node, Arc>;

void join(Graph& graph, std::size_t a, std::size_t b, double there, double back) {
    const auto forward = boost::add_edge(a, b, graph).first;
    const auto backward = boost::add_edge(b, a, graph).first;
    graph[forward].capacity = there;
    graph[backward].capacity = back;
    graph[forward].reverse = backward;
    graph[backward].reverse = forward;
}

} // namespace

std::vector<char> minimum_cut(std::span<const double> to_first, std::span<const double> to_second,
                              std::span<const CutCost> edges) {
    const std::size_t n = to_first.size(), first = n, second = n + 1;
    Graph graph(n + 2);
    for (std::size_t i = 0; i < n; ++i) {
        join(graph, first, i, to_first[i], 0);
        join(graph, i, second, to_second[i], 0);
    }
    for (const CutCost& edge : edges)
        join(graph, static_cast<std::size_t>(edge.a), static_cast<std::size_t>(edge.b), edge.cost,
             edge.cost);
    boost::boykov_kolmogorov_max_flow(
        graph, boost::get(&Arc::capacity, graph), boost::get(&Arc::residual, graph),
        boost::get(&Arc::reverse, graph), boost::get(&Node::predecessor, graph),
        boost::get(&Node::color, graph), boost::get(&Node::distance, graph),
        boost::get(boost::vertex_index, graph), first, second);
    std::vector<char> result(n);
    for (std::size_t i = 0; i < n; ++i) result[i] = graph[i].color == graph[first].color;
    return result;
}

} // namespace knead
