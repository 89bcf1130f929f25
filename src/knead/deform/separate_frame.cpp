#include "knead/deform/separate_frame.hpp"

#include "knead/base/stopwatch.hpp"
#include "knead/spatial/self_intersection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace knead {
namespace {

// Why the last pass has not parted a pair.
std::string_view why_left(const ResolvedPair& pair) {
    const auto [a, b] = pair.sides;
    if (a->settings.offset.least() + b->settings.offset.least() < 0)
        return "an offset below 0 asks for them";
    if (!pair.share.empty()) return "sides are held in their crease";
    if (a->region || b->region) return "parts are moved alone";
    if (!a->structure->closed || !b->structure->closed) return "an open surface has no inside";
    for (const DeformSurface* side : pair.sides)
        if (!find_self_intersections(side->surface, 1).empty()) return "a mesh crosses itself";
    return "no way apart was found";
}

// Of every object of a pair, one a vertex: those that bulges leave where they are, for they are on
// a border, or in no part that a contact is of.
std::vector<std::vector<char>> held_beside_parts(const Frame& frame) {
    std::vector<std::vector<char>> held(frame.objects.size());
    for (const ResolvedPair& pair : frame.pairs)
        for (const DeformSurface* side : pair.sides) {
            std::vector<char>& of_object = held[side->object];
            of_object.resize(frame.objects[side->object].positions.size(), 1);
            const std::size_t own = side->region ? side->region->vertices.size() : of_object.size();
            for (std::size_t v = 0; v < own && v < side->border.size(); ++v)
                if (!side->border[v]) of_object[side->region ? side->region->vertices[v] : v] = 0;
        }
    return held;
}

} // namespace

void separate_frame(Bodies& bodies, FrameWorkspace& workspace, Frame& frame) {
    if (std::none_of(frame.pairs.begin(), frame.pairs.end(),
                     [](const ResolvedPair& pair) { return pair.crossing_free; }))
        return;
    Stopwatch watch;
    std::vector<SeparateObject> objects(frame.objects.size());
    for (std::size_t i = 0; i < objects.size(); ++i)
        if (!frame.objects[i].settings.rigid) bodies.pose(bodies.surfaces[i]);
    const std::vector<std::vector<char>> held = held_beside_parts(frame);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        objects[i] = {
            &frame.result->objects[i].positions,   !frame.objects[i].settings.rigid,  {}, {},
            frame.objects[i].settings.bulge.bulge, bodies.surfaces[i].structure.get()};
        if (frame.objects[i].settings.rigid) continue;
        objects[i].mesh = bodies.surfaces[i].mesh();
        objects[i].held = held[i].empty() ? bodies.surfaces[i].border : held[i];
        objects[i].zones = frame.displacements[i];
        if (!frame.touched[i]) continue;
        objects[i].raise = frame.combined[i].raise;
        objects[i].raised = frame.combined[i].moved;
    }
    // What goes into a crease may be much against a zone that has hardly come in.
    for (const ResolvedPair& pair : frame.pairs)
        if (!pair.share.empty()) objects[pair.sides[0]->object].zones = {};
    workspace.separation.separate(frame.pairs, objects);
    for (std::size_t p = 0; p < frame.pairs.size(); ++p) {
        if (workspace.separation.crossings_left()[p] == 0) continue;
        const ResolvedPair& pair = frame.pairs[p];
        for (DeformSurface* side : pair.sides) bodies.pose(*side);
        std::string& note = frame.result->contacts[pair.contact].note;
        note += fmt::format("{}crossings left: {}", note.empty() ? "" : "; ", why_left(pair));
    }
    frame.result->milliseconds.separate += watch.lap();
}

} // namespace knead
