#include "knead/base/file.hpp"
#include "knead/implicit/attenuation.hpp"
#include "knead/implicit/field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figures.hpp"
#include "implicit/solids_testing.hpp"
#include "plot.hpp"

namespace knead::quality {
namespace {

using Law = FieldFunction::Law;

template <typename Function>
PlotSeries sampled(const std::string& name, double from, double to, const Function& f) {
    PlotSeries series;
    series.name = name;
    series.pieces.resize(1);
    constexpr int steps = 300;
    for (int i = 0; i <= steps; ++i) {
        const double x = from + (to - from) * i / steps;
        series.pieces[0].emplace_back(x, f(x));
    }
    return series;
}

void write_plot(const FigureSettings& settings, const std::string& file, const Plot& plot) {
    write_file_atomically(settings.pictures / file, to_svg(plot));
}

// Appendix B as it is printed, with the width that was asked for.
double printed_attenuation(double slope, double height, double width, double r) {
    const double x = r / width;
    if (x >= 1) return 0;
    if (x >= 0.5) return 4 * height * (x - 1) * (x - 1) * (4 * x - 1);
    return ((4 * (width * slope - 4 * height) * x + 4 * (3 * height - width * slope)) * x +
            width * slope) *
           x;
}

// A rod along x with a joint at 0, of one field function.
Field rod(FieldPiece::Kind kind, int pieces) {
    const FieldFunction f{1, 2, 2};
    using Shape = FieldPiece::Shape;
    if (pieces == 1) return Field({{Shape::chain, {{-5, 0, 0}, {5, 0, 0}}, f, kind}});
    return Field({{Shape::chain, {{-5, 0, 0}, {0, 0, 0}}, f, kind},
                  {Shape::chain, {{0, 0, 0}, {5, 0, 0}}, f, kind}});
}

// The surface above a place on the axis, from outside.
double height_above(const Field& field, double x) {
    double low = 0, high = 2.5;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (field.value({x, middle, 0}) >= 1 ? low : high) = middle;
    }
    return low;
}

} // namespace

std::string field_section(const FigureSettings& settings) {
    settings.say("field functions");
    const FieldPolynomial linear({1, 2, 2, Law::linear}), nonlinear({1, 2, 2, Law::nonlinear}),
        soft({1, 2, 1, Law::linear}), hard({1, 2, 3, Law::linear});
    const std::pair<const char*, const FieldPolynomial*> all[] = {{"linear, k = 2", &linear},
                                                                  {"nonlinear, k = 2", &nonlinear},
                                                                  {"linear, k = 1", &soft},
                                                                  {"linear, k = 3", &hard}};
    Plot values, slopes;
    values.x_label = slopes.x_label = "distance r from the skeleton";
    values.y_label = "field f(r)";
    slopes.y_label = "stiffness -f'(r)";
    // By name: clang 14 lets no lambda capture a structured binding.
    for (const auto& entry : all) {
        const char* const name = entry.first;
        const FieldPolynomial* const f = entry.second;
        values.series.push_back(sampled(name, 0, 2.2, [&](double r) { return f->value(r); }));
        slopes.series.push_back(sampled(name, 0, 2.2, [&](double r) { return -f->slope(r); }));
    }
    write_plot(settings, "field-functions.svg", values);
    write_plot(settings, "stiffness.svg", slopes);
    return fmt::format(
        "Radius 1, influence 2. The field is 1 at the surface. The stiffness is its slope: inside, "
        "the linear law keeps k, the nonlinear one doubles it towards the skeleton. At k = 3 the "
        "field is as steep as it may be: k (R - r0) = 3.\n\n![Field functions]({})\n\n"
        "![Their stiffness]({})\n",
        settings.link("field-functions.svg"), settings.link("stiffness.svg"));
}

std::string attenuation_section(const FigureSettings& settings) {
    settings.say("attenuation");
    constexpr double height = 0.3, width = 1;
    Plot printed, ours;
    printed.x_label = ours.x_label = "distance from the contact";
    printed.y_label = "bulge, as printed";
    ours.y_label = "bulge, with our width";
    std::string rows;
    for (const double slope : {0.5, 1.0, 1.8, 4.0, 8.0, 16.0}) {
        const Attenuation attenuation(slope, height, width);
        double most_printed = 0, most_ours = 0;
        for (int i = 0; i <= 100000; ++i) {
            const double r = i / 100000.0;
            most_printed = std::max(most_printed, printed_attenuation(slope, height, width, r));
            most_ours = std::max(most_ours, attenuation.value(r));
        }
        const std::string name = fmt::format("slope {:g}", slope);
        printed.series.push_back(sampled(
            name, 0, 1.05, [&](double r) { return printed_attenuation(slope, height, width, r); }));
        ours.series.push_back(
            sampled(name, 0, 1.05, [&](double r) { return attenuation.value(r); }));
        rows += fmt::format("| {:g} | {:.3f} | {:.1f} % | {:.3f} | {:.1f} % | {:.3f} |\n", slope,
                            most_printed, 100 * (most_printed / height - 1), most_ours,
                            100 * (most_ours / height - 1), attenuation.width());
    }
    write_plot(settings, "attenuation-printed.svg", printed);
    write_plot(settings, "attenuation.svg", ours);
    return fmt::format(
        "Height 0.3, width 1, for slopes of the contact's own deformation from 0.5 to 16. As "
        "printed the function overshoots its height when slope times width is more than 6 heights "
        "(here a slope of 1.8). We then take 6 heights over the slope as the width.\n\n"
        "| slope | printed: largest | over its height | ours: largest | over its height | our "
        "width |\n| --- | --- | --- | --- | --- | --- |\n{}\n![As printed]({})\n\n![Ours]({})\n",
        rows, settings.link("attenuation-printed.svg"), settings.link("attenuation.svg"));
}

std::string rod_section(const FigureSettings& settings) {
    settings.say("a rod of two segments");
    const Field one = rod(FieldPiece::Kind::distance, 1),
                distance = rod(FieldPiece::Kind::distance, 2),
                convolution = rod(FieldPiece::Kind::convolution, 2);
    Plot shape, stiffness;
    shape.x_label = stiffness.x_label = "along the rod, the joint is at 0";
    shape.y_label = "height of the surface";
    stiffness.y_label = "stiffness at the surface";
    const std::pair<const char*, const Field*> all[] = {
        {"one segment", &one}, {"two, distance", &distance}, {"two, convolution", &convolution}};
    std::string rows;
    for (const auto& entry : all) {
        const char* const name = entry.first;
        const Field* const field = entry.second;
        const auto height = [&](double x) { return height_above(*field, x); };
        const auto stiff = [&](double x) {
            return field->at({x, height_above(*field, x), 0}).gradient.norm();
        };
        shape.series.push_back(sampled(name, -3, 3, height));
        stiffness.series.push_back(sampled(name, -3, 3, stiff));
        double low = 1e300, high = 0, thin = 1e300, thick = 0;
        for (int i = -300; i <= 300; ++i) {
            const double x = 0.01 * i;
            low = std::min(low, stiff(x));
            high = std::max(high, stiff(x));
            thin = std::min(thin, height(x));
            thick = std::max(thick, height(x));
        }
        rows += fmt::format("| {} | {:.4f} to {:.4f} | {:.4f} to {:.4f} |\n", name, thin, thick,
                            low, high);
    }
    write_plot(settings, "rod-shape.svg", shape);
    write_plot(settings, "rod-stiffness.svg", stiffness);
    return fmt::format(
        "Two segments of one field function (radius 1, influence 2, stiffness 2) meet at 0; the "
        "rod is 10 long and seen up to 3 from its joint. Distance fields add up there: the rod "
        "bulges, and its stiffness has extremes. Convolution does not notice the joint.\n\n"
        "| | height | stiffness |\n| --- | --- | --- |\n{}\n![Shape]({})\n\n![Stiffness]({})\n",
        rows, settings.link("rod-shape.svg"), settings.link("rod-stiffness.svg"));
}

} // namespace knead::quality
