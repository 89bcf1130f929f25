// One contact by all three methods: what each makes of a ball on a floor.

#include "knead/base/file.hpp"
#include "knead/deform/deform.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/simulated.hpp"
#include "figures.hpp"
#include "implicit/solids_testing.hpp"
#include "plot.hpp"
#include "pressed_ball.hpp"

namespace knead::quality {
namespace {

struct MethodResult {
    std::string name;
    const TriangleMesh* mesh; ///< at rest
    std::vector<Vec3> positions;
};

// A ball that is pulled down until its top is as low as that of a hard ball that is so deep in the
// floor; gravity is turned up until it is.
class PulledBall {
public:
    PulledBall()
        : simulation_(
              {soft_ball_body("ball", ball_mesh(1, Vec3(0, 1.004, 0), 4)), soft_ball_ground()},
              testing_dynamics::keep_apart(ball_tolerance)) {}

    void pull_to(double depth) {
        if (wanted_ > 0) gravity_ *= std::pow(depth / wanted_, 1.5);
        wanted_ = depth;
        for (int round = 0; round < 10; ++round) {
            for (int i = 0; i < 8; ++i)
                simulation_.step(testing_dynamics::go_on(0.1, Vec3(0, -gravity_, 0)));
            const double off = depth / std::max(this->depth(), 0.01);
            if (std::abs(off - 1) < 5e-3) break;
            gravity_ *= std::clamp(std::pow(off, 1.2), 0.5, 2.0);
        }
    }
    double depth() const { return 2 - highest(simulation_.positions(0)); }
    double gravity() const { return gravity_; }
    std::vector<Vec3> positions() const {
        return {simulation_.positions(0).begin(), simulation_.positions(0).end()};
    }

private:
    Simulation simulation_;
    double gravity_ = 2.2, wanted_ = 0;
};

std::vector<Vec3> by_deformer(const TriangleMesh& input) {
    std::array<DeformSettings, 2> settings;
    settings[1].rigid = true;
    return deform(input, make_grid({6, 6}, {80, 80}), {}, settings)[0];
}

std::vector<Vec3> by_implicit(const TriangleMesh& mesh, double depth,
                              std::optional<double> compressibility, bool& truncated) {
    SolidDefinition solid;
    solid.name = "ball";
    solid.pieces = {{FieldPiece::Shape::point, {Vec3::Zero()}, {1, 2, 1.5}}};
    solid.mesh = mesh;
    solid.pose.at = Vec3(0, 1 - depth, 0);
    solid.propagation.compressibility = compressibility;
    const std::vector<Solid> solids = knead::make_solids(
        std::vector{solid, knead::testing::rigid(knead::testing::slab("floor", 5))});
    const SolidShape shape = deformed_shape(solids, frame_of(solids, find_contacts(solids)), 0);
    truncated = shape.truncated;
    return shape.positions;
}

struct ProfileDistance {
    double mean = 0, largest = 0;
};

double distance_to(const std::vector<std::vector<Vec2>>& pieces, const Vec2& p) {
    double best = 1e300;
    for (const auto& piece : pieces) {
        const Vec2 side = piece[1] - piece[0];
        const double t = side.squaredNorm() > 0
                             ? std::clamp((p - piece[0]).dot(side) / side.squaredNorm(), 0.0, 1.0)
                             : 0;
        best = std::min(best, (p - piece[0] - t * side).norm());
    }
    return best;
}

// Both ways, at the middles of the pieces, by their lengths.
ProfileDistance distance_between(const std::vector<std::vector<Vec2>>& one,
                                 const std::vector<std::vector<Vec2>>& two) {
    ProfileDistance result;
    double length = 0;
    for (const auto& [from, to] : {std::pair(&one, &two), std::pair(&two, &one)})
        for (const auto& piece : *from) {
            const double weight = (piece[1] - piece[0]).norm();
            const double d = distance_to(*to, 0.5 * (piece[0] + piece[1]));
            length += weight;
            result.mean += weight * d;
            result.largest = std::max(result.largest, d);
        }
    result.mean /= length;
    return result;
}

} // namespace

std::string method_section(const FigureSettings& settings) {
    std::string text =
        "A ball of radius 1 (2562 vertices; 10242 for the implicit solid, whose bulge is sharper) "
        "pressed onto a rigid floor at "
        "y = 0: by the deformer with its defaults, by the simulation (1.5e5 Pa, Poisson's ratio "
        "0.45, pulled down by as much gravity as it takes for its top to be as low as that of "
        "the others), and as an implicit solid (influence 2, stiffness 1.5, width 1) with the "
        "default attenuation of 0.3 and with compressibility 0. Distances are between the "
        "profiles in a plane through the axis, over the whole profile; the contact radius is that "
        "of a disc with the area nearer than 0.012 to the floor; the bulge is how far the surface "
        "comes out of the sphere. Pressure of the implicit solid ends at the circle in which the "
        "floor cuts the sphere; its bulge leaves the floor there without a crease, so that more of "
        "it is near the floor.\n";
    PulledBall pulled;
    for (const double wanted : {0.1, 0.2, 0.3, 0.45}) {
        settings.say(fmt::format("three methods, depth {:g}", wanted));
        pulled.pull_to(wanted);
        const double depth = pulled.depth();
        const Vec3 center(0, 1 - depth, 0);
        const TriangleMesh mesh = ball_mesh(1, Vec3::Zero(), 4),
                           fine = ball_mesh(1, Vec3::Zero(), 5);
        TriangleMesh input = mesh;
        for (Vec3& p : input.positions) p += center;
        bool truncated = false, truncated_full = false;
        std::vector<MethodResult> results{
            {"simulated", &mesh, pulled.positions()},
            {"deformed", &mesh, by_deformer(input)},
            {"implicit, attenuation 0.3", &fine, by_implicit(fine, depth, {}, truncated)},
            {"implicit, compressibility 0", &fine, by_implicit(fine, depth, 0.0, truncated_full)}};
        if (truncated) results[2].name += " (truncated)";
        if (truncated_full) results[3].name += " (truncated)";
        std::vector<std::vector<std::vector<Vec2>>> profiles;
        for (const MethodResult& result : results)
            profiles.push_back(section(result.positions, result.mesh->faces));
        std::string rows;
        Plot plot;
        plot.equal_scale = true;
        for (std::size_t r = 0; r < results.size(); ++r) {
            const std::vector<Vec3>& positions = results[r].positions;
            const TriangleMesh& at_rest = *results[r].mesh;
            std::vector<double> gaps;
            for (const Vec3& p : positions) gaps.push_back(p.y());
            const auto distance = [&](std::size_t other) {
                if (other == r) return std::string();
                const ProfileDistance d = distance_between(profiles[r], profiles[other]);
                return fmt::format("{:.4f}, {:.4f}", d.mean, d.largest);
            };
            rows += fmt::format("| {} | {:.3f} | {:.3f} | {:.3f} | {:.1f} % | {} | {} |\n",
                                results[r].name, contact_radius(positions, at_rest.faces, gaps),
                                bulge_height(positions, center, 1), widest(positions),
                                100 * signed_volume(positions, at_rest.faces, center) /
                                    signed_volume(at_rest.positions, at_rest.faces, Vec3::Zero()),
                                distance(0), distance(1));
            PlotSeries series;
            series.name = results[r].name.substr(0, results[r].name.find(" ("));
            series.name = series.name == "implicit, attenuation 0.3"     ? "implicit, 0.3"
                          : series.name == "implicit, compressibility 0" ? "implicit, no loss"
                                                                         : series.name;
            series.pieces = profiles[r];
            plot.series.push_back(std::move(series));
        }
        const std::string file =
            fmt::format("methods-{:03d}.svg", static_cast<int>(std::lround(100 * wanted)));
        write_file_atomically(settings.pictures / file, to_svg(plot));
        text += fmt::format(
            "\n### {:.3f} deep\n\nA cut of the sphere has a radius of {:.3f}. The simulation took "
            "{:.1f} m/s2.\n\n"
            "| | contact radius | bulge | half width | volume | to the simulated: mean, largest | "
            "to the deformed |\n| --- | --- | --- | --- | --- | --- | --- |\n{}\n"
            "![Profiles one over the other]({})\n",
            depth, std::sqrt(depth * (2 - depth)), pulled.gravity(), rows, settings.link(file));
    }
    return text;
}

} // namespace knead::quality
