#include "knead/dynamics/motion.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace knead {
namespace {

// Rounds of the last resort: slowing down, impact zones, and then standing still until all does.
constexpr int slow_rounds = 3, zone_rounds = 12, still_rounds = 48;

bool is_within(const Vec3& point, const Vec3& a, const Vec3& b, double slack) {
    return ((point.array() >= a.cwiseMin(b).array() - slack) &&
            (point.array() <= a.cwiseMax(b).array() + slack))
        .all();
}

// What is held back as one: a node, a rigid body, a kinematic body. Pinned nodes go where the scene
// says, like kinematic bodies.
class Units {
public:
    explicit Units(const World& world)
        : world_(world), zone_(world.pinned.size() + world.bodies.size()) {
        std::iota(zone_.begin(), zone_.end(), 0);
    }

    // The units that move a vertex.
    template <typename Visit>
    void visit(int vertex, const Visit& visit) const {
        const int b = world_.surface.body_of_vertex[vertex];
        const WorldBody& body = world_.bodies[b];
        if (body.kind == BodyKind::kinematic)
            visit(static_cast<int>(world_.pinned.size()) + b);
        else if (body.kind == BodyKind::rigid)
            visit(body.first_block);
        else
            for (int c = world_.carrier_starts[vertex]; c < world_.carrier_starts[vertex + 1]; ++c)
                visit(world_.carriers[c].block);
    }

    int count() const { return static_cast<int>(zone_.size()); }
    bool is_body(int unit) const { return unit >= static_cast<int>(world_.pinned.size()); }
    int body(int unit) const { return unit - static_cast<int>(world_.pinned.size()); }
    bool is_prescribed(int unit) const { return is_body(unit) || world_.pinned[unit]; }

    int zone(int unit) {
        while (zone_[unit] != unit) unit = zone_[unit] = zone_[zone_[unit]];
        return unit;
    }
    void join(int a, int b) {
        a = zone(a);
        b = zone(b);
        zone_[std::max(a, b)] = std::min(a, b);
    }

private:
    const World& world_;
    std::vector<int> zone_;
};

class Holding {
public:
    Holding(const World& world, const WorldState& state, double seconds, StepMotion& motion)
        : world_(world),
          state_(state),
          seconds_(seconds),
          motion_(motion),
          units_(world),
          involved_(units_.count(), 0),
          still_(units_.count(), 0) {}

    // The units of colliding pairs, and that they collide with each other.
    void involve(std::span<const Impact> impacts) {
        hit_.clear();
        for (const Impact& impact : impacts) {
            int first = -1;
            for (const int vertex : vertices_of(world_.surface, impact.pair))
                units_.visit(vertex, [&](int unit) {
                    involved_[unit] = 1;
                    hit_.push_back(unit);
                    if (first >= 0) units_.join(first, unit);
                    first = unit;
                });
        }
        std::sort(hit_.begin(), hit_.end());
        hit_.erase(std::unique(hit_.begin(), hit_.end()), hit_.end());
    }

    void slow_down() {
        for (const int unit : hit_)
            if (!units_.is_prescribed(unit)) scale(unit, 0.5);
    }

    // Everything in a zone goes the same way: that of what the scene moves in it, or the mean.
    void move_zones() {
        struct Zone {
            double mass = 0;
            Vec3 momentum = Vec3::Zero();
            int prescribed = 0;
            Vec3 prescribed_velocity = Vec3::Zero();
        };
        std::map<int, Zone> zones;
        for (int unit = 0; unit < units_.count(); ++unit) {
            if (!involved_[unit]) continue;
            Zone& zone = zones[units_.zone(unit)];
            if (units_.is_prescribed(unit)) {
                ++zone.prescribed;
                zone.prescribed_velocity += velocity_of(unit);
            } else {
                zone.mass += world_.block_mass[unit];
                zone.momentum += world_.block_mass[unit] * motion_.velocities[unit];
            }
        }
        for (int unit = 0; unit < units_.count(); ++unit) {
            if (!involved_[unit] || units_.is_prescribed(unit)) continue;
            const Zone& zone = zones[units_.zone(unit)];
            set_velocity(unit, zone.prescribed > 0
                                   ? Vec3(zone.prescribed_velocity / zone.prescribed)
                                   : Vec3(zone.momentum / zone.mass));
        }
    }

    // Those that collide, and what the scene moves among them, stay where they are.
    void stop(bool all) {
        for (int unit = 0; unit < units_.count(); ++unit)
            if (all || involved_[unit]) {
                still_[unit] = 1;
                scale(unit, 0);
            }
    }

    void note_held(std::vector<double>& held) const {
        held.resize(world_.bodies.size(), 0.0);
        for (std::size_t b = 0; b < held.size(); ++b) {
            bool is_held = still_[world_.pinned.size() + b] != 0;
            for (const int block : world_.bodies[b].pinned_blocks) is_held |= still_[block] != 0;
            if (is_held) held[b] = std::max(held[b], held_back_[b]);
        }
    }

    void remember_goals() {
        held_back_.assign(world_.bodies.size(), 0.0);
        for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
            const WorldBody& body = world_.bodies[b];
            const auto offer = [&](int v) {
                held_back_[b] =
                    std::max(held_back_[b], (motion_.goals[v] - state_.surface[v]).norm());
            };
            for (const int pin : body.pins) offer(body.first_vertex + pin);
            if (body.kind != BodyKind::kinematic) continue;
            for (int v = body.first_vertex; v < body.first_vertex + body.vertices; ++v) offer(v);
        }
    }

private:
    // The first block of a rigid body: the second turns with it.
    bool is_turning(int unit) const {
        return !units_.is_body(unit) && world_.is_rigid(unit) &&
               world_.bodies[world_.body_of_block[unit]].first_block == unit;
    }

    Vec3 velocity_of(int unit) const {
        if (!units_.is_body(unit)) return motion_.velocities[unit];
        const WorldBody& body = world_.bodies[units_.body(unit)];
        Vec3 mean = Vec3::Zero();
        for (int v = body.first_vertex; v < body.first_vertex + body.vertices; ++v)
            mean += motion_.goals[v] - state_.surface[v];
        return mean / (body.vertices * seconds_);
    }

    void set_velocity(int unit, const Vec3& velocity) {
        motion_.velocities[unit] = velocity;
        if (is_turning(unit)) motion_.velocities[unit + 1].setZero();
    }

    void scale(int unit, double factor) {
        if (!units_.is_body(unit)) {
            motion_.velocities[unit] *= factor;
            if (is_turning(unit)) motion_.velocities[unit + 1] *= factor;
            return;
        }
        const WorldBody& body = world_.bodies[units_.body(unit)];
        for (int v = body.first_vertex; v < body.first_vertex + body.vertices; ++v)
            motion_.goals[v] = state_.surface[v] + factor * (motion_.goals[v] - state_.surface[v]);
    }

    const World& world_;
    const WorldState& state_;
    double seconds_;
    StepMotion& motion_;
    Units units_;
    std::vector<std::uint8_t> involved_, still_;
    std::vector<int> hit_;
    std::vector<double> held_back_;
};

} // namespace

void advance(const World& world, const WorldState& state, double seconds, StepMotion& motion) {
    motion.positions.resize(state.positions.size());
    motion.orientations = state.orientations;
    for (std::size_t i = 0; i < state.positions.size(); ++i)
        motion.positions[i] = state.positions[i] + seconds * motion.velocities[i];
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
        const WorldBody& body = world.bodies[b];
        if (body.kind != BodyKind::rigid) continue;
        motion.positions[body.first_block + 1].setZero();
        motion.orientations[b] =
            rotated(state.orientations[b], motion.velocities[body.first_block + 1], seconds);
    }
    motion.surface = motion.goals;
    place_surface(world, motion.positions, motion.orientations, motion.surface);
}

void forget(Candidates& candidates) {
    candidates.end.clear();
}

void cover(const World& world, const WorldState& state, const StepMotion& motion,
           Candidates& candidates, const std::stop_token& stop) {
    const double half = 0.5 * candidates.slack;
    bool is_covered = candidates.end.size() == motion.surface.size();
    for (std::size_t v = 0; is_covered && v < motion.surface.size(); ++v)
        is_covered = is_within(motion.surface[v], state.surface[v], candidates.end[v], half);
    if (is_covered) return;
    candidates.end = motion.surface;
    candidates.slack = 2 * world.tolerance;
    find_moving_pairs(world.surface, state.surface, candidates.end,
                      world.tolerance + candidates.slack, candidates.pairs, candidates.workspace,
                      stop);
}

void hold_back(const World& world, const WorldState& state, double seconds, StepMotion& motion,
               Candidates& candidates, std::vector<double>& held, const std::stop_token& stop) {
    Holding holding(world, state, seconds, motion);
    holding.remember_goals();
    std::vector<Impact> impacts;
    for (int round = 0;; ++round) {
        advance(world, state, seconds, motion);
        cover(world, state, motion, candidates, stop);
        find_impacts(world.surface, state.surface, motion.surface, 0.5 * world.tolerance,
                     candidates.pairs, impacts, stop);
        if (impacts.empty()) break;
        if (round == still_rounds + 1) break; // nothing moves any more
        holding.involve(impacts);
        if (round < slow_rounds)
            holding.slow_down();
        else if (round < zone_rounds)
            holding.move_zones();
        else
            holding.stop(round == still_rounds);
    }
    holding.note_held(held);
}

} // namespace knead
