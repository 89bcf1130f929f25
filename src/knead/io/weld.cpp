#include "knead/io/weld.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace knead {
namespace {

std::uint64_t hash_of(const double* row, std::size_t width) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ull;
    for (std::size_t i = 0; i < width; ++i) {
        // Adding zero turns -0 into 0.
        hash ^= std::bit_cast<std::uint64_t>(row[i] + 0.0);
        hash *= 0xBF58476D1CE4E5B9ull;
        hash ^= hash >> 31;
    }
    return hash;
}

} // namespace

Weld weld_rows(std::span<const double> rows, std::size_t width) {
    const std::size_t count = rows.size() / width;
    // Open addressing, at most half full.
    std::vector<int> table(std::bit_ceil(2 * count + 1), -1);
    Weld weld;
    weld.vertex_of.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double* row = rows.data() + i * width;
        std::size_t slot = hash_of(row, width) & (table.size() - 1);
        while (table[slot] >= 0) {
            const double* other =
                rows.data() + static_cast<std::size_t>(weld.first[table[slot]]) * width;
            if (std::equal(row, row + width, other)) break;
            slot = (slot + 1) & (table.size() - 1);
        }
        if (table[slot] < 0) {
            table[slot] = static_cast<int>(weld.first.size());
            weld.first.push_back(static_cast<int>(i));
        }
        weld.vertex_of.push_back(table[slot]);
    }
    return weld;
}

void refine(Weld& weld, std::span<const double> rows, std::size_t width) {
    if (weld.first.size() == weld.vertex_of.size()) return;
    std::vector<double> extended;
    extended.reserve(weld.vertex_of.size() * (width + 1));
    for (std::size_t v = 0; v < weld.vertex_of.size(); ++v) {
        extended.push_back(weld.vertex_of[v]);
        extended.insert(extended.end(), rows.begin() + v * width, rows.begin() + (v + 1) * width);
    }
    weld = weld_rows(extended, width + 1);
}

Weld weld_positions(std::span<const Vec3> positions) {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    return weld_rows({positions.empty() ? nullptr : positions[0].data(), 3 * positions.size()}, 3);
}

} // namespace knead
