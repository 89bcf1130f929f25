#include "knead/base/file.hpp"
#include "knead/base/parallel.hpp"
#include "knead/solve/condensed_anticipation.hpp"
#include "knead/solve/full_anticipation.hpp"
#include "knead/solve/iterative_anticipation.hpp"

#include <Eigen/SparseCholesky>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "figures.hpp"
#include "plot.hpp"
#include "processor_time.hpp"
#include "solve/contact_cases.hpp"

namespace knead::quality {
namespace {

using testing_contact::ContactCase;
using testing_contact::make_pile;
using testing_contact::PileSettings;

constexpr int most_contacts = 25600, most_full = 6400;
constexpr double precision = 1e-4;

// Fewer contacts cost what the bodies do.
constexpr double fit_from = 800;

// The power of x that y grows with, by least squares.
double power_of(std::span<const Vec2> points) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const Vec2& point : points) {
        if (point.x() < fit_from) continue;
        ++n;
        const double a = std::log(point.x()), b = std::log(point.y());
        x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

double last_power(std::span<const Vec2> points) {
    return power_of(points.last(3));
}

using Factors = Eigen::SimplicialLLT<Eigen::SparseMatrix<double>>;

// As the simulation has them anyway, from the solve without contact.
std::vector<std::unique_ptr<Factors>> factorise(const ContactCase& pile) {
    std::vector<std::unique_ptr<Factors>> result;
    for (std::size_t b = 0; b + 1 < pile.bodies.size(); ++b) {
        const int first = pile.bodies[b], end = pile.bodies[b + 1];
        std::vector<Eigen::Triplet<double>> entries;
        for (int row = first; row < end; ++row)
            for (int e = pile.matrix->starts[row]; e < pile.matrix->starts[row + 1]; ++e)
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 3; ++j)
                        entries.emplace_back(3 * (row - first) + i,
                                             3 * (pile.matrix->columns[e] - first) + j,
                                             pile.matrix->values[e](i, j));
        Eigen::SparseMatrix<double> matrix(3 * (end - first), 3 * (end - first));
        matrix.setFromTriplets(entries.begin(), entries.end());
        result.push_back(std::make_unique<Factors>(matrix));
    }
    return result;
}

// Best of three.
double milliseconds_of(const auto& call) {
    double best = 1e300;
    for (int i = 0; i < 3; ++i) {
        const ProcessorTime watch;
        call();
        best = std::min(best, watch.milliseconds());
    }
    return best;
}

double difference(const ContactResponse& a, const ContactResponse& b) {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < a.dv.size(); ++i) {
        sum += (a.dv[i] - b.dv[i]).squaredNorm();
        size += b.dv[i].squaredNorm();
    }
    return std::sqrt(sum / size);
}

} // namespace

std::string solver_section(const FigureSettings& settings) {
    const ThreadLimit limit(1);
    std::vector<Vec2> iterative, condensed, full;
    std::string rows;
    for (int contacts = 100; contacts <= most_contacts; contacts *= 2) {
        settings.say(fmt::format("{} contacts", contacts));
        PileSettings pile_settings;
        pile_settings.bodies = 164;
        pile_settings.contacts = contacts;
        const ContactCase pile = make_pile(pile_settings);

        AnticipationSettings anticipation;
        anticipation.enough = anticipation.dynamics_tolerance = precision;
        AnticipationWorkspace anticipation_workspace;
        ContactResponse a;
        const double iterative_time = milliseconds_of([&] {
            a = pile.zero();
            solve_iterative_anticipation(pile.problem, anticipation, a, anticipation_workspace);
        });
        iterative.emplace_back(contacts, iterative_time);

        const auto factors = factorise(pile);
        const BodySolve solve = [&](int body, Eigen::Ref<Eigen::MatrixXd> columns) {
            columns = factors[body]->solve(columns).eval();
        };
        CondensedSettings condensed_settings;
        condensed_settings.enough = precision;
        CondensedWorkspace condensed_workspace;
        ContactResponse b;
        const double condensed_time = milliseconds_of([&] {
            condensed_workspace.forget();
            b = pile.zero();
            solve_condensed_anticipation(pile.problem, condensed_settings, solve, b,
                                         condensed_workspace);
        });
        condensed.emplace_back(contacts, condensed_time);

        rows += fmt::format("| {} | {:.1f} | {} | {:.1f} | {} |", contacts, iterative_time,
                            a.outer_iterations, condensed_time, b.inner_iterations);
        if (contacts > most_full) {
            rows += " | | | |\n";
            continue;
        }
        FullAnticipationSettings full_settings;
        full_settings.enough = 0.1 * precision; // of a correction, of which there are more to come
        ContactResponse c = pile.zero();
        const ProcessorTime watch;
        solve_full_anticipation(pile.problem, full_settings, c);
        full.emplace_back(contacts, watch.milliseconds());
        rows += fmt::format(" {:.1f} | {} | {:.0e} | {:.0e} |\n", full.back().y(),
                            c.inner_iterations, difference(a, c), difference(b, c));
    }
    Plot plot;
    plot.logarithmic = true;
    plot.x_label = "contacts";
    plot.y_label = "milliseconds";
    const auto add = [&](const std::string& name, const std::vector<Vec2>& points) {
        plot.series.push_back(
            {fmt::format("{}: n^{:.2f}", name, power_of(points)), {points}, true});
    };
    add("iterative", iterative);
    add("condensed", condensed);
    add("full", full);
    write_file_atomically(settings.pictures / "solvers.svg", to_svg(plot));
    return fmt::format(
        "Piles of 164 soft cubes of 64 nodes, stiffness dt2 k / m = 100, without friction, one "
        "thread (processor time), to 1e-4; the figure that [OTSG09] has as number 6. Condensed "
        "anticipation has the "
        "factors of the bodies already, as the simulation does; full anticipation makes them. "
        "Differences are of the velocities, against full anticipation.\n\n"
        "| contacts | iterative, ms | outer iterations | condensed, ms | passes | full, ms | "
        "passes "
        "| iterative off by | condensed off by |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n{}\n"
        "From 800 contacts on, time grows with them to the power {:.2f} (iterative), {:.2f} "
        "(condensed) and {:.2f} (full); over the last two doublings {:.2f}, {:.2f} and {:.2f}. "
        "With many contacts a node, iterative anticipation needs more iterations.\n\n"
        "![Time over contacts, both logarithmic]({})\n",
        rows, power_of(iterative), power_of(condensed), power_of(full), last_power(iterative),
        last_power(condensed), last_power(full), settings.link("solvers.svg"));
}

} // namespace knead::quality
