#pragma once

#include "knead/solve/block_matrix.hpp"

#include <span>
#include <vector>

namespace knead {

/// The mixed complementarity problem of frictional contact [OTSG09] eq. 7: given a symmetric
/// positive definite A, find the response dv and the contact forces with
///
///     A dv = J^T lambda + H^T gamma
///     0 <= lambda  _|_  J dv >= bound
///     |gamma_i| <= mu lambda,  opposed to what is left of the sliding  H dv - slide
///
/// Each contact has its own frame (normal, first and second tangent), in which its forces and the
/// velocity of its two points relative to each other are given.
struct ContactProblem {
    /// How one block of velocities moves a contact: `rows * v` is its share in the relative
    /// velocity, in the contact's frame. For a node with weight w that is w times the transposed
    /// frame.
    struct Entry {
        int block = 0;
        Mat3 rows = Mat3::Zero();
    };

    const BlockMatrix* matrix = nullptr;
    /// Where bodies begin among the rows of the matrix, and the end: those of one body do not
    /// couple with those of another, except by contacts.
    std::span<const int> bodies;
    /// Where the node of each block is; may be empty. With it, iterative anticipation also foresees
    /// how a body turns as a whole, which makes it many times faster for stiff ones; the solution
    /// is the same.
    std::span<const Vec3> positions;

    std::vector<int> starts = {0}; ///< where the entries of each contact begin, and the end
    std::vector<Entry> entries;    ///< no block twice in one contact
    std::vector<double> bound;     ///< -g0 / dt - J v*
    std::vector<Vec2> slide;       ///< -H v*: the tangential response that stops all sliding
    std::vector<double> friction;  ///< mu; 0 for none

    int contacts() const { return static_cast<int>(bound.size()); }
};

/// Where a solver starts from, and what it comes to.
struct ContactResponse {
    std::vector<Vec3> dv;     ///< one a block
    std::vector<Vec3> forces; ///< one a contact: lambda, gamma 1, gamma 2
    int outer_iterations = 0;
    int inner_iterations = 0; ///< over all outer ones
    /// How far A dv is from the contact forces, relative to them.
    double dynamics_residual = 0;
    /// How far J dv is below its bound, at most; in the unit of velocity.
    double violation = 0;
    /// How far the conditions of contact and friction are from holding, at most; in the unit of
    /// velocity. Besides the violation it counts forces where there is a gap, and friction that is
    /// too weak or too strong.
    double complementarity = 0;
    bool converged = false;
};

/// Throws InputError, naming the contact, for a problem or a start that does not fit together:
/// sizes, blocks out of range, a negative friction, numbers that are not finite.
void check_contact_problem(const ContactProblem& problem, const ContactResponse& start);

/// The velocity of the contact's two points relative to each other that `dv` makes, in its frame.
Vec3 relative_velocity(const ContactProblem& problem, int contact, std::span<const Vec3> dv);

/// What the forces of contacts are on the blocks: J^T lambda + H^T gamma.
void gather_forces(const ContactProblem& problem, std::span<const Vec3> forces,
                   std::span<Vec3> on_blocks);

/// The force nearest to `force` that a contact may have: pushing, friction within its pyramid.
Vec3 allowed_force(double friction, const Vec3& force);

/// How far one contact's conditions are from holding; in the unit of velocity. `response` is the
/// velocity that a unit of each force makes in its own direction, about.
double contact_defect(const ContactProblem& problem, int contact, const Vec3& velocity,
                      const Vec3& force, const Vec3& response);

/// Sets `dynamics_residual`, `violation` and `complementarity` to what dv and forces really leave.
/// `memory` is of any size.
void measure_response(const ContactProblem& problem, ContactResponse& response,
                      std::vector<Vec3>& memory);

} // namespace knead
