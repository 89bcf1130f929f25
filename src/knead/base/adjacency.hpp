#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace knead {

/// Lists of indices, one list per element, stored one after the other.
struct Adjacency {
    std::vector<int> starts{0};
    std::vector<int> items;

    int size() const { return static_cast<int>(starts.size()) - 1; }
    std::span<const int> operator[](int element) const {
        return std::span<const int>(items).subspan(
            static_cast<std::size_t>(starts[element]),
            static_cast<std::size_t>(starts[element + 1] - starts[element]));
    }
};

} // namespace knead
