#pragma once

#include "knead/render/color.hpp"
#include "knead/render/image.hpp"

#include <vector>

namespace knead {

/// Round numbers (1, 2 or 5 times a power of ten apart) from `low` to `high`, about `wanted` of
/// them; both ends when the range is too narrow for that.
std::vector<double> legend_ticks(double low, double high, int wanted = 5);

/// Draws the colour bar with its name and numbers at the right border of the picture.
void draw_legend(Image& image, const FieldScale& scale);

} // namespace knead
