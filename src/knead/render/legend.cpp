#include "knead/render/legend.hpp"

#include "knead/render/lettering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

const Vec3 ink(0.20, 0.20, 0.22);

// All ticks with the decimals that the step between them needs.
std::string tick_label(double value, double step, double largest) {
    if (largest >= 1e5 || largest < 1e-3) return fmt::format("{:.3g}", value);
    const int decimals =
        step > 0 ? std::clamp(static_cast<int>(-std::floor(std::log10(step * 1.0001))), 0, 6) : 3;
    return fmt::format("{:.{}f}", value, decimals);
}

void fill_box(Image& image, int left, int top, int right, int bottom, const Vec3& color) {
    for (int y = std::max(0, top); y < std::min(image.height, bottom); ++y)
        for (int x = std::max(0, left); x < std::min(image.width, right); ++x)
            for (int c = 0; c < 3; ++c)
                image.bytes[image.offset(x, y) + c] =
                    static_cast<std::uint8_t>(std::lround(255 * color[c]));
}

} // namespace

std::vector<double> legend_ticks(double low, double high, int wanted) {
    const double range = high - low;
    // Too narrow for doubles to tell round numbers apart in it, or too wide to subtract.
    const bool narrow = !(range > 1e-9 * std::max(std::abs(low), std::abs(high)));
    if (narrow || !std::isfinite(range))
        return low < high ? std::vector{low, high} : std::vector{low};
    const double raw = range / wanted;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0})
        if (factor * power >= raw * 0.999) step = factor * power;
    std::vector<double> ticks;
    const double slack = 1e-6 * step;
    for (double k = std::ceil((low - slack) / step); k * step <= high + slack; ++k)
        ticks.push_back(k == 0 ? 0.0 : k * step);
    return ticks;
}

void draw_legend(Image& image, const FieldScale& scale) {
    const double unit = std::max(1.0, std::min(image.width / 960.0, image.height / 540.0));
    const double text = std::round(11 * unit);
    const std::vector<double> ticks = legend_ticks(scale.low, scale.high);
    const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 0;
    double largest = 0;
    for (const double tick : ticks) largest = std::max(largest, std::abs(tick));
    std::vector<std::string> labels;
    double label_width = 0;
    for (const double tick : ticks) {
        labels.push_back(tick_label(tick, step, largest));
        label_width = std::max(label_width, text_width(labels.back(), text));
    }

    const int bar_width = static_cast<int>(std::lround(16 * unit));
    const int bar_height = static_cast<int>(std::lround(0.42 * image.height));
    const int margin = static_cast<int>(std::lround(26 * unit));
    const int gap = static_cast<int>(std::lround(9 * unit));
    const int right = image.width - margin - static_cast<int>(label_width) - gap;
    const int left = right - bar_width;
    const int top = (image.height - bar_height) / 2;

    const int frame = std::max(1, static_cast<int>(std::lround(unit)));
    fill_box(image, left - frame, top - frame, right + frame, top + bar_height + frame, ink);
    for (int row = 0; row < bar_height; ++row) {
        const double t = 1 - (row + 0.5) / bar_height;
        const Vec3 color = field_color(scale, (1 - t) * scale.low + t * scale.high);
        fill_box(image, left, top + row, right, top + row + 1, color);
    }
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        const double t = scale.high > scale.low ? (0.5 * ticks[i] - 0.5 * scale.low) /
                                                      (0.5 * scale.high - 0.5 * scale.low)
                                                : 0.5;
        const int y = top + static_cast<int>(std::lround((1 - t) * (bar_height - 1)));
        fill_box(image, right + frame, y, right + gap / 2, y + frame, ink);
        draw_text(image, labels[i], right + gap, y + 0.5 * text, text, ink);
    }
    // Right-aligned over the numbers, but never out of the picture on the left.
    const double name_left =
        std::max<double>(margin, image.width - margin - text_width(scale.name, text));
    draw_text(image, scale.name, std::min<double>(left, name_left), top - 1.2 * text, text, ink);
}

} // namespace knead
