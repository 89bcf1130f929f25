#include "knead/deform/deform.hpp"

#include "knead/base/box.hpp"
#include "knead/base/error.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/deform/details.hpp"
#include "knead/deform/fold.hpp"
#include "knead/deform/object_settings.hpp"
#include "knead/deform/pair_contact.hpp"
#include "knead/deform/settle_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace knead {

struct Deformer::State {
    int object_count = 0;
    std::vector<DeformSurface> surfaces; ///< the objects, then the parts
    std::vector<FoldSurfaces> folds;
    IntersectionWorkspace intersecting;
    PairContact contact;

    DeformSurface& side(std::size_t contact_index, int object, const std::optional<int>& part);
    FoldSurfaces* find_fold(std::size_t contact_index, const DeformContact& asked);
    void pose(DeformSurface& surface) const { knead::pose(surface, surfaces[surface.object]); }
};

Deformer::Deformer(std::vector<std::shared_ptr<const SurfaceStructure>> objects,
                   std::vector<DeformPart> parts, std::vector<DeformFold> folds)
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
    for (std::size_t f = 0; f < folds.size(); ++f) {
        const DeformFold& fold = folds[f];
        if (fold.object < 0 || fold.object >= state_->object_count)
            throw InputError(fmt::format("deform: fold {} is of object {}, expected 0 to {}", f,
                                         fold.object, state_->object_count - 1));
        const int count = state_->surfaces[fold.object].structure->topology.vertex_count;
        const int made_for = static_cast<int>(fold.region->working.of_mesh_vertex.size());
        if (made_for != count)
            throw InputError(fmt::format("deform: fold {} is of a mesh with {} vertices, expected "
                                         "{}",
                                         f, made_for, count));
        state_->folds.emplace_back(fold.object, fold.region);
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

FoldSurfaces* Deformer::State::find_fold(std::size_t contact_index, const DeformContact& asked) {
    if (!asked.fold) return nullptr;
    if (*asked.fold < 0 || *asked.fold >= static_cast<int>(folds.size()) ||
        folds[*asked.fold].working.object != asked.first || asked.first != asked.second)
        throw InputError(fmt::format("deform: contact {} names fold {}, expected one of object {}",
                                     contact_index, *asked.fold, asked.first));
    if (!asked.direction)
        throw InputError(fmt::format(
            "deform: contact {} is a fold without a direction, expected one", contact_index));
    return &folds[*asked.fold];
}

namespace {

// What one pair does to one of its objects.
PairDisplacement displace_side(const PairContact& contact, int side, DeformSurface& surface,
                               DeformTimes& milliseconds) {
    Stopwatch watch;
    surface.prepare_bulge();
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

// The fields for looking at.
void fill_fields(std::span<const PairDisplacement> pairs, std::span<const Vec3> normals,
                 ObjectOutcome& outcome) {
    const std::size_t n = outcome.positions.size();
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

// The border of an open mesh, and what is in no part that touches anything.
std::vector<char> held_vertices(std::span<const ResolvedPair> pairs, const DeformSurface& object) {
    std::vector<char> held(object.border.size(), 1);
    for (const ResolvedPair& pair : pairs)
        for (const DeformSurface* side : pair.sides) {
            if (side->object != object.object || pair.direction.isZero(0)) continue;
            for (std::size_t v = 0; v < side->border.size(); ++v)
                if (!side->border[v]) held[side->region ? side->region->vertices[v] : v] = 0;
        }
    return held;
}

// Relief turns with the surface, and what that brings into the other objects is settled. Volumes
// are afterwards what they were before.
void turn_all_details(std::span<const ResolvedPair> pairs, std::span<DeformSurface> surfaces,
                      std::span<const CombinedDisplacement> combined, std::span<const char> touched,
                      std::vector<ObjectOutcome>& outcomes) {
    std::vector<std::vector<Vec3>> positions;
    bool any = false;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        positions.push_back(outcomes[i].positions);
        DeformSurface& surface = surfaces[i];
        if (!touched[i] || !(surface.settings.details > 0)) continue;
        any = true;
        surface.prepare_bulge();
        turn_details(surface.mesh(), surface.settings.details, outcomes[i].u,
                     held_vertices(pairs, surface), *surface.bulge, positions[i]);
    }
    if (!any) return;
    settle_pairs(pairs, positions, touched);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (!touched[i]) continue;
        const double height =
            std::clamp(volume_keeping_height(outcomes[i].positions, positions[i], combined[i].raise,
                                             surfaces[i].structure->faces)
                           .value_or(0),
                       -0.5, 0.5);
        for (std::size_t v = 0; v < positions[i].size(); ++v)
            outcomes[i].positions[v] = positions[i][v] + height * combined[i].raise[v];
    }
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
    for (FoldSurfaces& fold : state.folds) fold.working.is_posed = false;

    DeformTimes& times = result.milliseconds;
    std::vector<std::vector<PairDisplacement>> displacements(objects.size());
    std::vector<ResolvedPair> resolved;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const DeformContact& contact = contacts[c];
        std::array<DeformSurface*, 2> sides = {&state.side(c, contact.first, contact.first_part),
                                               &state.side(c, contact.second, contact.second_part)};
        FoldSurfaces* const fold = state.find_fold(c, contact);
        if (fold) sides = {&fold->parts[0], &fold->parts[1]};
        const std::array<int, 2> pair = {contact.first, contact.second};
        if (pair[0] == pair[1] && !fold &&
            (!contact.first_part || !contact.second_part || sides[0] == sides[1]))
            throw InputError(fmt::format(
                "deform: contact {} names object {} twice, expected two of its parts", c, pair[0]));
        const double tau = contact.zone.apparent_stiffness.value_or(0);
        if (!std::isfinite(tau))
            throw InputError(fmt::format(
                "deform: contact {} has the apparent stiffness {}, expected a number", c, tau));
        if (const auto& radius = contact.zone.ball_radius) {
            if (!(*radius > 0 && std::isfinite(*radius)))
                throw InputError(fmt::format(
                    "deform: contact {} has the ball radius {}, expected a positive number", c,
                    *radius));
            if (objects[pair[0]].rigid == objects[pair[1]].rigid)
                throw InputError(fmt::format(
                    "deform: contact {} has a ball radius, expected one object that is rigid and "
                    "one that is not",
                    c));
        }
        if (contact.direction && !(contact.direction->norm() > 0 && contact.direction->allFinite()))
            throw InputError(fmt::format("deform: contact {} has the direction ({}, {}, {}), "
                                         "expected one that is finite and not zero",
                                         c, contact.direction->x(), contact.direction->y(),
                                         contact.direction->z()));
        if (objects[pair[0]].rigid && objects[pair[1]].rigid) continue;
        if (fold)
            pose_fold(*fold, state.surfaces[pair[0]], contact.direction->normalized(),
                      contact.crease);
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
                        sides[s]->apparent_stiffness(), settings.offset};
        }
        PairTimes pair_times{watch.lap(), 0, 0};
        const bool found =
            find_pair_contact(parts, contact.zone, contact.direction, state.intersecting,
                              state.contact, pair_times, fold != nullptr);
        times.intersect += pair_times.intersect;
        times.map += pair_times.map;
        times.zone += pair_times.zone;
        ContactOutcome& outcome = result.contacts[c];
        outcome.note = state.contact.note;
        outcome.direction = state.contact.direction;
        settled.direction = state.contact.direction;
        settled.reach = state.contact.reach;
        settled.certainty = state.contact.certainty;
        if (fold && !settled.direction.isZero(0)) {
            settled.share.assign(objects[pair[0]].positions.size(), 0);
            scatter(*fold->working.region, clear_of_crease(*fold), settled.share);
        }
        if (!found) continue;
        outcome.threshold = state.contact.threshold;
        for (int s = 0; s < 2; ++s) outcome.zone_area[s] = state.contact.zones[s].area;
        // The two sides of a fold are one surface with one zone.
        if (fold) {
            state.contact.zones[0] = join_zones(*fold, state.contact);
            state.contact.gap.fill(std::max(state.contact.gap[0], state.contact.gap[1]));
            state.contact.least_extent.fill(
                std::max(state.contact.least_extent[0], state.contact.least_extent[1]));
        }
        for (int s = 0; s < (fold ? 1 : 2); ++s) {
            const ContactZone& zone = state.contact.zones[s];
            if (objects[pair[s]].rigid || zone.empty()) continue;
            DeformSurface& surface = fold ? fold->working : *sides[s];
            const double shortest = surface.shortest_extent(zone);
            const double least = 8 * state.contact.gap[s];
            if (shortest < least && outcome.note.empty())
                outcome.note =
                    fmt::format("extent shorter than 8 times the gap: {:.4g}, expected {:.4g}",
                                shortest, least);
            PairDisplacement displacement = displace_side(state.contact, s, surface, times);
            if (surface.region) {
                state.pose(state.surfaces[pair[s]]);
                spread(*surface.region, state.surfaces[pair[s]].normals, displacement);
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
        fill_fields(displacements[i], state.surfaces[i].normals, result.objects[i]);
    }
    turn_all_details(resolved, state.surfaces, combined, touched, result.objects);
    for (int i = 0; i < state.object_count; ++i)
        for (std::size_t v = 0; touched[i] && v < objects[i].positions.size(); ++v)
            if (const double applied = objects[i].envelope[v]; applied != 1) {
                Vec3& position = result.objects[i].positions[v];
                position = objects[i].positions[v] + applied * (position - objects[i].positions[v]);
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
