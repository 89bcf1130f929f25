#pragma once

#include "knead/base/random.hpp"
#include "knead/solve/contact_problem.hpp"

#include <cmath>
#include <map>
#include <memory>

namespace knead::testing_contact {

/// A pile of soft cubes that press on each other and on the ground, with everything a problem
/// points to.
struct ContactCase {
    std::unique_ptr<BlockMatrix> matrix = std::make_unique<BlockMatrix>();
    std::vector<int> bodies;
    std::vector<Vec3> positions; ///< of the nodes
    ContactProblem problem;

    ContactResponse zero() const {
        ContactResponse start;
        start.dv.assign(matrix->rows(), Vec3::Zero());
        start.forces.assign(problem.contacts(), Vec3::Zero());
        return start;
    }
};

struct PileSettings {
    int bodies = 8;
    int side = 4; ///< nodes along an edge of a cube
    int contacts = 100;
    double stiffness = 100; ///< dt^2 k / m of the springs between neighbouring nodes
    double friction = 0;    ///< of every other contact; the others have half of it
    bool redundant = false; ///< every fourth contact is a copy of the one before
    std::uint64_t seed = 1;
};

/// Nodes have fourteen neighbours, as in a cube cut into tetrahedra, with a spring to each. A
/// contact holds a point of a triangle on one face away from one on the next cube, or from the
/// ground.
inline ContactCase make_pile(const PileSettings& settings) {
    Random random(settings.seed);
    const int n = settings.side;
    const int nodes = n * n * n;
    const auto node = [&](int x, int y, int z) { return x + n * (y + n * z); };
    std::vector<Vec3> at;
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) at.push_back(Vec3(x, y, z) + random.in_cube(0.15));
    std::vector<std::array<int, 2>> springs;
    const std::array<std::array<int, 3>, 7> steps = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}}};
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x)
                for (const auto& s : steps)
                    if (x + s[0] < n && y + s[1] < n && z + s[2] < n)
                        springs.push_back({node(x, y, z), node(x + s[0], y + s[1], z + s[2])});

    ContactCase result;
    std::vector<std::array<int, 2>> couplings;
    for (int body = 0; body < settings.bodies; ++body) {
        result.bodies.push_back(body * nodes);
        for (const auto& [a, b] : springs)
            couplings.push_back({body * nodes + a, body * nodes + b});
    }
    result.bodies.push_back(settings.bodies * nodes);
    BlockMatrix& matrix = *result.matrix;
    matrix = make_block_matrix(settings.bodies * nodes, couplings);
    for (int body = 0; body < settings.bodies; ++body) {
        const int first = body * nodes;
        const Quat turn = random.rotation();
        for (const Vec3& p : at) result.positions.push_back(turn * p);
        for (int i = 0; i < nodes; ++i)
            matrix.values[matrix.diagonal[first + i]] +=
                random.uniform(0.7, 1.3) * Mat3::Identity();
        for (const auto& [a, b] : springs) {
            const Vec3 along = turn * (at[b] - at[a]).normalized();
            const Mat3 k = settings.stiffness * along * along.transpose();
            matrix.values[matrix.diagonal[first + a]] += k;
            matrix.values[matrix.diagonal[first + b]] += k;
            matrix.values[find_block(matrix, first + a, first + b)] -= k;
            matrix.values[find_block(matrix, first + b, first + a)] -= k;
        }
    }

    // Cubes stand on a square of the ground, layer by layer.
    const int wide = std::max(1, static_cast<int>(std::cbrt(settings.bodies)));
    const auto body_at = [&](int x, int y, int z) {
        return x < 0 || y < 0 || z < 0 || x >= wide || y >= wide ? -1 : x + wide * (y + wide * z);
    };
    std::vector<Vec3> velocity;
    for (int body = 0; body < settings.bodies; ++body) {
        const Vec3 together = random.in_cube(1) - Vec3(0, 0, 1);
        for (int i = 0; i < nodes; ++i) velocity.push_back(together + random.in_cube(0.2));
    }
    ContactProblem& problem = result.problem;
    problem.matrix = result.matrix.get();
    while (problem.contacts() < settings.contacts) {
        const auto finish = [&](double gap) {
            const int c = problem.contacts();
            problem.starts.push_back(static_cast<int>(problem.entries.size()));
            problem.bound.push_back(0);
            const Vec3 moving = relative_velocity(problem, c, velocity);
            problem.bound.back() = -gap - moving.x();
            problem.slide.push_back(-moving.tail<2>());
            problem.friction.push_back(settings.friction * (c % 2 == 0 ? 1 : 0.5));
        };
        if (settings.redundant && problem.contacts() % 4 == 3) {
            const int last = problem.contacts() - 1;
            for (int e = problem.starts[last]; e < problem.starts[last + 1]; ++e)
                problem.entries.push_back(ContactProblem::Entry(problem.entries[e]));
            finish(-problem.bound[last] - relative_velocity(problem, last, velocity).x());
            continue;
        }
        const int body = random.index(settings.bodies);
        const int axis = random.index(3);
        std::array<int, 3> place = {body % wide, body / wide % wide, body / (wide * wide)};
        --place[axis];
        const int other = body_at(place[0], place[1], place[2]);
        if (other < 0 && axis != 2) continue;
        Vec3 normal = Vec3::Unit(axis) + random.in_cube(0.3);
        const Quat spin(Eigen::AngleAxisd(random.uniform(0, 6), normal.normalized()));
        Mat3 frame;
        frame.col(0) = normal.normalized();
        frame.col(1) = spin * frame.col(0).unitOrthogonal();
        frame.col(2) = frame.col(0).cross(frame.col(1));
        const int p = random.index(n - 1), q = random.index(n - 1);
        const auto add_point = [&](int which, int layer, double sign) {
            double a = random.uniform(), b = random.uniform();
            if (a + b > 1) a = 1 - a, b = 1 - b;
            const std::array<double, 3> weights = {1 - a - b, a, b};
            for (int k = 0; k < 3; ++k) {
                std::array<int, 3> i = {};
                i[axis] = layer;
                i[(axis + 1) % 3] = p + (k == 1);
                i[(axis + 2) % 3] = q + (k == 2);
                problem.entries.push_back({which * nodes + node(i[0], i[1], i[2]),
                                           sign * weights[k] * frame.transpose()});
            }
        };
        add_point(body, 0, 1);
        if (other >= 0) add_point(other, n - 1, -1);
        finish(random.uniform() < 0.5 ? 0 : random.uniform(0, 0.2));
    }
    problem.bodies = result.bodies;
    problem.positions = result.positions;
    return result;
}

} // namespace knead::testing_contact
