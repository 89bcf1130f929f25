#pragma once

#include "knead/dynamics/body_settings.hpp"
#include "knead/mesh/tet_mesh.hpp"

#include <optional>
#include <string>
#include <vector>

namespace knead {

enum class BodyKind {
    volume,    ///< a soft solid: co-rotational finite elements on a lattice around its surface
    cloth,     ///< springs along the edges, bending across them
    rigid,     ///< moves, and does not deform
    kinematic, ///< goes where the scene says
};

/// Units are SI when lengths are in metres. The defaults are those of a soft rubber.
struct BodyMaterial {
    /// kg / m^3; cloth weighs density * thickness a square metre.
    double density = settings::body_density.otherwise;
    double young = settings::young.otherwise; ///< Pa
    /// Of volumes and of bending cloth; below 0.5.
    double poisson = settings::poisson.otherwise;
    /// s; of strain rates: damping forces are this times the stiffness.
    double damping = settings::damping.otherwise;
    /// Coulomb; of two bodies the geometric mean counts.
    double friction = settings::body_friction.otherwise;
    /// m; of cloth, for its weight and stiffness.
    double thickness = settings::thickness.otherwise;
};

/// A body as it is at the start. What it looks like then is its rest shape.
struct BodyDefinition {
    std::string name = {};
    BodyKind kind = BodyKind::volume;
    /// The surface, in the world. Closed for volumes and rigid bodies.
    std::vector<Vec3> positions = {};
    std::vector<Triangle> faces = {};
    BodyMaterial material = {};
    /// Of a volume: lattice cells along the longest side.
    int cells = static_cast<int>(settings::cells.otherwise);
    /// Of a volume: finite elements to use instead of a lattice; their first vertices are those of
    /// the surface.
    std::optional<TetMesh> elements = {};
    /// Vertices of cloth and volumes that go where the scene says; of a volume, with all the
    /// lattice nodes that carry them.
    std::vector<int> pins = {};
    /// Of springs that pull every vertex of cloth and volumes to where the scene says; N / m a kg,
    /// that is 1 / s^2. 0 for none.
    double target_stiffness = settings::targets.otherwise;
    Vec3 velocity = Vec3::Zero();
    Vec3 angular_velocity = Vec3::Zero(); ///< about the centre of mass
};

} // namespace knead
