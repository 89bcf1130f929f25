#include "knead/base/file.hpp"
#include "knead/base/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "figures.hpp"
#include "implicit/solids_testing.hpp"
#include "plot.hpp"

namespace knead::quality {
namespace {

using knead::testing::ball;
using knead::testing::plane_force;
using knead::testing::rigid;
using knead::testing::slab;
using Law = FieldFunction::Law;
using Shape = FieldPiece::Shape;

// The pressure under a plate, at its largest, over how deep it is pressed in.
double stiffness_by_pressing(const std::vector<FieldPiece>& pieces, double top, double depth) {
    const auto pressure = [&](double d) {
        std::vector<SolidDefinition> definitions{knead::testing::solid_of("pressed", pieces, 4000),
                                                 rigid(slab("plate", 4))};
        definitions[0].pose.at = Vec3(0, top - d, 0);
        const std::vector<Solid> solids = make_solids(definitions);
        const SolidContact contact = press(solids[0].sampled(), solids[1].sampled());
        const PressedSide& side = contact.sides[0];
        return largest_pressure(solids[0].sampled(), solids[1].sampled(),
                                side.find(side.deepest)->position);
    };
    return (pressure(depth + 0.01) - pressure(depth - 0.01)) / 0.02;
}

std::vector<FieldPiece> jointed_rod(const FieldFunction& f, double x) {
    const auto kind = FieldPiece::Kind::convolution;
    return {{Shape::chain, {{-5 - x, 0, 0}, {0 - x, 0, 0}}, f, kind},
            {Shape::chain, {{0 - x, 0, 0}, {0.7 - x, 0, 0}, {5 - x, 0, 0}}, f, kind}};
}

// Balls, blends and rods of random laws.
SolidDefinition random_solid(Random& random, const std::string& name) {
    const double radius = random.uniform(0.5, 1), layer = random.uniform(0.3, 1);
    const FieldFunction f{radius, radius + layer, random.uniform(0.8, 2.9) / layer,
                          random.index(2) == 0 ? Law::linear : Law::nonlinear};
    const auto kind =
        random.index(2) == 0 ? FieldPiece::Kind::distance : FieldPiece::Kind::convolution;
    std::vector<FieldPiece> pieces;
    switch (random.index(3)) {
    case 0:
        pieces = {{Shape::point, {Vec3::Zero()}, f}};
        break;
    case 1:
        pieces = {{Shape::point, {Vec3(-0.6, 0, 0)}, f}, {Shape::point, {Vec3(0.6, 0.1, 0)}, f}};
        break;
    default:
        pieces = {{Shape::chain, {{-1.2, 0, 0}, {0.1, 0.3, 0}, {1.2, 0, 0.4}}, f, kind}};
    }
    SolidDefinition solid = knead::testing::solid_of(name, pieces, 900);
    solid.pose.turn = random.rotation().toRotationMatrix();
    return solid;
}

struct SurfaceFigures {
    int contacts = 0, points = 0, unresolved = 0;
    double worst = 0, mean = 0, worst_opposite = 0;
};

void look_at(const Solid& a, const Solid& b, SurfaceFigures& figures) {
    const SolidContact contact = press(a.sampled(), b.sampled());
    if (!contact.touches()) return;
    ++figures.contacts;
    figures.unresolved += contact.unresolved;
    for (int side = 0; side < 2; ++side) {
        const Solid &self = side == 0 ? a : b, &other = side == 0 ? b : a;
        for (const ContactPoint& point : contact.sides[side].points) {
            if (point.depth < 0 || !point.resolved) continue;
            const double f = self.sampled().placed.value(point.position),
                         g = other.sampled().placed.value(point.position);
            // A rigid solid's own samples are on the contact surface when they are on its own.
            const double error = std::abs(other.definition.rigid  ? g - 1
                                          : self.definition.rigid ? f - 1
                                                                  : f - g);
            figures.worst = std::max(figures.worst, error);
            figures.mean += error;
            ++figures.points;
        }
    }
    const SolidContact back = press(b.sampled(), a.sampled());
    figures.worst_opposite = std::max(figures.worst_opposite,
                                      (contact.force + back.force).norm() / contact.force.norm());
}

// The integral of the smaller field less 1 where a plane is `depth` deep in a ball: of k (r0 - r)
// over the cap.
double plane_energy(const FieldFunction& f, double depth) {
    double sum = 0;
    constexpr int steps = 20000;
    for (int i = 0; i < steps; ++i)
        sum += plane_force(f, depth * (i + 0.5) / steps) * depth / steps;
    return sum;
}

} // namespace

std::string press_section(const FigureSettings& settings) {
    settings.say("stiffness by pressing");
    std::string rows;
    const auto row = [&](const std::string& what, double depth, double measured, double expected) {
        rows += fmt::format("| {} | {:g} | {:.4f} | {:.4f} | {:+.3f} % |\n", what, depth, measured,
                            expected, 100 * (measured / expected - 1));
    };
    for (const Law law : {Law::linear, Law::nonlinear}) {
        const FieldFunction f{1, 1.5, 4, law};
        const FieldPolynomial polynomial(f);
        const std::string name = law == Law::linear ? "linear" : "nonlinear";
        for (const double depth : {0.05, 0.2, 0.4, 0.6})
            row("ball, " + name, depth,
                stiffness_by_pressing({{Shape::point, {Vec3::Zero()}, f}}, 1, depth),
                -polynomial.slope(1 - depth));
        for (const double x : {0.0, 0.35, 0.7, 2.0})
            row(fmt::format("convolution rod, {}, {}", name,
                            x == 0.0 || x == 0.7 ? "at a joint" : fmt::format("at {:g}", x)),
                0.2, stiffness_by_pressing(jointed_rod(f, x), 1, 0.2), -polynomial.slope(0.8));
    }
    const FieldFunction f{1, 1.8, 2};
    for (const double apart : {0.3, 0.5, 0.7}) {
        const std::vector<FieldPiece> pair{{Shape::point, {Vec3(-apart, 0, 0)}, f},
                                           {Shape::point, {Vec3(apart, 0, 0)}, f}};
        const Field field(pair);
        const double top = field.project({0, 1, 0}, 1)->y();
        row(fmt::format("two points, {:g} apart, blended", 2 * apart), 0.2,
            stiffness_by_pressing(pair, top, 0.2), field.at({0, top - 0.2, 0}).gradient.norm());
    }
    return fmt::format(
        "A flat rigid plate presses from below; the stiffness is the change of the largest "
        "pressure over 0.02 of depth. Expected is the slope of the field there: -f'(r), or the "
        "gradient of the sum where fields blend.\n\n| | depth | measured | expected | error |\n"
        "| --- | --- | --- | --- | --- |\n{}",
        rows);
}

std::string contact_section(const FigureSettings& settings) {
    std::string rows;
    Random random(101);
    for (const bool is_rigid : {false, true})
        for (const double depth : {0.001, 0.01, 0.05, 0.1, 0.2, 0.4}) {
            settings.say(fmt::format("contact surfaces, depth {:g}{}", depth,
                                     is_rigid ? ", one is rigid" : ""));
            SurfaceFigures figures;
            for (int i = 0; i < 40; ++i) {
                std::vector<SolidDefinition> definitions{random_solid(random, "a"),
                                                         random_solid(random, "b")};
                definitions[1].rigid = is_rigid;
                // From the first touch along a random way on, as deep.
                const Vec3 way = random.direction();
                std::vector<Solid> solids = make_solids(definitions);
                const auto touch_at = [&](double distance) {
                    solids[1].pose.at = distance * way;
                    return interpenetrate(solids[0].sampled(), solids[1].sampled());
                };
                double distance = 6;
                while (!touch_at(distance)) distance -= 0.05;
                double low = distance, high = distance + 0.05;
                for (int k = 0; k < 40; ++k) {
                    const double middle = 0.5 * (low + high);
                    (touch_at(middle) ? low : high) = middle;
                }
                touch_at(low - depth);
                look_at(solids[0], solids[1], figures);
            }
            rows += fmt::format("| {:g} | {} | {} | {} | {:.1e} | {:.1e} | {} | {:.1e} |\n", depth,
                                is_rigid ? "one" : "none", figures.contacts, figures.points,
                                figures.worst, figures.mean / std::max(1, figures.points),
                                figures.unresolved, figures.worst_opposite);
        }
    return "Forty random pairs a row: points, blends, chains as distance or convolution, both "
           "laws, random turns, 900 samples each. The error is |f_i - f_j| at the samples in "
           "contact, or |f_j - 1| against a rigid solid. Opposite forces: what the sum of the "
           "force on one and, computed the other way round, on the other leaves, over the force. "
           "Depths go from the first touch on, along a random way. Samples are unresolved where no "
           "such surface comes before the skeleton: the layer of some solids is 0.5 thick, and "
           "bent ones are met from the side.\n\n"
           "| depth | rigid | pairs that touch | samples | largest error | mean | unresolved | "
           "force and its opposite |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n" +
           rows;
}

std::string force_section(const FigureSettings& settings) {
    const FieldFunction f{1, 1.5, 4};
    std::string forces, energies, coarse;
    Plot plot;
    plot.logarithmic = true;
    plot.x_label = "samples";
    plot.y_label = "error of the force";
    const std::vector<double> depths{0.05, 0.1, 0.2, 0.4};
    for (const double depth : depths) {
        PlotSeries series;
        series.name = fmt::format("depth {:g}", depth);
        series.pieces.resize(1);
        series.dots = true;
        plot.series.push_back(series);
    }
    for (const int samples : {300, 600, 1300, 2500, 5000, 10000, 20000}) {
        settings.say(fmt::format("force of a plane on a ball, {} samples", samples));
        const SolidDefinition unturned = ball("ball", Vec3::Zero(), samples, f);
        std::vector<double> force_errors, energy_errors, coarse_errors;
        for (std::size_t d = 0; d < depths.size(); ++d) {
            // The mean size over some turns, so that no sample is lucky.
            Random random(7);
            double force_error = 0, energy_error = 0, coarse_error = 0;
            constexpr int turns = 8;
            for (int i = 0; i < turns; ++i) {
                SolidDefinition definition = unturned;
                definition.pose.turn = random.rotation().toRotationMatrix();
                definition.pose.at = Vec3(0, 1 - depths[d], 0);
                const std::vector<Solid> solids =
                    make_solids(std::vector{definition, rigid(slab("floor", 3))});
                const SolidContact contact = press(solids[0].sampled(), solids[1].sampled());
                const double expected = plane_force(f, depths[d]);
                double sum = 0;
                for (const ContactPoint& point : contact.sides[0].points)
                    if (point.depth >= 0) sum += point.pressure;
                const double area = 4 * std::numbers::pi / solids[0].samples.count();
                coarse_error += std::abs(sum * area / expected - 1) / turns;
                force_error += (contact.force - Vec3(0, expected, 0)).norm() / expected / turns;
                energy_error +=
                    std::abs(contact_energy(solids[0].sampled(), solids[1].sampled(), contact) /
                                 plane_energy(f, depths[d]) -
                             1) /
                    turns;
            }
            force_errors.push_back(force_error);
            energy_errors.push_back(energy_error);
            coarse_errors.push_back(coarse_error);
            plot.series[d].pieces[0].emplace_back(samples, force_error);
        }
        forces += fmt::format("| {} |", samples);
        energies += fmt::format("| {} |", samples);
        coarse += fmt::format("| {} |", samples);
        for (const double error : force_errors) forces += fmt::format(" {:.3f} % |", 100 * error);
        for (const double error : energy_errors)
            energies += fmt::format(" {:.3f} % |", 100 * error);
        for (const double error : coarse_errors) coarse += fmt::format(" {:.2f} % |", 100 * error);
        forces += "\n";
        coarse += "\n";
        energies += "\n";
    }
    write_file_atomically(settings.pictures / "force-convergence.svg", to_svg(plot));
    std::string head = "| samples |", line = "\n| --- |";
    for (const double depth : depths) {
        head += fmt::format(" depth {:g} |", depth);
        line += " --- |";
    }
    return fmt::format(
        "A flat rigid floor presses a ball (radius 1, influence 1.5, stiffness 4). Error of the "
        "force vector against the closed form, the mean of eight turns of the samples:\n\n{0}{1}\n"
        "{2}\nFor comparison, the pressures at the samples times a mean area a sample, as in the "
        "paper:\n\n{0}{1}\n{5}\nError of the energy against the integral of the closed "
        "force:\n\n{0}{1}\n{3}\n"
        "![Error of the force over samples]({4})\n",
        head, line, forces, energies, settings.link("force-convergence.svg"), coarse);
}

} // namespace knead::quality
