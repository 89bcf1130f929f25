#include "knead/dynamics/step.hpp"

#include "knead/base/error.hpp"
#include "knead/base/progress.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/base/text.hpp"
#include "knead/dynamics/element_limits.hpp"
#include "knead/solve/full_anticipation.hpp"
#include "knead/spatial/close_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

// Impacts later than the first of their vertex or edge by more than this part of the step are left
// to the next round: what is behind the first obstacle may never be reached.
constexpr double same_time = 0.1;

// Of the tolerance: how far below it the solver may leave a contact.
constexpr double solver_slack = 0.01;

// The same for iterative anticipation, which has to do with less: cloth in many layers would take
// hundreds of iterations otherwise.
constexpr double iterative_slack = 0.1;

// Of the tolerance: pairs that start closer than this get a constraint at once. Resting contacts
// are right at the tolerance.
constexpr double close = 1.25;

// Of the kinetic and elastic energy: what bodies may gain since the start without work done.
constexpr double energy_slack = 0.005;

// Up to this round, elements that would be turned inside out make for another one.
constexpr int element_rounds = 3;

// Numbers that condensed anticipation may hold, 8 bytes each; above that it is iterative.
constexpr double most_condensed = 1.2e6;

// Of the size of a body: what it may move in a step. Further, and it may meet all of itself and of
// the others on its way.
constexpr double longest_way = 1e4;

// What a rigid body may turn in a step: beyond that nobody can tell which way it turns.
constexpr double most_turns = 1e4;

class Refinement {
public:
    Refinement(const World& world, const StepInput& input, const std::stop_token& stop,
               WorldState& state, StepWorkspace& workspace, StepReport& report)
        : world_(world),
          input_(input),
          stop_(stop),
          state_(state),
          work_(workspace),
          report_(report),
          begin_(state.surface) {}

    // From one time of the step to another, both from 0 to 1.
    void take(double from, double to, int halvings_left) {
        const double seconds = (to - from) * input_.seconds;
        set_goals(to);
        Stopwatch watch;
        linearise(world_, state_, input_, work_.motion.goals, seconds, work_.system);
        time("linearise", watch);
        solve_free(world_, state_, input_, work_.system);
        time("free", watch);
        start_contacts();
        time("detect", watch);
        for (int round = 1; round <= world_.settings.max_rounds; ++round) {
            solve();
            time("contacts", watch);
            // Where the scene leaves no room, even shorter steps would not find any either.
            if (round > 1 && halvings_left < world_.settings.max_halvings && is_hopeless(seconds)) {
                halvings_left = 0;
                break;
            }
            bool is_free = look_for_impacts();
            // Elements are looked after, but no step is refused for them.
            if (add_element_limits(world_, state_, work_.system, work_.motion, work_.contacts) >
                    0 &&
                round < element_rounds)
                is_free = false;
            time("detect", watch);
            if (is_free) {
                if (gains_energy(seconds) && halvings_left > 0) break;
                report_.refinement_rounds.push_back(round);
                accept(seconds, false);
                return;
            }
            correct_bounds(world_, state_, work_.system, work_.free_surface, work_.motion.surface,
                           work_.contacts);
            add_impacts();
            time("detect", watch);
        }
        if (halvings_left > 0) {
            ++report_.halvings;
            const double middle = 0.5 * (from + to);
            take(from, middle, halvings_left - 1);
            take(middle, to, halvings_left - 1);
            return;
        }
        solve();
        // Forces that could not hold the constraints are no good start: they may be of any size.
        if (is_unsolved(seconds)) work_.motion.velocities = work_.system.free_velocities;
        hold_back(world_, state_, seconds, work_.motion, work_.candidates, work_.held, stop_);
        time("last resort", watch);
        ++report_.last_resorts;
        report_.refinement_rounds.push_back(world_.settings.max_rounds + 1);
        accept(seconds, true);
    }

private:
    // After a stage of the step, which is also where it can be stopped.
    void time(const char* stage, Stopwatch& watch) {
        check_stop(stop_);
        const double spent = watch.milliseconds();
        watch = Stopwatch();
        for (auto& [name, milliseconds] : report_.milliseconds)
            if (name == stage) {
                milliseconds += spent;
                return;
            }
        report_.milliseconds.emplace_back(stage, spent);
    }

    // Where the scene wants vertices at a time of the step. Bodies without targets stay.
    void set_goals(double at) {
        work_.motion.goals = begin_;
        for (std::size_t b = 0; b < input_.targets.size(); ++b) {
            const WorldBody& body = world_.bodies[b];
            for (std::size_t v = 0; v < input_.targets[b].size(); ++v) {
                Vec3& goal = work_.motion.goals[body.first_vertex + v];
                goal += at * (input_.targets[b][v] - goal);
            }
        }
        for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
            const WorldBody& body = world_.bodies[b];
            if (body.target_stiffness == 0 ||
                (b < input_.targets.size() && !input_.targets[b].empty()))
                continue;
            std::copy_n(world_.start.begin() + body.first_vertex, body.vertices,
                        work_.motion.goals.begin() + body.first_vertex);
        }
    }

    // Velocities of the surface without contact, and the pairs that are close already.
    void start_contacts() {
        work_.free_surface.resize(state_.surface.size());
        for (std::size_t v = 0; v < state_.surface.size(); ++v)
            work_.free_surface[v] =
                (work_.motion.goals[v] - state_.surface[v]) / work_.system.seconds;
        surface_velocities(world_, state_, work_.system.free_velocities, work_.free_surface);

        ContactSet& set = work_.contacts;
        set.clear();
        set.problem.matrix = &work_.system.matrix;
        set.problem.bodies = world_.block_starts;
        set.problem.positions = state_.positions;
        set.response.dv.assign(world_.pinned.size(), Vec3::Zero());
        if (state_.last_seconds > 0)
            for (std::size_t i = 0; i < set.response.dv.size(); ++i)
                set.response.dv[i] =
                    state_.last_response[i] * (work_.system.seconds / state_.last_seconds);
        work_.condensed.forget();
        forget(work_.candidates);
        find_close_pairs(world_.surface, state_.surface, close * world_.tolerance,
                         work_.close_pairs, work_.nearest, work_.candidates.workspace, stop_);
        for (const PrimitivePair& pair : work_.close_pairs) add(pair, 0);

        // What would come close without contact gets a constraint at once, too: most steps then
        // take one round, and what is about to rest does not fall into the tolerance first.
        work_.motion.velocities = work_.system.free_velocities;
        go_along(work_.motion);
        check_way();
        cover(world_, state_, work_.motion, work_.candidates, stop_);
        work_.impacts.clear();
        add_impacts();
        add_element_limits(world_, state_, work_.system, work_.motion, work_.contacts);
    }

    void add(const PrimitivePair& pair, double at) {
        const std::array<int, 4> vertices = vertices_of(world_.surface, pair);
        std::array<Vec3, 4> points;
        for (int i = 0; i < 4; ++i) {
            const Vec3& start = state_.surface[vertices[i]];
            points[i] =
                at > 0 ? Vec3(start + at * (work_.motion.surface[vertices[i]] - start)) : start;
        }
        add_contact(world_, state_, work_.system, work_.free_surface, pair, points, work_.contacts);
    }

    // The velocities that satisfy the constraints found so far, and where they lead.
    void solve() {
        ContactSet& set = work_.contacts;
        if (set.contacts.empty()) {
            std::fill(set.response.dv.begin(), set.response.dv.end(), Vec3::Zero());
        } else {
            solve_contacts(set);
        }
        StepMotion& motion = work_.motion;
        motion.velocities.resize(set.response.dv.size());
        for (std::size_t i = 0; i < motion.velocities.size(); ++i)
            motion.velocities[i] = work_.system.free_velocities[i] + set.response.dv[i];
        go_along(motion);
    }

    // Where a motion leads. Numbers that are out of range are found here, before anything looks at
    // them.
    void go_along(StepMotion& motion) const {
        advance(world_, state_, work_.system.seconds, motion);
        const auto is_finite = [](const Vec3& v) { return v.allFinite(); };
        if (!std::all_of(motion.surface.begin(), motion.surface.end(), is_finite) ||
            !std::all_of(motion.positions.begin(), motion.positions.end(), is_finite))
            throw SolveError("step: positions are not finite any more; expected stiffness, density "
                             "and step such that numbers stay in range");
    }

    // Its corners are where they are after the last turn alone.
    double turns_of(const WorldBody& body) const {
        if (body.kind != BodyKind::rigid) return 0;
        const auto b = static_cast<std::size_t>(&body - world_.bodies.data());
        const int first = body.first_block;
        const RigidState state{state_.positions[first], state_.orientations[b],
                               state_.velocities[first], state_.angular_momentum[b]};
        return angular_velocity(body.rigid_mass.inertia, state).norm() * work_.system.seconds /
               (2 * std::numbers::pi);
    }

    // How far bodies go without contact: numbers may be finite and beyond all sense.
    void check_way() const {
        for (const WorldBody& body : world_.bodies) {
            double way = 0, reach = 0;
            for (int v = body.first_vertex; v < body.first_vertex + body.vertices; ++v) {
                const Vec3& end = work_.motion.surface[v];
                way = std::max(way, (end - state_.surface[v]).norm());
                reach = std::max(reach, end.norm());
            }
            const auto refuse = [&](const std::string& what) {
                throw SolveError(fmt::format("body {} would {}; expected slower motion or a "
                                             "shorter step",
                                             single_quoted(body.name), what));
            };
            if (const double turns = turns_of(body); turns > most_turns)
                refuse(fmt::format("turn {:.3g} times in a step of {:.3g} s, more than {} times",
                                   turns, work_.system.seconds, most_turns));
            if (body.size > 0 && way > longest_way * body.size)
                refuse(fmt::format("move by {:.3g} in a step of {:.3g} s, more than {} times its "
                                   "size of {:.3g}",
                                   way, work_.system.seconds, longest_way, body.size));
            if (reach > world_.farthest)
                refuse(fmt::format("get {:.3g} away from the origin, further than {:.3g}", reach,
                                   world_.farthest));
        }
    }

    void solve_contacts(ContactSet& set) {
        const double enough = solver_slack * world_.tolerance / work_.system.seconds;
        ContactSolver solver = world_.settings.solver;
        if (solver == ContactSolver::automatic)
            solver = condensed_size(set.problem) <= most_condensed
                         ? ContactSolver::condensed_anticipation
                         : ContactSolver::iterative_anticipation;
        switch (solver) {
        case ContactSolver::full_anticipation:
            solve_full_anticipation(set.problem, {}, set.response);
            break;
        case ContactSolver::iterative_anticipation: {
            AnticipationSettings settings;
            settings.enough = iterative_slack * world_.tolerance / work_.system.seconds;
            settings.dynamics_tolerance = 1e-2;
            settings.max_outer = 120;
            settings.patience = 40;
            settings.stop = stop_;
            solve_iterative_anticipation(set.problem, settings, set.response, work_.anticipation);
            break;
        }
        default: {
            CondensedSettings settings;
            settings.enough = enough;
            settings.stop = stop_;
            const BodySolve solve = [&](int body, const Eigen::Ref<Eigen::MatrixXd>& columns) {
                solve_body(world_, work_.system, world_.body_of_block[world_.block_starts[body]],
                           columns);
            };
            solve_condensed_anticipation(set.problem, settings, solve, set.response,
                                         work_.condensed);
        }
        }
        report_.solver_iterations += set.response.inner_iterations;
    }

    bool is_unsolved(double seconds) const {
        const ContactResponse& response = work_.contacts.response;
        return !response.converged && response.violation * seconds > 0.5 * world_.tolerance;
    }

    // What the scene moves may leave no room.
    bool is_hopeless(double seconds) const {
        return is_unsolved(seconds) &&
               std::any_of(input_.targets.begin(), input_.targets.end(),
                           [](const std::vector<Vec3>& list) { return !list.empty(); });
    }

    bool look_for_impacts() {
        cover(world_, state_, work_.motion, work_.candidates, stop_);
        find_impacts(world_.surface, state_.surface, work_.motion.surface, 0.5 * world_.tolerance,
                     work_.candidates.pairs, work_.impacts, stop_);
        return work_.impacts.empty();
    }

    // Refines the manifold where the motion just looked at leaves it.
    void add_impacts() {
        std::vector<PrimitivePair> known;
        for (const Contact& contact : work_.contacts.contacts)
            if (contact.element < 0) known.push_back(contact.pair);
        std::sort(known.begin(), known.end());
        const auto is_known = [&](const PrimitivePair& pair) {
            return std::binary_search(known.begin(), known.end(), pair);
        };
        // Those that have a constraint and collide all the same are linearised again, there.
        // Others get one as soon as they come within the whole tolerance.
        find_impacts(world_.surface, state_.surface, work_.motion.surface, world_.tolerance,
                     work_.candidates.pairs, work_.near_impacts, stop_);
        // Those that only come near are left out where another pair is the contact, with a normal
        // that is not slanted.
        std::erase_if(work_.near_impacts, [&](const Impact& impact) {
            return is_known(impact.pair) ||
                   !is_contact(world_.surface, state_.surface, work_.motion.surface, impact.time,
                               impact.pair);
        });
        work_.near_impacts.insert(work_.near_impacts.end(), work_.impacts.begin(),
                                  work_.impacts.end());
        keep_first(work_.near_impacts);
        for (const Impact& impact : work_.near_impacts) add(impact.pair, impact.time);
    }

    void keep_first(std::vector<Impact>& impacts) const {
        std::vector<double> of_vertex(world_.surface.body_of_vertex.size(), 2.0);
        std::vector<double> of_edge(world_.surface.edges.size(), 2.0);
        const auto is_edges = [](const Impact& impact) {
            return impact.pair.kind == PrimitivePair::Kind::edge_edge;
        };
        for (const Impact& impact : impacts)
            if (is_edges(impact))
                for (const int edge : {impact.pair.a, impact.pair.b})
                    of_edge[edge] = std::min(of_edge[edge], impact.time);
            else
                of_vertex[impact.pair.a] = std::min(of_vertex[impact.pair.a], impact.time);
        std::erase_if(impacts, [&](const Impact& impact) {
            const double first = is_edges(impact)
                                     ? std::max(of_edge[impact.pair.a], of_edge[impact.pair.b])
                                     : of_vertex[impact.pair.a];
            return impact.time > first + same_time;
        });
    }

    // A rigid body after an angular impulse, where the motion just found leads it.
    void turn_on(std::size_t b, const Vec3& impulse, WorldState& state) const {
        const WorldBody& body = world_.bodies[b];
        state.angular_momentum[b] += impulse;
        state.velocities[body.first_block + 1] =
            angular_velocity(body.rigid_mass.inertia,
                             {state.positions[body.first_block], work_.motion.orientations[b],
                              state.velocities[body.first_block], state.angular_momentum[b]});
    }

    // What pins, kinematic bodies, targets and wind do to the bodies by the motion just found.
    double work_done(double seconds) {
        const StepMotion& motion = work_.motion;
        work_.impulses.resize(world_.pinned.size());
        gather_forces(work_.contacts.problem, work_.contacts.response.forces, work_.impulses);
        work_.surface_velocities.resize(motion.surface.size());
        for (std::size_t v = 0; v < motion.surface.size(); ++v)
            work_.surface_velocities[v] = (motion.surface[v] - state_.surface[v]) / seconds;
        return outside_work(work_.system, motion.velocities, work_.impulses) +
               kinematic_work(world_, work_.contacts, work_.surface_velocities, motion.velocities);
    }

    // One Newton step does not see how springs and elements turn: a long one can make energy of
    // nothing, more than was lost before. Then a shorter one is better.
    bool gains_energy(double seconds) {
        WorldState& after = work_.tentative;
        after.positions = work_.motion.positions;
        after.velocities = work_.motion.velocities;
        after.angular_momentum = state_.angular_momentum;
        const double work = work_done(seconds);
        for (std::size_t b = 0; b < world_.bodies.size(); ++b)
            if (world_.bodies[b].kind == BodyKind::rigid)
                turn_on(b, work_.impulses[world_.bodies[b].first_block + 1], after);
        const Energies energy = energy_of(world_, after, input_.gravity);
        const double before = energy_of(world_, state_, input_.gravity).total();
        energy_lost_ = before + work - energy.total();
        const double fallen = input_.gravity.norm() * seconds;
        double mass = 0;
        for (const WorldBody& body : world_.bodies) mass += body.mass;
        return energy_lost_ + state_.energy_lost <
               -energy_slack * (energy.kinetic + energy.elastic + mass * fallen * fallen);
    }

    void accept(double seconds, bool held_back) {
        const ContactSet& set = work_.contacts;
        const StepMotion& motion = work_.motion;
        const double work = work_done(seconds);
        if (!held_back) {
            report_.work += work;
            state_.energy_lost += energy_lost_;
        }
        state_.positions = motion.positions;
        state_.surface = motion.surface;
        state_.velocities = motion.velocities;
        for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
            const WorldBody& body = world_.bodies[b];
            if (body.kind != BodyKind::rigid) continue;
            const int turning = body.first_block + 1;
            if (held_back) {
                state_.angular_momentum[b] =
                    work_.system.matrix.diagonal_block(turning) * motion.velocities[turning];
                work_.impulses[turning].setZero();
            }
            turn_on(b, work_.impulses[turning], state_);
        }
        state_.orientations = motion.orientations;
        state_.time += seconds;
        state_.last_response = set.response.dv;
        keep_forces(set, seconds, state_);
        report_.contacts = report_.contacts_active = 0;
        for (std::size_t j = 0; j < set.contacts.size(); ++j) {
            if (set.contacts[j].element >= 0) continue;
            ++report_.contacts;
            report_.contacts_active += set.response.forces[j][0] > 0;
        }
    }

    const World& world_;
    const StepInput& input_;
    const std::stop_token& stop_;
    WorldState& state_;
    StepWorkspace& work_;
    StepReport& report_;
    double energy_lost_ = 0;  // by the motion just found
    std::vector<Vec3> begin_; // the surface at the start of the whole step
};

} // namespace

void take_step(const World& world, const StepInput& input, const std::stop_token& stop,
               WorldState& state, StepWorkspace& workspace, StepReport& report) {
    workspace.held.assign(world.bodies.size(), 0.0);
    Refinement(world, input, stop, state, workspace, report)
        .take(0, 1, world.settings.max_halvings);
    for (std::size_t b = 0; b < world.bodies.size(); ++b)
        if (workspace.held[b] > 0)
            report.notes.push_back(fmt::format("{} was held back by {:.4g}: it left no room",
                                               single_quoted(world.bodies[b].name),
                                               workspace.held[b]));
}

} // namespace knead
