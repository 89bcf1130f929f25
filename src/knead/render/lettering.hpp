#pragma once

#include "knead/base/types.hpp"
#include "knead/render/image.hpp"

#include <string_view>

namespace knead {

/// Width in pixels of a line of text whose capitals are `size` pixels high.
double text_width(std::string_view text, double size);

/// Draws a line of text with smooth edges. `x` and `baseline` are in pixels from the top left
/// corner; what falls outside the picture is left out. Knows printable ASCII; any other character
/// of UTF-8 text is drawn as an empty box.
void draw_text(Image& image, std::string_view text, double x, double baseline, double size,
               const Vec3& color);

} // namespace knead
