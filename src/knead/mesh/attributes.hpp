#pragma once

#include <vector>

namespace knead {

/// `components` numbers per vertex, one vertex after the other.
struct VertexAttribute {
    int components = 1;
    std::vector<double> values = {};

    double at(int vertex, int component = 0) const {
        return values[static_cast<std::size_t>(vertex) * components + component];
    }
};

} // namespace knead
