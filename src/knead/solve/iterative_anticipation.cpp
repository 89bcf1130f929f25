#include "knead/solve/iterative_anticipation.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/progress.hpp"

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace knead {

struct AnticipationWorkspace::Memory {
    // What answers to contacts: the node of a block, or a body as it moves or turns as a whole.
    struct Answering {
        Vec3 velocity;
        Mat3 compliance; // velocity for a force
    };

    // A contact sees the velocities of nodes as a weighted sum in space, which is then turned into
    // its frame: that takes a third of the numbers that a matrix for each node would.
    struct LightEntry {
        int at;
        double weight;
    };
    struct HeavyEntry {
        int at;
        Mat3 share;
    };

    struct Contact {
        Mat3 frame;    // from the sum to the contact's frame
        Mat3 response; // velocity for a force, in the frame
        Vec3 wanted;   // bound, and the slide
        double friction;
        int light_begin, light_nodes, light_end; // those up to light_nodes are nodes
        int heavy_begin, heavy_nodes, heavy_end;
    };

    // Rows of one body that one thread takes on, and what they add to sums.
    struct Piece {
        int body;
        int first, last;
        Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
        double astray = 0, pushed = 0, stiffness = 0, compliance = 0, uphill = 0;
    };

    struct ActiveBody {
        int first = 0, last = 0; // rows
        int pieces_begin = 0, pieces_end = 0;
        bool coupled = false;              // some block off the diagonal is not zero
        bool moves = false, turns = false; // as a whole, besides its nodes
        Vec3 centre = Vec3::Zero();
    };

    std::vector<int> body_of; // of a row: its place among the active bodies, or -1
    std::vector<char> alone;  // of a row: it is not coupled with any other
    std::vector<ActiveBody> bodies;
    std::vector<Piece> pieces;
    std::vector<Answering> answering; // rows, then two for each active body
    std::vector<LightEntry> light;
    std::vector<HeavyEntry> heavy;
    std::vector<Contact> contacts;
    std::vector<Vec3> force, product;         // f and A dv
    std::vector<Vec3> before, before_product; // dv and A dv of the iteration before
    std::vector<Vec3> from, from_product;     // the extrapolated ones
    std::vector<Vec3> forces_before;
    std::vector<double> defect, violation;
    std::vector<Vec3> measuring;
};

AnticipationWorkspace::AnticipationWorkspace() : memory_(std::make_unique<Memory>()) {}
AnticipationWorkspace::~AnticipationWorkspace() = default;
AnticipationWorkspace::AnticipationWorkspace(AnticipationWorkspace&&) noexcept = default;
AnticipationWorkspace& AnticipationWorkspace::operator=(AnticipationWorkspace&&) noexcept = default;

namespace {

using Memory = AnticipationWorkspace::Memory;
using Answering = Memory::Answering;
using Contact = Memory::Contact;
using Piece = Memory::Piece;
using ActiveBody = Memory::ActiveBody;

constexpr int piece_rows = 512;
// How much stiffer nodes answer than their blocks of the diagonal say. The largest eigenvalue of
// D^-1 A would be safe; it is near 2 for elastic bodies, but contacts hardly ever stir up its mode.
// Where they do, it grows.
constexpr double first_caution = 1.6;

Mat3 cross_matrix(const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

// The inverse, or zero if the block is not safely positive definite.
Mat3 invert_block(const Mat3& block) {
    const double size = block.trace() / 3;
    const double determinant = block.determinant();
    if (!(size > 0) || !(determinant > 1e-13 * size * size * size) || !(block(0, 0) > 0) ||
        !(block(0, 0) * block(1, 1) - block(0, 1) * block(1, 0) > 0))
        return Mat3::Zero();
    return block.inverse();
}

int moving(const Memory& m, int body) {
    return static_cast<int>(m.body_of.size()) + 2 * body;
}
int turning(const Memory& m, int body) {
    return moving(m, body) + 1;
}

void find_active_bodies(const ContactProblem& problem, Memory& m) {
    const int rows = problem.matrix->rows();
    const int bodies = static_cast<int>(problem.bodies.size()) - 1;
    m.body_of.assign(rows, -1);
    m.alone.assign(rows, 0);
    for (const auto& entry : problem.entries) m.body_of[entry.block] = 0;
    m.bodies.clear();
    m.pieces.clear();
    for (int b = 0; b < bodies; ++b) {
        const int first = problem.bodies[b], last = problem.bodies[b + 1];
        const auto begin = m.body_of.begin() + first, end = m.body_of.begin() + last;
        if (std::find(begin, end, 0) == end) continue;
        const int active = static_cast<int>(m.bodies.size());
        std::fill(begin, end, active);
        ActiveBody body;
        body.first = first;
        body.last = last;
        body.pieces_begin = static_cast<int>(m.pieces.size());
        for (int row = first; row < last; row += piece_rows) {
            m.pieces.push_back({active, row, std::min(last, row + piece_rows)});
        }
        body.pieces_end = static_cast<int>(m.pieces.size());
        m.bodies.push_back(body);
    }
}

// How a body answers as a whole is what A leaves of it when all nodes move or turn together; how
// its nodes do, the blocks of the diagonal.
void prepare_body(const ContactProblem& problem, int index, Memory& m) {
    const BlockMatrix& matrix = *problem.matrix;
    ActiveBody& body = m.bodies[index];
    Mat3 together = Mat3::Zero();
    Vec3 weighted = Vec3::Zero();
    double weights = 0;
    int coupled = 0;
    for (int row = body.first; row < body.last; ++row) {
        Mat3 sum = Mat3::Zero();
        bool alone = true;
        for (int k = matrix.starts[row]; k < matrix.starts[row + 1]; ++k) {
            sum += matrix.values[k];
            if (k != matrix.diagonal[row] && !matrix.values[k].isZero(0)) alone = false;
        }
        m.alone[row] = alone;
        if (alone) continue;
        ++coupled;
        together += sum;
        if (!problem.positions.empty()) {
            // What a node weighs is what neighbours do not take away again; never too little, or
            // the centre could be anywhere.
            const double weight = std::max(sum.trace(), 1e-9 * matrix.diagonal_block(row).trace());
            weighted += weight * problem.positions[row];
            weights += weight;
        }
    }
    body.coupled = coupled > 0;
    for (int row = body.first; row < body.last; ++row)
        m.answering[row].compliance = invert_block(matrix.diagonal_block(row));
    Mat3& move = m.answering[moving(m, index)].compliance;
    Mat3& turn = m.answering[turning(m, index)].compliance;
    move.setZero();
    turn.setZero();
    body.moves = body.turns = false;
    if (coupled < 4 || problem.positions.empty()) return;
    body.centre = weighted / weights;
    Mat3 spinning = Mat3::Zero();
    for (int row = body.first; row < body.last; ++row) {
        if (m.alone[row]) continue;
        Mat3 sum = Mat3::Zero();
        for (int k = matrix.starts[row]; k < matrix.starts[row + 1]; ++k)
            sum -=
                matrix.values[k] * cross_matrix(problem.positions[matrix.columns[k]] - body.centre);
        spinning += cross_matrix(problem.positions[row] - body.centre) * sum;
    }
    move = invert_block(together);
    turn = invert_block(spinning);
    body.moves = !move.isZero(0);
    body.turns = body.moves && !turn.isZero(0);
    if (!body.turns) turn.setZero();
}

// The rows of the contact's entries are all multiples of a rotation, for nodes: that of the entry
// with the largest weight is taken for the frame. Without one, the frame is left as it is.
Mat3 find_frame(const ContactProblem& problem, int contact) {
    Mat3 frame = Mat3::Identity();
    double largest = 0;
    for (int e = problem.starts[contact]; e < problem.starts[contact + 1]; ++e) {
        const Mat3& rows = problem.entries[e].rows;
        const double weight = rows.squaredNorm() / 3;
        if (!(weight > largest)) continue;
        const Mat3 square = rows * rows.transpose();
        if ((square - weight * Mat3::Identity()).cwiseAbs().maxCoeff() > 1e-12 * weight) continue;
        largest = weight;
        frame = rows / std::sqrt(weight);
    }
    return frame;
}

void prepare_contacts(const ContactProblem& problem, Memory& m) {
    struct Whole {
        int body;
        bool light;
        Mat3 moves, turns;
    };
    std::vector<Whole> wholes;
    m.light.clear();
    m.heavy.clear();
    m.contacts.resize(problem.contacts());
    for (int c = 0; c < problem.contacts(); ++c) {
        Contact& contact = m.contacts[c];
        contact.frame = find_frame(problem, c);
        contact.wanted = {problem.bound[c], problem.slide[c].x(), problem.slide[c].y()};
        contact.friction = problem.friction[c];
        contact.light_begin = static_cast<int>(m.light.size());
        contact.heavy_begin = static_cast<int>(m.heavy.size());
        wholes.clear();
        for (int e = problem.starts[c]; e < problem.starts[c + 1]; ++e) {
            const auto& entry = problem.entries[e];
            const Mat3 share = contact.frame.transpose() * entry.rows;
            const double weight = share.trace() / 3;
            const bool light = (share - weight * Mat3::Identity()).cwiseAbs().maxCoeff() <=
                               1e-14 * std::abs(weight);
            if (light)
                m.light.push_back({entry.block, weight});
            else
                m.heavy.push_back({entry.block, share});
            const int b = m.body_of[entry.block];
            if (!m.bodies[b].moves || m.alone[entry.block]) continue;
            auto whole = std::find_if(wholes.begin(), wholes.end(),
                                      [&](const Whole& w) { return w.body == b; });
            if (whole == wholes.end())
                whole = wholes.insert(wholes.end(), {b, true, Mat3::Zero(), Mat3::Zero()});
            whole->light = whole->light && light;
            whole->moves += share;
            if (m.bodies[b].turns)
                whole->turns -=
                    share * cross_matrix(problem.positions[entry.block] - m.bodies[b].centre);
        }
        contact.light_nodes = static_cast<int>(m.light.size());
        contact.heavy_nodes = static_cast<int>(m.heavy.size());
        for (const Whole& whole : wholes) {
            if (whole.light)
                m.light.push_back({moving(m, whole.body), whole.moves.trace() / 3});
            else
                m.heavy.push_back({moving(m, whole.body), whole.moves});
            if (m.bodies[whole.body].turns)
                m.heavy.push_back({turning(m, whole.body), whole.turns});
        }
        contact.light_end = static_cast<int>(m.light.size());
        contact.heavy_end = static_cast<int>(m.heavy.size());
    }
}

void prepare_responses(Memory& m) {
    parallel_for(m.contacts.size(), 256, [&](std::size_t c) {
        Contact& contact = m.contacts[c];
        Mat3 sum = Mat3::Zero();
        for (int e = contact.light_begin; e < contact.light_end; ++e)
            sum += m.light[e].weight * m.light[e].weight * m.answering[m.light[e].at].compliance;
        for (int e = contact.heavy_begin; e < contact.heavy_end; ++e)
            sum += m.heavy[e].share * m.answering[m.heavy[e].at].compliance *
                   m.heavy[e].share.transpose();
        contact.response = contact.frame * sum * contact.frame.transpose();
    });
}

void divide_compliance(const ActiveBody& body, int index, double by, Memory& m) {
    for (int row = body.first; row < body.last; ++row) m.answering[row].compliance /= by;
    m.answering[moving(m, index)].compliance /= by;
    m.answering[turning(m, index)].compliance /= by;
}

// One pass of projected Gauss-Seidel [OTSG09] sec. 5.5, 3.2.1. Returns the largest correction and
// the sum of the squares of all, in the unit of velocity.
std::pair<double, double> pass_over_contacts(bool forwards, std::span<Vec3> forces, Memory& m) {
    double largest = 0, squares = 0;
    const int count = static_cast<int>(m.contacts.size());
    Answering* const answering = m.answering.data();
    for (int i = 0; i < count; ++i) {
        const int c = forwards ? i : count - 1 - i;
        const Contact& contact = m.contacts[c];
        const Mat3& response = contact.response;
        if (!(response(0, 0) > 0)) continue;
        Vec3 sum = Vec3::Zero();
        for (int e = contact.light_begin; e < contact.light_end; ++e)
            sum += m.light[e].weight * answering[m.light[e].at].velocity;
        for (int e = contact.heavy_begin; e < contact.heavy_end; ++e)
            sum += m.heavy[e].share * answering[m.heavy[e].at].velocity;
        const Vec3 before = forces[c];
        Vec3 force = before;
        if (contact.friction > 0) {
            Vec3 velocity = contact.frame * sum;
            for (int k = 0; k < 3; ++k) {
                const double normal =
                    std::max(0.0, force[0] + (contact.wanted[0] - velocity[0]) / response(0, 0));
                velocity += (normal - force[0]) * response.col(0);
                force[0] = normal;
                const double limit = contact.friction * normal;
                for (int t = 1; t < 3; ++t) {
                    const double tangent =
                        std::clamp(force[t] + (contact.wanted[t] - velocity[t]) / response(t, t),
                                   -limit, limit);
                    velocity += (tangent - force[t]) * response.col(t);
                    force[t] = tangent;
                }
            }
        } else {
            const double velocity = contact.frame.row(0) * sum;
            force = {std::max(0.0, force[0] + (contact.wanted[0] - velocity) / response(0, 0)), 0,
                     0};
        }
        const Vec3 change = force - before;
        if (change == Vec3::Zero()) continue;
        const Vec3 moved = change.cwiseProduct(response.diagonal());
        largest = std::max(largest, moved.cwiseAbs().maxCoeff());
        squares += moved.squaredNorm();
        forces[c] = force;
        const Vec3 push = contact.frame.transpose() * change;
        for (int e = contact.light_begin; e < contact.light_end; ++e) {
            Answering& at = answering[m.light[e].at];
            at.velocity += at.compliance * (m.light[e].weight * push);
        }
        for (int e = contact.heavy_begin; e < contact.heavy_end; ++e) {
            Answering& at = answering[m.heavy[e].at];
            at.velocity += at.compliance * (m.heavy[e].share.transpose() * push);
        }
    }
    return {largest, squares};
}

void gather_push(std::span<const Vec3> forces, Memory& m) {
    for (const ActiveBody& body : m.bodies)
        std::fill(m.force.begin() + body.first, m.force.begin() + body.last, Vec3::Zero());
    for (std::size_t c = 0; c < m.contacts.size(); ++c) {
        if (forces[c] == Vec3::Zero()) continue;
        const Contact& contact = m.contacts[c];
        const Vec3 push = contact.frame.transpose() * forces[c];
        for (int e = contact.light_begin; e < contact.light_nodes; ++e)
            m.force[m.light[e].at] += m.light[e].weight * push;
        for (int e = contact.heavy_begin; e < contact.heavy_nodes; ++e)
            m.force[m.heavy[e].at] += m.heavy[e].share.transpose() * push;
    }
}

// Forces go on along their last change as well, half as far as velocities: contacts of stacked
// stiff bodies need almost twice the iterations otherwise, and some do not converge if forces go
// all the way.
void carry_on(const ContactProblem& problem, double momentum, std::vector<Vec3>& forces,
              Memory& m) {
    for (std::size_t c = 0; c < forces.size(); ++c) {
        const Vec3 force = forces[c];
        forces[c] =
            allowed_force(problem.friction[c], force + momentum * (force - m.forces_before[c]));
        m.forces_before[c] = force;
    }
    gather_push(forces, m);
}

// Goes on from dv along its last change by `momentum` and lets everything answer to the forces that
// are left there [OTSG09] eq. 9.
void anticipate(const ContactProblem& problem, double momentum, const std::vector<Vec3>& dv,
                Memory& m) {
    parallel_for(m.pieces.size(), 1, [&](std::size_t p) {
        Piece& piece = m.pieces[p];
        const ActiveBody& body = m.bodies[piece.body];
        piece.force.setZero();
        piece.torque.setZero();
        for (int row = piece.first; row < piece.last; ++row) {
            m.from[row] = dv[row] + momentum * (dv[row] - m.before[row]);
            m.from_product[row] =
                m.product[row] + momentum * (m.product[row] - m.before_product[row]);
            m.before[row] = dv[row];
            m.before_product[row] = m.product[row];
            const Vec3 left = m.force[row] - m.from_product[row];
            m.answering[row].velocity = m.from[row] + m.answering[row].compliance * left;
            if (!body.moves || m.alone[row]) continue;
            piece.force += left;
            if (body.turns) piece.torque += (problem.positions[row] - body.centre).cross(left);
        }
    });
    for (int b = 0; b < static_cast<int>(m.bodies.size()); ++b) {
        Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
        for (int p = m.bodies[b].pieces_begin; p < m.bodies[b].pieces_end; ++p) {
            force += m.pieces[p].force;
            torque += m.pieces[p].torque;
        }
        Answering& move = m.answering[moving(m, b)];
        move.velocity = move.compliance * force;
        Answering& turn = m.answering[turning(m, b)];
        turn.velocity = turn.compliance * torque;
    }
}

// Takes what has been anticipated for the response, and sees what A makes of it.
void respond(const ContactProblem& problem, std::vector<Vec3>& dv, Memory& m) {
    const BlockMatrix& matrix = *problem.matrix;
    parallel_for(m.pieces.size(), 1, [&](std::size_t p) {
        const Piece& piece = m.pieces[p];
        const ActiveBody& body = m.bodies[piece.body];
        const Vec3 move = m.answering[moving(m, piece.body)].velocity;
        const Vec3 turn = m.answering[turning(m, piece.body)].velocity;
        for (int row = piece.first; row < piece.last; ++row) {
            dv[row] = m.answering[row].velocity;
            if (!body.moves || m.alone[row]) continue;
            dv[row] += move;
            if (body.turns) dv[row] += turn.cross(problem.positions[row] - body.centre);
        }
    });
    parallel_for(m.pieces.size(), 1, [&](std::size_t p) {
        Piece& piece = m.pieces[p];
        piece.astray = piece.pushed = piece.stiffness = piece.compliance = piece.uphill = 0;
        for (int row = piece.first; row < piece.last; ++row) {
            Vec3 product = Vec3::Zero();
            for (int k = matrix.starts[row]; k < matrix.starts[row + 1]; ++k)
                product += matrix.values[k] * dv[matrix.columns[k]];
            m.product[row] = product;
            const Vec3 step = dv[row] - m.from[row];
            const Vec3 pull = m.force[row] - m.from_product[row];
            piece.astray += (m.force[row] - product).squaredNorm();
            piece.pushed += m.force[row].squaredNorm();
            piece.stiffness += step.dot(product - m.from_product[row]);
            piece.compliance += step.dot(pull);
            piece.uphill -= pull.dot(dv[row] - m.before[row]);
        }
    });
}

// Where a step was softer than A allows, the body is made stiffer. Returns whether there was any.
bool grow_caution(Memory& m) {
    bool grown = false;
    for (int b = 0; b < static_cast<int>(m.bodies.size()); ++b) {
        ActiveBody& body = m.bodies[b];
        double stiffness = 0, compliance = 0;
        for (int p = body.pieces_begin; p < body.pieces_end; ++p) {
            stiffness += m.pieces[p].stiffness;
            compliance += m.pieces[p].compliance;
        }
        if (!body.coupled || !(stiffness > 1.02 * compliance) || !(compliance > 0)) continue;
        divide_compliance(body, b, std::clamp(stiffness / compliance, 1.1, 2.0), m);
        grown = true;
    }
    return grown;
}

struct ContactFigures {
    double violation = 0;
    double defect = 0;
};

ContactFigures check_contacts(const ContactProblem& problem, const ContactResponse& response,
                              Memory& m) {
    m.defect.resize(m.contacts.size());
    m.violation.resize(m.contacts.size());
    parallel_for(m.contacts.size(), 256, [&](std::size_t c) {
        const Contact& contact = m.contacts[c];
        Vec3 sum = Vec3::Zero();
        for (int e = contact.light_begin; e < contact.light_nodes; ++e)
            sum += m.light[e].weight * response.dv[m.light[e].at];
        for (int e = contact.heavy_begin; e < contact.heavy_nodes; ++e)
            sum += m.heavy[e].share * response.dv[m.heavy[e].at];
        const Vec3 velocity = contact.frame * sum;
        m.violation[c] = problem.bound[c] - velocity.x();
        m.defect[c] = contact_defect(problem, static_cast<int>(c), velocity, response.forces[c],
                                     contact.response.diagonal());
    });
    ContactFigures figures;
    for (std::size_t c = 0; c < m.contacts.size(); ++c) {
        figures.violation = std::max(figures.violation, m.violation[c]);
        figures.defect = std::max(figures.defect, m.defect[c]);
    }
    return figures;
}

} // namespace

void solve_iterative_anticipation(const ContactProblem& problem,
                                  const AnticipationSettings& settings, ContactResponse& response,
                                  AnticipationWorkspace& workspace) {
    check_contact_problem(problem, response);
    Memory& m = workspace.memory();
    response.outer_iterations = response.inner_iterations = 0;
    response.converged = false;
    const int rows = problem.matrix->rows();
    find_active_bodies(problem, m);
    // What no contact touches has nothing to respond to.
    for (int row = 0; row < rows; ++row)
        if (m.body_of[row] < 0) response.dv[row].setZero();
    for (int c = 0; c < problem.contacts(); ++c)
        response.forces[c] = allowed_force(problem.friction[c], response.forces[c]);

    m.answering.resize(rows + 2 * m.bodies.size());
    parallel_for(m.bodies.size(), 1,
                 [&](std::size_t b) { prepare_body(problem, static_cast<int>(b), m); });
    bool coupled = false;
    for (int b = 0; b < static_cast<int>(m.bodies.size()); ++b) {
        ActiveBody& body = m.bodies[b];
        for (int row = body.first; row < body.last; ++row)
            if (m.answering[row].compliance.isZero(0))
                throw SolveError(fmt::format(
                    "contact problem: the diagonal block of row {} is not positive definite", row));
        if (!body.coupled) continue;
        coupled = true;
        for (int row = body.first; row < body.last; ++row)
            if (!m.alone[row]) m.answering[row].compliance /= first_caution;
    }
    prepare_contacts(problem, m);
    prepare_responses(m);

    for (auto* memory : {&m.force, &m.product, &m.from, &m.from_product})
        memory->assign(rows, Vec3::Zero());
    gather_push(response.forces, m);
    multiply(*problem.matrix, response.dv, m.product);
    m.before = response.dv;
    m.before_product = m.product;

    // dv is a step of a projected gradient in the measure of what is anticipated, so that momentum
    // can speed it up as it does those.
    double pace = 1, momentum = 0;
    double best = std::numeric_limits<double>::infinity();
    int best_at = 0;
    double least_score = best; // since momentum was taken away last
    int passes = settings.max_inner;
    bool carry_forces = true;
    double last_astray = std::numeric_limits<double>::infinity(), last_defect = last_astray;
    while (response.outer_iterations < settings.max_outer && problem.contacts() > 0) {
        ++response.outer_iterations;
        if (momentum > 0 && carry_forces)
            carry_on(problem, 0.5 * momentum, response.forces, m);
        else
            m.forces_before = response.forces;
        anticipate(problem, momentum, response.dv, m);
        // Where nothing is coupled the inner iteration is all there is.
        const int limit = coupled ? passes : settings.max_inner * settings.max_outer;
        double first = 0, least = std::numeric_limits<double>::infinity();
        int least_at = 0;
        for (int pass = 1; pass <= limit; ++pass) {
            check_stop(settings.stop);
            ++response.inner_iterations;
            const auto [largest, squares] = pass_over_contacts(pass % 2 == 1, response.forces, m);
            if (pass == 1) first = squares;
            if (largest <= 0.1 * settings.enough) break;
            if (coupled && squares <= settings.inner_reduction * settings.inner_reduction * first)
                break;
            if (squares < 0.8 * least) {
                least = squares;
                least_at = pass;
            } else if (pass - least_at >= settings.patience) {
                break;
            }
        }
        gather_push(response.forces, m);
        respond(problem, response.dv, m);

        double astray = 0, pushed = 0, uphill = 0;
        for (const Piece& piece : m.pieces) {
            astray += piece.astray;
            pushed += piece.pushed;
            uphill += piece.uphill;
        }
        astray = astray > 0 ? std::sqrt(astray / std::max(pushed, astray)) : 0;
        if (!std::isfinite(astray)) break;
        const ContactFigures contacts = check_contacts(problem, response, m);
        if (settings.end == AnticipationEnd::tolerances) {
            response.converged = astray <= settings.dynamics_tolerance &&
                                 contacts.violation <= settings.enough &&
                                 contacts.defect <= settings.enough;
        } else {
            response.converged =
                contacts.violation <= settings.enough &&
                (contacts.defect <= settings.enough ||
                 std::abs(contacts.defect - last_defect) <= settings.change * last_defect) &&
                std::abs(astray - last_astray) <= settings.change * last_astray;
        }
        if (response.converged || !coupled) break;
        last_astray = astray;
        last_defect = contacts.defect;
        const double score = std::max(astray / std::max(settings.dynamics_tolerance, 1e-300),
                                      contacts.defect / std::max(settings.enough, 1e-300));
        if (score < 0.9 * best) {
            best = score;
            best_at = response.outer_iterations;
        } else if (response.outer_iterations - best_at >= settings.patience) {
            break;
        }

        if (grow_caution(m)) {
            prepare_responses(m);
            pace = 1;
        }
        if (uphill > 0) pace = 1;
        // Where dv does what the forces want and only the contacts are not done, or where momentum
        // adds up what the passes over them leave undone, they have to be more thorough.
        const int stalled = std::max(1, settings.patience / 8);
        const int standing = response.outer_iterations - best_at;
        if (astray <= settings.dynamics_tolerance && standing > 0 && standing % stalled == 0)
            passes = std::min(2 * passes, 16 * settings.max_inner);
        if (score > 2 * least_score) {
            carry_forces = passes == settings.max_inner;
            passes = std::min(2 * passes, 16 * settings.max_inner);
            pace = 1;
        }
        least_score = pace == 1 ? score : std::min(least_score, score);
        const double next = (1 + std::sqrt(1 + 4 * pace * pace)) / 2;
        momentum = (pace - 1) / next;
        pace = next;
    }

    const auto finite = [](const Vec3& v) { return v.allFinite(); };
    if (!std::all_of(response.dv.begin(), response.dv.end(), finite) ||
        !std::all_of(response.forces.begin(), response.forces.end(), finite)) {
        std::fill(response.dv.begin(), response.dv.end(), Vec3::Zero());
        std::fill(response.forces.begin(), response.forces.end(), Vec3::Zero());
        response.converged = false;
    }
    if (problem.contacts() == 0) response.converged = true;
    measure_response(problem, response, m.measuring);
}

} // namespace knead
