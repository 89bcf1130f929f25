#pragma once

#include "knead/dynamics/linear_system.hpp"
#include "knead/solve/contact_problem.hpp"

#include <vector>

namespace knead {

/// One linearised non-penetration constraint [OTSG09] eq. 4: at the end of the step the first
/// primitive's point is at least `apart` from the second's, along the normal. Or one that an
/// element is not turned inside out, see `add_element_limits`.
struct Contact {
    PrimitivePair pair;
    int element = -1, body = -1; ///< the element of a body, instead of a pair
    std::array<int, 4> vertices{};
    std::array<double, 4> weights{};
    Vec3 normal = Vec3::UnitX();  ///< from the second to the first
    Vec3 tangent = Vec3::UnitY(); ///< along the sliding without contact
    double apart = 0;
};

/// The local approximation of the constraint manifold, refined round by round, and the contact
/// forces it takes.
struct ContactSet {
    std::vector<Contact> contacts;
    ContactProblem problem;
    ContactResponse response;

    void clear();
};

/// Adds a constraint for a pair, linearised where its primitives are at `points`: at the start of
/// the step, or at the time of impact. `free_surface` are the velocities of all vertices without
/// contact, kinematic ones included.
void add_contact(const World& world, const WorldState& state, const LinearSystem& system,
                 std::span<const Vec3> free_surface, const PrimitivePair& pair,
                 const std::array<Vec3, 4>& points, ContactSet& set);

/// Rigid bodies turn, so their points do not move along straight lines: shifts the bounds by what
/// the linearisation missed when the last response has led to `surface`.
void correct_bounds(const World& world, const WorldState& state, const LinearSystem& system,
                    std::span<const Vec3> free_surface, std::span<const Vec3> surface,
                    ContactSet& set);

/// The work that moving kinematic bodies and pinned blocks do by pushing, when vertices move with
/// `surface` and blocks with `velocities`.
double kinematic_work(const World& world, const ContactSet& set, std::span<const Vec3> surface,
                      std::span<const Vec3> velocities);

/// What the next step starts from.
void keep_forces(const ContactSet& set, double seconds, WorldState& state);

} // namespace knead
