#include "quality_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace knead::quality {
namespace {

// About second order, as far as three meshes can tell.
constexpr double least_order = 1.5;

using Cell = std::function<std::string(const ResolutionQuality&)>;

std::string emphasized(const std::string& text, bool met) {
    return met ? text : "**" + text + "**";
}

std::string percent(double fraction) {
    return fmt::format("{:.3g}", 100 * fraction);
}

// "value (bound)", bold when the bound is not kept.
std::string percent_cell(const std::optional<Judged>& judged) {
    if (!judged) return "-";
    return emphasized(percent(judged->value), judged->met()) +
           fmt::format(" ({})", percent(judged->bound));
}

std::string exponent_cell(const std::optional<Judged>& judged) {
    return judged ? emphasized(fmt::format("{:.0e}", judged->value), judged->met()) : "-";
}

std::string yes(bool met) {
    return met ? "yes" : "**no**";
}

// A row a scene, a column a resolution.
std::string table(std::span<const SceneQuality> scenes, const Cell& cell) {
    std::string text = "| scene |";
    for (const char* name : resolution_names) text += fmt::format(" {} |", name);
    text += "\n| --- | --- | --- | --- |\n";
    for (const SceneQuality& scene : scenes) {
        text += fmt::format("| `{}` |", scene.name);
        for (const ResolutionQuality& quality : scene.resolutions)
            text += fmt::format(" {} |", cell(quality));
        text += "\n";
    }
    return text;
}

std::array<double, 3> over_resolutions(const SceneQuality& scene,
                                       double ResolutionQuality::*figure) {
    std::array<double, 3> values;
    for (std::size_t r = 0; r < values.size(); ++r) values[r] = scene.resolutions[r].*figure;
    return values;
}

bool converges(const SceneQuality& scene) {
    for (const auto figure : {&ResolutionQuality::threshold, &ResolutionQuality::zone_area})
        if (order_of_convergence(over_resolutions(scene, figure)).value_or(least_order) <
            least_order)
            return false;
    return true;
}

bool angle_falls(const SceneQuality& scene) {
    const auto angles = over_resolutions(scene, &ResolutionQuality::border_angle_mean);
    return angles[2] < angles[1] && angles[1] < angles[0];
}

// "yes" when all resolutions keep the bound, else which do not; "-" where there is nothing to
// judge.
std::string verdict(const SceneQuality& scene,
                    const std::function<std::optional<bool>(const ResolutionQuality&)>& met) {
    std::vector<std::string> not_met;
    bool any = false;
    for (std::size_t r = 0; r < scene.resolutions.size(); ++r) {
        const std::optional<bool> kept = met(scene.resolutions[r]);
        any = any || kept.has_value();
        if (kept && !*kept) not_met.emplace_back(resolution_names[r]);
    }
    if (!any) return "-";
    if (not_met.empty()) return "yes";
    return not_met.size() == 3 ? "**no**" : fmt::format("**not {}**", fmt::join(not_met, ", "));
}

std::optional<bool> kept(const std::optional<Judged>& judged) {
    return judged ? std::optional(judged->met()) : std::nullopt;
}

std::string summary(std::span<const SceneQuality> scenes) {
    std::string text =
        "| scene | 1 resolved | 2 shared | 3 volume | 4 no jump | 5 border | 6 swap | "
        "7 pose | 8 repeat | 9 converges | safe |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    using R = ResolutionQuality;
    for (const SceneQuality& scene : scenes) {
        const std::array<std::string, 10> cells = {
            verdict(scene, [](const R& r) { return std::optional(r.frame.depth.met()); }),
            verdict(scene,
                    [](const R& r) {
                        const auto areas = kept(r.frame.areas), apart = kept(r.frame.apart);
                        return areas || apart
                                   ? std::optional(areas.value_or(true) && apart.value_or(true))
                                   : std::nullopt;
                    }),
            verdict(scene, [](const R& r) { return kept(r.frame.volume); }),
            verdict(scene, [](const R& r) { return kept(r.jump); }),
            yes(angle_falls(scene)),
            verdict(scene, [](const R& r) { return std::optional(r.swapped.met()); }),
            verdict(scene, [](const R& r) { return std::optional(r.moved.met()); }),
            verdict(scene,
                    [](const R& r) { return std::optional(r.same_alone && r.same_threads); }),
            yes(converges(scene)),
            verdict(scene, [](const R& r) {
                return std::optional(r.frame.finite && r.frame.move.met());
            })};
        text += fmt::format("| `{}` | {} |\n", scene.name, fmt::join(cells, " | "));
    }
    return text;
}

std::string jump_cell(const ResolutionQuality& quality) {
    if (!quality.jump) return "-";
    const std::string value =
        emphasized(fmt::format("{:.2g}", quality.jump->value), quality.jump->met());
    return quality.jump->met()
               ? value
               : fmt::format("{} at {:.2f}, {}", value, quality.jump_frame, quality.jumps);
}

std::string convergence(std::span<const SceneQuality> scenes) {
    std::string text = "| scene | threshold | | | order | zone area | | | order |\n"
                       "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    const auto values = [](const std::array<double, 3>& v) {
        const std::optional<double> order = order_of_convergence(v);
        return fmt::format("{:.4g} | {:.4g} | {:.4g} | {}", v[0], v[1], v[2],
                           order ? emphasized(fmt::format("{:.2f}", *order), *order >= least_order)
                                 : "limit");
    };
    for (const SceneQuality& scene : scenes)
        text += fmt::format("| `{}` | {} | {} |\n", scene.name,
                            values(over_resolutions(scene, &ResolutionQuality::threshold)),
                            values(over_resolutions(scene, &ResolutionQuality::zone_area)));
    return text;
}

std::string safety(std::span<const SceneQuality> scenes) {
    std::string text = "| scene | vertices | | | crossings before, after | | | move | ms | | |\n"
                       "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for (const SceneQuality& scene : scenes) {
        const auto& r = scene.resolutions;
        Judged move = r[0].frame.move;
        for (const ResolutionQuality& quality : r)
            if (quality.frame.move.badness() > move.badness()) move = quality.frame.move;
        text += fmt::format("| `{}` | {} | {} | {} |", scene.name, r[0].vertices, r[1].vertices,
                            r[2].vertices);
        for (const ResolutionQuality& quality : r)
            text += fmt::format(" {}, {} |", quality.frame.crossings_before,
                                quality.frame.crossings_after);
        text += fmt::format(" {} | {:.0f} | {:.0f} | {:.0f} |\n",
                            emphasized(fmt::format("{:.2f}", move.value), move.met()),
                            r[0].milliseconds, r[1].milliseconds, r[2].milliseconds);
    }
    return text;
}

} // namespace

std::optional<double> order_of_convergence(const std::array<double, 3>& values) {
    const double first = std::abs(values[1] - values[0]), second = std::abs(values[2] - values[1]);
    if (second <= 0.001 * std::abs(values[2])) return std::nullopt;
    return first > 0 ? std::log2(first / second) : -1;
}

std::string quality_page(std::span<const SceneQuality> scenes, const MeasureSettings& settings) {
    using R = ResolutionQuality;
    std::string page = fmt::format(
        R"(# How good the deformer is

`make quality` measures every demo and writes this page. Nothing in it is written by hand.

Each scene is taken at the frame where it is deepest, with the edges of its meshes twice as long (coarse), as they are
(middle) and half as long (fine). The numbers of one frame are taken from the scene as it is and from {} random
placements, in which each object is turned by up to a degree and moved by up to a fifth of an edge; the worst one
counts. What does not keep its bound is **bold**, with the bound in brackets behind it where it differs from scene to
scene. - is a figure that was not taken, or that has no meaning for the scene.

Skin that folds on itself, or closes on itself as a hand does, is one object in contact with itself. It meets itself as
its pose says, wherever it is placed, so its random placements are also posed as up to half a frame earlier or later;
and what is exchanged in number 6 is the two sides of each contact.

Used below: D is the depth before; e the mean edge of the finer mesh in the contact, E of the coarser one; K the
curvature there, as the angle between neighbouring vertex normals over their distance, larger than nine tenths of
them; r the radius of a disc with the area of the contact zone.

)",
        settings.placements);
    page += summary(scenes);
    const auto section = [&](const char* text, const std::string& figures) {
        page += fmt::format("\n{}\n{}", text, figures);
    };
    section(R"(## 1. Resolved

Depth after in % of D, at most 5 % of D plus K E^2 / 2; of the contact that keeps it least.
)",
            table(scenes, [](const R& r) { return percent_cell(r.frame.depth); }));
    section(R"(## 2. Shared

By how many % the areas of the two zones on the contact surface differ, at most 2 (e / r)^2.
)",
            table(scenes, [](const R& r) { return percent_cell(r.frame.areas); }));
    section(
        R"(How far the two deformed surfaces are apart at the vertices of the zone, in % of D, at most K E^2 / 2. Vertices of
objects with several contacts, as of a finger with two folds, do not count here. Where a proxy stands in for an object, as
in `tubular-sphere`, it is the proxy that touches and is looked at: the tubes inside it do not lie on the other surface.
)",
        table(scenes, [](const R& r) { return percent_cell(r.frame.apart); }));
    section(R"(## 3. Volume

Change of the volume of objects with `bulge` 1, as a part of the volume that their surface swept; at most 1e-9. Of skin,
against the volume as it was posed.
)",
            table(scenes, [](const R& r) { return exponent_cell(r.frame.volume); }));
    section(R"(## 4. No jump

The largest jump over the whole motion in edges, at most 0.002 (see [measurement.md](measurement.md)); where it is
larger, its frame, and in how many of the steps there is such a jump. It takes longest to find, so not all were looked for.
)",
            table(scenes, jump_cell));
    section(R"(## 5. Border

Angle in degrees between the faces that the border of a zone runs through and their neighbours on both sides of it:
the mean, and what nine tenths are below. The mean should fall with the edges.
)",
            table(scenes, [](const R& r) {
                return fmt::format("{:.1f}, {:.1f}", r.border_angle_mean, r.border_angle_high);
            }));
    section(R"(## 6 and 7. Swap and pose

Largest difference, as a part of r, when the objects come in the opposite order; and when everything is turned, moved
and scaled at random. At most 1e-9.
)",
            table(scenes, [](const R& r) {
                return exponent_cell(r.swapped) + ", " + exponent_cell(r.moved);
            }));
    section(R"(## 8. Repeat

The first table says whether a frame alone is the frame after others, and the same with 1, 2 and 8 threads, bit for bit.
)",
            "");
    section(R"(## 9. Convergence

The threshold of the deepest contact and the area of all zones, coarse, middle and fine, and the order at which they
approach a limit, which should be about 2: bold below 1.5, and "limit" when the last two are the same to 0.1 %.
)",
            convergence(scenes));
    section(R"(## Safety and time

Crossing edges before and after; the longest move of a vertex as a multiple of D, at most 10; milliseconds for a frame
on one core, the median of five frames. For coarse, middle and fine. All results were checked to be finite.
)",
            safety(scenes));
    return page;
}

} // namespace knead::quality
