#include "knead/deform/deform.hpp"

#include "knead/base/box.hpp"
#include "knead/base/error.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/deform/object_settings.hpp"
#include "knead/deform/pair_contact.hpp"
#include "knead/deform/settle.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace knead {
namespace {

// Values of a part, seen from its object; the rest gets `elsewhere`.
template <typename T>
void spread(const Region& region, std::vector<T>& values, const T& elsewhere) {
    std::vector<T> whole(region.of_mesh_vertex.size(), elsewhere);
    scatter(region, values, whole);
    values = std::move(whole);
}

void spread(const Region& region, std::span<const Vec3> normals, PairDisplacement& displacement) {
    spread<Vec3>(region, displacement.base, Vec3::Zero());
    spread<Vec3>(region, displacement.raise, Vec3::Zero());
    spread(region, displacement.u, 1.0);
    spread(region, displacement.fade, 0.0);
    spread(region, displacement.amplitude, 0.0);
    spread(region, displacement.slope, 0.0);
    spread(region, displacement.eta, 0.0);
    std::vector<Vec3> direction(normals.begin(), normals.end());
    scatter(region, displacement.direction, direction);
    displacement.direction = std::move(direction);
}

// An object, or a part of it, on which contacts are looked for: what follows from the faces alone,
// and what belongs to the frame at hand.
struct DeformSurface {
    int object = 0;
    std::optional<Region> region;                      ///< nothing: the whole object
    std::shared_ptr<const SurfaceStructure> structure; ///< a part's is made when first needed
    std::vector<char> border;
    std::optional<BulgeWorkspace> bulge; ///< made when first needed

    DeformObject settings; ///< the object's, as this part sees them; rigid is infinitely stiff
    bool is_posed = false;
    std::vector<Vec3> part_positions, normals;
    std::vector<std::vector<double>> part_maps;
    std::vector<double> softness_map; ///< as apparent stiffness
    Surface surface;

    BulgeMesh mesh() const {
        return {surface.positions, normals, structure->faces, &structure->topology, border};
    }
};

} // namespace

struct Deformer::State {
    int object_count = 0;
    std::vector<DeformSurface> surfaces; ///< the objects, then the parts
    IntersectionWorkspace intersecting;
    PairContact contact;

    DeformSurface& side(std::size_t contact_index, int object, const std::optional<int>& part);
    void pose(DeformSurface& surface) const;
};

Deformer::Deformer(std::vector<std::shared_ptr<const SurfaceStructure>> objects,
                   std::vector<DeformPart> parts)
    : state_(std::make_unique<State>()) {
    state_->object_count = static_cast<int>(objects.size());
    state_->surfaces.resize(objects.size() + parts.size());
    for (int i = 0; i < state_->object_count; ++i) {
        state_->surfaces[i].object = i;
        state_->surfaces[i].structure = std::move(objects[i]);
    }
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const DeformPart& part = parts[p];
        if (part.object < 0 || part.object >= state_->object_count)
            throw InputError(fmt::format("deform: part {} is of object {}, expected 0 to {}", p,
                                         part.object, state_->object_count - 1));
        const SurfaceStructure& whole = *state_->surfaces[part.object].structure;
        for (const int vertex : part.vertices)
            if (vertex < 0 || vertex >= whole.topology.vertex_count)
                throw InputError(fmt::format("deform: part {} has vertex {}, expected 0 to {}", p,
                                             vertex, whole.topology.vertex_count - 1));
        TriangleMesh mesh;
        mesh.positions.assign(whole.topology.vertex_count, Vec3::Zero());
        mesh.faces = whole.faces;
        DeformSurface& surface = state_->surfaces[objects.size() + p];
        surface.object = part.object;
        surface.region = region_of_vertices(mesh, part.vertices);
    }
}

Deformer::~Deformer() = default;
Deformer::Deformer(Deformer&&) noexcept = default;
Deformer& Deformer::operator=(Deformer&&) noexcept = default;

DeformSurface& Deformer::State::side(std::size_t contact_index, int object,
                                     const std::optional<int>& part) {
    if (object < 0 || object >= object_count)
        throw InputError(fmt::format("deform: contact {} names object {}, expected 0 to {}",
                                     contact_index, object, object_count - 1));
    if (!part) return surfaces[object];
    const int parts = static_cast<int>(surfaces.size()) - object_count;
    if (*part < 0 || *part >= parts || surfaces[object_count + *part].object != object)
        throw InputError(fmt::format("deform: contact {} names part {}, expected one of object {}",
                                     contact_index, *part, object));
    return surfaces[object_count + *part];
}

void Deformer::State::pose(DeformSurface& surface) const {
    if (surface.is_posed) return;
    surface.is_posed = true;
    const DeformObject& object = surfaces[surface.object].settings;
    const SurfaceStructure& whole = *surfaces[surface.object].structure;
    surface.normals = vertex_normals(object.positions, whole.faces);
    std::span<const Vec3> positions = object.positions;
    if (surface.region) {
        surface.normals = gather(*surface.region, surface.normals);
        surface.part_positions.clear();
        for (const int v : surface.region->vertices)
            surface.part_positions.push_back(object.positions[v]);
        positions = surface.part_positions;
        surface.settings = part_settings(object, *surface.region, surface.part_maps);
        if (!surface.structure)
            surface.structure = make_structure(positions, surface.region->triangles);
    }
    surface.softness_map.clear();
    for (const double softness : surface.settings.softness.map())
        surface.softness_map.push_back(apparent_stiffness_of(softness));
    surface.border.assign(surface.structure->on_border.begin(), surface.structure->on_border.end());
    surface.surface = make_surface(surface.structure, positions);
}

namespace {

// The extent that was given, where the zone's border is; infinite when none was.
double shortest_extent(const DeformSurface& surface, const ContactZone& zone) {
    double shortest = std::numeric_limits<double>::infinity();
    if (const std::optional<VertexNumber>& extent = surface.settings.extent)
        for (const ZoneBorderPoint& point : zone.border)
            shortest =
                std::min(shortest, extent->at(surface.structure->topology.edges[point.on_edge.edge],
                                              point.on_edge.t));
    return shortest;
}

VertexNumber apparent_stiffness(const DeformSurface& surface) {
    const VertexNumber& softness = surface.settings.softness;
    return softness.is_map() ? VertexNumber(surface.softness_map)
                             : VertexNumber(apparent_stiffness_of(softness[0]));
}

// What one pair does to one of its objects.
PairDisplacement displace_side(const PairContact& contact, int side, DeformSurface& surface,
                               DeformTimes& milliseconds) {
    Stopwatch watch;
    if (!surface.bulge) surface.bulge = make_bulge_workspace(surface.structure->topology);
    milliseconds.plan += watch.lap();
    const VertexNumber& softness = surface.settings.softness;
    const auto auto_extent = [&](double at) {
        return std::max(contact.least_extent[side], extent_scale_of(at) * contact.usual_extent);
    };
    std::vector<double> extent_map;
    for (const double at : softness.map()) extent_map.push_back(auto_extent(at));
    const VertexNumber extent = surface.settings.extent ? *surface.settings.extent
                                : softness.is_map()     ? VertexNumber(extent_map)
                                                        : VertexNumber(auto_extent(softness[0]));
    PairDisplacement displacement;
    pair_displacement(contact.zones[side], surface.mesh(), surface.settings.bulge, extent,
                      *surface.bulge, displacement);
    milliseconds.parametrize += displacement.parametrize_milliseconds;
    milliseconds.guide += displacement.guide_milliseconds;
    milliseconds.displace += displacement.displace_milliseconds;
    return displacement;
}

// A pair after its zones, to be settled.
struct ResolvedPair {
    std::array<DeformSurface*, 2> sides{};
    Vec3 direction = Vec3::Zero(); // zero when the objects do not intersect
    double reach = 0;
    double certainty = 0;
};

// The two sides of a pair with their objects at `positions`, one list an object.
struct SettlePose {
    std::array<std::vector<Vec3>, 2> positions;
    std::array<Surface, 2> surfaces;
    std::array<SettleSide, 2> sides;

    SettlePose(const ResolvedPair& pair, std::span<const std::vector<Vec3>> all_positions) {
        for (int s = 0; s < 2; ++s) {
            const DeformSurface& side = *pair.sides[s];
            const std::vector<Vec3>& whole = all_positions[side.object];
            positions[s] = side.region ? gather(*side.region, whole) : whole;
            surfaces[s] = make_surface(side.structure, positions[s]);
            sides[s] = {&surfaces[s], side.normals, s == 0 ? pair.direction : -pair.direction,
                        side.settings.stiffness, side.settings.offset};
        }
    }
    SettlePose(const SettlePose&) = delete;
    SettlePose& operator=(const SettlePose&) = delete;
};

// What the zones have left is resolved, all pairs starting from the same state.
void settle_pairs(std::span<const ResolvedPair> pairs, std::vector<std::vector<Vec3>>& positions,
                  std::span<const char> moves) {
    std::vector<std::vector<Vec3>> moved = positions;
    for (const ResolvedPair& pair : pairs) {
        if (pair.direction.isZero(0)) continue;
        const SettlePose pose(pair, positions);
        std::array<std::vector<double>, 2> ways;
        settle(pose.sides, pair.reach, ways);
        for (int s = 0; s < 2; ++s) {
            const DeformSurface& side = *pair.sides[s];
            if (!moves[side.object]) continue;
            for (std::size_t v = 0; v < ways[s].size(); ++v)
                moved[side.object][side.region ? side.region->vertices[v] : v] +=
                    pair.certainty * ways[s][v] * pose.sides[s].inward;
        }
    }
    positions = std::move(moved);
}

// How far the bulges of each object have room against what they touch.
std::vector<std::vector<double>> room_for_bulges(std::span<const ResolvedPair> pairs,
                                                 std::span<const std::vector<Vec3>> positions,
                                                 std::span<const CombinedDisplacement> combined) {
    std::vector<std::vector<double>> room(positions.size());
    for (std::size_t i = 0; i < room.size(); ++i)
        room[i].assign(positions[i].size(), std::numeric_limits<double>::infinity());
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        double highest = 0;
        for (const Vec3& raise : combined[i].raise) highest = std::max(highest, raise.norm());
        Box& box = boxes.emplace_back(bounding_box(positions[i]));
        box.lower.array() -= most_raise * highest;
        box.upper.array() += most_raise * highest;
    }
    for (const ResolvedPair& pair : pairs) {
        if (!boxes[pair.sides[0]->object].overlaps(boxes[pair.sides[1]->object])) continue;
        const SettlePose pose(pair, positions);
        for (int s = 0; s < 2; ++s) {
            const DeformSurface& side = *pair.sides[s];
            const std::vector<Vec3>& raise = combined[side.object].raise;
            if (raise.empty()) continue;
            if (side.region) {
                std::vector<double> part = gather(*side.region, room[side.object]);
                limit_raise(pose.sides[s], pose.sides[1 - s], gather(*side.region, raise), part);
                scatter(*side.region, part, room[side.object]);
            } else {
                limit_raise(pose.sides[s], pose.sides[1 - s], raise, room[side.object]);
            }
        }
    }
    return room;
}

// What was applied, and the fields for looking at.
void finish_object(std::span<const PairDisplacement> pairs, const DeformObject& object,
                   std::span<const Vec3> normals, ObjectOutcome& outcome) {
    const std::size_t n = outcome.positions.size();
    for (std::size_t v = 0; v < n; ++v)
        if (const double applied = object.envelope[v]; applied != 1)
            outcome.positions[v] =
                object.positions[v] + applied * (outcome.positions[v] - object.positions[v]);
    outcome.zone.assign(n, 0);
    outcome.u.assign(n, 1);
    outcome.amplitude.assign(n, 0);
    outcome.slope.assign(n, 0);
    outcome.eta.assign(n, 0);
    outcome.direction.assign(normals.begin(), normals.end());
    for (const PairDisplacement& pair : pairs)
        for (std::size_t v = 0; v < n; ++v) {
            if (!(pair.u[v] < outcome.u[v])) continue;
            outcome.u[v] = pair.u[v];
            outcome.amplitude[v] = pair.amplitude[v];
            outcome.slope[v] = pair.slope[v];
            outcome.eta[v] = pair.eta[v];
            outcome.direction[v] = pair.direction[v];
            if (pair.u[v] == 0) outcome.zone[v] = 1;
        }
    outcome.contact_vertices =
        static_cast<int>(std::count(outcome.zone.begin(), outcome.zone.end(), 1.0));
}

} // namespace

DeformResult Deformer::deform(std::span<const DeformObject> objects,
                              std::span<const DeformContact> contacts) {
    State& state = *state_;
    if (static_cast<int>(objects.size()) != state.object_count)
        throw InputError(fmt::format("deform: found {} objects, expected {}", objects.size(),
                                     state.object_count));
    DeformResult result;
    result.objects.resize(objects.size());
    result.contacts.resize(contacts.size());
    std::vector<Box> boxes;
    for (int i = 0; i < state.object_count; ++i) {
        check_object(objects[i], i, *state.surfaces[i].structure);
        boxes.push_back(bounding_box(objects[i].positions));
        result.objects[i].positions.assign(objects[i].positions.begin(),
                                           objects[i].positions.end());
        state.surfaces[i].settings = objects[i];
        if (objects[i].rigid)
            state.surfaces[i].settings.stiffness = std::numeric_limits<double>::infinity();
    }
    for (DeformSurface& surface : state.surfaces) surface.is_posed = false;

    DeformTimes& times = result.milliseconds;
    std::vector<std::vector<PairDisplacement>> displacements(objects.size());
    std::vector<ResolvedPair> resolved;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const DeformContact& contact = contacts[c];
        const std::array<DeformSurface*, 2> sides = {
            &state.side(c, contact.first, contact.first_part),
            &state.side(c, contact.second, contact.second_part)};
        const std::array<int, 2> pair = {contact.first, contact.second};
        if (pair[0] == pair[1])
            throw InputError(fmt::format("deform: contact {} names object {} twice", c, pair[0]));
        const double tau = contact.zone.apparent_stiffness.value_or(0);
        if (!std::isfinite(tau))
            throw InputError(fmt::format(
                "deform: contact {} has the apparent stiffness {}, expected a number", c, tau));
        if (contact.direction && !(contact.direction->norm() > 0 && contact.direction->allFinite()))
            throw InputError(fmt::format("deform: contact {} has the direction ({}, {}, {}), "
                                         "expected one that is finite and not zero",
                                         c, contact.direction->x(), contact.direction->y(),
                                         contact.direction->z()));
        if (objects[pair[0]].rigid && objects[pair[1]].rigid) continue;
        ResolvedPair& settled = resolved.emplace_back();
        settled.sides = sides;
        for (DeformSurface* side : sides)
            if (side->region) state.pose(*side);
        if (!boxes[pair[0]].overlaps(boxes[pair[1]])) continue;

        Stopwatch watch;
        std::array<PairPart, 2> parts;
        for (int s = 0; s < 2; ++s) {
            state.pose(*sides[s]);
            const DeformObject& settings = sides[s]->settings;
            parts[s] = {&sides[s]->surface, sides[s]->normals, settings.stiffness,
                        apparent_stiffness(*sides[s]), settings.offset};
        }
        PairTimes pair_times{watch.lap(), 0, 0};
        const bool found = find_pair_contact(parts, contact.zone, contact.direction,
                                             state.intersecting, state.contact, pair_times);
        times.intersect += pair_times.intersect;
        times.map += pair_times.map;
        times.zone += pair_times.zone;
        ContactOutcome& outcome = result.contacts[c];
        outcome.note = state.contact.note;
        outcome.direction = state.contact.direction;
        settled.direction = state.contact.direction;
        settled.reach = state.contact.reach;
        settled.certainty = state.contact.certainty;
        if (!found) continue;
        outcome.threshold = state.contact.threshold;
        for (int s = 0; s < 2; ++s) {
            const ContactZone& zone = state.contact.zones[s];
            outcome.zone_area[s] = zone.area;
            if (objects[pair[s]].rigid || zone.empty()) continue;
            const double shortest = shortest_extent(*sides[s], zone);
            const double least = 8 * state.contact.gap[s];
            if (shortest < least && outcome.note.empty())
                outcome.note =
                    fmt::format("extent shorter than 8 times the gap: {:.4g}, expected {:.4g}",
                                shortest, least);
            PairDisplacement displacement = displace_side(state.contact, s, *sides[s], times);
            if (sides[s]->region) {
                state.pose(state.surfaces[pair[s]]);
                spread(*sides[s]->region, state.surfaces[pair[s]].normals, displacement);
            }
            displacements[pair[s]].push_back(std::move(displacement));
        }
    }

    Stopwatch watch;
    std::vector<char> touched(objects.size(), 0);
    for (const ResolvedPair& pair : resolved)
        for (const DeformSurface* side : pair.sides)
            if (!pair.direction.isZero(0) && !objects[side->object].rigid)
                touched[side->object] = 1;
    if (std::count(touched.begin(), touched.end(), 1) == 0) return result;
    std::vector<CombinedDisplacement> combined(objects.size());
    std::vector<std::vector<Vec3>> positions(objects.size());
    for (int i = 0; i < state.object_count; ++i) {
        if (touched[i]) {
            state.pose(state.surfaces[i]);
            combined[i] = combine_displacements(displacements[i], state.surfaces[i].mesh());
            positions[i] = combined[i].base;
        } else {
            positions[i] = result.objects[i].positions;
        }
    }
    // Where surfaces are tilted against the mapping direction, once is not all the way.
    for (int round = 0; round < 2; ++round) settle_pairs(resolved, positions, touched);
    const std::vector<std::vector<double>> room = room_for_bulges(resolved, positions, combined);
    for (int i = 0; i < state.object_count; ++i) {
        if (!touched[i]) continue;
        combined[i].base = std::move(positions[i]);
        restore_volume(combined[i], room[i], state.surfaces[i].mesh(), objects[i].bulge.bulge,
                       result.objects[i].positions);
        finish_object(displacements[i], objects[i], state.surfaces[i].normals, result.objects[i]);
    }
    times.displace += watch.lap();
    return result;
}

std::array<std::vector<Vec3>, 2> deform(const TriangleMesh& first, const TriangleMesh& second,
                                        const DeformContact& contact,
                                        std::array<DeformObject, 2> settings) {
    Deformer deformer({make_structure(first.positions, first.faces),
                       make_structure(second.positions, second.faces)});
    settings[0].positions = first.positions;
    settings[1].positions = second.positions;
    DeformResult result = deformer.deform(settings, std::span(&contact, 1));
    return {std::move(result.objects[0].positions), std::move(result.objects[1].positions)};
}

} // namespace knead
