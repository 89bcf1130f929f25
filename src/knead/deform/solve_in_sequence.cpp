#include "knead/deform/solve_in_sequence.hpp"

#include "knead/bulge/swept_volume.hpp"
#include "knead/deform/details.hpp"
#include "knead/deform/sequence.hpp"
#include "knead/deform/solve_frame.hpp"
#include "knead/spatial/closest_point.hpp"

#include <algorithm>

namespace knead {
namespace {

// What a later contact has brought back into an earlier one is settled, and volumes are kept, of
// objects with a nearness.
void finish_sequence(ResolvedObjects resolved, std::span<const double> nearness, Bodies& bodies,
                     FrameWorkspace& workspace, Frame& frame) {
    Settling& settling = workspace.settling;
    const std::span<const DeformContact> contacts = frame.contacts;
    bodies.take(frame.objects);
    for (std::size_t c = 0; c < contacts.size(); ++c)
        if (FoldSurfaces* const fold = bodies.find_fold(c, contacts[c]))
            bodies.pose_fold_of(contacts[c], *fold);
    for (const ResolvedPair& pair : frame.pairs)
        for (DeformSurface* side : pair.sides) bodies.pose(*side);
    std::vector<char> settled(frame.touched);
    for (std::size_t i = 0; i < nearness.size(); ++i)
        if (nearness[i] == 0) settled[i] = 0;
    settling.positions() = resolved.positions;
    settling.begin(frame.pairs);
    for (int round = 0; round < 2; ++round) settling.settle(settled);
    for (std::size_t i = 0; i < nearness.size(); ++i) {
        if (nearness[i] == 0) continue;
        std::vector<Vec3>& positions = resolved.positions[i];
        // What only a bulge has touched keeps its volume from its own contact.
        if (settled[i]) {
            for (std::size_t v = 0; v < positions.size(); ++v)
                positions[v] += nearness[i] * (settling.positions()[i][v] - positions[v]);
            keep_volume(frame.objects[i].positions, *bodies.surfaces[i].structure,
                        frame.combined[i].raise, positions, resolved.volume_changes[i]);
        }
        frame.result->objects[i].positions = std::move(positions);
    }
}

} // namespace

void solve_in_sequence(Bodies& bodies, FrameWorkspace& workspace, Frame& frame) {
    const std::span<const DeformContact> contacts = frame.contacts;
    const int object_count = bodies.object_count;
    std::vector<std::array<int, 2>> objects_of;
    std::vector<double> depths;
    std::vector<char> moves;
    for (const DeformContact& asked : contacts) objects_of.push_back({asked.first, asked.second});
    for (const ContactOutcome& outcome : frame.result->contacts) depths.push_back(outcome.depth);
    for (const DeformObject& object : frame.objects) moves.push_back(!object.settings.rigid);
    const auto distance = [&](int c, double reach) {
        const auto [first, second] = objects_of[c];
        if (depths[c] > 0 || first == second) return 0.0;
        if (!grown(frame.boxes[first], reach).overlaps(frame.boxes[second])) return reach;
        for (const int i : {first, second}) bodies.pose(bodies.surfaces[i]);
        return distance_between(bodies.surfaces[first].surface, bodies.surfaces[second].surface,
                                reach);
    };
    const auto sequences = find_sequences(objects_of, depths, distance, moves);
    if (sequences.empty()) return;

    const auto resolve = [&](const ResolvedObjects& before, int c) {
        std::vector<DeformObject> posed(frame.objects.begin(), frame.objects.end());
        for (int i = 0; i < object_count; ++i) {
            posed[i].positions = before.positions[i];
            posed[i].settings.envelope = 1;
        }
        DeformResult result_of_step;
        Frame step = solve_frame(bodies, workspace, posed, contacts.subspan(c, 1),
                                 frame.kept.subspan(c, 1), *frame.progress, result_of_step);
        // What only a bulge has touched is not among the contacts together.
        if (ContactOutcome& outcome = frame.result->contacts[c]; outcome.direction.isZero(0))
            outcome = step.result->contacts[0];
        ResolvedObjects after{{}, before.volume_changes};
        for (int i = 0; i < object_count; ++i) {
            std::vector<Vec3>& positions = step.result->objects[i].positions;
            if (step.touched[i])
                after.volume_changes[i] += volume_between(before.positions[i], positions,
                                                          bodies.surfaces[i].structure->faces);
            after.positions.push_back(std::move(positions));
        }
        workspace.take_back(step);
        return after;
    };
    ResolvedObjects resolved{{}, std::vector<double>(frame.objects.size(), 0)};
    for (const DeformObject& object : frame.objects)
        resolved.positions.emplace_back(object.positions.begin(), object.positions.end());
    std::vector<double> nearness(frame.objects.size(), 0);
    for (const ContactSequence& sequence : sequences) {
        resolved = resolve_in_sequence(sequence, depths, resolved, resolve);
        for (std::size_t k = 0; k < sequence.contacts.size(); ++k)
            for (const int i : objects_of[sequence.contacts[k]])
                if (moves[i]) nearness[i] = std::max(nearness[i], sequence.nearness[k]);
    }
    finish_sequence(std::move(resolved), nearness, bodies, workspace, frame);
}

} // namespace knead
