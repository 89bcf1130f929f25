#include "knead/dynamics/state_file.hpp"

#include "knead/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <istream>
#include <ostream>

namespace knead {
namespace {

constexpr std::uint64_t magic = 0x31'6e7944'646165'6eULL;

template <typename T>
void put(std::ostream& out, const T& value) {
    out.write(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
void put_list(std::ostream& out, const std::vector<T>& list) {
    put(out, static_cast<std::uint64_t>(list.size()));
    out.write(reinterpret_cast<const char*>(list.data()),
              static_cast<std::streamsize>(list.size() * sizeof(T)));
}

template <typename T>
T get(std::istream& in) {
    T value{};
    if (!in.read(reinterpret_cast<char*>(&value), sizeof value))
        throw InputError("state: found the end of the data, expected more");
    return value;
}

template <typename T>
void get_list(std::istream& in, std::size_t expected, std::vector<T>& list) {
    if (get<std::uint64_t>(in) != expected)
        throw InputError("state: found a state of other bodies, expected one of these");
    list.resize(expected);
    if (!in.read(reinterpret_cast<char*>(list.data()),
                 static_cast<std::streamsize>(expected * sizeof(T))))
        throw InputError("state: found the end of the data, expected more");
}

// Whoever wrote it: what is not a state must not get into a step.
void check(const WorldState& state, const std::vector<Vec3>& velocities) {
    const auto are_finite = [](const std::vector<Vec3>& list) {
        return std::all_of(list.begin(), list.end(), [](const Vec3& v) {
            return v.cwiseAbs().maxCoeff() <= most_in_a_state && v.allFinite();
        });
    };
    const auto is_turn = [](const Quat& q) { return std::abs(q.norm() - 1) < 1e-6; };
    const auto is_sound = [](const WorldState::PairForce& force) {
        return force.impulse.allFinite() && (force.pair.kind == PrimitivePair::Kind::vertex_face ||
                                             force.pair.kind == PrimitivePair::Kind::edge_edge);
    };
    const auto is_later = [](const WorldState::PairForce& a, const WorldState::PairForce& b) {
        return !(a.pair < b.pair);
    };
    if (!std::isfinite(state.time) || !std::isfinite(state.energy_lost) ||
        !(state.last_seconds >= 0 && std::isfinite(state.last_seconds)) ||
        !are_finite(state.positions) || !are_finite(state.velocities) ||
        !are_finite(state.angular_momentum) || !are_finite(state.surface) ||
        !are_finite(state.last_response) || !are_finite(velocities) ||
        !std::all_of(state.orientations.begin(), state.orientations.end(), is_turn) ||
        !std::all_of(state.last_forces.begin(), state.last_forces.end(), is_sound) ||
        std::adjacent_find(state.last_forces.begin(), state.last_forces.end(), is_later) !=
            state.last_forces.end())
        throw InputError(
            "state: found numbers that no simulation writes, expected finite ones up to 1e100");
}

} // namespace

void write_state(std::ostream& out, const World& world, const WorldState& state,
                 const std::vector<Vec3>& surface_velocities) {
    put(out, magic);
    put(out, world.tolerance);
    put(out, state.time);
    put(out, state.energy_lost);
    put_list(out, state.positions);
    put_list(out, state.velocities);
    put_list(out, state.orientations);
    put_list(out, state.angular_momentum);
    put_list(out, state.surface);
    put_list(out, surface_velocities);
    put(out, state.last_seconds);
    put_list(out, state.last_response);
    put(out, static_cast<std::uint64_t>(state.last_forces.size()));
    for (const WorldState::PairForce& force : state.last_forces) {
        put(out, static_cast<std::uint8_t>(force.pair.kind));
        put(out, force.pair.a);
        put(out, force.pair.b);
        put(out, force.impulse);
    }
}

void read_state(std::istream& in, const World& world, WorldState& state,
                std::vector<Vec3>& surface_velocities) {
    if (get<std::uint64_t>(in) != magic)
        throw InputError("state: found something else, expected a state of a simulation");
    if (get<double>(in) != world.tolerance)
        throw InputError("state: found a state with another tolerance, expected this one's");
    WorldState read;
    std::vector<Vec3> velocities;
    read.time = get<double>(in);
    read.energy_lost = get<double>(in);
    get_list(in, state.positions.size(), read.positions);
    get_list(in, state.velocities.size(), read.velocities);
    get_list(in, state.orientations.size(), read.orientations);
    get_list(in, state.angular_momentum.size(), read.angular_momentum);
    get_list(in, state.surface.size(), read.surface);
    get_list(in, surface_velocities.size(), velocities);
    read.last_seconds = get<double>(in);
    get_list(in, state.last_response.size(), read.last_response);
    const auto count = get<std::uint64_t>(in);
    for (std::uint64_t i = 0; i < count; ++i) {
        WorldState::PairForce& force = read.last_forces.emplace_back();
        force.pair.kind = static_cast<PrimitivePair::Kind>(get<std::uint8_t>(in));
        force.pair.a = get<int>(in);
        force.pair.b = get<int>(in);
        force.impulse = get<Vec3>(in);
    }
    check(read, velocities);
    if (in.peek() != std::istream::traits_type::eof())
        throw InputError("state: found more data, expected its end");
    state = std::move(read);
    surface_velocities = std::move(velocities);
}

} // namespace knead
