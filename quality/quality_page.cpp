#include "quality_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "page_rows.hpp"

namespace knead::quality {
namespace {

// About second order, as far as three meshes can tell.
constexpr double least_order = 1.5;
// Of a frame's time that the last pass may take.
constexpr double largest_share = 1.0 / 3;

using Cell = std::function<std::string(const ResolutionQuality&)>;

std::string percent(double fraction) {
    return fmt::format("{:.3g}", 100 * fraction);
}

// "value (bound)", bold when the bound is not kept.
std::string percent_cell(const std::optional<Judged>& judged) {
    if (!judged) return "-";
    return emphasized(percent(judged->value), judged->met()) +
           fmt::format(" ({})", percent(judged->bound));
}

std::string exponent(const Judged& judged) {
    return fmt::format("{:.0e}", judged.value);
}

std::string exponent_cell(const std::optional<Judged>& judged) {
    return judged ? emphasized(exponent(*judged), judged->met()) : "-";
}

// Largest in a frame, and in which: "12 at 23".
std::string at_frame(int count, double frame) {
    return count > 0 ? fmt::format("{} at {:g}", count, frame) : "0";
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

// The orders that are too low, of threshold and zone area.
std::vector<std::string> low_orders(const SceneQuality& scene) {
    std::vector<std::string> orders;
    for (const auto& [what, figure] : {std::pair("threshold", &ResolutionQuality::threshold),
                                       std::pair("area", &ResolutionQuality::zone_area)}) {
        const double order =
            order_of_convergence(over_resolutions(scene, figure)).value_or(least_order);
        if (order < least_order) orders.push_back(fmt::format("{} {:.2f}", what, order));
    }
    return orders;
}

bool angle_falls(const std::array<double, 3>& angles) {
    return angles[2] < angles[1] && angles[1] < angles[0];
}

// A figure that a bound is for.
struct Verdict {
    bool met = true;
    std::string figure;
};

std::string no_with(const std::vector<std::string>& figures) {
    return figures.empty() ? "yes" : fmt::format("**no**: {}", fmt::join(figures, ", "));
}

// "yes" when all resolutions keep the bound, else the figures of those which do not; "-" where
// there is nothing to judge.
std::string verdict(const SceneQuality& scene,
                    const std::function<std::optional<Verdict>(const ResolutionQuality&)>& judge) {
    std::vector<std::string> not_met;
    bool any = false;
    for (std::size_t r = 0; r < scene.resolutions.size(); ++r) {
        const std::optional<Verdict> verdict = judge(scene.resolutions[r]);
        any = any || verdict.has_value();
        if (verdict && !verdict->met)
            not_met.push_back(fmt::format("{} {}", resolution_names[r], verdict->figure));
    }
    return any ? no_with(not_met) : "-";
}

std::string bounded_percent(const Judged& judged) {
    return fmt::format("{} ({})", percent(judged.value), percent(judged.bound));
}

std::optional<Verdict> resolved(const ResolutionQuality& r) {
    const Judged& worst =
        r.frame.depth.badness() < r.motion.depth.badness() ? r.motion.depth : r.frame.depth;
    return Verdict{worst.met(), bounded_percent(worst)};
}

std::optional<Verdict> shared(const ResolutionQuality& r) {
    std::optional<Verdict> all;
    for (const auto& [what, judged] :
         {std::pair("areas", r.frame.areas), std::pair("apart", r.frame.apart)}) {
        if (!judged) continue;
        if (!all) all.emplace();
        if (judged->met()) continue;
        all->met = false;
        all->figure +=
            fmt::format("{}{} {}", all->figure.empty() ? "" : " ", what, bounded_percent(*judged));
    }
    return all;
}

std::optional<Verdict> volume(const ResolutionQuality& r) {
    if (!r.frame.volume) return std::nullopt;
    return Verdict{r.frame.volume->met(), exponent(*r.frame.volume)};
}

std::optional<Verdict> continuous(const ResolutionQuality& r) {
    if (!r.jump) return std::nullopt;
    return Verdict{r.jump->met(), fmt::format("{:.2g} at {:.2f}", r.jump->value, r.jump_frame)};
}

std::optional<Verdict> repeats(const ResolutionQuality& r) {
    return Verdict{r.same_alone && r.same_threads, r.same_alone ? "threads" : "after other frames"};
}

std::optional<Verdict> not_flipped(const ResolutionQuality& r) {
    return Verdict{r.motion.flips == 0, at_frame(r.motion.flips, r.motion.flips_frame)};
}

std::string crossing_text(const MotionQuality& motion) {
    const bool is_free = motion.crossings == 0;
    std::string text = is_free ? at_frame(motion.other_crossings, motion.other_frame)
                               : at_frame(motion.crossings, motion.crossings_frame);
    if (!motion.why.empty()) text += fmt::format(", {}", motion.why);
    return text;
}

std::optional<Verdict> crossing_free(const ResolutionQuality& r) {
    return Verdict{r.motion.crossings == 0, crossing_text(r.motion)};
}

std::optional<Verdict> safe(const ResolutionQuality& r) {
    return Verdict{r.frame.finite && r.frame.move.met(),
                   r.frame.finite ? fmt::format("{:.2f} D", r.frame.move.value) : "not finite"};
}

std::string border(const SceneQuality& scene) {
    const auto angles = over_resolutions(scene, &ResolutionQuality::border_angle_mean);
    if (angle_falls(angles)) return "yes";
    return fmt::format("**no**: {:.1f}, {:.1f}, {:.1f}", angles[0], angles[1], angles[2]);
}

// Where nothing is to be free of crossings, what there is: it has no bound.
std::string crossings(const SceneQuality& scene) {
    std::string text = verdict(scene, crossing_free);
    if (text != "yes") return text;
    std::vector<std::string> others;
    for (std::size_t r = 0; r < scene.resolutions.size(); ++r)
        if (scene.resolutions[r].motion.other_crossings > 0)
            others.push_back(fmt::format("{} {}", resolution_names[r],
                                         crossing_text(scene.resolutions[r].motion)));
    if (others.empty()) return text;
    return fmt::format("{}: {}",
                       scene.open.empty() ? "closed" : fmt::format("`{}` open", scene.open),
                       fmt::join(others, ", "));
}

std::string summary(std::span<const SceneQuality> scenes) {
    std::string text =
        "| scene | 1 resolved | 2 shared | 3 volume | 4 no jump | 5 border | 6 swap | "
        "7 pose | 8 repeat | 9 converges | 10 no flip | 11 no crossing | safe |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    using R = ResolutionQuality;
    for (const SceneQuality& scene : scenes) {
        const std::array<std::string, 12> cells = {
            verdict(scene, resolved),
            verdict(scene, shared),
            verdict(scene, volume),
            verdict(scene, continuous),
            border(scene),
            verdict(scene,
                    [](const R& r) {
                        return std::optional(Verdict{r.swapped.met(), exponent(r.swapped)});
                    }),
            verdict(scene,
                    [](const R& r) {
                        return std::optional(Verdict{r.moved.met(), exponent(r.moved)});
                    }),
            verdict(scene, repeats),
            no_with(low_orders(scene)),
            verdict(scene, not_flipped),
            crossings(scene),
            verdict(scene, safe)};
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

std::string crossing_table(std::span<const SceneQuality> scenes) {
    std::string text =
        "| scene | open | coarse | middle | fine |\n| --- | --- | --- | --- | --- |\n";
    for (const SceneQuality& scene : scenes) {
        text += fmt::format("| `{}` | {} |", scene.name, scene.open.empty() ? "-" : scene.open);
        for (const ResolutionQuality& quality : scene.resolutions)
            text += fmt::format(
                " {}, {} |", quality.frame.crossings_before,
                emphasized(crossing_text(quality.motion), quality.motion.crossings == 0));
        text += "\n";
    }
    return text;
}

std::string safety(std::span<const SceneQuality> scenes) {
    std::string text =
        "| scene | vertices | | | move | ms | | | last pass, ms (% of the frame) | | |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for (const SceneQuality& scene : scenes) {
        const auto& r = scene.resolutions;
        Judged move = r[0].frame.move;
        for (const ResolutionQuality& quality : r)
            if (quality.frame.move.badness() > move.badness()) move = quality.frame.move;
        text += fmt::format("| `{}` | {} | {} | {} | {} | {:.1f} | {:.1f} | {:.1f} |", scene.name,
                            r[0].vertices, r[1].vertices, r[2].vertices,
                            emphasized(fmt::format("{:.2f}", move.value), move.met()),
                            r[0].milliseconds, r[1].milliseconds, r[2].milliseconds);
        for (const ResolutionQuality& quality : r) {
            const double share =
                quality.milliseconds > 0 ? quality.last_pass / quality.milliseconds : 0;
            text += fmt::format(
                " {} |", emphasized(fmt::format("{:.2f} ({:.0f})", quality.last_pass, 100 * share),
                                    share <= largest_share));
        }
        text += "\n";
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
counts. Flips, crossings and a second depth are taken in every whole frame of the motion. What does not keep its bound is **bold**, with
the bound in brackets behind it where it differs from scene to scene. - is a figure that was not taken, or that has no meaning for the scene.

How meshes from anywhere fare, which nobody has made for this, is in [real-meshes.md](real-meshes.md).

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
    section(
        R"(In every frame: the largest depth that is left of a contact, in % of what it is at its deepest, and where.
)",
        table(scenes, [](const R& r) {
            const Judged& depth = r.motion.depth;
            return depth.value > 0
                       ? fmt::format("{} at {:g}", emphasized(percent(depth.value), depth.met()),
                                     r.motion.depth_frame)
                       : "0";
        }));
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
larger, its frame, and in how many of the steps there is such a jump. Speed is none: a vertex counts as jumping when it still
moves that far within a millionth of a frame.
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
    section(R"(## 10. No flip

Faces that are turned over, in the frame with the most of them: none. A face is turned over when its normal is more than 90 degrees
away from where it was, measured in the face's own deforming frame: the mean normal of two rings of faces about it, weighted by area, is turned
from where it was to where it is by the smallest rotation, and the face's old normal with it (`mesh/flips.hpp`). So a face that is carried round with
the skin about it counts for nothing, and one that folds over in place does.
)",
            table(scenes, [](const R& r) {
                return emphasized(at_frame(r.motion.flips, r.motion.flips_frame),
                                  r.motion.flips == 0);
            }));
    section(R"(## 11. No crossing

Crossing edges before, of the deepest frame; and after, in the frame with the most. Between closed objects none may be left, by the last pass. Where
an object has a border, or the two sides are parts of one skin, there is no such promise, and the report says why.
)",
            crossing_table(scenes));
    section(R"(## Safety and time

The longest move of a vertex as a multiple of D, at most 10; milliseconds for a frame on one core, the median of five frames, each at its
best of three; of these, the last pass, at most a third. For coarse, middle and fine. All results were checked to be finite.
)",
            safety(scenes));
    return page;
}

} // namespace knead::quality
