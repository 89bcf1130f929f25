#include "knead/bulge/fields.hpp"

namespace knead {

Guides guides_in(Eigen::Ref<Eigen::MatrixXd> columns) {
    const auto column = [&](Eigen::Index c) -> std::span<double> {
        return {columns.col(c).data(), static_cast<std::size_t>(columns.rows())};
    };
    Guides guides{column(0), column(1)};
    if (columns.cols() == guide_count(true)) guides.outward = {column(2), column(3), column(4)};
    return guides;
}

void Fields::resize(std::size_t vertex_count, Eigen::Index guides) {
    columns.resize(static_cast<Eigen::Index>(vertex_count), 1 + guides);
}

std::span<double> Fields::distance() {
    return {columns.data(), static_cast<std::size_t>(columns.rows())};
}

std::span<const double> Fields::distance() const {
    return {columns.data(), static_cast<std::size_t>(columns.rows())};
}

} // namespace knead
