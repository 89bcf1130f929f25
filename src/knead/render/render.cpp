#include "knead/render/render.hpp"

#include "knead/base/parallel.hpp"
#include "knead/render/check.hpp"
#include "knead/render/film.hpp"
#include "knead/render/legend.hpp"
#include "knead/render/spread.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

constexpr int tile_side = 16;
// Samples that differ more than this in normal belong to an edge, even on one object.
constexpr float edge_cosine = 0.9f;
constexpr int edge_factor = 4;

bool has_field(const RenderObject& object) {
    return object.surface ? object.surface_field : !object.field.empty();
}

// Infinite values stay out of the range: they would leave no room for the others.
FieldScale range_of_fields(std::span<const RenderObject> objects) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const RenderObject& object : objects) {
        if (object.surface) continue;
        for (const double value : object.field)
            if (std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
    }
    return low <= high ? FieldScale{"", low, high} : FieldScale{"", 0, 0};
}

Camera default_camera(std::span<const RenderObject> objects, double aspect) {
    Box box;
    for (const RenderObject& object : objects) box.include(shown_box(object));
    return frame_camera(box, 30, 20, aspect);
}

// Turns places in the picture into rays.
class Lens {
public:
    Lens(const Camera& camera, const Stage& stage, int width, int height)
        : eye_(stage.to_stage(camera.eye)), width_(width), height_(height) {
        const Vec3 view = (camera.target - camera.eye).stableNormalized();
        const Vec3 right = view.cross(camera.up.stableNormalized()).normalized();
        const double half_height =
            std::tan(0.5 * camera.vertical_fov_degrees * std::numbers::pi / 180);
        pixel_angle_ = 2 * half_height / height;
        view_ = view;
        across_ = pixel_angle_ * right;
        down_ = -pixel_angle_ * right.cross(view);
    }
    Sight through(double x, double y) const {
        const Vec3 direction = view_ + (x - 0.5 * width_) * across_ + (y - 0.5 * height_) * down_;
        return {eye_, direction.normalized(), pixel_angle_, line_width()};
    }
    double pixel_angle() const { return pixel_angle_; }

private:
    double line_width() const { return 1.2 * std::max(1.0, height_ / 720.0); }

    Vec3 eye_, view_, across_, down_;
    double pixel_angle_;
    int width_, height_;
};

struct Sample {
    SeenSurface surface;
    Visibility visibility;
    Veil veil;
    Vec3f direction; ///< of the ray through the picture
    float depth;
};

// Whether two rays through a pixel see so much the same that the pixel needs no more of them.
bool alike(const Sample& a, const Sample& b) {
    return a.surface.id == b.surface.id &&
           (a.surface.id < 0 || a.surface.normal.dot(b.surface.normal) > edge_cosine) &&
           std::abs(a.veil.transmittance - b.veil.transmittance) < 0.03f;
}

// The two surfaces that most samples saw.
std::array<Pixel::Found, 2> most_frequent(std::span<const Sample> samples) {
    std::vector<Pixel::Found> all;
    const float weight = 1 / static_cast<float>(samples.size());
    for (const Sample& sample : samples) {
        auto known = std::find_if(all.begin(), all.end(), [&](const Pixel::Found& found) {
            return found.id == sample.surface.id;
        });
        if (known == all.end()) known = all.insert(known, {sample.surface.id, 0, 0});
        known->share += weight;
        known->depth += weight * sample.depth;
    }
    for (Pixel::Found& found : all) found.depth /= found.share;
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.share > b.share; });
    all.resize(2);
    return {all[0], all[1]};
}

class Painter {
public:
    Painter(std::span<const RenderObject> objects, const RenderSettings& settings,
            const Camera& camera, const FieldScale& scale)
        : settings_(settings),
          stage_(build_stage(objects, settings, scale)),
          light_(make_light(settings, camera)),
          lens_(camera, stage_, settings.width, settings.height) {
        film_.width = settings.width;
        film_.height = settings.height;
        film_.pixel_angle = static_cast<float>(lens_.pixel_angle());
        film_.pixels.resize(static_cast<std::size_t>(film_.width) * film_.height);
        if (!stage_.veils.empty()) film_.veils.resize(film_.pixels.size());
        background_.reserve(film_.height);
        for (int y = 0; y < film_.height; ++y) {
            const double t = (y + 0.5) / film_.height;
            const Vec3 color = (1 - t) * settings.background_top + t * settings.background_bottom;
            background_.push_back(linear_from_srgb(color).cast<float>());
        }
    }

    void trace(const Progress& progress) {
        const int columns = (film_.width + tile_side - 1) / tile_side;
        const int rows = (film_.height + tile_side - 1) / tile_side;
        parallel_for(static_cast<std::size_t>(columns) * rows, 1, [&](std::size_t tile) {
            progress.check();
            const int left = static_cast<int>(tile) % columns * tile_side;
            const int top = static_cast<int>(tile) / columns * tile_side;
            std::vector<Sample> samples;
            for (int y = top; y < std::min(top + tile_side, film_.height); ++y)
                for (int x = left; x < std::min(left + tile_side, film_.width); ++x)
                    trace_pixel(x, y, samples);
        });
    }

    Image develop(const Progress& progress) const {
        Image image{film_.width, film_.height, {}};
        image.bytes.resize(3 * film_.pixels.size());
        parallel_for(static_cast<std::size_t>(film_.height), 4, [&](std::size_t row) {
            progress.check();
            const int y = static_cast<int>(row);
            for (int x = 0; x < film_.width; ++x) {
                const Vec3 color = srgb_from_linear(color_at(x, y).cast<double>());
                for (int c = 0; c < 3; ++c)
                    image.bytes[image.offset(x, y) + c] = static_cast<std::uint8_t>(
                        std::lround(255 * std::clamp(color[c], 0.0, 1.0)));
            }
        });
        return image;
    }

private:
    Sample trace_sample(int x, int y, int s, std::uint32_t light_index) const {
        const Vec2 offset = spread2(static_cast<std::uint32_t>(s));
        const Sight sight = lens_.through(x + offset.x(), y + offset.y());
        Sample sample;
        sample.surface = first_surface(stage_, sight);
        sample.visibility = trace_visibility(stage_, light_, sample.surface, light_index);
        sample.direction = sight.direction.cast<float>();
        sample.depth = static_cast<float>(
            (sample.surface.point.cast<double>() - sight.origin).dot(sight.direction));
        std::array<VeilLayer, max_veil_layers> layers;
        const int count = veil_layers(stage_, sight, sample.surface, layers);
        for (int i = 0; i < count; ++i) {
            const float opacity = layers[i].opacity * sample.veil.transmittance;
            sample.veil.color += opacity * shade_veil(light_, layers[i]);
            sample.veil.transmittance -= opacity;
        }
        return sample;
    }

    void trace_pixel(int x, int y, std::vector<Sample>& samples) {
        samples.clear();
        const int count = settings_.samples, edge_count = edge_factor * count;
        const int place = (y % light_block) * light_block + x % light_block;
        for (int s = 0; s < count; ++s)
            samples.push_back(trace_sample(x, y, s, static_cast<std::uint32_t>(place * count + s)));
        const auto differs = [&](const Sample& sample) { return !alike(sample, samples[0]); };
        const bool edge = std::any_of(samples.begin(), samples.end(), differs);
        for (int s = count; edge && s < edge_count; ++s)
            samples.push_back(
                trace_sample(x, y, s, static_cast<std::uint32_t>(place * edge_count + s)));
        const std::size_t index = film_.index(x, y);
        film_.pixels[index] = edge ? finished_pixel(samples, y) : mean_pixel(samples);
        if (!edge && !film_.veils.empty()) film_.veils[index] = mean_veil(samples);
    }

    Pixel finished_pixel(std::span<const Sample> samples, int y) const {
        Pixel pixel;
        pixel.found = most_frequent(samples);
        pixel.finished = true;
        for (const Sample& sample : samples)
            pixel.color += sample.veil.color + sample.veil.transmittance *
                                                   shade(light_, sample.surface, sample.visibility,
                                                         sample.direction, background_[y]);
        pixel.color /= static_cast<float>(samples.size());
        return pixel;
    }

    static Pixel mean_pixel(std::span<const Sample> samples) {
        Pixel pixel;
        pixel.found[0] = {samples[0].surface.id, 1, 0};
        pixel.visibility = {0, 0};
        const float weight = 1 / static_cast<float>(samples.size());
        for (const Sample& sample : samples) {
            pixel.color += weight * sample.surface.albedo;
            pixel.point += weight * sample.surface.point;
            pixel.normal += sample.surface.normal;
            pixel.found[0].depth += weight * sample.depth;
            pixel.visibility.ambient += weight * sample.visibility.ambient;
            pixel.visibility.key += weight * sample.visibility.key;
        }
        if (pixel.id() != nothing_id) pixel.normal.normalize();
        return pixel;
    }

    static Veil mean_veil(std::span<const Sample> samples) {
        Veil veil{Vec3f::Zero(), 0};
        const float weight = 1 / static_cast<float>(samples.size());
        for (const Sample& sample : samples) {
            veil.color += weight * sample.veil.color;
            veil.transmittance += weight * sample.veil.transmittance;
        }
        return veil;
    }

    Vec3f color_at(int x, int y) const {
        const Pixel& pixel = film_.at(x, y);
        Vec3f color = pixel.color;
        if (!pixel.finished) {
            const SeenSurface surface{pixel.id(), pixel.point, pixel.normal, pixel.color,
                                      pixel.point};
            const Vec3f view = lens_.through(x + 0.5, y + 0.5).direction.cast<float>();
            color = shade(light_, surface, smoothed_visibility(film_, x, y), view, background_[y]);
            if (!film_.veils.empty()) {
                const Veil& veil = film_.veils[film_.index(x, y)];
                color = veil.color + veil.transmittance * color;
            }
        }
        const float line = static_cast<float>(settings_.contour) * contour_coverage(film_, x, y);
        return (1 - line) * color;
    }

    const RenderSettings& settings_;
    Stage stage_;
    Light light_;
    Lens lens_;
    Film film_;
    std::vector<Vec3f> background_; ///< one a row, linear
};

} // namespace

Image render(std::span<const RenderObject> objects, const RenderSettings& settings,
             const Progress& progress) {
    check_settings(settings);
    for (const RenderObject& object : objects) check_object(object);
    const FieldScale scale =
        settings.field_scale ? *settings.field_scale : range_of_fields(objects);
    const Camera camera =
        settings.camera
            ? *settings.camera
            : default_camera(objects, static_cast<double>(settings.width) / settings.height);
    progress.at(0);
    Painter painter(objects, settings, camera, scale);
    painter.trace(progress);
    Image image = painter.develop(progress);
    if (settings.legend && std::any_of(objects.begin(), objects.end(), has_field))
        draw_legend(image, scale);
    progress.at(1);
    return image;
}

} // namespace knead
