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
    for (const DeformSurface* side : pair.sides)
        if (!find_self_intersections(side->surface, 1).empty()) return "a mesh crosses itself";
    return "no way apart was found";
}

} // namespace

void separate_frame(Bodies& bodies, FrameWorkspace& workspace, Frame& frame) {
    if (std::none_of(frame.pairs.begin(), frame.pairs.end(),
                     [](const ResolvedPair& pair) { return pair.crossing_free; }))
        return;
    Stopwatch watch;
    std::vector<SeparateObject> objects(frame.objects.size());
    for (std::size_t i = 0; i < objects.size(); ++i) {
        objects[i] = {
            &frame.result->objects[i].positions,   !frame.objects[i].settings.rigid,  {}, {},
            frame.objects[i].settings.bulge.bulge, bodies.surfaces[i].structure.get()};
        if (!frame.touched[i]) continue;
        objects[i].raise = frame.combined[i].raise;
        objects[i].raised = frame.combined[i].moved;
    }
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
