#include "knead/spatial/tree_order.hpp"

#include <numeric>

namespace knead {
namespace {

struct Place {
    int parent = -1, depth = 0;
    int rank = 0; ///< when all below it have theirs
};

std::vector<Place> places_of(const BoxTree& tree) {
    std::vector<Place> places(tree.nodes.size());
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
        if (tree.nodes[n].count > 0) continue;
        for (const int child : {tree.nodes[n].first, tree.nodes[n].first + 1})
            places[child] = {static_cast<int>(n), places[n].depth + 1};
    }
    // Parents first and second halves first, read backwards.
    int rank = static_cast<int>(tree.nodes.size());
    std::vector<int> open;
    if (!tree.empty()) open.push_back(0);
    while (!open.empty()) {
        const int node = open.back();
        open.pop_back();
        places[node].rank = --rank;
        if (tree.nodes[node].count > 0) continue;
        const int first = tree.nodes[node].first;
        open.insert(open.end(), {first, first + 1});
    }
    return places;
}

int common_node(const std::vector<Place>& places, int a, int b) {
    while (a != b) {
        if (places[a].depth >= places[b].depth)
            a = places[a].parent;
        else
            b = places[b].parent;
    }
    return a;
}

} // namespace

std::vector<int> tree_elimination_order(const SurfaceStructure& structure) {
    const std::vector<Place> places = places_of(structure.tree);
    const auto vertices = static_cast<std::size_t>(structure.topology.vertex_count);
    std::vector<int> node_of(vertices, -1);
    const BoxTree& tree = structure.tree;
    for (int n = 0; n < static_cast<int>(tree.nodes.size()); ++n) {
        if (tree.nodes[n].count == 0) continue;
        for (const int face : tree.items_of(tree.nodes[n]))
            for (const int v : structure.faces[face])
                node_of[v] = node_of[v] < 0 ? n : common_node(places, node_of[v], n);
    }
    // Vertices without faces come first.
    const auto slot = [&](std::size_t v) {
        return node_of[v] < 0 ? 0 : static_cast<std::size_t>(places[node_of[v]].rank) + 1;
    };
    std::vector<int> starts(places.size() + 2, 0);
    for (std::size_t v = 0; v < vertices; ++v) ++starts[slot(v) + 1];
    std::inclusive_scan(starts.begin(), starts.end(), starts.begin());
    std::vector<int> order(vertices);
    for (std::size_t v = 0; v < vertices; ++v)
        order[static_cast<std::size_t>(starts[slot(v)]++)] = static_cast<int>(v);
    return order;
}

} // namespace knead
