#include "knead/dynamics/world.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/dynamics/check_material.hpp"
#include "knead/dynamics/lattice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knead {
namespace {

[[noreturn]] void refuse(const BodyDefinition& body, const std::string& what) {
    throw InputError(fmt::format("body {}: {}", single_quoted(body.name), what));
}

void check_number(const BodyDefinition& body, const char* name, const Setting& setting,
                  double value) {
    if (!setting.bounds.contain(value))
        refuse(body, fmt::format("{}: found {}, expected a finite number, 0 or more", name, value));
}

void check(const BodyDefinition& body) {
    const int count = static_cast<int>(body.positions.size());
    if (count == 0 || body.faces.empty())
        refuse(body, "found a surface without faces, expected at least one");
    for (int v = 0; v < count; ++v)
        if (!body.positions[v].allFinite())
            refuse(body, fmt::format("vertex {}: found a position that is not finite", v));
    for (std::size_t f = 0; f < body.faces.size(); ++f)
        for (const int v : body.faces[f])
            if (v < 0 || v >= count)
                refuse(body,
                       fmt::format("face {}: found vertex {}, expected 0 to {}", f, v, count - 1));
    for (const int v : body.pins)
        if (v < 0 || v >= count)
            refuse(body, fmt::format("pins: found vertex {}, expected 0 to {}", v, count - 1));
    const bool soft = body.kind == BodyKind::volume || body.kind == BodyKind::cloth;
    if (!soft && !body.pins.empty()) refuse(body, "pins: only cloth and volumes can be pinned");
    if (!soft && body.target_stiffness > 0)
        refuse(body, "targets: only cloth and volumes are pulled to targets");
    check_number(body, "targets", settings::targets, body.target_stiffness);
    check_number(body, "friction", settings::body_friction, body.material.friction);
    if (body.kind == BodyKind::kinematic) return;
    check_material(body.material, body.name);
    if (!body.velocity.allFinite() || !body.angular_velocity.allFinite())
        refuse(body, "velocity: found a number that is not finite");
}

// The nodes of a volume and what its surface hangs on: the definition's own elements, or a lattice.
Lattice elements_of(BodyDefinition& definition) {
    if (!definition.elements) {
        try {
            return make_lattice(definition.positions, definition.faces, definition.cells);
        } catch (const InputError& error) {
            refuse(definition, error.what());
        }
    }
    Lattice lattice;
    lattice.mesh = std::move(*definition.elements);
    const std::size_t count = definition.positions.size();
    if (lattice.mesh.positions.size() < count)
        refuse(definition, fmt::format("elements: found {} vertices, expected at least the {} of "
                                       "the surface",
                                       lattice.mesh.positions.size(), count));
    for (std::size_t v = 0; v < count; ++v) {
        const int node = static_cast<int>(v);
        lattice.embedding.nodes.push_back({node, node, node, node});
        lattice.embedding.weights.push_back(Vec4(1, 0, 0, 0));
    }
    lattice.fill.assign(lattice.mesh.tets.size(), 1.0);
    return lattice;
}

// Everything of one body but its place among the others.
struct BodyParts {
    WorldBody body;
    std::vector<Vec3> nodes;
    std::vector<double> mass;                   // one a block
    std::vector<std::array<int, 2>> couplings;  // of blocks, from 0
    std::vector<std::vector<Carrier>> carriers; // one list a vertex, blocks from 0
};

BodyParts parts_of(BodyDefinition& definition) {
    BodyParts parts;
    WorldBody& body = parts.body;
    body.name = definition.name;
    body.kind = definition.kind;
    body.material = definition.material;
    body.target_stiffness = definition.target_stiffness;
    body.vertices = static_cast<int>(definition.positions.size());
    body.pins = definition.pins;
    parts.carriers.resize(definition.positions.size());
    try {
        switch (definition.kind) {
        case BodyKind::volume: {
            Lattice lattice = elements_of(definition);
            body.volume = make_elastic_volume(lattice.mesh, lattice.fill, body.material, body.name);
            parts.mass = body.volume->mass;
            parts.couplings = couplings(*body.volume);
            parts.nodes = lattice.mesh.positions;
            for (std::size_t v = 0; v < parts.carriers.size(); ++v)
                for (int k = 0; k < 4; ++k)
                    if (const double weight = lattice.embedding.weights[v][k]; weight != 0)
                        parts.carriers[v].push_back({lattice.embedding.nodes[v][k], weight});
            body.elements = std::move(lattice.mesh);
            break;
        }
        case BodyKind::cloth:
            body.cloth = make_elastic_cloth(definition.positions, definition.faces, body.material,
                                            body.name);
            parts.mass = body.cloth->mass;
            parts.couplings = couplings(*body.cloth);
            parts.nodes = definition.positions;
            for (int v = 0; v < body.vertices; ++v) parts.carriers[v].push_back({v, 1.0});
            break;
        case BodyKind::rigid:
            body.rigid_mass =
                mass_properties(definition.positions, definition.faces, body.material.density);
            for (const Vec3& position : definition.positions)
                body.rigid_offsets.push_back(position - body.rigid_mass.center);
            parts.nodes = {body.rigid_mass.center, Vec3::Zero()};
            parts.mass = {body.rigid_mass.mass, 0};
            break;
        case BodyKind::kinematic:
            break;
        }
    } catch (const GeometryError& error) {
        throw GeometryError(fmt::format("body {}: {}", single_quoted(body.name), error.what()));
    }
    body.blocks = static_cast<int>(parts.nodes.size());
    for (const double mass : parts.mass) body.mass += mass;
    for (const int pin : body.pins)
        for (const Carrier& carrier : parts.carriers[pin])
            body.pinned_blocks.push_back(carrier.block);
    std::sort(body.pinned_blocks.begin(), body.pinned_blocks.end());
    body.pinned_blocks.erase(std::unique(body.pinned_blocks.begin(), body.pinned_blocks.end()),
                             body.pinned_blocks.end());
    return parts;
}

void fill_may_touch(World& world) {
    const int count = static_cast<int>(world.bodies.size());
    const auto fixed = [&](int b) { return world.bodies[b].kind == BodyKind::kinematic; };
    CollisionMesh& mesh = world.surface;
    mesh.may_touch.assign(static_cast<std::size_t>(count) * count, 1);
    for (int a = 0; a < count; ++a)
        for (int b = 0; b < count; ++b)
            if (fixed(a) && fixed(b)) mesh.may_touch[a * count + b] = 0;
    for (int a = 0; a < count; ++a)
        if (world.bodies[a].kind == BodyKind::rigid) mesh.may_touch[a * count + a] = 0;
    for (const auto& [a, b] : world.settings.exclude) {
        if (a < 0 || b < 0 || a >= count || b >= count)
            throw InputError(
                fmt::format("exclude: found the bodies {} and {}, expected numbers from 0 to {}", a,
                            b, count - 1));
        mesh.may_touch[a * count + b] = mesh.may_touch[b * count + a] = 0;
    }
}

} // namespace

World make_world(std::vector<BodyDefinition> definitions, const SimulationSettings& settings,
                 WorldState& state, BlockMatrix& matrix) {
    World world;
    world.settings = settings;
    state = {};
    std::vector<std::array<int, 2>> all_couplings;
    world.carrier_starts = {0};
    CollisionMesh& mesh = world.surface;
    for (BodyDefinition& definition : definitions) {
        check(definition);
        BodyParts parts = parts_of(definition);
        WorldBody& body = parts.body;
        body.first_vertex = mesh.vertex_count();
        body.first_block = static_cast<int>(state.positions.size());
        for (int& block : body.pinned_blocks) block += body.first_block;
        for (const auto& [a, b] : parts.couplings)
            all_couplings.push_back({a + body.first_block, b + body.first_block});
        for (const std::vector<Carrier>& carriers : parts.carriers) {
            for (const Carrier& carrier : carriers)
                world.carriers.push_back({carrier.block + body.first_block, carrier.weight});
            world.carrier_starts.push_back(static_cast<int>(world.carriers.size()));
        }
        for (const Triangle& face : definition.faces)
            mesh.faces.push_back({face[0] + body.first_vertex, face[1] + body.first_vertex,
                                  face[2] + body.first_vertex});
        mesh.body_of_vertex.insert(mesh.body_of_vertex.end(), definition.positions.size(),
                                   mesh.bodies++);
        state.surface.insert(state.surface.end(), definition.positions.begin(),
                             definition.positions.end());

        const Vec3 center = body.kind == BodyKind::rigid ? body.rigid_mass.center : [&] {
            Vec3 weighted = Vec3::Zero();
            for (std::size_t i = 0; i < parts.nodes.size(); ++i)
                weighted += parts.mass[i] * parts.nodes[i];
            return Vec3(body.mass > 0 ? Vec3(weighted / body.mass) : weighted);
        }();
        for (std::size_t i = 0; i < parts.nodes.size(); ++i) {
            state.positions.push_back(parts.nodes[i]);
            state.velocities.push_back(definition.velocity +
                                       definition.angular_velocity.cross(parts.nodes[i] - center));
            world.block_mass.push_back(parts.mass[i]);
            world.pinned.push_back(0);
            world.body_of_block.push_back(static_cast<int>(world.bodies.size()));
        }
        state.orientations.push_back(Quat::Identity());
        state.angular_momentum.push_back(Vec3::Zero());
        if (body.kind == BodyKind::rigid) {
            state.velocities.back() = definition.angular_velocity;
            state.angular_momentum.back() = body.rigid_mass.inertia * definition.angular_velocity;
        }
        for (const int block : body.pinned_blocks) {
            world.pinned[block] = 1;
            state.velocities[block].setZero();
        }
        if (body.blocks > 0) world.block_starts.push_back(body.first_block);
        world.bodies.push_back(std::move(body));
    }
    world.block_starts.push_back(world.blocks());
    state.last_response.assign(world.pinned.size(), Vec3::Zero());
    world.start = state.surface;

    matrix = make_block_matrix(world.blocks(), all_couplings);
    for (WorldBody& body : world.bodies) {
        if (body.volume) find_places(*body.volume, matrix, body.first_block);
        if (body.cloth) find_places(*body.cloth, matrix, body.first_block);
    }
    fill_may_touch(world);
    complete(mesh);
    return world;
}

void place_surface(const World& world, std::span<const Vec3> positions,
                   std::span<const Quat> orientations, std::span<Vec3> surface) {
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
        const WorldBody& body = world.bodies[b];
        if (body.kind == BodyKind::kinematic) continue;
        if (body.kind == BodyKind::rigid) {
            const Mat3 turn = orientations[b].toRotationMatrix();
            for (int v = 0; v < body.vertices; ++v)
                surface[body.first_vertex + v] =
                    positions[body.first_block] + turn * body.rigid_offsets[v];
            continue;
        }
        for (int v = body.first_vertex; v < body.first_vertex + body.vertices; ++v) {
            Vec3 place = Vec3::Zero();
            for (int c = world.carrier_starts[v]; c < world.carrier_starts[v + 1]; ++c)
                place += world.carriers[c].weight * positions[world.carriers[c].block];
            surface[v] = place;
        }
    }
}

void surface_velocities(const World& world, const WorldState& state,
                        std::span<const Vec3> velocities, std::span<Vec3> result) {
    for (const WorldBody& body : world.bodies) {
        if (body.kind == BodyKind::kinematic) continue;
        for (int v = body.first_vertex; v < body.first_vertex + body.vertices; ++v) {
            if (body.kind == BodyKind::rigid) {
                const Vec3 arm = state.surface[v] - state.positions[body.first_block];
                result[v] =
                    velocities[body.first_block] + velocities[body.first_block + 1].cross(arm);
                continue;
            }
            Vec3 velocity = Vec3::Zero();
            for (int c = world.carrier_starts[v]; c < world.carrier_starts[v + 1]; ++c)
                velocity += world.carriers[c].weight * velocities[world.carriers[c].block];
            result[v] = velocity;
        }
    }
}

Energies energy_of(const World& world, const WorldState& state, const Vec3& gravity) {
    Energies energy;
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
        const WorldBody& body = world.bodies[b];
        const std::span<const Vec3> positions =
            std::span(state.positions).subspan(body.first_block, body.blocks);
        for (int i = 0; i < body.blocks; ++i) {
            const double mass = world.block_mass[body.first_block + i];
            energy.kinetic += 0.5 * mass * state.velocities[body.first_block + i].squaredNorm();
            energy.potential -= mass * gravity.dot(positions[i]);
        }
        if (body.kind == BodyKind::rigid)
            energy.kinetic +=
                0.5 * state.angular_momentum[b].dot(state.velocities[body.first_block + 1]);
        if (body.volume) energy.elastic += elastic_energy(*body.volume, positions);
        if (body.cloth) energy.elastic += elastic_energy(*body.cloth, positions);
    }
    return energy;
}

} // namespace knead
