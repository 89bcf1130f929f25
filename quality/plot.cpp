#include "plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace knead::quality {
namespace {

constexpr double width = 720, height = 400, left = 70, right = 170, top = 20, bottom = 50;
constexpr std::array colors = {"#c0504d", "#2f6f9f", "#5a8f3c", "#8064a2", "#d08a2f", "#555555"};

std::string start_of(double w, double h) {
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" "
                       "width=\"{0:g}\" height=\"{1:g}\" font-family=\"sans-serif\" "
                       "font-size=\"13\" fill=\"#333\">\n<rect width=\"{0:g}\" height=\"{1:g}\" "
                       "fill=\"#fbfaf8\"/>\n",
                       w, h);
}

std::string text(double x, double y, const std::string& what, const char* anchor = "middle",
                 const std::string& more = "") {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                       anchor, more, what);
}

std::string line(double x0, double y0, double x1, double y1, const char* color) {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x0, y0,
        x1, y1, color);
}

std::string labels(double w, double h, const std::string& x, const std::string& y) {
    return text(0.5 * (left + w - right), h - 12, x) +
           text(18, 0.5 * (top + h - bottom), y, "middle",
                fmt::format(" transform=\"rotate(-90 18 {:.1f})\"", 0.5 * (top + h - bottom)));
}

// 1, 2 or 5 times a power of ten, so that about six fit.
double tick_step(double range) {
    const double rough = range / 6, power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (rough <= factor * power) return factor * power;
    return 10 * power;
}

struct Axes {
    Vec2 low, high;
    double w = width, h = height;
    Vec2 place(const Vec2& p) const {
        const Vec2 part = (p - low).cwiseQuotient(high - low);
        return {left + part.x() * (w - left - right), h - bottom - part.y() * (h - top - bottom)};
    }
};

std::string grid_lines(const Axes& axes, bool logarithmic) {
    std::string svg;
    for (int axis = 0; axis < 2; ++axis) {
        const double range = axes.high[axis] - axes.low[axis];
        const double step = logarithmic ? 1 : tick_step(range);
        const double first = std::ceil(axes.low[axis] / step - 1e-9),
                     last = std::floor((axes.high[axis] + 1e-9 * range) / step);
        for (int tick = 0; tick <= last - first; ++tick) {
            const double at = (first + tick) * step;
            Vec2 from = axes.low, to = axes.high;
            from[axis] = to[axis] = at;
            const Vec2 a = axes.place(from), b = axes.place(to);
            svg += line(a.x(), a.y(), b.x(), b.y(), "#ddd8d0");
            const double shown = logarithmic ? std::pow(10, at) : at;
            const std::string name = fmt::format("{:g}", std::abs(shown) < 1e-12 ? 0.0 : shown);
            svg +=
                axis == 0 ? text(a.x(), a.y() + 18, name) : text(a.x() - 8, a.y() + 4, name, "end");
        }
    }
    return svg;
}

} // namespace

std::string to_svg(const Plot& plot) {
    const auto shown = [&](const Vec2& p) {
        return plot.logarithmic ? Vec2(std::log10(p.x()), std::log10(p.y())) : p;
    };
    Axes axes;
    axes.low = Vec2::Constant(1e300);
    axes.high = Vec2::Constant(-1e300);
    for (const PlotSeries& series : plot.series)
        for (const auto& piece : series.pieces)
            for (const Vec2& point : piece) {
                axes.low = axes.low.cwiseMin(shown(point));
                axes.high = axes.high.cwiseMax(shown(point));
            }
    const Vec2 margin = 0.04 * (axes.high - axes.low) + Vec2::Constant(1e-12);
    axes.low -= margin;
    axes.high += margin;
    if (plot.equal_scale) {
        const Vec2 size = axes.high - axes.low;
        axes.h = top + bottom + (width - left - right) * size.y() / size.x();
    }
    std::string svg = start_of(axes.w, axes.h) + grid_lines(axes, plot.logarithmic) +
                      labels(axes.w, axes.h, plot.x_label, plot.y_label);
    double legend = top + 16;
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        const PlotSeries& series = plot.series[s];
        const char* color = colors[s % colors.size()];
        std::string path, dots;
        for (const auto& piece : series.pieces)
            for (std::size_t i = 0; i < piece.size(); ++i) {
                const Vec2 at = axes.place(shown(piece[i]));
                path += fmt::format("{}{:.2f} {:.2f}", i == 0 ? "M" : "L", at.x(), at.y());
                if (series.dots)
                    dots +=
                        fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n",
                                    at.x(), at.y(), color);
            }
        svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>\n",
                           path, color) +
               dots;
        if (series.name.empty()) continue;
        svg +=
            fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"4\" fill=\"{}\"/>\n",
                        width - right + 12, legend - 6, color) +
            text(width - right + 32, legend, series.name, "start");
        legend += 18;
    }
    return svg + "</svg>\n";
}

std::string to_svg(const BarChart& chart) {
    std::size_t groups = 0;
    for (const auto& values : chart.values) groups = std::max(groups, values.size());
    Axes axes;
    axes.low = Vec2(0.4, 0);
    axes.high = Vec2(static_cast<double>(groups) + 0.6, 100);
    std::string svg = start_of(width, height) + labels(width, height, chart.x_label, chart.y_label);
    for (int percent = 0; percent <= 100; percent += 20) {
        const Vec2 a = axes.place(Vec2(axes.low.x(), percent)),
                   b = axes.place(Vec2(axes.high.x(), percent));
        svg += line(a.x(), a.y(), b.x(), b.y(), "#ddd8d0") +
               text(a.x() - 8, a.y() + 4, std::to_string(percent), "end");
    }
    const double bar = 0.8 / static_cast<double>(chart.values.size());
    for (std::size_t s = 0; s < chart.values.size(); ++s) {
        for (std::size_t g = 0; g < chart.values[s].size(); ++g) {
            const double x = static_cast<double>(g) + 0.6 + bar * static_cast<double>(s);
            const Vec2 a = axes.place(Vec2(x, chart.values[s][g])),
                       b = axes.place(Vec2(x + 0.9 * bar, 0));
            svg +=
                fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                            "fill=\"{}\"/>\n",
                            a.x(), a.y(), b.x() - a.x(), b.y() - a.y(), colors[s % colors.size()]);
        }
        const double y = top + 16 + 18 * static_cast<double>(s);
        svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"10\" "
                           "fill=\"{}\"/>\n",
                           width - right + 12, y - 10, colors[s % colors.size()]) +
               text(width - right + 32, y, chart.names[s], "start");
    }
    for (std::size_t g = 1; g <= groups; ++g)
        svg += text(axes.place(Vec2(static_cast<double>(g), 0)).x(), height - bottom + 18,
                    std::to_string(g));
    return svg + "</svg>\n";
}

} // namespace knead::quality
