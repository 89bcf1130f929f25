#include "criteria.hpp"

#include "knead/scene/methods/deform/frame_solver.hpp"
#include "knead/spatial/depth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace knead::quality {
namespace {

// Contacts shallower than this part of D are not worth a zone.
constexpr double least_depth = 0.02;
// Balls for the ball test, as parts of the smallest side of the elastic object's box: one that is
// too large for a thin part leaves it no zone, one that is too small hardly tells depths apart.
constexpr std::array ball_parts = {0.15, 0.05};

struct FoundContact {
    double depth = 0;
    bool in_zone = false; ///< some of it
};

// The connected parts of a mesh that are in another one.
void find_contacts(const SurfaceStructure& structure, std::span<const Vec3> positions,
                   const Surface& other, std::span<const double> zone,
                   std::vector<FoundContact>& contacts) {
    std::vector<double> depth(positions.size());
    for (std::size_t v = 0; v < positions.size(); ++v)
        depth[v] = depth_of_point(other, positions[v]);
    std::vector<char> seen(positions.size(), 0);
    for (std::size_t seed = 0; seed < positions.size(); ++seed) {
        if (seen[seed] || !(depth[seed] > 0)) continue;
        FoundContact& contact = contacts.emplace_back();
        std::vector<int> stack = {static_cast<int>(seed)};
        seen[seed] = 1;
        while (!stack.empty()) {
            const int vertex = stack.back();
            stack.pop_back();
            contact.depth = std::max(contact.depth, depth[vertex]);
            contact.in_zone = contact.in_zone || (!zone.empty() && zone[vertex] > 0);
            for (const int neighbour : structure.topology.vertex_vertices[vertex])
                if (!seen[neighbour] && depth[neighbour] > 0) {
                    seen[neighbour] = 1;
                    stack.push_back(neighbour);
                }
        }
    }
}

CriterionQuality measure_criterion(const LoadedScene& scene) {
    CriterionQuality result;
    const FrameSolver solver(scene);
    std::vector<std::shared_ptr<const SurfaceStructure>> structures;
    for (const LoadedObject& object : scene.objects)
        structures.push_back(
            make_structure(object.source.mesh.positions, object.source.mesh.faces));
    const auto penetration = [&](const std::vector<std::vector<Vec3>>& positions) {
        return measure_penetration(make_surface(structures[0], positions[0]),
                                   make_surface(structures[1], positions[1]))
            .depth;
    };
    // The rigid object, if there is one, has no zone of its own to look at.
    const int looked_at = scene.scene.objects[0].rigid ? 1 : 0;
    std::vector<FoundContact> contacts;
    double deepest = 0;
    for (int frame = scene.scene.frames.first; frame <= scene.scene.frames.last; frame += 2) {
        const SolvedFrame solved = solver.solve(frame);
        const Surface other = make_surface(structures[1 - looked_at], solved.before[1 - looked_at]);
        find_contacts(*structures[looked_at], solved.before[looked_at], other,
                      solved.objects[looked_at].zone, contacts);
        deepest = std::max(deepest, penetration(solved.before));
        result.depth_after = std::max(result.depth_after, penetration(solved.after));
    }
    for (const FoundContact& contact : contacts) {
        if (contact.depth < least_depth * deepest) continue;
        ++result.contacts;
        if (contact.in_zone) continue;
        ++result.missed;
        result.missed_depth = std::max(result.missed_depth, contact.depth / deepest);
    }
    if (deepest > 0) result.depth_after /= deepest;
    return result;
}

} // namespace

std::vector<CriterionQuality> compare_criteria(const Scene& scene, const std::string& name) {
    std::vector<CriterionQuality> results;
    const auto measure = [&](const std::string& criterion, const ContactSpec& contact) {
        Scene changed = scene;
        changed.contacts = {contact};
        CriterionQuality& result =
            results.emplace_back(measure_criterion(load_scene(std::move(changed))));
        result.scene = name;
        result.criterion = criterion;
    };
    ContactSpec contact = contacts_of(scene).at(0);
    contact.zone = ZoneKind::global;
    measure("global", contact);
    contact.zone = ZoneKind::symmetric;
    measure("local", contact);
    const bool first_rigid = scene.objects[0].rigid, second_rigid = scene.objects[1].rigid;
    if (first_rigid != second_rigid) {
        const LoadedScene loaded = load_scene(scene);
        const Box box = bounding_box(loaded.objects[first_rigid ? 1 : 0].source.mesh.positions);
        for (const char* method : {"", "A, "}) {
            contact.zone = ZoneKind::ball;
            for (const double part : ball_parts) {
                contact.ball_radius = part * (box.upper - box.lower).minCoeff();
                measure(fmt::format("{}ball {:.0f} %", method, 100 * part), contact);
            }
            contact.mapping = MappingMethod::parametrization;
        }
        contact.zone = ZoneKind::symmetric;
        measure("A, local", contact);
    }
    return results;
}

std::string criteria_page(std::span<const CriterionQuality> criteria) {
    std::string page = R"(# Which contacts a criterion misses

`make quality` writes this page. Nothing in it is written by hand.

A contact is a connected part of one object that is in the other, deeper than 2 % of the largest depth D of the scene,
counted in every second frame. It is missed when none of its vertices is in a contact zone; what is missed has only the last
pass that settles what is left. `global` is one threshold for all depths of a pair, as the authors have it, `local` the
threshold about a place (`"zone": "symmetric"`, the default), `ball` the ball test against a rigid object, with a ball as
large as 15 or 5 % of the smallest side of the elastic object's box; one that does not fit into a finger leaves it no zone. Those with A map through a shared parametrisation
([method-a.md](method-a.md)), the others along a direction.

The zones of `spread-hand` from below, the table taken away. The thumb is deep and raises the threshold of all, so that
with the global one the ring finger and the little one have no zone:

| global | local |
| --- | --- |
| ![Zones at three of five fingers](gallery/criterion-spread-hand-global.png) | ![Zones at all five](gallery/criterion-spread-hand-local.png) |

| scene | criterion | contacts | missed | deepest missed, % of D | depth after, % of D |
| --- | --- | --- | --- | --- | --- |
)";
    for (const CriterionQuality& row : criteria)
        page +=
            fmt::format("| {} | {} | {} | {} | {:.1f} | {:.1f} |\n", row.scene, row.criterion,
                        row.contacts, row.missed, 100 * row.missed_depth, 100 * row.depth_after);
    return page;
}

} // namespace knead::quality
