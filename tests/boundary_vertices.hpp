#pragma once

#include "knead/mesh/topology.hpp"

namespace knead {

/// Set where a vertex lies on a boundary edge.
inline std::vector<char> boundary_vertices(const Topology& topology) {
    std::vector<char> result(static_cast<std::size_t>(topology.vertex_count), 0);
    for (int e = 0; e < topology.edge_count(); ++e)
        if (topology.is_boundary_edge(e))
            for (const int v : topology.edges[e]) result[v] = 1;
    return result;
}

} // namespace knead
