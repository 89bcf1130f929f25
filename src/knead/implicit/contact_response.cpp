#include "knead/implicit/contact_response.hpp"

#include "knead/base/error.hpp"
#include "knead/base/sparse.hpp"
#include "knead/base/text.hpp"

#include <Eigen/SparseCholesky>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace knead {
namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

constexpr int most_rounds = 16;
constexpr double same_velocity = 1e-6;
// Friction that holds is a drag so strong that it stops what it acts on this many times in a step.
constexpr double hold_strength = 1e6;

// Of its size: what a solid may move in a step, and how far from the origin it may get. Further,
// and it may meet anything on its way, and its place is rounded to parts of itself.
constexpr double longest_way = 1e4, farthest = 1e8;
// What it may turn in a step.
constexpr double most_turns = 1e4;

// Numbers may be finite and beyond all sense.
void check_way(const Solid& solid, const Vec3& velocity, const Vec3& turning, double seconds) {
    const auto refuse = [&](const std::string& what) {
        throw SolveError(fmt::format("solid {} would {}; expected slower motion or a shorter step",
                                     single_quoted(solid.definition.name), what));
    };
    const double size = solid.samples_at_rest.box.diagonal();
    const double way = velocity.norm() * seconds;
    // Also numbers that are none.
    if (!(way <= longest_way * size))
        refuse(fmt::format("move by {:.3g} in a step of {:.3g} s, more than {} times its size of "
                           "{:.3g}",
                           way, seconds, longest_way, size));
    const double turns = turning.norm() * seconds / (2 * std::numbers::pi);
    if (!(turns <= most_turns))
        refuse(fmt::format("turn {:.3g} times in a step of {:.3g} s, more than {} times", turns,
                           seconds, most_turns));
    double reach = 0;
    if (solid.moves())
        reach = (solid.state.position + seconds * velocity).norm();
    else
        for (const FieldPiece& piece : solid.field.pieces())
            for (const Vec3& point : piece.points)
                reach = std::max(reach, solid.pose.to_world(point).norm());
    if (!(reach <= farthest * size))
        refuse(fmt::format("get {:.3g} away from the origin, further than {:.3g}", reach,
                           farthest * size));
}

Mat3 cross_matrix(const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

// What an element does, about a point that all elements of a contact share: impulse - matrix *
// twist.
struct Resistance {
    Vec6 impulse = Vec6::Zero();
    Mat6 matrix = Mat6::Zero();

    void add(const Vec3& arm, const Vec3& push, const Mat3& resist) {
        const Mat3 c = cross_matrix(arm), rc = resist * c;
        impulse.head<3>() += push;
        impulse.tail<3>() += arm.cross(push);
        matrix.topLeftCorner<3, 3>() += resist;
        matrix.topRightCorner<3, 3>() -= rc;
        matrix.bottomLeftCorner<3, 3>() -= rc.transpose();
        matrix.bottomRightCorner<3, 3>() -= c * rc;
    }
};

struct PairResponse {
    const SolidContact* contact;
    double drag = 0;                   ///< lambda_i lambda_j
    double friction = 0;               ///< of both
    double hold = 0;                   ///< drag per area of friction that holds
    Vec3 center;                       ///< about which twists are
    std::vector<Vec3> held_velocities; ///< of held solids at each element, first less second
};

// Of a solid about a point, as seen by the unknowns of the solid.
Mat6 twist_about(const Solid& solid, const Vec3& point) {
    Mat6 m = Mat6::Identity();
    m.topRightCorner<3, 3>() = -cross_matrix(point - solid.state.position);
    return m;
}

PairResponse prepare(std::span<const Solid> solids, const SolidContact& contact, double seconds) {
    const Solid &a = solids[contact.first], &b = solids[contact.second];
    PairResponse pair;
    pair.contact = &contact;
    pair.drag = a.definition.drag * b.definition.drag;
    pair.friction = std::sqrt(a.definition.friction * b.definition.friction);
    const double mass = a.moves() && b.moves() ? std::min(a.mass.mass, b.mass.mass)
                        : a.moves()            ? a.mass.mass
                                               : b.mass.mass;
    pair.hold = hold_strength * mass / (seconds * contact.area);
    pair.center = a.moves() ? a.state.position : b.state.position;
    for (const ContactElement& element : contact.elements) {
        Vec3 velocity = Vec3::Zero();
        if (!a.moves()) velocity += a.velocity_at(element.point);
        if (!b.moves()) velocity -= b.velocity_at(element.point);
        pair.held_velocities.push_back(velocity);
    }
    return pair;
}

// What an element does to the first solid when both move by `velocity` against each other: a force
// per area without motion, and what motion adds to it.
struct ElementLaw {
    double push = 0;
    double normal_drag = 0, tangential_drag = 0;
};

ElementLaw element_law(const PairResponse& pair, const ContactElement& element,
                       const Vec3& velocity, double seconds) {
    const double away = velocity.dot(element.normal);
    const double sliding = (velocity - away * element.normal).norm();
    ElementLaw law;
    // Pressure at the end of the step, and the damping of compression; together they never pull.
    const double resist = seconds * element.stiffness + pair.drag;
    double pressure = element.pressure - resist * away;
    if (pressure >= 0) {
        law.push = element.pressure;
        law.normal_drag = resist;
    } else {
        pressure = 0;
    }
    law.tangential_drag = pressure > 0 ? pair.drag : 0;
    if (pair.friction > 0 && pressure > 0) {
        const double limit = pair.friction * pressure;
        law.tangential_drag += limit >= pair.hold * sliding ? pair.hold : limit / sliding;
    }
    return law;
}

// One row of blocks a moving solid.
class BlockSystem {
public:
    BlockSystem(std::span<const Solid> solids, std::span<const int> order)
        : row_(solids.size(), -1) {
        for (const int solid : order)
            if (solids[solid].moves()) row_[solid] = rows_++;
    }
    int row(int solid) const { return row_[solid]; }
    int size() const { return 6 * rows_; }

    void add(int row, int column, const Mat6& block) {
        if (column > row) return; // only the lower triangle is looked at
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
                if (row != column || j <= i)
                    entries_.emplace_back(6 * row + i, 6 * column + j, block(i, j));
    }
    Eigen::VectorXd solve(const Eigen::VectorXd& right) {
        SparseMatrix matrix(size(), size());
        matrix.setFromTriplets(entries_.begin(), entries_.end());
        entries_.clear();
        const Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower> factor(matrix);
        if (factor.info() != Eigen::Success)
            throw SolveError("the velocities of the solids could not be solved for");
        return factor.solve(right);
    }

private:
    std::vector<int> row_;
    int rows_ = 0;
    std::vector<Eigen::Triplet<double>> entries_;
};

} // namespace

SolidResponse respond(std::span<const Solid> solids, std::span<const SolidContact> contacts,
                      const Vec3& gravity, double seconds) {
    const std::vector<int> order = by_name(solids);
    for (const int i : order)
        if (!solids[i].moves())
            check_way(solids[i], solids[i].velocity, solids[i].angular_velocity, seconds);
    BlockSystem system(solids, order);
    SolidResponse response;
    response.velocities.assign(solids.size(), Vec3::Zero());
    response.angular_momenta.assign(solids.size(), Vec3::Zero());

    std::vector<PairResponse> pairs;
    std::vector<char> touched(solids.size(), 0);
    for (const SolidContact& contact : contacts) {
        response.forces.push_back({contact.first, contact.second, contact.force, contact.area});
        if (!solids[contact.first].moves() && !solids[contact.second].moves()) continue;
        pairs.push_back(prepare(solids, contact, seconds));
        touched[contact.first] = touched[contact.second] = 1;
    }
    Eigen::VectorXd momenta(system.size()), velocities(system.size());
    std::vector<Mat3> inertias(solids.size());
    for (const int i : order) {
        const int row = system.row(i);
        if (row < 0) continue;
        const Solid& solid = solids[i];
        inertias[i] = world_inertia(solid.mass.inertia, solid.state.orientation);
        momenta.segment<3>(6 * row) = solid.mass.mass * (solid.state.velocity + seconds * gravity);
        momenta.segment<3>(6 * row + 3) = solid.state.angular_momentum;
        velocities.segment<3>(6 * row) = solid.state.velocity;
        velocities.segment<3>(6 * row + 3) = angular_velocity(solid.mass.inertia, solid.state);
    }

    const auto twist_of = [&](int solid, const Vec3& center) -> Vec6 {
        const int row = system.row(solid);
        if (row < 0) return Vec6::Zero();
        return twist_about(solids[solid], center) * velocities.segment<6>(6 * row);
    };
    const auto velocity_at = [&](const PairResponse& pair, const Vec6& twist, std::size_t element) {
        const Vec3 arm = pair.contact->elements[element].point - pair.center;
        return Vec3(twist.head<3>() + twist.tail<3>().cross(arm) + pair.held_velocities[element]);
    };

    for (int round = 1; round <= most_rounds && !pairs.empty(); ++round) {
        response.rounds = round;
        Eigen::VectorXd right = momenta;
        for (const int i : order) {
            const int row = system.row(i);
            if (row < 0) continue;
            Mat6 mass = Mat6::Zero();
            mass.topLeftCorner<3, 3>() = solids[i].mass.mass * Mat3::Identity();
            mass.bottomRightCorner<3, 3>() = inertias[i];
            system.add(row, row, mass);
        }
        for (const PairResponse& pair : pairs) {
            const int a = pair.contact->first, b = pair.contact->second;
            const Vec6 twist = twist_of(a, pair.center) - twist_of(b, pair.center);
            Resistance sum;
            for (std::size_t e = 0; e < pair.contact->elements.size(); ++e) {
                const ContactElement& element = pair.contact->elements[e];
                const ElementLaw law =
                    element_law(pair, element, velocity_at(pair, twist, e), seconds);
                const double weight = seconds * element.area;
                const Vec3& n = element.normal;
                const Mat3 resist =
                    weight * (law.tangential_drag * Mat3::Identity() +
                              (law.normal_drag - law.tangential_drag) * n * n.transpose());
                sum.add(element.point - pair.center,
                        weight * law.push * n - resist * pair.held_velocities[e], resist);
            }
            const int row_a = system.row(a), row_b = system.row(b);
            const Mat6 to_a = row_a < 0 ? Mat6(Mat6::Zero()) : twist_about(solids[a], pair.center),
                       to_b = row_b < 0 ? Mat6(Mat6::Zero()) : twist_about(solids[b], pair.center);
            if (row_a >= 0) {
                right.segment<6>(6 * row_a) += to_a.transpose() * sum.impulse;
                system.add(row_a, row_a, to_a.transpose() * sum.matrix * to_a);
            }
            if (row_b >= 0) {
                right.segment<6>(6 * row_b) -= to_b.transpose() * sum.impulse;
                system.add(row_b, row_b, to_b.transpose() * sum.matrix * to_b);
            }
            if (row_a >= 0 && row_b >= 0) {
                system.add(row_a, row_b, -to_a.transpose() * sum.matrix * to_b);
                system.add(row_b, row_a, -to_b.transpose() * sum.matrix * to_a);
            }
        }
        const Eigen::VectorXd next = system.solve(right);
        const double change = (next - velocities).cwiseAbs().maxCoeff();
        const double largest = next.cwiseAbs().maxCoeff();
        velocities = next;
        if (change <= same_velocity * (largest + seconds * gravity.norm())) break;
    }

    std::size_t force = 0;
    for (const PairResponse& pair : pairs) {
        while (response.forces[force].first != pair.contact->first ||
               response.forces[force].second != pair.contact->second)
            ++force;
        const Vec6 twist = twist_of(pair.contact->first, pair.center) -
                           twist_of(pair.contact->second, pair.center);
        Vec3 sum = Vec3::Zero();
        for (std::size_t e = 0; e < pair.contact->elements.size(); ++e) {
            const ContactElement& element = pair.contact->elements[e];
            const Vec3 velocity = velocity_at(pair, twist, e);
            const ElementLaw law = element_law(pair, element, velocity, seconds);
            const double away = velocity.dot(element.normal);
            sum += element.area * ((law.push - law.normal_drag * away) * element.normal -
                                   law.tangential_drag * (velocity - away * element.normal));
        }
        response.forces[force].force = sum;
    }
    for (const int i : order) {
        const int row = system.row(i);
        if (row < 0) continue;
        if (touched[i] != 0) {
            response.velocities[i] = velocities.segment<3>(6 * row);
            response.angular_momenta[i] = inertias[i] * velocities.segment<3>(6 * row + 3);
        } else {
            response.velocities[i] = solids[i].state.velocity + seconds * gravity;
            response.angular_momenta[i] = solids[i].state.angular_momentum;
        }
        check_way(solids[i], response.velocities[i],
                  inertias[i].inverse() * response.angular_momenta[i], seconds);
    }
    return response;
}

} // namespace knead
