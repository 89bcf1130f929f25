#include "knead/deform/resolve_contact.hpp"

#include "knead/base/parallel.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/contact/behind.hpp"
#include "knead/deform/check_frame.hpp"
#include "knead/deform/displace_sides.hpp"
#include "knead/deform/object_outcome.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knead {
namespace {

// Points that each have a direction of their own carry it along the surface.
FieldMethods field_methods(const DeformContact& asked) {
    const bool own = asked.mapping == MappingMethod::parametrization;
    return {own ? DirectionMethod::transported : DirectionMethod::blended, asked.distance};
}

// A part of a solid is open, too, but has no other side.
void note_touch_from_behind(const std::array<DeformSurface*, 2>& sides, const PairContact& contact,
                            ContactOutcome& outcome) {
    for (int s = 0; s < 2 && outcome.note.empty(); ++s) {
        const SurfaceStructure& sheet = *sides[s]->structure;
        if (sheet.closed || sheet.components.count == 0) continue;
        const Vec3 inward = s == 0 ? contact.way.direction : Vec3(-contact.way.direction);
        if (!reaches_mostly_behind(contact.intersection, sides[1 - s]->surface, inward)) continue;
        outcome.touched_from_behind = s;
        outcome.note = fmt::format("most of the {} object is behind the {}, a sheet: it may be "
                                   "meant to touch the other side",
                                   s == 0 ? "second" : "first", s == 0 ? "first" : "second");
    }
}

// Both sides of a contact in the pose of the frame, as the first half wants them.
std::array<PairPart, 2> gather_parts(const std::array<DeformSurface*, 2>& sides, Bodies& bodies) {
    std::array<PairPart, 2> parts;
    if (sides[0]->object != sides[1]->object)
        parallel_for(2, 1, [&](std::size_t s) { bodies.pose(*sides[s]); });
    for (int s = 0; s < 2; ++s) {
        bodies.pose(*sides[s]);
        const DeformSettings& settings = sides[s]->settings;
        parts[s] = {&sides[s]->surface,
                    sides[s]->normals,
                    sides[s]->edge,
                    settings.stiffness,
                    sides[s]->apparent_stiffness(),
                    settings.offset,
                    sides[s]->texture_coordinates};
    }
    return parts;
}

// What is known of a pair whether or not it has zones.
void take_pair(const PairContact& contact, const FoldSurfaces* fold, ResolvedPair& pair,
               DeformResult& result) {
    ContactOutcome& outcome = result.contacts[pair.contact];
    outcome.note = contact.note;
    outcome.direction = contact.way.direction;
    pair.way = contact.way;
    pair.certainty = contact.certainty;
    if (!pair.way.is_found()) return;
    if (fold) {
        pair.share.assign(fold->working.region->of_mesh_vertex.size(), 0);
        scatter(*fold->working.region, fold->clear, pair.share);
    }
    for (int s = 0; s < 2; ++s)
        fill_gap(contact.mappings[s], *pair.sides[s], result.objects[pair.sides[s]->object]);
}

// What is known of its zones.
void take_zones(const PairContact& contact, ContactOutcome& outcome) {
    outcome.threshold = contact.threshold;
    for (const DepthField::Sample& sample : contact.depths.samples)
        outcome.depth = std::max(outcome.depth, sample.depth);
    for (int s = 0; s < 2; ++s) outcome.zone_area[s] = contact.zones[s].area;
}

} // namespace

void resolve_contact(std::size_t contact_index, Bodies& bodies, FrameWorkspace& workspace,
                     Frame& frame) {
    const DeformContact& asked = frame.contacts[contact_index];
    std::array<DeformSurface*, 2> sides = {
        &bodies.side(contact_index, asked.first, asked.first_part),
        &bodies.side(contact_index, asked.second, asked.second_part)};
    FoldSurfaces* const fold = bodies.find_fold(contact_index, asked);
    if (fold) sides = {&fold->parts[0], &fold->parts[1]};
    const DeformObject& first = frame.objects[asked.first];
    const DeformObject& second = frame.objects[asked.second];
    check_contact(asked, contact_index, first, second);
    if (first.settings.rigid && second.settings.rigid) return;

    Stopwatch watch;
    if (fold) bodies.pose_fold_of(asked, *fold);
    ResolvedPair& pair = frame.pairs.emplace_back();
    pair.sides = sides;
    pair.contact = static_cast<int>(contact_index);
    pair.crossing_free = asked.crossing_free;
    for (DeformSurface* side : sides)
        if (side->region) bodies.pose(*side);
    if (!frame.boxes[asked.first].overlaps(frame.boxes[asked.second])) return;

    const std::array<PairPart, 2> parts = gather_parts(sides, bodies);
    std::optional<GivenDirection> given;
    if (asked.direction) given = {asked.direction->normalized(), frame.kept[contact_index]};
    PairTimes times{watch.lap(), 0, 0};
    PairContact& contact = workspace.contact;
    const bool found = find_pair_contact(parts, asked.zone, asked.mapping, given,
                                         workspace.contacting, contact, times, fold != nullptr);
    frame.result->milliseconds.add({times.intersect, times.map, times.zone});
    take_pair(contact, fold, pair, *frame.result);
    if (!found) return;

    ContactOutcome& outcome = frame.result->contacts[contact_index];
    if (asked.first != asked.second) note_touch_from_behind(sides, contact, outcome);
    frame.progress->check();
    take_zones(contact, outcome);
    displace_sides(pair, fold, field_methods(asked), bodies, workspace, frame, outcome);
}

} // namespace knead
