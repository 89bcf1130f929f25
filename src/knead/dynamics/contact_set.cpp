#include "knead/dynamics/contact_set.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// How fast pairs that are closer than the tolerance are parted: this share of what is missing, in
// a step. All at once would throw them apart.
constexpr double parting = 0.2;

Mat3 frame_of(const Contact& contact) {
    Mat3 frame;
    frame << contact.normal, contact.tangent, contact.normal.cross(contact.tangent);
    return frame;
}

// A unit vector along v, or across the normal when v has no direction there.
Vec3 tangent_along(const Vec3& v, const Vec3& normal) {
    const Vec3 along = v - normal * normal.dot(v);
    if (along.norm() > 1e-9 * v.norm()) return along.normalized();
    Eigen::Index least = 0;
    normal.cwiseAbs().minCoeff(&least);
    return normal.cross(Vec3::Unit(least)).normalized();
}

Vec3 weighted(const Contact& contact, std::span<const Vec3> values) {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < 4; ++i) sum += contact.weights[i] * values[contact.vertices[i]];
    return sum;
}

void add_entry(ContactProblem& problem, int begin, int block, const Mat3& rows) {
    for (std::size_t e = begin; e < problem.entries.size(); ++e)
        if (problem.entries[e].block == block) {
            problem.entries[e].rows += rows;
            return;
        }
    problem.entries.push_back({block, rows});
}

void add_entries(const World& world, const WorldState& state, const Contact& contact,
                 ContactProblem& problem) {
    const Mat3 to_frame = frame_of(contact).transpose();
    const int begin = problem.starts.back();
    for (int i = 0; i < 4; ++i) {
        const int vertex = contact.vertices[i];
        const double weight = contact.weights[i];
        if (weight == 0) continue;
        const WorldBody& body = world.body_of_vertex(vertex);
        if (body.kind == BodyKind::rigid) {
            const Vec3 arm = state.surface[vertex] - state.positions[body.first_block];
            Mat3 turned;
            for (int row = 0; row < 3; ++row)
                turned.row(row) = arm.cross(to_frame.row(row).transpose()).transpose();
            add_entry(problem, begin, body.first_block, weight * to_frame);
            add_entry(problem, begin, body.first_block + 1, weight * turned);
            continue;
        }
        for (int c = world.carrier_starts[vertex]; c < world.carrier_starts[vertex + 1]; ++c)
            if (!world.pinned[world.carriers[c].block])
                add_entry(problem, begin, world.carriers[c].block,
                          weight * world.carriers[c].weight * to_frame);
    }
    problem.starts.push_back(static_cast<int>(problem.entries.size()));
}

// From the last step, in the frame of this one.
Vec3 warm_force(const WorldState& state, double seconds, const Contact& contact, double friction) {
    const auto found =
        std::lower_bound(state.last_forces.begin(), state.last_forces.end(), contact.pair,
                         [](const auto& force, const PrimitivePair& p) { return force.pair < p; });
    if (found == state.last_forces.end() || found->pair != contact.pair || state.last_seconds <= 0)
        return Vec3::Zero();
    Vec3 force = frame_of(contact).transpose() * found->impulse * (seconds / state.last_seconds);
    force[0] = std::max(0.0, force[0]);
    for (int i = 1; i < 3; ++i)
        force[i] = std::clamp(force[i], -friction * force[0], friction * force[0]);
    return force;
}

double bound_of(const Contact& contact, const WorldState& state, double seconds,
                const Vec3& free_velocity) {
    const double gap = contact.normal.dot(weighted(contact, state.surface)) - contact.apart;
    return -gap / seconds - contact.normal.dot(free_velocity);
}

} // namespace

void ContactSet::clear() {
    contacts.clear();
    problem.starts.assign(1, 0);
    problem.entries.clear();
    problem.bound.clear();
    problem.slide.clear();
    problem.friction.clear();
    response.forces.clear();
}

void add_contact(const World& world, const WorldState& state, const LinearSystem& system,
                 std::span<const Vec3> free_surface, const PrimitivePair& pair,
                 const std::array<Vec3, 4>& points, ContactSet& set) {
    const NearestPoints nearest = nearest_points(pair.kind, points);
    if (!(nearest.distance > 0)) return;
    Contact contact;
    contact.pair = pair;
    contact.vertices = vertices_of(world.surface, pair);
    contact.weights = nearest.weights;
    contact.normal = nearest.difference / nearest.distance;

    std::array<Vec3, 4> start;
    for (int i = 0; i < 4; ++i) start[i] = state.surface[contact.vertices[i]];
    const double distance = nearest_points(pair.kind, start).distance;
    contact.apart = distance < world.tolerance ? distance + parting * (world.tolerance - distance)
                                               : world.tolerance;

    const Vec3 free_velocity = weighted(contact, free_surface);
    contact.tangent = tangent_along(free_velocity, contact.normal);
    const double friction = std::sqrt(world.body_of_vertex(contact.vertices[0]).material.friction *
                                      world.body_of_vertex(contact.vertices[3]).material.friction);
    set.problem.bound.push_back(bound_of(contact, state, system.seconds, free_velocity));
    const Vec3 local = frame_of(contact).transpose() * free_velocity;
    set.problem.slide.push_back(Vec2(-local[1], -local[2]));
    set.problem.friction.push_back(friction);
    add_entries(world, state, contact, set.problem);
    set.response.forces.push_back(warm_force(state, system.seconds, contact, friction));
    set.contacts.push_back(contact);
}

void correct_bounds(const World& world, const WorldState& state, const LinearSystem& system,
                    std::span<const Vec3> free_surface, std::span<const Vec3> surface,
                    ContactSet& set) {
    for (std::size_t j = 0; j < set.contacts.size(); ++j) {
        const Contact& contact = set.contacts[j];
        if (contact.element >= 0) continue;
        const auto turns = [&](int v) { return world.body_of_vertex(v).kind == BodyKind::rigid; };
        if (!turns(contact.vertices[0]) && !turns(contact.vertices[3])) continue;
        const Vec3 free_velocity = weighted(contact, free_surface);
        double change = contact.normal.dot(free_velocity);
        for (int e = set.problem.starts[j]; e < set.problem.starts[j + 1]; ++e)
            change += set.problem.entries[e].rows.row(0).dot(
                set.response.dv[set.problem.entries[e].block]);
        const double linear =
            contact.normal.dot(weighted(contact, state.surface)) + system.seconds * change;
        const double missed = contact.normal.dot(weighted(contact, surface)) - linear;
        set.problem.bound[j] =
            bound_of(contact, state, system.seconds, free_velocity) - missed / system.seconds;
    }
}

double kinematic_work(const World& world, const ContactSet& set, std::span<const Vec3> surface,
                      std::span<const Vec3> velocities) {
    double work = 0;
    for (std::size_t j = 0; j < set.contacts.size(); ++j) {
        const Contact& contact = set.contacts[j];
        if (contact.element >= 0 || set.response.forces[j] == Vec3::Zero()) continue;
        const Vec3 impulse = frame_of(contact) * set.response.forces[j];
        for (int i = 0; i < 4; ++i) {
            const int v = contact.vertices[i];
            Vec3 driven = Vec3::Zero();
            if (world.body_of_vertex(v).kind == BodyKind::kinematic) driven = surface[v];
            for (int c = world.carrier_starts[v]; c < world.carrier_starts[v + 1]; ++c)
                if (world.pinned[world.carriers[c].block])
                    driven += world.carriers[c].weight * velocities[world.carriers[c].block];
            work -= contact.weights[i] * impulse.dot(driven);
        }
    }
    return work;
}

void keep_forces(const ContactSet& set, double seconds, WorldState& state) {
    state.last_seconds = seconds;
    state.last_forces.clear();
    for (std::size_t j = 0; j < set.contacts.size(); ++j)
        if (set.contacts[j].element < 0 && set.response.forces[j][0] > 0)
            state.last_forces.push_back(
                {set.contacts[j].pair, frame_of(set.contacts[j]) * set.response.forces[j]});
    // A pair that was linearised twice has its forces together.
    std::stable_sort(state.last_forces.begin(), state.last_forces.end(),
                     [](const auto& a, const auto& b) { return a.pair < b.pair; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < state.last_forces.size(); ++i)
        if (kept > 0 && state.last_forces[kept - 1].pair == state.last_forces[i].pair)
            state.last_forces[kept - 1].impulse += state.last_forces[i].impulse;
        else
            state.last_forces[kept++] = state.last_forces[i];
    state.last_forces.resize(kept);
}

} // namespace knead
