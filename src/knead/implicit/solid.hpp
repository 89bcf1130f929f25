#pragma once

#include "knead/dynamics/rigid_motion.hpp"
#include "knead/implicit/contact.hpp"
#include "knead/implicit/solid_definition.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace knead {

/// A solid on its way.
struct Solid {
    SolidDefinition definition; ///< its propagation is complete
    Field field;
    Samples samples;
    Pose pose;

    // Of one that is not held.
    MassProperties mass; ///< in its own coordinates
    RigidState state;

    // Of one that is held: how it moves, as a whole and its skeletons against each other.
    Vec3 velocity = Vec3::Zero(); ///< of its origin
    Vec3 angular_velocity = Vec3::Zero();
    std::vector<Affine3>
        piece_motions;   ///< in a second, in its own coordinates; none when it is stiff
    Field field_at_rest; ///< as it was defined
    Samples samples_at_rest;

    bool moves() const { return !definition.held; }
    SampledSolid sampled() const { return {{&field, pose}, &samples, definition.rigid}; }
    /// Of what is at a point of the world.
    Vec3 velocity_at(const Vec3& point) const;
};

/// Throws an InputError that begins with the name for a number out of range, and what `Field` and
/// `mass_properties` throw.
Solid make_solid(const SolidDefinition& definition);
/// All of them. Throws InputError for a name that is there twice.
std::vector<Solid> make_solids(std::span<const SolidDefinition> definitions);

/// What is odd about a solid: several parts, which move as one although nothing joins them, or
/// vertices that are far from its surface.
std::vector<std::string> notes_about(const Solid& solid);

/// Moves a held solid, with its skeletons when `pieces` are given, as it does in `seconds`.
void move_held(Solid& solid, const Pose& pose, const std::optional<std::vector<FieldPiece>>& pieces,
               double seconds);

/// The pose that a solid has by its state.
Pose pose_of(const Solid& solid);

/// Names decide the order in which solids are dealt with, not where they are in a list.
std::vector<int> by_name(std::span<const Solid> solids);

} // namespace knead
