#include "knead/scene/methods/dynamics/body_contacts.hpp"

#include "knead/base/parallel.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/spatial/depth.hpp"

#include <algorithm>
#include <set>

namespace knead {
namespace {

struct BodySurfaces {
    std::vector<Surface> surfaces; ///< one an object

    BodySurfaces(const SceneBodies& bodies, std::span<const std::vector<Vec3>> positions)
        : surfaces(positions.size()) {
        parallel_for(positions.size(), 1, [&](std::size_t i) {
            surfaces[i] = make_surface(bodies.structures[i], positions[i]);
        });
    }
};

struct Touching {
    std::vector<int> vertices;
    double area = 0;
    Vec3 direction = Vec3::Zero(); ///< away from the other
};

Touching touching_vertices(const Surface& mine, const Surface& other, double reach) {
    const Box near = grown(other.box(), reach);
    const Topology& topology = mine.topology();
    std::vector<std::uint8_t> candidate(mine.positions.size());
    std::vector<Vec3> nearest(mine.positions.size());
    parallel_for(mine.positions.size(), 256, [&](std::size_t v) {
        const Vec3& p = mine.positions[v];
        if (!near.contains(p) || topology.vertex_faces[static_cast<int>(v)].empty()) return;
        ClosestPointOptions options;
        options.max_squared_distance = reach * reach;
        if (const auto found = closest_point(other, p, options)) {
            candidate[v] = 1;
            nearest[v] = found->position;
        }
    });
    Touching result;
    for (std::size_t v = 0; v < candidate.size(); ++v) {
        if (candidate[v] == 0) continue;
        result.vertices.push_back(static_cast<int>(v));
        for (const int f : topology.vertex_faces[static_cast<int>(v)]) {
            const auto [a, b, c] = mine.corners(f);
            result.area += area_vector(a, b, c).norm() / 6;
        }
        const Vec3 away = mine.positions[v] - nearest[v];
        if (away.norm() > 0) result.direction += away.normalized();
    }
    return result;
}

double deepest_in(const Surface& closed, const Surface& other) {
    std::vector<double> depths(other.positions.size(), 0.0);
    parallel_for(other.positions.size(), 256, [&](std::size_t v) {
        if (!closed.box().contains(other.positions[v]) ||
            other.topology().vertex_faces[static_cast<int>(v)].empty())
            return;
        depths[v] = depth_of_point(closed, other.positions[v]);
    });
    return depths.empty() ? 0 : *std::max_element(depths.begin(), depths.end());
}

struct Depth {
    double depth = 0;
    int crossings = 0;
};

Depth depth_of(const Surface& a, const Surface& b) {
    if (!a.box().overlaps(b.box())) return {};
    const bool crossing = (!a.closed() || !b.closed()) && !find_crossings(a, b).empty();
    if (crossing || (a.closed() && b.closed())) {
        const Penetration measured = measure_penetration(a, b);
        return {measured.depth, measured.crossings};
    }
    return {std::max(a.closed() ? deepest_in(a, b) : 0, b.closed() ? deepest_in(b, a) : 0), 0};
}

// The pairs of objects to look at, in the order of the scene.
std::vector<std::array<int, 2>> near_pairs(const SceneBodies& bodies, const BodySurfaces& at,
                                           double reach) {
    std::set<std::array<int, 2>> excluded(bodies.settings.exclude.begin(),
                                          bodies.settings.exclude.end());
    std::vector<std::array<int, 2>> pairs;
    const int count = static_cast<int>(bodies.bodies.size());
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b) {
            if (bodies.bodies[a].kind == BodyKind::kinematic &&
                bodies.bodies[b].kind == BodyKind::kinematic)
                continue;
            const int first = bodies.object_of[a], second = bodies.object_of[b];
            if (grown(at.surfaces[first].box(), reach).overlaps(at.surfaces[second].box()) &&
                !excluded.contains({a, b}))
                pairs.push_back({first, second});
        }
    return pairs;
}

} // namespace

BodyContacts measure_bodies(const LoadedScene& scene, const SceneBodies& bodies,
                            std::span<const std::vector<Vec3>> before,
                            std::span<const std::vector<Vec3>> after, double reach) {
    const BodySurfaces came(bodies, before), went(bodies, after);
    const std::vector<std::array<int, 2>> pairs = near_pairs(bodies, went, reach);
    BodyContacts result;
    result.contacts.resize(pairs.size());
    result.touching.resize(scene.objects.size());
    std::vector<std::array<Touching, 2>> touching(pairs.size());
    parallel_for(pairs.size(), 1, [&](std::size_t p) {
        const auto [a, b] = pairs[p];
        ContactReport& report = result.contacts[p];
        report.between = {scene.scene.objects[a].name, scene.scene.objects[b].name};
        const Depth input = depth_of(came.surfaces[a], came.surfaces[b]);
        const Depth output = depth_of(went.surfaces[a], went.surfaces[b]);
        report.depth_before = input.depth;
        report.crossings_before = input.crossings;
        report.depth_after = output.depth;
        report.crossings_after = output.crossings;
        touching[p] = {touching_vertices(went.surfaces[a], went.surfaces[b], reach),
                       touching_vertices(went.surfaces[b], went.surfaces[a], reach)};
        report.zone_area = {touching[p][0].area, touching[p][1].area};
        const Vec3 direction = touching[p][0].direction - touching[p][1].direction;
        if (direction.norm() > 0) report.direction = direction.normalized();
    });
    for (std::size_t p = 0; p < pairs.size(); ++p)
        for (const int side : {0, 1}) {
            const int object = pairs[p][side];
            std::vector<double>& map = result.touching[object];
            if (touching[p][side].vertices.empty()) continue;
            map.resize(after[object].size(), 0.0);
            for (const int v : touching[p][side].vertices) map[v] = 1;
        }
    return result;
}

} // namespace knead
