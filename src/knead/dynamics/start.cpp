#include "knead/dynamics/start.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/spatial/close_pairs.hpp"
#include "knead/spatial/collision_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace knead {
namespace {

// Of pairs of bodies, in messages.
constexpr std::size_t most_named = 3;
// Rounds of moving bodies apart.
constexpr int most_rounds = 200;

// Of the mean edge of the finest surface: what bodies may be away from the origin. Single
// precision, by which pairs that may touch are found, is then as coarse as a dozen edges.
constexpr double farthest_edges = 1e8;

using BodyPair = std::array<int, 2>;

double finest_mean_edge(const World& world, const WorldState& state) {
    std::vector<double> sum(world.bodies.size(), 0.0), count(world.bodies.size(), 0.0);
    for (const auto& [a, b] : world.surface.edges) {
        const int body = world.surface.body_of_vertex[a];
        sum[body] += (state.surface[a] - state.surface[b]).norm();
        ++count[body];
    }
    double finest = std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b < sum.size(); ++b)
        if (count[b] > 0) finest = std::min(finest, sum[b] / count[b]);
    return finest;
}

BodyPair bodies_of(const World& world, const std::array<int, 2>& vertices) {
    BodyPair bodies{world.surface.body_of_vertex[vertices[0]],
                    world.surface.body_of_vertex[vertices[1]]};
    std::sort(bodies.begin(), bodies.end());
    return bodies;
}

std::map<BodyPair, int> crossing_bodies(const World& world, const WorldState& state) {
    std::map<BodyPair, int> found;
    for (const auto& [f, g] : find_crossing_faces(world.surface, state.surface))
        ++found[bodies_of(world, {world.surface.faces[f][0], world.surface.faces[g][0]})];
    return found;
}

std::string named(const World& world, const BodyPair& pair) {
    const std::string first = single_quoted(world.bodies[pair[0]].name);
    return pair[0] == pair[1] ? first + " and itself"
                              : first + " and " + single_quoted(world.bodies[pair[1]].name);
}

[[noreturn]] void refuse(const World& world, const std::map<BodyPair, int>& pairs) {
    std::string list;
    std::size_t count = 0;
    for (const auto& [pair, faces] : pairs) {
        if (count++ == most_named) break;
        list += fmt::format("{}{} ({} pairs of faces)", list.empty() ? "" : ", ",
                            named(world, pair), faces);
    }
    if (pairs.size() > most_named) list += fmt::format(" and {} more", pairs.size() - most_named);
    throw GeometryError(
        fmt::format("bodies start in each other: {}; expected surfaces that do not cross", list));
}

bool can_move(const WorldBody& body) {
    return body.kind != BodyKind::kinematic && body.pins.empty();
}

void shift(const World& world, int index, const Vec3& by, WorldState& state) {
    const WorldBody& body = world.bodies[index];
    for (int i = 0; i < body.blocks; ++i)
        if (body.kind != BodyKind::rigid || i == 0) state.positions[body.first_block + i] += by;
    for (int v = 0; v < body.vertices; ++v) state.surface[body.first_vertex + v] += by;
}

Box box_of(const World& world, int index, const WorldState& state) {
    const WorldBody& body = world.bodies[index];
    return bounding_box(std::span(state.surface).subspan(body.first_vertex, body.vertices));
}

// Along the axis in which the boxes of the two overlap least, by a part of that overlap: enough in
// a few rounds, and never much more than it takes.
void part(const World& world, const BodyPair& pair, WorldState& state) {
    const auto [a, b] = pair;
    const bool moves[] = {can_move(world.bodies[a]), can_move(world.bodies[b])};
    const Box first = box_of(world, a, state), second = box_of(world, b, state);
    Vec3 way = Vec3::Zero();
    double least = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis)
        for (const double sign : {-1.0, 1.0}) {
            const double overlap = sign < 0 ? first.upper[axis] - second.lower[axis]
                                            : second.upper[axis] - first.lower[axis];
            if (overlap >= least) continue;
            least = overlap;
            way = sign * Vec3::Unit(axis);
        }
    const double distance = 0.05 * std::max(least, 0.0) + world.tolerance;
    const double share = moves[0] && moves[1] ? 0.5 : 1;
    if (moves[0]) shift(world, a, share * distance * way, state);
    if (moves[1]) shift(world, b, -share * distance * way, state);
}

void check_places(World& world, double edge, const WorldState& state) {
    world.farthest = edge > 0 ? farthest_edges * edge : std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
        const Box box = box_of(world, static_cast<int>(b), state);
        world.bodies[b].size = box.diagonal();
        const double reach = box.lower.cwiseAbs().cwiseMax(box.upper.cwiseAbs()).norm();
        if (reach > world.farthest)
            throw InputError(fmt::format(
                "body {} starts {:.3g} away from the origin, expected at most {:.3g}, {:.0e} "
                "edges of the finest mesh",
                single_quoted(world.bodies[b].name), reach, world.farthest, farthest_edges));
    }
}

std::map<BodyPair, int> too_close(const World& world, const WorldState& state,
                                  MovingPairsWorkspace& workspace) {
    std::vector<PrimitivePair> pairs;
    std::vector<NearestPoints> nearest;
    find_close_pairs(world.surface, state.surface, 0.5 * world.tolerance * (1 + 1e-9), pairs,
                     nearest, workspace);
    std::map<BodyPair, int> found;
    for (const PrimitivePair& pair : pairs) {
        const std::array<int, 4> vertices = vertices_of(world.surface, pair);
        ++found[bodies_of(world, {vertices[0], vertices[3]})];
    }
    return found;
}

void separate(const World& world, WorldState& state) {
    MovingPairsWorkspace workspace;
    for (int round = 0; round < most_rounds; ++round) {
        std::map<BodyPair, int> pairs = crossing_bodies(world, state);
        if (pairs.empty()) {
            pairs = too_close(world, state, workspace);
            std::erase_if(pairs,
                          [](const auto& entry) { return entry.first[0] == entry.first[1]; });
        }
        if (pairs.empty()) return;
        for (const auto& [pair, faces] : pairs) {
            if (pair[0] == pair[1])
                throw GeometryError(
                    fmt::format("body {} crosses itself at the start, which moving it cannot mend",
                                single_quoted(world.bodies[pair[0]].name)));
            if (!can_move(world.bodies[pair[0]]) && !can_move(world.bodies[pair[1]]))
                throw GeometryError(fmt::format("{} start in each other and neither can be moved",
                                                named(world, pair)));
            part(world, pair, state);
        }
    }
    throw GeometryError(fmt::format(
        "bodies that start in each other could not be moved apart in {} rounds; expected more room",
        most_rounds));
}

} // namespace

void check_start(World& world, WorldState& state) {
    const std::optional<double> given = world.settings.tolerance;
    if (given && !settings::tolerance.bounds.contain(*given))
        throw InputError(
            fmt::format("tolerance: found {}, expected a finite positive number", *given));
    if (world.surface.faces.empty()) {
        world.tolerance = given.value_or(1e-3);
        return;
    }
    const double edge = finest_mean_edge(world, state);
    check_places(world, edge, state);
    world.tolerance = given.value_or(0.1 * edge);
    if (world.settings.separate_start) {
        separate(world, state);
        world.start = state.surface;
    }
    if (const auto pairs = crossing_bodies(world, state); !pairs.empty()) refuse(world, pairs);

    const double closest = smallest_distance(world.surface, state.surface, world.tolerance);
    if (closest > 0.5 * world.tolerance * (1 + 1e-9)) return;
    MovingPairsWorkspace workspace;
    const double least = 1e-9 * bounding_box(state.surface).diagonal();
    if (given || !(closest > least)) {
        const auto pairs = too_close(world, state, workspace);
        throw GeometryError(
            fmt::format("tolerance: {} start {:.3g} from each other, expected at least {:.3g}",
                        pairs.empty() ? "some faces" : named(world, pairs.begin()->first), closest,
                        given ? 0.5 * world.tolerance : least));
    }
    world.tolerance = closest;
}

} // namespace knead
