#include "knead/base/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "figures.hpp"
#include "implicit/solids_testing.hpp"
#include "plot.hpp"

namespace knead::quality {
namespace {

using Shape = FieldPiece::Shape;

// What presses on a ball from above.
struct Presser {
    std::string name;
    std::vector<FieldPiece> pieces;
};

std::vector<Presser> pressers() {
    const FieldFunction f{0.7, 1.2, 3};
    return {{"ball", {{Shape::point, {Vec3::Zero()}, {1, 1.5, 4}}}},
            {"blend of two segments",
             {{Shape::chain, {{-1, 0, 0}, {0, 0.1, 0}}, f},
              {Shape::chain, {{0, 0.1, 0}, {1, 0, 0.2}}, f}}},
            {"convolution",
             {{Shape::chain,
               {{-1, 0, 0}, {0.2, 0.3, 0}, {1, 0, 0.5}},
               f,
               FieldPiece::Kind::convolution}}}};
}

// The surface of a pressed ball in a plane through the axis: how far from the centre at an angle
// from the axis.
class BallProfile {
public:
    BallProfile(const DeformedField& field, const Vec3& across) : field_(field), across_(across) {}

    Vec3 at(double angle) const {
        const Vec3 way = direction(angle);
        double out = 2, in = out;
        while (in > 0.2 && !field_.contains(in * way)) {
            out = in;
            in -= 2e-3;
        }
        for (int i = 0; i < 60; ++i) {
            const double middle = 0.5 * (in + out);
            (field_.contains(middle * way) ? in : out) = middle;
        }
        return in * way;
    }
    bool in_contact(double angle) const {
        return field_.neighbours()[0].field.value(direction(angle)) >= 1;
    }
    // The angle between the surface on one side and that on the other, a step away each.
    double bend(double angle, double step) const {
        const Vec3 a = at(angle - step) - at(angle - 2 * step),
                   b = at(angle + 2 * step) - at(angle + step);
        return std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / std::numbers::pi;
    }

private:
    Vec3 direction(double angle) const {
        return std::cos(angle) * Vec3::UnitY() + std::sin(angle) * across_;
    }
    const DeformedField& field_;
    Vec3 across_;
};

struct Ends {
    double contact, bulge;
};

Ends ends_of(const BallProfile& profile) {
    Ends ends{0, 0};
    double low = 0, high = 1.5;
    for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (low + high);
        (profile.in_contact(middle) ? low : high) = middle;
    }
    ends.contact = high;
    double bulged = high, still = 2.5;
    for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (bulged + still);
        (profile.at(middle).norm() > 1 + 1e-9 ? bulged : still) = middle;
    }
    ends.bulge = still;
    return ends;
}

constexpr std::array crease_steps = {8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4};

std::string crease_row(const std::string& name, const BallProfile& profile, double angle,
                       PlotSeries* series) {
    std::string row = "| " + name + " |";
    for (const double step : crease_steps) {
        const double bend = profile.bend(angle, step);
        row += fmt::format(" {:.3f} |", bend);
        if (series != nullptr) series->pieces[0].emplace_back(step, std::max(bend, 1e-4));
    }
    return row + "\n";
}

// A ball on something, with a propagation.
struct VolumeCase {
    double depth = 0.1, width = 1, influence = 2, compressibility = 0;
    bool rigid_other = true;
    bool on_ball = false; ///< instead of a floor
};

std::string volume_row(const VolumeCase& at, double& worst_free, int& stopped, int& all) {
    const double layer = at.influence - 1;
    std::vector<SolidDefinition> definitions{
        knead::testing::ball("ball", {0, 1 - at.depth, 0}, 4000, {1, at.influence, 1.5 / layer}),
        at.on_ball ? knead::testing::ball("other", {0, -1, 0}, 2000, {1, 2, 1.5})
                   : knead::testing::slab("other", 4, {0.6, 1.4, 2})};
    definitions[1].rigid = at.rigid_other;
    definitions[0].propagation = {at.width, 0, at.compressibility};
    const std::vector<Solid> solids = knead::make_solids(definitions);
    const SolidFrame frame = frame_of(solids, find_contacts(solids));
    const SolidShape shape = deformed_shape(solids, frame, 0);
    const double displaced = shape.volume_at_rest - shape.volume_in_contact;
    if (!(displaced > 0) || frame.solids[0].touches.empty()) return "";
    const double restored = shape.volume - shape.volume_in_contact,
                 wanted = (1 - at.compressibility) * displaced;
    const double error = wanted > 0 ? restored / wanted - 1 : 0;
    const double height = frame.solids[0].touches[0].height;
    const bool highest = height > 0.9499;
    const bool met = std::abs(restored - wanted) <= 0.02 * displaced;
    ++all;
    if (met)
        worst_free = std::max(worst_free, std::abs(restored - wanted) / displaced);
    else
        ++stopped;
    const std::string why = met                          ? ""
                            : highest && shape.truncated ? "largest height, and truncated"
                            : highest                    ? "largest height"
                            : shape.truncated            ? "truncated"
                                                         : "neither";
    return fmt::format(
        "| {:g} | {:g} | {:g} | {} | {:g} | {:.4f} | {:.4f} | {} | {:.3f} | {} | {} |\n", at.depth,
        at.width, at.influence,
        fmt::format("{} {}", at.rigid_other ? "rigid" : "soft", at.on_ball ? "ball" : "floor"),
        at.compressibility, displaced, restored,
        wanted > 0 ? fmt::format("{:+.1f} %", 100 * error) : "", height,
        shape.truncated ? "yes" : "", met ? "within 2 %" : "stopped: " + why);
}

} // namespace

std::string crease_section(const FigureSettings& settings) {
    std::string rows;
    Plot plot;
    plot.logarithmic = true;
    plot.x_label = "step of the difference, radians";
    plot.y_label = "angle at the end of contact, degrees";
    for (const bool is_rigid : {false, true})
        for (const Presser& presser : pressers())
            for (const double depth : {0.1, 0.3}) {
                settings.say(fmt::format("creases, {}{}, depth {:g}", is_rigid ? "rigid " : "",
                                         presser.name, depth));
                SolidDefinition self = knead::testing::ball("ball", {0, 0, 0}, 1500),
                                other = knead::testing::solid_of("other", presser.pieces, 500);
                other.rigid = is_rigid;
                other.pose.at.y() = 1 - depth - Field(other.pieces).project({0, -0.6, 0}, 1)->y();
                self.propagation = {0.8, 0.5, {}};
                const std::vector<Solid> solids = knead::make_solids(std::vector{self, other});
                const SolidFrame frame = frame_of(solids, find_contacts(solids));
                const DeformedField field = deformed_field(solids, frame, 0);
                const BallProfile profile(field, Vec3(0.6, 0, 0.8));
                const Ends ends = ends_of(profile);
                PlotSeries* series = nullptr;
                const std::string name =
                    fmt::format("{}{}, {:g}", is_rigid ? "rigid " : "", presser.name, depth);
                if (depth == 0.3) {
                    plot.series.emplace_back();
                    series = &plot.series.back();
                    series->name =
                        (is_rigid ? "rigid " : "") + presser.name.substr(0, presser.name.find(' '));
                    series->pieces.resize(1);
                    series->dots = true;
                }
                rows += crease_row(name + ", contact", profile, ends.contact, series) +
                        crease_row(name + ", bulge", profile, ends.bulge, nullptr);
            }
    write_file_atomically(settings.pictures / "creases.svg", to_svg(plot));
    std::string head = "| |", line = "\n| --- |";
    for (const double step : crease_steps) {
        head += fmt::format(" {:g} |", step);
        line += " --- |";
    }
    return fmt::format(
        "Something presses on a ball from above (propagation width 0.8, attenuation 0.5). The "
        "angle in degrees by which the surface bends across the end of the contact and across the "
        "end of the bulge, against the step of the finite difference in radians. A crease would "
        "keep its angle; that of a smooth surface goes to 0 with the step.\n\n{}{}\n{}\n"
        "![Angles at the end of contact]({})\n",
        head, line, rows, settings.link("creases.svg"));
}

std::string volume_section(const FigureSettings& settings) {
    std::string rows;
    double worst_free = 0;
    int stopped = 0, all = 0;
    const auto add = [&](const VolumeCase& at) {
        settings.say(fmt::format("volume, depth {:g}, width {:g}, influence {:g}", at.depth,
                                 at.width, at.influence));
        rows += volume_row(at, worst_free, stopped, all);
    };
    for (const double compressibility : {0.0, 0.5, 1.0})
        for (const double depth : {0.05, 0.1, 0.2, 0.3, 0.4, 0.5})
            add({depth, 1, 2, compressibility, true});
    for (const double width : {0.15, 0.3, 0.6, 1.5})
        for (const double depth : {0.1, 0.3, 0.5}) add({depth, width, 2, 0, true});
    for (const double influence : {1.3, 1.6, 3.0})
        for (const double depth : {0.1, 0.3, 0.5}) add({depth, 1, influence, 0, true});
    for (const double depth : {0.05, 0.1, 0.2, 0.3, 0.4, 0.5}) add({depth, 1, 2, 0, false});
    for (const bool is_rigid : {false, true})
        for (const double width : {0.3, 1.0})
            for (const double depth : {0.1, 0.3, 0.5}) add({depth, width, 2, 0, is_rigid, true});
    return fmt::format(
        "A ball of radius 1 (4000 samples, stiffness 1.5 over the layer outside it) on a flat "
        "floor or another ball, with a compressibility: the part of the displaced volume that is "
        "to be lost. "
        "Displaced and restored volumes are those of the samples. The last column says whether "
        "the volume is within 2 % of the displaced volume, and if not what stopped the bulge: the "
        "surface between both solids, where it is truncated, or the largest height of 0.95.\n\n"
        "Of {} cases {} are within 2 %, the worst of them by {:.2f} %; {} {} stopped.\n\n"
        "| depth | width | influence | on | compressibility | displaced | restored | against "
        "what is asked for | height | truncated | |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n{}",
        all, all - stopped, 100 * worst_free, stopped, stopped == 1 ? "is" : "are", rows);
}

} // namespace knead::quality
