#include "knead/render/lettering.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace knead {
namespace {

// The letters are strokes of a round pen on a grid: capitals reach from y = 2 to 9, small letters
// to 7, descenders to 0. A stroke is a list of points, each two digits x y: joined by straight
// lines, or with ~ in front the control points of a quadratic B-spline that starts and ends at its
// ends, or with @ of a closed one.
constexpr std::array<std::string_view, 95> glyphs = {
    "",                                        // space
    "0904 0202",                               // !
    "0907 2927",                               // "
    "1219 3239 0444 0747",                     // #
    "~4748080645430304 2921",                  // $
    "0249 @07272909 @22424424",                // %
    "~43160939360402223245",                   // &
    "0907",                                    // '
    "~29070220",                               // (
    "~09272200",                               // )
    "2824 0745 0547",                          // *
    "0545 2723",                               // +
    "1200",                                    // ,
    "0535",                                    // -
    "0202",                                    // .
    "0149",                                    // /
    "@02424909",                               // 0
    "072922 0242",                             // 1
    "~070949461302 0242",                      // 2
    "~0809494626 ~2646420203",                 // 3
    "32390444",                                // 4
    "490906 ~060747420203",                    // 5
    "~390904 @02424606",                       // 6
    "094912",                                  // 7
    "@06464909 @02424606",                     // 8
    "~124247 @05454909",                       // 9
    "0202 0606",                               // :
    "0606 1200",                               // ;
    "480542",                                  // <
    "0646 0444",                               // =
    "084502",                                  // >
    "~0809494625 2524 2222",                   // ?
    "~41000949432324273647",                   // @
    "022942 1434",                             // A
    "0209 0929 ~29494626 0626 ~26464222 0222", // B
    "~484909024243",                           // C
    "0209 0919 ~19494212 0212",                // D
    "49090242 0636",                           // E
    "490902 0636",                             // F
    "~484909024245 4525",                      // G
    "0209 4249 0646",                          // H
    "0209",                                    // I
    "3935 ~35320204",                          // J
    "0209 4905 1642",                          // K
    "090242",                                  // L
    "0209254942",                              // M
    "02094249",                                // N
    "@02525909",                               // O
    "0209 0929 ~29494525 0525",                // P
    "@02525909 3452",                          // Q
    "0209 0929 ~29494525 0525 2542",           // R
    "~4849090645420203",                       // S
    "0949 2229",                               // T
    "0905 ~05024245 4549",                     // U
    "092249",                                  // V
    "0912375269",                              // W
    "0249 0942",                               // X
    "092549 2522",                             // Y
    "09490242",                                // Z
    "29090020",                                // [
    "0941",                                    // backslash
    "09292000",                                // ]
    "072947",                                  // ^
    "0141",                                    // _
    "0928",                                    // `
    "@02424707 4742",                          // a
    "0902 @02424707",                          // b
    "~464707024243",                           // c
    "4942 @02424707",                          // d
    "~454707024243 0545",                      // e
    "~391916 1612 0737",                       // f
    "@02424707 4742 ~424010",                  // g
    "0902 ~05074744 4442",                     // h
    "0207 0909",                               // i
    "1711 ~111000 1919",                       // j
    "0902 3704 1532",                          // k
    "0904 ~040212",                            // l
    "0702 ~05073734 3432 ~35376764 6462",      // m
    "0702 ~05074744 4442",                     // n
    "@02424707",                               // o
    "0700 @02424707",                          // p
    "4740 @02424707",                          // q
    "0702 ~050737",                            // r
    "~4647070544420203",                       // s
    "1914 ~141232 0737",                       // t
    "0704 ~04024244 4742",                     // u
    "072247",                                  // v
    "0712365267",                              // w
    "0247 0742",                               // x
    "0722 4710",                               // y
    "07470242",                                // z
    "~29191505 ~05151020",                     // {
    "0900",                                    // |
    "~09191525 ~25151000",                     // }
    "~04163446",                               // ~
};
constexpr std::string_view unknown_glyph = "0242490902";

constexpr double cap_height = 7, baseline_y = 2, gap = 2.1, space_width = 1.4, pen_radius = 0.47;

std::string_view next_glyph(std::string_view& text) {
    const auto first = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0) == 0x80)
        text.remove_prefix(1);
    return first >= 32 && first < 127 ? glyphs[first - 32] : unknown_glyph;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

double glyph_width(std::string_view glyph) {
    if (glyph.empty()) return space_width;
    double width = 0;
    bool is_x = true;
    for (const char c : glyph) {
        if (!is_digit(c)) continue;
        if (is_x) width = std::max(width, static_cast<double>(c - '0'));
        is_x = !is_x;
    }
    return width;
}

// The B-spline as straight pieces. Between two midpoints of control legs runs one parabola.
std::vector<Vec2> flatten(const std::vector<Vec2>& controls, bool closed) {
    const std::size_t n = controls.size();
    const auto middle = [&](std::size_t i) -> Vec2 {
        return 0.5 * (controls[i % n] + controls[(i + 1) % n]);
    };
    std::vector<Vec2> points;
    const std::size_t first = closed ? 0 : 1, last = closed ? n : n - 1;
    for (std::size_t i = first; i < last; ++i) {
        const Vec2 from = !closed && i == first ? controls[0] : middle(i + n - 1);
        const Vec2 to = !closed && i + 1 == last ? controls[n - 1] : middle(i);
        constexpr int pieces = 8;
        for (int k = 0; k <= pieces; ++k) {
            const double t = static_cast<double>(k) / pieces;
            points.push_back((1 - t) * (1 - t) * from + 2 * t * (1 - t) * controls[i % n] +
                             t * t * to);
        }
    }
    return points;
}

std::vector<std::vector<Vec2>> strokes_of(std::string_view glyph) {
    std::vector<std::vector<Vec2>> strokes;
    while (!glyph.empty()) {
        const std::size_t end = std::min(glyph.find(' '), glyph.size());
        std::string_view stroke = glyph.substr(0, end);
        glyph.remove_prefix(std::min(end + 1, glyph.size()));
        const char kind = stroke.front();
        if (!is_digit(kind)) stroke.remove_prefix(1);
        std::vector<Vec2> points;
        for (std::size_t i = 0; i + 1 < stroke.size(); i += 2)
            points.emplace_back(stroke[i] - '0', stroke[i + 1] - '0');
        strokes.push_back(is_digit(kind) ? points : flatten(points, kind == '@'));
    }
    return strokes;
}

double distance_to_stroke(const std::vector<Vec2>& stroke, const Vec2& p) {
    double nearest = (p - stroke.front()).norm();
    for (std::size_t i = 0; i + 1 < stroke.size(); ++i) {
        const Vec2 along = stroke[i + 1] - stroke[i];
        const double length = along.squaredNorm();
        const double t =
            length > 0 ? std::clamp((p - stroke[i]).dot(along) / length, 0.0, 1.0) : 0.0;
        nearest = std::min(nearest, (p - stroke[i] - t * along).norm());
    }
    return nearest;
}

void draw_glyph(Image& image, std::string_view glyph, double x, double baseline, double unit,
                const Vec3& color) {
    const auto strokes = strokes_of(glyph);
    // Thin text would fade, so the pen never gets narrower than a pixel.
    const double radius = std::max(pen_radius, 0.5 / unit);
    const int left = std::max(0, static_cast<int>(std::floor(x - 2)));
    const int right =
        std::min(image.width, static_cast<int>(std::ceil(x + (glyph_width(glyph) + 1) * unit + 2)));
    const int top = std::max(0, static_cast<int>(std::floor(baseline - (cap_height + 1) * unit)));
    const int bottom =
        std::min(image.height, static_cast<int>(std::ceil(baseline + (baseline_y + 1) * unit + 1)));
    for (int row = top; row < bottom; ++row)
        for (int column = left; column < right; ++column) {
            const Vec2 p((column + 0.5 - x) / unit, baseline_y + (baseline - row - 0.5) / unit);
            double nearest = std::numeric_limits<double>::infinity();
            for (const auto& stroke : strokes)
                nearest = std::min(nearest, distance_to_stroke(stroke, p));
            const double coverage = std::clamp(0.5 + (radius - nearest) * unit, 0.0, 1.0);
            if (coverage <= 0) continue;
            std::uint8_t* pixel = &image.bytes[image.offset(column, row)];
            for (int c = 0; c < 3; ++c)
                pixel[c] = static_cast<std::uint8_t>(
                    std::lround((1 - coverage) * pixel[c] + coverage * 255 * color[c]));
        }
}

} // namespace

double text_width(std::string_view text, double size) {
    double width = 0;
    while (!text.empty()) width += glyph_width(next_glyph(text)) + gap;
    return std::max(0.0, width - gap) * size / cap_height;
}

void draw_text(Image& image, std::string_view text, double x, double baseline, double size,
               const Vec3& color) {
    const double unit = size / cap_height;
    while (!text.empty()) {
        const std::string_view glyph = next_glyph(text);
        // Whole pixels, so that upright stems look alike all along the line.
        draw_glyph(image, glyph, std::round(x), std::round(baseline), unit, color);
        x += (glyph_width(glyph) + gap) * unit;
    }
}

} // namespace knead
