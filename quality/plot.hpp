#pragma once

#include "knead/base/types.hpp"

#include <string>
#include <vector>

namespace knead::quality {

/// A curve, or several pieces of one.
struct PlotSeries {
    std::string name; ///< in the legend; empty: not there
    std::vector<std::vector<Vec2>> pieces;
    bool dots = false;
};

struct Plot {
    std::string x_label, y_label;
    bool logarithmic = false; ///< both axes, by powers of ten
    bool equal_scale = false; ///< a unit is as long along x as along y
    std::vector<PlotSeries> series;
};

/// As an SVG file.
std::string to_svg(const Plot& plot);

/// Bars side by side over 1, 2, 3 and so on, one series a group; values are per cent.
struct BarChart {
    std::string x_label, y_label;
    std::vector<std::string> names;
    std::vector<std::vector<double>> values; ///< of each name
};
std::string to_svg(const BarChart& chart);

} // namespace knead::quality
