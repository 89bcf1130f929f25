#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "dynamics/simulated.hpp"
#include "figures.hpp"

namespace knead::quality {

using testing_dynamics::Cantilever;
using testing_dynamics::slide_down;
using testing_dynamics::SlopeMotion;

std::string cantilever_section(const FigureSettings& settings) {
    const Cantilever bar;
    const double known = bar.known_deflection();
    std::string rows;
    double last = 0;
    int last_cells = 0;
    for (const int cells : {5, 10, 15, 20, 30, 40}) {
        settings.say(fmt::format("cantilever, {} cells", cells));
        const double found = bar.simulated_deflection(cells);
        const double error = std::abs(found / known - 1);
        rows += fmt::format(
            "| {} | {:.2f} | {:+.1f} % | {} |\n", cells, 1000 * found, 100 * (found / known - 1),
            last > 0 ? fmt::format("{:.1f}",
                                   std::log(last / error) / std::log(double(cells) / last_cells))
                     : "");
        last = error;
        last_cells = cells;
    }
    return fmt::format(
        "A bar of 1 m by {0:g} m by {0:g} m (Young's modulus {1:g} Pa, Poisson's ratio {2:g}, "
        "{3:g} "
        "kg/m3), fixed at one end, under its own weight, at rest after twelve steps of a second. "
        "Its "
        "tip goes down by {4:.2f} mm after Timoshenko, bending and shear together.\n\n"
        "| cells along the bar | simulated, mm | off by | order |\n| --- | --- | --- | --- |\n{5}\n"
        "Coarse lattices are too stiff in bending, as linear elements are. Pins hold all nodes of "
        "the elements that carry a pinned vertex, so the bar is a part of a cell shorter than it "
        "should be, an error of first order.\n",
        bar.height, bar.young, bar.poisson, bar.density, 1000 * known, rows);
}

std::string slope_section(const FigureSettings& settings) {
    const double friction = 0.5;
    std::string rows;
    const auto show = [](const SlopeMotion& motion) {
        return motion.wanted > 0
                   ? fmt::format("{:.3f} m/s2 ({:+.2f} %)", motion.gained / motion.seconds,
                                 100 * (motion.gained / motion.wanted - 1))
                   : fmt::format("moves {:.1e} m", motion.moved);
    };
    for (const double degrees : {10.0, 20.0, 25.0, 26.0, 27.0, 28.0, 30.0, 35.0, 40.0, 50.0}) {
        settings.say(fmt::format("slope of {} degrees", degrees));
        const double angle = degrees * std::numbers::pi / 180;
        const SlopeMotion rigid = slide_down(BodyKind::rigid, angle, friction),
                          soft = slide_down(BodyKind::volume, angle, friction);
        rows += fmt::format(
            "| {:g} | {} | {} | {} |\n", degrees,
            rigid.wanted > 0 ? fmt::format("{:.3f} m/s2", rigid.wanted / rigid.seconds) : "sticks",
            show(rigid), show(soft));
    }
    return fmt::format(
        "A block of 1 m by 0.5 m by 1 m on a slope, friction {}: it should stick below {:.2f} "
        "degrees and slide above with g (sin - mu cos). 0.4 s to settle, then half a second, in "
        "steps of 10 ms; the soft one has a Young's modulus of 1e6 Pa.\n\n"
        "| degrees | should | rigid block | soft block |\n| --- | --- | --- | --- |\n{}",
        friction, std::atan(friction) * 180 / std::numbers::pi, rows);
}

} // namespace knead::quality
