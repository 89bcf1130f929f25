#include "knead/render/film.hpp"

#include <algorithm>
#include <cmath>

namespace knead {

Visibility smoothed_visibility(const Film& film, int x, int y) {
    const Pixel& center = film.at(x, y);
    const float tolerance = 3 * center.found[0].depth * film.pixel_angle;
    // The light rays repeat after a block. These weights give each place in the block the same
    // share, so that on a flat wall the rays of all places add up to one even set.
    static_assert(light_block == 4);
    constexpr std::array<float, 5> weights = {0.5f, 1, 1, 1, 0.5f};
    float total = 0, ambient = 0, key = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            if (x + dx < 0 || x + dx >= film.width || y + dy < 0 || y + dy >= film.height) continue;
            const Pixel& pixel = film.at(x + dx, y + dy);
            if (pixel.finished || pixel.id() != center.id()) continue;
            const float parallel = pixel.normal.dot(center.normal);
            const float apart = std::abs((pixel.point - center.point).dot(center.normal));
            if (parallel < 0.8f || apart > tolerance) continue;
            const float weight = weights[dx + 2] * weights[dy + 2] * (parallel - 0.75f);
            total += weight;
            ambient += weight * pixel.visibility.ambient;
            key += weight * pixel.visibility.key;
        }
    if (!(total > 0)) return center.visibility;
    return {ambient / total, key / total};
}

float contour_coverage(const Film& film, int x, int y) {
    struct Part {
        int id;
        float share;
        float depth; ///< times the share
    };
    std::array<Part, 6> parts;
    int count = 0;
    const auto add = [&](const Pixel::Found& found, float weight) {
        if (found.id < 0 || found.share <= 0) return;
        int i = 0;
        while (i < count && parts[i].id != found.id) ++i;
        if (i == static_cast<int>(parts.size())) return;
        if (i == count) parts[count++] = {found.id, 0, 0};
        parts[i].share += weight * found.share;
        parts[i].depth += weight * found.share * found.depth;
    };
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            const Pixel& pixel = film.at(std::clamp(x + dx, 0, film.width - 1),
                                         std::clamp(y + dy, 0, film.height - 1));
            const float weight = (dx == 0 ? 2.0f : 1.0f) * (dy == 0 ? 2.0f : 1.0f) / 16;
            for (const Pixel::Found& found : pixel.found) add(found, weight);
        }
    float coverage = 0;
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j) {
            // Surfaces meet where their depths do; an outline in front of something far behind is
            // no line.
            const float a = parts[i].depth / parts[i].share, b = parts[j].depth / parts[j].share;
            const float gap = std::abs(a - b) / (std::min(a, b) * film.pixel_angle);
            const float meeting = std::clamp((40 - gap) / 30, 0.0f, 1.0f);
            // Where the line passes through the middle, both shares are a half.
            coverage += 4 * parts[i].share * parts[j].share * meeting;
        }
    return std::min(1.0f, coverage);
}

} // namespace knead
