#pragma once

#include "knead/implicit/field_piece.hpp"
#include "knead/implicit/pose.hpp"
#include "knead/implicit/solid_settings.hpp"
#include "knead/mesh/triangle_mesh.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace knead {

/// How far pressing one place of a solid is felt beside it, [Gas93] sec. 3.2.
struct Propagation {
    /// w, a length: how far from the other solid it bulges; nothing: the smallest radius of the
    /// solid's fields.
    std::optional<double> width = {};
    /// Alpha: field value of the bulge over that of the compression.
    double attenuation = settings::attenuation.otherwise;
    /// Instead of `attenuation`: the part of the displaced volume that is lost, 0 to 1. The rest
    /// goes into the bulge, as far as that may grow.
    std::optional<double> compressibility = {};
};

/// With a width, worked out from the solid's pieces if it was not given.
Propagation completed(const Propagation& propagation, std::span<const FieldPiece> pieces);

/// An implicit deformable solid: a rigid component that moves, and a layer that is at rest against
/// it and gives way in contact [Gas93] sec. 2. Forces per area are field values, so densities are
/// to be chosen for stiffnesses of a few units over the radius.
struct SolidDefinition {
    std::string name = {}; ///< unlike those of the others
    std::vector<FieldPiece> pieces = {};
    /// Its vertices are the samples, see `polygonize`.
    TriangleMesh mesh = {};
    Pose pose = {};
    /// Of one that is held: its skeletons at the start, when they are not where its mesh fits them.
    std::optional<std::vector<FieldPiece>> pieces_at_start = {};
    bool rigid = false; ///< keeps its shape
    bool held = false;  ///< moves as it is told, whatever pushes it
    double density = settings::solid_density.otherwise;
    /// lambda: lambda_i lambda_j is the force per area and velocity.
    double drag = settings::drag.otherwise;
    /// Coulomb's; of two solids the geometric mean counts.
    double friction = settings::solid_friction.otherwise;
    Propagation propagation = {};
    Vec3 velocity = Vec3::Zero(); ///< of the centre of mass
    Vec3 angular_velocity = Vec3::Zero();
};

/// The surface of what the pieces make together, as nearly equilateral triangles with about `count`
/// vertices; more when the solid is so thin that they would be larger than it. Throws InputError,
/// naming the piece, when they make no solid, and GeometryError when that takes millions.
TriangleMesh polygonize(std::span<const FieldPiece> pieces, int count);

} // namespace knead
