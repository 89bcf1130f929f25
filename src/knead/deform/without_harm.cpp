#include "knead/deform/without_harm.hpp"

#include "knead/deform/given_direction.hpp"
#include "knead/deform/solve_frame.hpp"

#include <fmt/format.h>

namespace knead {

Frame solve_without_harm(Bodies& bodies, FrameWorkspace& workspace,
                         std::span<const DeformObject> objects,
                         std::span<const DeformContact> contacts, const Progress& progress,
                         DeformResult& result) {
    std::vector<double>& kept = workspace.kept;
    kept.assign(contacts.size(), 1);
    Frame frame = solve_frame(bodies, workspace, objects, contacts, kept, progress, result);
    bool any = false;
    for (const ResolvedPair& pair : frame.pairs) {
        kept[pair.contact] = kept_of_given(pair, result.objects);
        any = any || kept[pair.contact] < 1;
    }
    if (any) {
        const DeformTimes in_vain = result.milliseconds;
        workspace.take_back(frame);
        frame = solve_frame(bodies, workspace, objects, contacts, kept, progress, result);
        result.milliseconds.add(in_vain);
    }
    for (const ResolvedPair& pair : frame.pairs) {
        if (pair.way.kept == 1) continue;
        std::string& note = result.contacts[pair.contact].note;
        note += fmt::format("{}the given direction does not fit: {:.0f} % of it is kept",
                            note.empty() ? "" : "; ", 100 * pair.way.kept);
    }
    return frame;
}

} // namespace knead
