#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/solve/condensed_anticipation.hpp"
#include "knead/solve/full_anticipation.hpp"
#include "knead/solve/iterative_anticipation.hpp"
#include "knead/solve/supernodal_solver.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "solve/contact_cases.hpp"

namespace knead {
namespace {

using testing_contact::ContactCase;
using testing_contact::make_pile;
using testing_contact::PileSettings;

AnticipationSettings strict(double tolerance) {
    AnticipationSettings settings;
    settings.dynamics_tolerance = tolerance;
    settings.enough = tolerance;
    settings.max_outer = 20000;
    settings.patience = 2000;
    return settings;
}

ContactResponse iterative(const ContactProblem& problem, const AnticipationSettings& settings,
                          ContactResponse start) {
    AnticipationWorkspace workspace;
    solve_iterative_anticipation(problem, settings, start, workspace);
    return start;
}

ContactResponse full(const ContactProblem& problem, ContactResponse start, double enough = 1e-12) {
    FullAnticipationSettings settings;
    settings.enough = enough;
    solve_full_anticipation(problem, settings, start);
    return start;
}

// The way to solve with the bodies' own matrices that condensed anticipation asks for.
class BodyFactors {
public:
    explicit BodyFactors(const ContactProblem& problem) {
        for (std::size_t b = 0; b + 1 < problem.bodies.size(); ++b) {
            const SparseMatrix lower =
                lower_triangle(*problem.matrix, problem.bodies[b], problem.bodies[b + 1]);
            solvers_.push_back(make_supernodal_solver());
            solvers_.back()->analyse(lower);
            solvers_.back()->factorise(lower);
        }
    }
    BodySolve solve() const {
        return [this](int body, Eigen::Ref<Eigen::MatrixXd> columns) {
            solvers_[body]->solve(columns);
        };
    }

private:
    std::vector<std::unique_ptr<SpdSolver>> solvers_;
};

CondensedSettings strictly_condensed(double enough) {
    CondensedSettings settings;
    settings.enough = enough;
    settings.max_passes = settings.patience = 100000;
    return settings;
}

ContactResponse condensed(const ContactProblem& problem, ContactResponse start,
                          double enough = 1e-11) {
    CondensedWorkspace workspace;
    solve_condensed_anticipation(problem, strictly_condensed(enough), BodyFactors(problem).solve(),
                                 start, workspace);
    return start;
}

double relative_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += (a[i] - b[i]).squaredNorm();
        size += b[i].squaredNorm();
    }
    return std::sqrt(difference / size);
}

// Checks the conditions one by one, with dense matrices and nothing of the solvers. Forces are
// compared with the largest of them, velocities with `velocity`.
void expect_solution(const ContactProblem& problem, const ContactResponse& response,
                     double velocity) {
    const int size = 3 * problem.matrix->rows();
    Eigen::VectorXd left = Eigen::VectorXd::Zero(size), right = left, dv(size);
    for (int i = 0; i < problem.matrix->rows(); ++i) dv.segment<3>(3 * i) = response.dv[i];
    for (int row = 0; row < problem.matrix->rows(); ++row)
        for (int k = problem.matrix->starts[row]; k < problem.matrix->starts[row + 1]; ++k)
            left.segment<3>(3 * row) +=
                problem.matrix->values[k] * dv.segment<3>(3 * problem.matrix->columns[k]);
    double largest = 0;
    for (int c = 0; c < problem.contacts(); ++c) {
        largest = std::max(largest, response.forces[c].x());
        for (int e = problem.starts[c]; e < problem.starts[c + 1]; ++e)
            right.segment<3>(3 * problem.entries[e].block) +=
                problem.entries[e].rows.transpose() * response.forces[c];
    }
    EXPECT_LT((left - right).norm(), velocity * right.norm());
    const double force = 1e-9 * largest;
    for (int c = 0; c < problem.contacts(); ++c) {
        Vec3 u = Vec3::Zero();
        for (int e = problem.starts[c]; e < problem.starts[c + 1]; ++e)
            u += problem.entries[e].rows * dv.segment<3>(3 * problem.entries[e].block);
        const Vec3& f = response.forces[c];
        EXPECT_GE(f.x(), 0) << c;
        EXPECT_GE(u.x(), problem.bound[c] - velocity) << c;
        if (f.x() > force) {
            EXPECT_LE(u.x(), problem.bound[c] + velocity) << c;
        }
        const double limit = problem.friction[c] * f.x();
        for (int t = 1; t < 3; ++t) {
            EXPECT_LE(std::abs(f[t]), limit + 1e-15 * f.x()) << c;
            const double sliding = u[t] - problem.slide[c][t - 1];
            // Within the pyramid nothing slides; at its sides friction is opposed to what does.
            if (f[t] < limit - force) {
                EXPECT_GE(sliding, -velocity) << c;
            }
            if (f[t] > -limit + force) {
                EXPECT_LE(sliding, velocity) << c;
            }
        }
    }
}

TEST(ContactSolversTest, AgreeWithoutFriction) {
    for (const double stiffness : {1.0, 30.0, 1000.0})
        for (const bool redundant : {false, true})
            for (const bool with_positions : {true, false}) {
                PileSettings settings;
                settings.bodies = 8;
                settings.side = 3;
                settings.contacts = 60;
                settings.stiffness = stiffness;
                settings.redundant = redundant;
                settings.seed = 17;
                ContactCase pile = make_pile(settings);
                if (!with_positions) pile.problem.positions = {};
                const ContactResponse a = iterative(pile.problem, strict(1e-11), pile.zero());
                const ContactResponse b = full(pile.problem, pile.zero());
                EXPECT_TRUE(a.converged) << stiffness;
                EXPECT_TRUE(b.converged) << stiffness;
                EXPECT_LT(relative_difference(a.dv, b.dv), 1e-8) << stiffness << redundant;
                EXPECT_LE(a.dynamics_residual, 1e-11);
                EXPECT_LE(a.violation, 1e-11);
                EXPECT_LE(b.violation, 1e-10);
                expect_solution(pile.problem, a, 1e-8);
                expect_solution(pile.problem, b, 1e-8);
            }
}

TEST(ContactSolversTest, CondensedAgreesWithFullAndHoldsEveryCondition) {
    for (const double friction : {0.0, 0.4})
        for (const bool redundant : {false, true}) {
            PileSettings settings;
            settings.contacts = 60;
            settings.side = 3;
            settings.friction = friction;
            settings.redundant = redundant;
            settings.seed = 5;
            const ContactCase pile = make_pile(settings);
            const ContactResponse a = condensed(pile.problem, pile.zero());
            EXPECT_TRUE(a.converged);
            EXPECT_LT(a.dynamics_residual, 1e-12);
            expect_solution(pile.problem, a, 1e-8);
            if (friction == 0) {
                EXPECT_LT(relative_difference(a.dv, full(pile.problem, pile.zero()).dv), 1e-8);
            }
        }
}

// Contacts come in round by round, as a simulation finds them: what is kept of the first ones must
// not show.
TEST(ContactSolversTest, CondensedKeepsWhatNodesDoWhileContactsAreAdded) {
    PileSettings settings;
    settings.contacts = 80;
    settings.friction = 0.3;
    const ContactCase pile = make_pile(settings);
    ContactProblem first = pile.problem;
    first.starts.resize(41);
    first.entries.resize(first.starts.back());
    first.bound.resize(40);
    first.slide.resize(40);
    first.friction.resize(40);
    const BodyFactors factors(pile.problem);
    CondensedWorkspace workspace;
    ContactResponse response = pile.zero();
    response.forces.resize(40);
    solve_condensed_anticipation(first, strictly_condensed(1e-10), factors.solve(), response,
                                 workspace);
    response = pile.zero();
    solve_condensed_anticipation(pile.problem, strictly_condensed(1e-10), factors.solve(), response,
                                 workspace);
    const ContactResponse alone = condensed(pile.problem, pile.zero(), 1e-10);
    EXPECT_LT(relative_difference(response.dv, alone.dv), 1e-7);
    EXPECT_LT(condensed_size(first), condensed_size(pile.problem));
}

TEST(ContactSolversTest, HoldEveryConditionWithFriction) {
    for (const double stiffness : {1.0, 30.0, 1000.0})
        for (const double friction : {0.1, 0.5}) {
            PileSettings settings;
            settings.bodies = 8;
            settings.side = 3;
            settings.contacts = 80;
            settings.stiffness = stiffness;
            settings.friction = friction;
            settings.seed = 18;
            const ContactCase pile = make_pile(settings);
            const ContactResponse a = iterative(pile.problem, strict(1e-10), pile.zero());
            EXPECT_TRUE(a.converged) << stiffness << " " << friction;
            expect_solution(pile.problem, a, 1e-8);
            const ContactResponse b = full(pile.problem, pile.zero());
            EXPECT_TRUE(b.converged) << stiffness << " " << friction;
            expect_solution(pile.problem, b, 1e-8);
        }
}

TEST(ContactSolversTest, StiffBodiesConvergeWhereTheirPositionsAreKnown) {
    for (const double stiffness : {1.0, 1e2, 1e4, 1e6}) {
        PileSettings settings;
        settings.bodies = 27;
        settings.contacts = 400;
        settings.stiffness = stiffness;
        const ContactCase pile = make_pile(settings);
        AnticipationSettings ending;
        ending.dynamics_tolerance = ending.enough = 1e-4;
        const ContactResponse response = iterative(pile.problem, ending, pile.zero());
        EXPECT_TRUE(response.converged) << stiffness;
        EXPECT_LT(response.outer_iterations, 400) << stiffness;
        EXPECT_LE(response.dynamics_residual, 1e-4);
        EXPECT_LE(response.violation, 1e-4);
    }
}

// A point of mass 2 that is pushed against the ground at 3 and slides along it at 4.
ContactCase point_on_plane(double friction, const Vec3& velocity) {
    ContactCase result;
    *result.matrix = make_block_matrix(1, {});
    result.matrix->values[0] = 2 * Mat3::Identity();
    result.bodies = {0, 1};
    result.problem.matrix = result.matrix.get();
    result.problem.bodies = result.bodies;
    Mat3 rows; // y is up
    rows << 0, 1, 0, 1, 0, 0, 0, 0, -1;
    result.problem.entries = {{0, rows}};
    result.problem.starts = {0, 1};
    const Vec3 relative = rows * velocity;
    result.problem.bound = {-relative.x()};
    result.problem.slide = {-relative.tail<2>()};
    result.problem.friction = {friction};
    return result;
}

TEST(ContactSolversTest, PointOnAPlaneSticksOrSlides) {
    const Vec3 velocity(4, -3, 0);
    for (const bool iteratively : {true, false}) {
        const auto solve = [&](double friction) {
            const ContactCase point = point_on_plane(friction, velocity);
            return iteratively ? iterative(point.problem, strict(1e-13), point.zero())
                               : full(point.problem, point.zero());
        };
        // 2 * 3 to stop the fall, 2 * 4 to stop the sliding: enough from a friction of 4/3 on.
        const ContactResponse sticks = solve(1.4);
        EXPECT_TRUE(sticks.converged);
        EXPECT_LT((sticks.forces[0] - Vec3(6, -8, 0)).norm(), 1e-12);
        EXPECT_LT((sticks.dv[0] + velocity).norm(), 1e-12);
        const ContactResponse slides = solve(0.5);
        EXPECT_TRUE(slides.converged);
        EXPECT_LT((slides.forces[0] - Vec3(6, -3, 0)).norm(), 1e-12);
        EXPECT_LT((slides.dv[0] - Vec3(-1.5, 3, 0)).norm(), 1e-12);
        const ContactResponse smooth = solve(0);
        EXPECT_LT((smooth.dv[0] - Vec3(0, 3, 0)).norm(), 1e-12);
        EXPECT_LT((smooth.forces[0] - Vec3(6, 0, 0)).norm(), 1e-12);
    }
    const ContactCase leaving = point_on_plane(0.5, Vec3(4, 3, 0));
    const ContactResponse free = iterative(leaving.problem, strict(1e-13), leaving.zero());
    EXPECT_TRUE(free.converged);
    EXPECT_EQ(free.dv[0], Vec3(Vec3::Zero()));
    EXPECT_EQ(free.forces[0], Vec3(Vec3::Zero()));
}

TEST(ContactSolversTest, UncoupledBlocksNeedOneOuterIteration) {
    PileSettings settings;
    settings.bodies = 8;
    settings.contacts = 80;
    settings.stiffness = 0;
    settings.friction = 0.4;
    const ContactCase pile = make_pile(settings);
    const ContactResponse response = iterative(pile.problem, strict(1e-9), pile.zero());
    EXPECT_TRUE(response.converged);
    EXPECT_EQ(response.outer_iterations, 1);
    expect_solution(pile.problem, response, 1e-8);
}

// A rigid body is two blocks, of its velocity and of its spin, for which rows are no rotations.
TEST(ContactSolversTest, RigidBodiesAndSoftOnesMeet) {
    PileSettings settings;
    settings.bodies = 8;
    settings.side = 3;
    settings.contacts = 60;
    settings.friction = 0.3;
    settings.stiffness = 50;
    ContactCase pile = make_pile(settings);
    // The last body becomes a rigid one: its nodes give way to two blocks.
    const int first = pile.bodies[7];
    const BlockMatrix soft = *pile.matrix;
    std::vector<std::array<int, 2>> couplings;
    for (int row = 0; row < first; ++row)
        for (int k = soft.starts[row]; k < soft.starts[row + 1]; ++k)
            couplings.push_back({row, soft.columns[k]});
    *pile.matrix = make_block_matrix(first + 2, couplings);
    for (int row = 0; row < first; ++row)
        for (int k = soft.starts[row]; k < soft.starts[row + 1]; ++k)
            pile.matrix->values[find_block(*pile.matrix, row, soft.columns[k])] = soft.values[k];
    pile.matrix->values[pile.matrix->diagonal[first]] = 20 * Mat3::Identity();
    pile.matrix->values[pile.matrix->diagonal[first + 1]] = Vec3(30, 40, 50).asDiagonal();
    pile.bodies = {0};
    for (int b = 1; b < 8; ++b) pile.bodies.push_back(27 * b);
    pile.bodies.push_back(first + 2);
    pile.problem.bodies = pile.bodies;
    Vec3 centre = Vec3::Zero();
    for (int i = first; i < first + 27; ++i) centre += pile.positions[i] / 27;
    auto old = pile.problem.entries;
    auto old_starts = pile.problem.starts;
    pile.problem.entries.clear();
    for (int c = 0; c < pile.problem.contacts(); ++c) {
        ContactProblem::Entry moves{first, Mat3::Zero()}, spins{first + 1, Mat3::Zero()};
        bool rigid = false;
        for (int e = old_starts[c]; e < old_starts[c + 1]; ++e) {
            if (old[e].block < first) {
                pile.problem.entries.push_back(old[e]);
                continue;
            }
            rigid = true;
            const Vec3 r = pile.positions[old[e].block] - centre;
            Mat3 arm; // minus r x
            arm << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0;
            moves.rows += old[e].rows;
            spins.rows += old[e].rows * arm;
        }
        if (rigid) {
            pile.problem.entries.push_back(moves);
            pile.problem.entries.push_back(spins);
        }
        pile.problem.starts[c + 1] = static_cast<int>(pile.problem.entries.size());
    }
    pile.positions.resize(first + 2);
    pile.problem.positions = pile.positions;
    const ContactResponse response = iterative(pile.problem, strict(1e-10), pile.zero());
    EXPECT_TRUE(response.converged);
    expect_solution(pile.problem, response, 1e-8);
    EXPECT_GT(response.dv[first + 1].norm(), 1e-3);
}

TEST(ContactSolversTest, StartFromTheSolutionIsTheEnd) {
    PileSettings settings;
    settings.contacts = 100;
    settings.friction = 0.3;
    const ContactCase pile = make_pile(settings);
    const ContactResponse solved = iterative(pile.problem, strict(1e-9), pile.zero());
    ASSERT_TRUE(solved.converged);
    ASSERT_GT(solved.outer_iterations, 10);
    const ContactResponse again = iterative(pile.problem, strict(1e-8), solved);
    EXPECT_TRUE(again.converged);
    EXPECT_EQ(again.outer_iterations, 1);
    EXPECT_LT(relative_difference(again.dv, solved.dv), 1e-7);
    const ContactResponse fully = full(pile.problem, solved, 1e-7);
    EXPECT_EQ(fully.inner_iterations, 1);
}

TEST(ContactSolversTest, NothingMovesWithoutContacts) {
    PileSettings settings;
    settings.contacts = 0;
    const ContactCase pile = make_pile(settings);
    ContactResponse start = pile.zero();
    for (Vec3& v : start.dv) v = Vec3(1, 2, 3);
    for (const ContactResponse& response :
         {iterative(pile.problem, {}, start), full(pile.problem, start)}) {
        EXPECT_TRUE(response.converged);
        EXPECT_EQ(response.dv, pile.zero().dv);
        EXPECT_EQ(response.dynamics_residual, 0);
        EXPECT_EQ(response.violation, 0);
    }
}

TEST(ContactSolversTest, BodiesWithoutContactsDoNotMove) {
    PileSettings settings;
    settings.bodies = 2;
    settings.contacts = 10;
    ContactCase pile = make_pile(settings);
    ContactProblem& problem = pile.problem;
    std::erase_if(problem.entries, [&](const auto& entry) { return entry.block >= 64; });
    problem.starts = {0, static_cast<int>(problem.entries.size())};
    problem.bound = {1};
    problem.slide = {Vec2::Zero()};
    problem.friction = {0};
    problem.entries.resize(1);
    problem.starts[1] = 1;
    ContactResponse start = pile.zero();
    start.dv[100] = Vec3(1, 1, 1);
    const ContactResponse response = iterative(problem, strict(1e-10), start);
    EXPECT_TRUE(response.converged);
    for (int row = 64; row < 128; ++row) EXPECT_EQ(response.dv[row], Vec3(Vec3::Zero()));
    EXPECT_GT(response.dv[0].norm(), 1e-6);
}

TEST(ContactSolversTest, SayWhenBoundsCannotBeHeld) {
    for (const bool coupled : {true, false}) {
        PileSettings settings;
        settings.bodies = 1;
        settings.contacts = 2;
        settings.stiffness = coupled ? 10 : 0;
        ContactCase pile = make_pile(settings);
        // The same point is to go up by 1 and down by 1.
        ContactProblem& problem = pile.problem;
        const std::vector<ContactProblem::Entry> one(problem.entries.begin(),
                                                     problem.entries.begin() + problem.starts[1]);
        problem.entries = one;
        for (const auto& entry : one) problem.entries.push_back({entry.block, Mat3(-entry.rows)});
        problem.starts = {0, static_cast<int>(one.size()), 2 * static_cast<int>(one.size())};
        problem.bound = {1, 1};
        AnticipationSettings ending;
        ending.max_outer = 3000;
        FullAnticipationSettings fully;
        fully.max_passes = 1000;
        ContactResponse a = iterative(problem, ending, pile.zero());
        ContactResponse b = pile.zero();
        solve_full_anticipation(problem, fully, b);
        for (const ContactResponse& response : {a, b}) {
            EXPECT_FALSE(response.converged);
            EXPECT_GE(response.violation, 1 - 1e-9);
            EXPECT_TRUE(std::isfinite(response.violation));
            EXPECT_TRUE(std::isfinite(response.dynamics_residual));
            for (const Vec3& v : response.dv) EXPECT_TRUE(v.allFinite());
            for (const Vec3& v : response.forces) EXPECT_TRUE(v.allFinite());
        }
        EXPECT_LE(a.outer_iterations, 3000);
    }
}

TEST(ContactSolversTest, ContactThatNothingAnswersToIsNotSolved) {
    ContactCase point = point_on_plane(0.5, Vec3(4, -3, 0));
    point.problem.entries.clear();
    point.problem.starts = {0, 0};
    EXPECT_FALSE(iterative(point.problem, {}, point.zero()).converged);
    EXPECT_FALSE(full(point.problem, point.zero()).converged);
    EXPECT_DOUBLE_EQ(iterative(point.problem, {}, point.zero()).violation, 3);
    point.problem.bound = {-1};
    EXPECT_TRUE(iterative(point.problem, {}, point.zero()).converged);
    EXPECT_TRUE(full(point.problem, point.zero()).converged);
}

TEST(ContactSolversTest, SameBitsWithAnyNumberOfThreadsAndUsedMemory) {
    PileSettings settings;
    settings.bodies = 27;
    settings.contacts = 800;
    settings.friction = 0.3;
    const ContactCase pile = make_pile(settings);
    settings.seed = 2;
    settings.contacts = 300;
    settings.bodies = 8;
    const ContactCase other = make_pile(settings);
    AnticipationSettings ending;
    ending.max_outer = 50;
    const ContactResponse expected = iterative(pile.problem, ending, pile.zero());
    AnticipationWorkspace workspace;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        ContactResponse response = other.zero();
        solve_iterative_anticipation(other.problem, ending, response, workspace);
        response = pile.zero();
        solve_iterative_anticipation(pile.problem, ending, response, workspace);
        EXPECT_EQ(response.dv, expected.dv);
        EXPECT_EQ(response.forces, expected.forces);
        EXPECT_EQ(response.outer_iterations, expected.outer_iterations);
        EXPECT_EQ(response.dynamics_residual, expected.dynamics_residual);
    }
}

TEST(ContactSolversTest, SmallChangeEndsSoonerAndKeepsContactsApart) {
    PileSettings settings;
    settings.bodies = 27;
    settings.contacts = 400;
    settings.friction = 0.3;
    const ContactCase pile = make_pile(settings);
    AnticipationSettings ending = strict(1e-6);
    const ContactResponse thorough = iterative(pile.problem, ending, pile.zero());
    ending.end = AnticipationEnd::small_change;
    ending.enough = 1e-2;
    const ContactResponse quick = iterative(pile.problem, ending, pile.zero());
    EXPECT_TRUE(thorough.converged);
    EXPECT_TRUE(quick.converged);
    EXPECT_LT(quick.outer_iterations, thorough.outer_iterations);
    EXPECT_LE(quick.violation, 1e-2);
}

std::string contact_message_of(const auto& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(ContactSolversTest, RefuseProblemsThatDoNotFitTogether) {
    const auto message = [](const auto& change) {
        ContactCase point = point_on_plane(0.5, Vec3(4, -3, 0));
        ContactResponse start = point.zero();
        change(point, start);
        const std::string said = contact_message_of([&] { full(point.problem, start); });
        EXPECT_EQ(contact_message_of([&] { iterative(point.problem, {}, start); }), said);
        return said;
    };
    EXPECT_EQ(message([](auto& c, auto&) { c.problem.matrix = nullptr; }),
              "contact problem: found no matrix");
    EXPECT_EQ(message([](auto& c, auto&) { c.bodies[1] = 0; }),
              "contact problem: expected bodies that begin at 0, ascend and end at 1");
    EXPECT_EQ(
        message([](auto& c, auto&) { c.problem.slide.clear(); }),
        "contact problem of 1 contacts: found 2 starts, 0 slides and 1 coefficients of friction");
    EXPECT_EQ(message([](auto& c, auto&) { c.problem.entries[0].block = 1; }),
              "contact 0: found block 1, expected 0 to 0");
    EXPECT_EQ(message([](auto& c, auto&) { c.problem.friction[0] = -1; }),
              "contact 0: found friction -1, expected 0 or more");
    EXPECT_EQ(message([](auto& c, auto&) { c.problem.bound[0] = std::nan(""); }),
              "contact 0: expected finite velocities");
    EXPECT_EQ(message([](auto& c, auto&) { c.problem.entries[0].rows(0, 0) = std::nan(""); }),
              "contact 0: expected finite rows for block 0");
    EXPECT_EQ(message([](auto&, auto& start) { start.dv.clear(); }),
              "contact problem of 1 blocks and 1 contacts: found a start with 0 and 1");
    EXPECT_EQ(message([](auto&, auto& start) { start.dv[0].x() = std::nan(""); }),
              "contact problem: expected a finite start for block 0");
    EXPECT_EQ(message([](auto&, auto& start) { start.forces[0].x() = std::nan(""); }),
              "contact 0: expected a finite force to start from");

    ContactCase point = point_on_plane(0.5, Vec3(4, -3, 0));
    point.problem.positions = std::span<const Vec3>(point.positions);
    const std::vector<Vec3> two(2, Vec3::Zero());
    point.problem.positions = two;
    EXPECT_EQ(contact_message_of([&] { iterative(point.problem, {}, point.zero()); }),
              "contact problem of 1 blocks: found 2 positions, expected none or one a block");
    point.problem.positions = {};
    point.matrix->values[0](1, 1) = -1;
    EXPECT_EQ(contact_message_of([&] { iterative(point.problem, {}, point.zero()); }),
              "contact problem: the diagonal block of row 0 is not positive definite");
    point.matrix->values[0](1, 1) = 2;
    FullAnticipationSettings few;
    few.max_forces = 2;
    EXPECT_EQ(contact_message_of([&] {
                  ContactResponse start = point.zero();
                  solve_full_anticipation(point.problem, few, start);
              }),
              "full anticipation of 1 contacts: found 3 forces, expected at most 2; use iterative "
              "anticipation");
}

} // namespace
} // namespace knead
