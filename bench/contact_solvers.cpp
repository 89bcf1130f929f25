// What iterative and full anticipation cost on piles of soft cubes, against the number of contacts,
// the stiffness and the way to end.
//
//     bench_contact_solvers [most contacts] [most contacts of full anticipation]

#include "knead/base/error.hpp"
#include "knead/solve/full_anticipation.hpp"
#include "knead/solve/iterative_anticipation.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "solve/contact_cases.hpp"

namespace {

using namespace knead;
using testing_contact::ContactCase;
using testing_contact::make_pile;
using testing_contact::PileSettings;

double seconds_of(const auto& call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The power of x that y grows with, by least squares over the points from `first` on.
struct Growth {
    std::vector<double> at, value;
    void add(double x, double y) {
        at.push_back(std::log(x));
        value.push_back(std::log(y));
    }
    double power(std::size_t first) const {
        double n = 0, x = 0, y = 0, xx = 0, xy = 0;
        for (std::size_t i = first; i < at.size(); ++i) {
            n += 1, x += at[i], y += value[i];
            xx += at[i] * at[i], xy += at[i] * value[i];
        }
        return (n * xy - x * y) / (n * xx - x * x);
    }
    // Few contacts cost what the bodies do; what counts for many is how the last two doublings
    // went.
    std::string text() const {
        return fmt::format("{:.2f} ({:.2f})", power(0), power(at.size() < 3 ? 0 : at.size() - 3));
    }
};

ContactResponse iterate(const ContactCase& pile, const AnticipationSettings& settings,
                        double& seconds) {
    AnticipationWorkspace workspace;
    ContactResponse response = pile.zero();
    solve_iterative_anticipation(pile.problem, settings, response, workspace);
    // With the memory there already, the best of three.
    seconds = 1e9;
    for (int i = 0; i < 3; ++i) {
        response = pile.zero();
        seconds =
            std::min(seconds, seconds_of([&] {
                         solve_iterative_anticipation(pile.problem, settings, response, workspace);
                     }));
    }
    return response;
}

void measure_contacts(int most, int most_full) {
    fmt::print(
        "164 cubes of 64 nodes, stiffness 100, both to 1e-4\n"
        "contacts | iterative: ms  outer  inner | with friction: ms  outer  inner | full: ms "
        " passes | difference\n");
    AnticipationSettings settings;
    settings.enough = settings.dynamics_tolerance = 1e-4;
    Growth iterative, frictional, fully;
    for (int contacts = 100; contacts <= most; contacts *= 2) {
        PileSettings pile_settings;
        pile_settings.bodies = 164;
        pile_settings.contacts = contacts;
        const ContactCase pile = make_pile(pile_settings);
        double seconds = 0, friction_seconds = 0;
        const ContactResponse a = iterate(pile, settings, seconds);
        pile_settings.friction = 0.5;
        const ContactResponse b = iterate(make_pile(pile_settings), settings, friction_seconds);
        iterative.add(contacts, seconds);
        frictional.add(contacts, friction_seconds);
        fmt::print("{:8} | {:13.1f} {:6} {:6} | {:17.1f} {:6} {:6} |", contacts, 1e3 * seconds,
                   a.outer_iterations, a.inner_iterations, 1e3 * friction_seconds,
                   b.outer_iterations, b.inner_iterations);
        if (contacts <= most_full) {
            ContactResponse c = pile.zero();
            FullAnticipationSettings full;
            full.enough = 1e-5; // of a correction, of which there are more to come
            const double full_seconds =
                seconds_of([&] { solve_full_anticipation(pile.problem, full, c); });
            fully.add(contacts, full_seconds);
            double difference = 0, size = 0;
            for (std::size_t i = 0; i < a.dv.size(); ++i) {
                difference += (a.dv[i] - c.dv[i]).squaredNorm();
                size += c.dv[i].squaredNorm();
            }
            fmt::print(" {:8.1f} {:7} | {:.1e}", 1e3 * full_seconds, c.inner_iterations,
                       std::sqrt(difference / size));
        }
        fmt::print("{}\n", a.converged && b.converged ? "" : " not converged");
        std::fflush(stdout);
    }
    fmt::print(
        "time grows with contacts to the power {}, with friction {}, full {}; in brackets over the "
        "last two doublings\n\n",
        iterative.text(), frictional.text(), fully.text());
}

void measure_stiffness() {
    fmt::print("164 cubes of 64 nodes, 3200 contacts with friction: outer iterations and ms\n"
               "stiffness | to 1e-2 | to 1e-3 | to 1e-4 | without positions, to 1e-3 | until small "
               "change\n");
    for (const double stiffness : {1.0, 10.0, 100.0, 1e3, 1e4, 1e5}) {
        PileSettings pile_settings;
        pile_settings.bodies = 164;
        pile_settings.contacts = 3200;
        pile_settings.friction = 0.5;
        pile_settings.stiffness = stiffness;
        ContactCase pile = make_pile(pile_settings);
        fmt::print("{:9} |", stiffness);
        AnticipationSettings settings;
        const auto show = [&] {
            double seconds = 0;
            const ContactResponse response = iterate(pile, settings, seconds);
            fmt::print(" {} {:.0f}{} |", response.outer_iterations, 1e3 * seconds,
                       response.converged ? "" : " failed");
            std::fflush(stdout);
            return response;
        };
        for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
            settings.enough = settings.dynamics_tolerance = tolerance;
            show();
        }
        settings.enough = settings.dynamics_tolerance = 1e-3;
        pile.problem.positions = {};
        show();
        pile.problem.positions = pile.positions;
        settings.end = AnticipationEnd::small_change;
        settings.enough = 1e-2;
        fmt::print(" leaves {:.1e} of the forces\n", show().dynamics_residual);
    }
}

} // namespace

int main(int argc, char** argv) {
    try {
        measure_contacts(argc > 1 ? std::atoi(argv[1]) : 6400,
                         argc > 2 ? std::atoi(argv[2]) : 6400);
        measure_stiffness();
    } catch (const Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 3;
    }
}
