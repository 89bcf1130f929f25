#pragma once

#include "knead/dynamics/elastic_cloth.hpp"
#include "knead/dynamics/elastic_volume.hpp"
#include "knead/dynamics/rigid_motion.hpp"
#include "knead/dynamics/simulation.hpp"
#include "knead/solve/block_matrix.hpp"
#include "knead/spatial/moving_pairs.hpp"

#include <limits>
#include <vector>

namespace knead {

/// What moves a vertex of a surface: a block of the state vector, and how much of its velocity the
/// vertex takes on.
struct Carrier {
    int block = 0;
    double weight = 1;
};

/// A body, with all that stays the same while it moves.
struct WorldBody {
    std::string name;
    BodyKind kind = BodyKind::volume;
    BodyMaterial material;
    double target_stiffness = 0;
    int first_vertex = 0, vertices = 0; ///< of the collision mesh
    int first_block = 0, blocks = 0;    ///< of the state vector; none when it is kinematic
    std::vector<int> pins;              ///< vertices, of the body
    std::vector<int> pinned_blocks;     ///< of the state vector, ascending
    std::optional<TetMesh> elements;    ///< of a volume, at rest
    std::optional<ElasticVolume> volume;
    std::optional<ElasticCloth> cloth;
    MassProperties rigid_mass;       ///< of a rigid body, about its centre, not turned
    std::vector<Vec3> rigid_offsets; ///< of its vertices from the centre, not turned
    double mass = 0;
    double size = 0; ///< diagonal of its box at the start
};

/// Everything that a step changes: what `Simulation::save` writes.
struct WorldState {
    double time = 0;
    /// One a block. A rigid body has two: where its centre is, and nothing; its velocity, and its
    /// angular velocity.
    std::vector<Vec3> positions, velocities;
    std::vector<Quat> orientations;     ///< one a body; of rigid ones
    std::vector<Vec3> angular_momentum; ///< one a body; of rigid ones
    std::vector<Vec3> surface; ///< one a vertex: follows from the above but for kinematic bodies
    double energy_lost = 0;    ///< since the start, but for work done; J
    // Where the next step starts to look for contact forces.
    double last_seconds = 0;
    std::vector<Vec3> last_response; ///< one a block
    struct PairForce {
        PrimitivePair pair;
        Vec3 impulse = Vec3::Zero(); ///< on the first primitive
    };
    std::vector<PairForce> last_forces; ///< ascending by pair
};

/// The bodies and how they are joined into one system.
struct World {
    std::vector<WorldBody> bodies;
    SimulationSettings settings;
    double tolerance = 0;
    double farthest =
        std::numeric_limits<double>::infinity(); ///< from the origin that a body may get

    CollisionMesh surface;
    std::vector<int>
        carrier_starts; ///< of each vertex, and the end; none for rigid and kinematic ones
    std::vector<Carrier> carriers;

    std::vector<int> block_starts;    ///< where bodies with blocks begin, and the end
    std::vector<double> block_mass;   ///< of a rigid body's turning block 0
    std::vector<std::uint8_t> pinned; ///< one a block
    std::vector<int> body_of_block;
    std::vector<Vec3> start; ///< where the surfaces were at the start, one a vertex

    int blocks() const { return static_cast<int>(pinned.size()); }
    const WorldBody& body_of_vertex(int vertex) const {
        return bodies[surface.body_of_vertex[vertex]];
    }
    bool is_rigid(int block) const { return bodies[body_of_block[block]].kind == BodyKind::rigid; }
};

/// Joins the bodies; the state is that at the start. `matrix` gets the pattern of the system.
World make_world(std::vector<BodyDefinition> definitions, const SimulationSettings& settings,
                 WorldState& state, BlockMatrix& matrix);

/// Where the surfaces are when the blocks are there; those of kinematic bodies stay as they are.
void place_surface(const World& world, std::span<const Vec3> positions,
                   std::span<const Quat> orientations, std::span<Vec3> surface);

/// Of the surface, when the blocks move so; kinematic vertices are left alone.
void surface_velocities(const World& world, const WorldState& state,
                        std::span<const Vec3> velocities, std::span<Vec3> result);

Energies energy_of(const World& world, const WorldState& state, const Vec3& gravity);

} // namespace knead
