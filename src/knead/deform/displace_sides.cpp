#include "knead/deform/displace_sides.hpp"

#include "knead/base/parallel.hpp"
#include "knead/deform/displace_side.hpp"
#include "knead/deform/fold/two_regions.hpp"

#include <fmt/format.h>

namespace knead {

void displace_sides(const ResolvedPair& pair, FoldSurfaces* fold, const FieldMethods& methods,
                    Bodies& bodies, FrameWorkspace& workspace, Frame& frame,
                    ContactOutcome& outcome) {
    PairContact& contact = workspace.contact;
    const auto moves = [&](int s, const DeformSurface& surface) {
        return !frame.objects[surface.object].settings.rigid && !contact.zones[s].empty();
    };
    const auto note_short_extent = [&](int s, const DeformSurface& surface) {
        if (!moves(s, surface) || !outcome.note.empty()) return;
        const double shortest = surface.shortest_extent(contact.zones[s]);
        const double least = 8 * contact.gap[s];
        if (shortest < least)
            outcome.note = fmt::format(
                "extent shorter than 8 times the gap: {:.4g}, expected {:.4g}", shortest, least);
    };
    // Of both sides at once; each has its own surface.
    const auto displace = [&](std::array<DeformSurface*, 2> surfaces_of) {
        for (int s = 0; s < 2; ++s) note_short_extent(s, *surfaces_of[s]);
        std::array<PairDisplacement, 2> done;
        for (PairDisplacement& side : done) side = workspace.take_displacement();
        std::array<DeformTimes, 2> times;
        parallel_for(2, 1, [&](std::size_t i) {
            const int s = static_cast<int>(i);
            const double edge = fold ? contact.depths.edge : contact.depths.sizes[s].edge;
            if (moves(s, *surfaces_of[s]))
                displace_side(contact, s, edge, *surfaces_of[s], methods, times[s], done[s]);
        });
        for (const DeformTimes& of_side : times) frame.result->milliseconds.add(of_side);
        for (int s = 0; s < 2; ++s) outcome.extent[s] = done[s].base.empty() ? 0 : done[s].extent;
        return done;
    };
    const auto add = [&](int object, PairDisplacement done) {
        (done.base.empty() ? workspace.spare_displacements : frame.displacements[object])
            .push_back(std::move(done));
    };
    if (!fold) {
        std::array<PairDisplacement, 2> done = displace(pair.sides);
        for (int s = 0; s < 2; ++s) add(pair.sides[s]->object, std::move(done[s]));
        return;
    }
    // The two sides of a fold are one surface with one zone.
    join_extents(contact);
    contact.zones[0] = join_zones(*fold, contact);
    const int object = fold->working.object;
    if (fold->variant == FoldVariant::unified) {
        contact.zones[1] = {};
        return add(object, std::move(displace({&fold->working, &fold->working})[0]));
    }
    const ContactZone whole = contact.zones[0];
    for (int s = 0; s < 2; ++s)
        contact.zones[s] =
            zone_in_region(whole, fold->working, fold->regions[s], contact.depths.edge);
    DeformSurface& whole_object = bodies.surfaces[object];
    bodies.pose(whole_object);
    add(object, blend_regions(*fold->region, displace({&fold->regions[0], &fold->regions[1]}),
                              whole_object.normals));
}

} // namespace knead
