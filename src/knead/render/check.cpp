#include "knead/render/check.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace knead {
namespace {

constexpr int max_side = 8192;
constexpr long long max_pixels = 1 << 24;
// Squares of coordinates stay finite.
constexpr double max_coordinate = 1e100;

[[noreturn]] void fail(const std::string& message) {
    throw InputError("render: " + message);
}

void check_range(const char* name, double value, double low, double high) {
    if (!(value >= low && value <= high))
        fail(fmt::format("{} is {}, expected {} to {}", name, value, low, high));
}

std::string text_of(const Vec3& v) {
    return fmt::format("({}, {}, {})", v.x(), v.y(), v.z());
}

bool usable(const Vec3& v) {
    return v.allFinite() && v.cwiseAbs().maxCoeff() <= max_coordinate;
}

void check_point(const std::string& name, const Vec3& point) {
    if (!usable(point))
        fail(fmt::format("{} is {}, expected finite numbers up to {:.0e}", name, text_of(point),
                         max_coordinate));
}

void check_direction(const std::string& name, const Vec3& direction) {
    if (!usable(direction) || direction.isZero(0))
        fail(fmt::format("{} is {}, expected a direction", name, text_of(direction)));
}

void check_color(const std::string& name, const Vec3& color) {
    if (!((color.array() >= 0).all() && (color.array() <= 1).all()))
        fail(fmt::format("{} is {}, expected channels from 0 to 1", name, text_of(color)));
}

void check_camera(const Camera& camera) {
    check_point("camera eye", camera.eye);
    check_point("camera target", camera.target);
    check_direction("camera up", camera.up);
    const double fov = camera.vertical_fov_degrees;
    if (!(fov > 0 && fov < 180))
        fail(fmt::format("camera field of view is {} degrees, expected more than 0 and less than "
                         "180",
                         fov));
    const Vec3 view = camera.target - camera.eye;
    if (view.isZero(0))
        fail(fmt::format("camera eye and target are both {}, expected two points",
                         text_of(camera.eye)));
    if (view.stableNormalized().cross(camera.up.stableNormalized()).norm() < 1e-9)
        fail(fmt::format("camera up {} is along the view, expected another direction",
                         text_of(camera.up)));
}

void check_mesh(const std::string& who, const RenderObject& object) {
    for (std::size_t v = 0; v < object.positions.size(); ++v)
        if (!usable(object.positions[v]))
            check_point(fmt::format("{}vertex {}", who, v), object.positions[v]);
    const auto count = static_cast<long long>(object.positions.size());
    for (std::size_t f = 0; f < object.faces.size(); ++f)
        for (const int v : object.faces[f])
            if (v < 0 || v >= count)
                fail(fmt::format("{}face {} uses vertex {}, expected 0 to {}", who, f, v,
                                 count - 1));
    if (!object.field.empty() && object.field.size() != object.positions.size())
        fail(fmt::format("{}the field has {}, expected {}", who,
                         counted(static_cast<long long>(object.field.size()), "value", "values"),
                         count));
}

void check_box(const std::string& who, const Box& box) {
    const bool nothing_to_see = box.empty() && !box.lower.hasNaN() && !box.upper.hasNaN();
    if (nothing_to_see) return;
    check_point(who + "the lower corner of the surface's box", box.lower);
    check_point(who + "the upper corner of the surface's box", box.upper);
}

} // namespace

void check_settings(const RenderSettings& settings) {
    check_range("width", settings.width, 1, max_side);
    check_range("height", settings.height, 1, max_side);
    const long long pixels = static_cast<long long>(settings.width) * settings.height;
    if (pixels > max_pixels)
        fail(fmt::format("{} x {} is {} pixels, expected at most {}", settings.width,
                         settings.height, pixels, max_pixels));
    check_range("samples", settings.samples, 1, 64);
    check_range("contour", settings.contour, 0, 1);
    check_color("background_top", settings.background_top);
    check_color("background_bottom", settings.background_bottom);
    if (settings.camera) check_camera(*settings.camera);
    if (settings.clip) {
        check_point("clip point", settings.clip->point);
        check_direction("clip normal", settings.clip->normal);
    }
    if (settings.light_direction) check_direction("light_direction", *settings.light_direction);
    if (settings.ground_height)
        check_range("ground_height", *settings.ground_height, -max_coordinate, max_coordinate);
    if (settings.field_scale) {
        const auto& [name, low, high] = *settings.field_scale;
        if (!(std::isfinite(low) && std::isfinite(high) && low <= high))
            fail(fmt::format("field_scale is from {} to {}, expected finite numbers in order", low,
                             high));
    }
}

void check_object(const RenderObject& object) {
    const std::string who = fmt::format("object {}: ", single_quoted(object.name));
    if (object.surface)
        check_box(who, object.surface->box());
    else
        check_mesh(who, object);
    check_color(who + "color", object.color);
    check_range((who + "opacity").c_str(), object.opacity, 0, 1);
}

} // namespace knead
