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
    bool converged = false;
};

} // namespace knead
