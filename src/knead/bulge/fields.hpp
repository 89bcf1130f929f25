#pragma once

#include "knead/base/types.hpp"

#include <span>

namespace knead {

/// What is carried from the zone's border over the region ([BBG21] sec. 5.2), by name: one value a
/// border point, or one a vertex. A view of numbers that are elsewhere.
struct Guides {
    std::span<double> amplitude, slope;
    /// Of the zone, where that is not the same everywhere; otherwise empty.
    std::array<std::span<double>, 3> outward{};

    bool has_outward() const { return !outward[0].empty(); }
    Vec3 outward_at(std::size_t i) const { return {outward[0][i], outward[1][i], outward[2][i]}; }
    void set_outward(std::size_t i, const Vec3& direction) {
        for (int k = 0; k < 3; ++k) outward[k][i] = direction[k];
    }
};

/// How many columns guides take.
constexpr Eigen::Index guide_count(bool with_outward) {
    return with_outward ? 5 : 2;
}

/// The columns of a matrix as guides.
Guides guides_in(Eigen::Ref<Eigen::MatrixXd> columns);

/// The fields of a contact by name, one value a vertex. They are columns of one matrix, since
/// together they are solved faster than one after the other.
struct Fields {
    Eigen::MatrixXd columns; ///< the distance, then the guides

    void resize(std::size_t vertex_count, Eigen::Index guides);

    std::span<double> distance();
    std::span<const double> distance() const;
    Guides guides() { return guides_in(guide_columns()); }
    /// The same for a solver.
    Eigen::Ref<Eigen::MatrixXd> distance_column() { return columns.leftCols(1); }
    Eigen::Ref<Eigen::MatrixXd> guide_columns() { return columns.rightCols(columns.cols() - 1); }
};

} // namespace knead
