#pragma once

#include "knead/base/types.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace knead {

/// Faces of any number of corners, one after the other.
struct Polygons {
    std::vector<int> starts{0};    ///< polygon -> first corner; one more entry than polygons
    std::vector<int> corners = {}; ///< vertex indices

    int count() const { return static_cast<int>(starts.size()) - 1; }
    std::span<const int> operator[](int polygon) const {
        return {corners.data() + starts[polygon], corners.data() + starts[polygon + 1]};
    }
    void add(std::span<const int> polygon) {
        corners.insert(corners.end(), polygon.begin(), polygon.end());
        close();
    }
    /// Ends the polygon whose corners were pushed to `corners`.
    void close() { starts.push_back(static_cast<int>(corners.size())); }

    friend bool operator==(const Polygons&, const Polygons&) = default;
};

/// Polygons that are not convex and have more corners than this are refused: cutting ears takes
/// time that grows with the square of the corners.
inline constexpr int max_concave_corners = 1000;

/// An index that a polygon uses more than once.
std::optional<int> repeated_index(std::span<const int> polygon);

/// Throws InputError when a polygon has fewer than three corners, an index outside [0,
/// vertex_count) or the same index twice. `where` (the file) begins the message.
void check_polygons(const Polygons& polygons, std::size_t vertex_count, std::string_view where);

/// Cuts polygons into triangles that use their corners only and turn the same way round. A
/// polygon becomes a fan about its first corner where that neither folds nor leaves slivers (all
/// strictly convex ones do); others lose their ears one after the other [Meisters 1975], seen along
/// their mean normal. `polygons` must have
/// passed `check_polygons`.
std::vector<Triangle> triangulate(const Polygons& polygons, std::span<const Vec3> positions,
                                  std::string_view where);

} // namespace knead
