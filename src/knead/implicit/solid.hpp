#pragma once

#include "knead/dynamics/rigid_motion.hpp"
#include "knead/implicit/contact.hpp"
#include "knead/implicit/solid_settings.hpp"

#include <optional>
#include <string>

namespace knead {

/// How far pressing one place of a solid is felt beside it, [Gas93] sec. 3.2.
struct Propagation {
    double width = 1; ///< w, a length: how far from the other solid it bulges
    /// Alpha: field value of the bulge over that of the compression.
    double attenuation = settings::attenuation.otherwise;
    /// Instead of `attenuation`: the part of the displaced volume that is lost, 0 to 1. The rest
    /// goes into the bulge, as far as that may grow.
    std::optional<double> compressibility;
};

/// An implicit deformable solid: a rigid component that moves, and a layer that is at rest against
/// it and gives way in contact [Gas93] sec. 2. Forces per area are field values, so densities are
/// to be chosen for stiffnesses of a few units over the radius.
struct SolidDefinition {
    std::string name; ///< unlike those of the others
    std::vector<FieldPiece> pieces;
    /// Its vertices are the samples, see `polygonize` and `make_samples`.
    TriangleMesh mesh;
    Pose pose;
    /// Of one that is held: its skeletons at the start, when they are not where its mesh fits them.
    std::optional<std::vector<FieldPiece>> pieces_at_start;
    bool rigid = false; ///< keeps its shape
    bool held = false;  ///< moves as it is told, whatever pushes it
    double density = settings::solid_density.otherwise;
    /// lambda: lambda_i lambda_j is the force per area and velocity.
    double drag = settings::drag.otherwise;
    /// Coulomb's; of two solids the geometric mean counts.
    double friction = settings::solid_friction.otherwise;
    Propagation propagation;
    Vec3 velocity = Vec3::Zero(); ///< of the centre of mass
    Vec3 angular_velocity = Vec3::Zero();
};

/// A solid on its way.
struct Solid {
    SolidDefinition definition;
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
