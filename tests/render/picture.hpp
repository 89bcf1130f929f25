#pragma once

#include "knead/mesh/primitives.hpp"
#include "knead/render/render.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "input_error.hpp"

namespace knead {

inline TriangleMesh moved(TriangleMesh mesh, const Vec3& by) {
    for (Vec3& position : mesh.positions) position += by;
    return mesh;
}

/// Small enough for hundreds of pictures in a test run.
inline RenderSettings small_picture() {
    RenderSettings settings;
    settings.width = 160;
    settings.height = 90;
    return settings;
}

inline RenderObject object_of(const TriangleMesh& mesh, const Vec3& color = palette_color(0)) {
    RenderObject object;
    object.name = "thing";
    object.positions = mesh.positions;
    object.faces = mesh.faces;
    object.color = color;
    return object;
}

/// 0 to 255.
inline double brightness(const Image& image, int x, int y) {
    const auto [r, g, b] = image.at(x, y);
    return (r + g + b) / 3.0;
}

/// Between the channels of two pixels.
inline int largest_difference(const std::array<std::uint8_t, 3>& a,
                              const std::array<std::uint8_t, 3>& b) {
    int largest = 0;
    for (int c = 0; c < 3; ++c) largest = std::max(largest, std::abs(a[c] - b[c]));
    return largest;
}

inline double mean_difference(const Image& a, const Image& b) {
    EXPECT_EQ(a.bytes.size(), b.bytes.size());
    double sum = 0;
    for (std::size_t i = 0; i < a.bytes.size(); ++i) sum += std::abs(a.bytes[i] - b.bytes[i]);
    return sum / static_cast<double>(a.bytes.size());
}

} // namespace knead
