#include "knead/deform/finish_frame.hpp"

#include "knead/base/parallel.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/bulge/restore_volume.hpp"
#include "knead/deform/details.hpp"
#include "knead/deform/object_outcome.hpp"

#include <algorithm>
#include <limits>

namespace knead {
namespace {

void find_touched(Frame& frame) {
    frame.touched.assign(frame.objects.size(), 0);
    for (const ResolvedPair& pair : frame.pairs)
        for (const DeformSurface* side : pair.sides)
            if (pair.way.is_found() && !frame.objects[side->object].settings.rigid)
                frame.touched[side->object] = 1;
}

// What several contacts do to each object.
void combine(Bodies& bodies, FrameWorkspace& workspace, Frame& frame) {
    const std::size_t objects = frame.objects.size();
    frame.combined.swap(workspace.spare_combined);
    frame.combined.resize(objects);
    workspace.combining.resize(objects);
    AllPositions& positions = workspace.settling.positions();
    positions.resize(objects);
    parallel_for(objects, 1, [&](std::size_t i) {
        CombinedDisplacement& combined = frame.combined[i];
        if (frame.touched[i]) {
            DeformSurface& surface = bodies.surfaces[i];
            bodies.pose(surface);
            combine_displacements(frame.displacements[i], surface.mesh(), workspace.combining[i],
                                  combined);
            positions[i] = combined.base;
        } else {
            combined.raise.clear();
            positions[i] = frame.result->objects[i].positions;
        }
    });
}

// What is still inside is pushed out. Where surfaces are tilted against the mapping direction, once
// is not all the way.
void settle_frame(Bodies& bodies, FrameWorkspace& workspace, Frame& frame) {
    Settling& settling = workspace.settling;
    settling.begin(frame.pairs, frame.touched);
    for (int round = 0; round < 2; ++round) settling.settle(frame.touched);
    for (std::size_t i = 0; i < frame.objects.size(); ++i) {
        if (!frame.touched[i]) continue;
        const DeformSurface& surface = bodies.surfaces[i];
        const std::vector<Vec3>& settled = settling.positions()[i];
        find_held(frame.pairs, surface, workspace.held);
        raise_about_settled(frame.displacements[i], settled, workspace.held, surface.mesh(),
                            workspace.settled_bulge, frame.combined[i]);
        frame.combined[i].base = settled;
    }
}

// Bulges rise until volumes are kept, where they have room. They seldom rise to twice what their
// contact alone would ask for; where they do, all of the room is looked for.
void restore_volumes(const Bodies& bodies, FrameWorkspace& workspace, Frame& frame) {
    const std::size_t objects = frame.objects.size();
    double highest = 1;
    for (std::size_t i = 0; i < objects; ++i)
        if (frame.touched[i])
            highest = std::max(highest, frame.objects[i].settings.bulge.bulge.largest());
    std::vector<double> risen(objects, 0);
    for (double asked = 2 * highest;; asked = std::numeric_limits<double>::infinity()) {
        const auto& room = workspace.settling.room_for_bulges(frame.combined, asked);
        parallel_for(objects, 1, [&](std::size_t i) {
            if (frame.touched[i])
                risen[i] =
                    restore_volume(frame.combined[i], room[i], bodies.surfaces[i].mesh(),
                                   frame.objects[i].settings.bulge.bulge, workspace.combining[i],
                                   frame.result->objects[i].positions);
        });
        if (!(*std::max_element(risen.begin(), risen.end()) > asked)) break;
    }
}

} // namespace

void finish_frame(Bodies& bodies, FrameWorkspace& workspace, Frame& frame) {
    Stopwatch watch;
    find_touched(frame);
    if (std::count(frame.touched.begin(), frame.touched.end(), 1) == 0) return;
    combine(bodies, workspace, frame);
    settle_frame(bodies, workspace, frame);
    restore_volumes(bodies, workspace, frame);
    parallel_for(frame.objects.size(), 1, [&](std::size_t i) {
        if (frame.touched[i])
            fill_fields(frame.displacements[i], bodies.surfaces[i].normals,
                        frame.result->objects[i]);
    });
    turn_all_details(frame.pairs, bodies.surfaces, frame.combined, frame.touched,
                     frame.result->objects);
    frame.result->milliseconds.displace += watch.lap();
}

} // namespace knead
