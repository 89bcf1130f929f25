#include "knead/scene/run/jumps.hpp"

#include "knead/base/error.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/motion_jumps.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace knead {
namespace {

// Connected parts of the vertices that are in a zone.
int zone_count(const Topology& topology, std::span<const double> zone) {
    int count = 0;
    std::vector<bool> seen(zone.size(), false);
    std::vector<int> next;
    for (int start = 0; start < static_cast<int>(zone.size()); ++start) {
        if (zone[start] <= 0 || seen[start]) continue;
        ++count;
        seen[start] = true;
        next.assign(1, start);
        while (!next.empty()) {
            const int vertex = next.back();
            next.pop_back();
            for (const int neighbor : topology.vertex_vertices[vertex])
                if (zone[neighbor] > 0 && !seen[neighbor]) {
                    seen[neighbor] = true;
                    next.push_back(neighbor);
                }
        }
    }
    return count;
}

ContactState state_of(const SolvedFrame& solved, std::span<const Topology> topologies) {
    ContactState state;
    for (std::size_t i = 0; i < solved.objects.size(); ++i) {
        const std::vector<double>& zone = solved.objects[i].zone;
        state.zone_vertices += static_cast<int>(
            std::count_if(zone.begin(), zone.end(), [](double value) { return value > 0; }));
        state.zones += zone_count(topologies[i], zone);
    }
    for (std::size_t c = 0; c < solved.contacts.size(); ++c) {
        const ContactOutcome& contact = solved.contacts[c];
        if (contact.zone_area[0] > 0 || contact.zone_area[1] > 0)
            state.in_contact.push_back(static_cast<int>(c));
        if (!contact.note.empty()) state.notes.push_back(contact.note);
    }
    return state;
}

std::vector<double> times_of(const FrameSequence& frames) {
    std::vector<double> times;
    for (int i = 0; i < frames.count(); ++i) times.push_back(frames.frame(i));
    // A step that does not divide the range ends early.
    if (times.back() < frames.last - 1e-9 * frames.step) times.push_back(frames.last);
    return times;
}

double largest_move(const std::vector<std::vector<Vec3>>& from,
                    const std::vector<std::vector<Vec3>>& to) {
    double largest = 0;
    for (std::size_t i = 0; i < from.size(); ++i)
        for (std::size_t v = 0; v < from[i].size(); ++v)
            largest = std::max(largest, (to[i][v] - from[i][v]).norm());
    return largest;
}

std::string contact_names(const Scene& scene, std::span<const int> contacts) {
    if (contacts.empty()) return "none";
    const std::vector<ContactSpec> all = contacts_of(scene);
    std::vector<std::string> names;
    for (const int c : contacts)
        names.push_back(fmt::format("{} and {}", side_name(scene, all[c].between[0]),
                                    side_name(scene, all[c].between[1])));
    return fmt::format("{}", fmt::join(names, "; "));
}

} // namespace

JumpReport find_jumps(const LoadedScene& scene, const FrameSequence& frames,
                      const Progress& progress) {
    if (!(frames.last > frames.first))
        throw InputError(fmt::format("{}: found the frame {} alone, expected a range of frames "
                                     "to look for jumps in",
                                     scene.scene.path, frames.first));
    const std::vector<double> times = times_of(frames);
    const std::vector<std::vector<Vec3>> start = positions_at(scene, times[0]);
    std::vector<Topology> topologies;
    std::vector<double> edges;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const TriangleMesh& mesh = scene.objects[i].source.mesh;
        topologies.push_back(build_topology(mesh.faces, mesh.vertex_count()));
        edges.push_back(mean_edge_length(start[i], topologies.back()));
    }

    const FrameSolver solver(scene);
    const MotionJumps found =
        find_jumps([&](double frame) { return solver.solve(frame).after; }, times, edges, progress);
    const auto described = [&](const MotionJump& jump) {
        const SolvedFrame low = solver.solve(jump.low), high = solver.solve(jump.high);
        return SceneJump{jump.low,
                         jump.high,
                         jump.object,
                         jump.vertex,
                         jump.size,
                         jump.edges,
                         largest_move(low.before, high.before),
                         state_of(low, topologies),
                         state_of(high, topologies)};
    };
    JumpReport report;
    report.steps = static_cast<int>(times.size()) - 1;
    if (found.largest.object >= 0) report.largest = described(found.largest);
    for (const MotionJump& jump : found.jumps)
        if (jump.edges > jump_bound) report.jumps.push_back(described(jump));
    return report;
}

std::string describe_change(const Scene& scene, const SceneJump& jump) {
    const ContactState &low = jump.at_low, &high = jump.at_high;
    std::vector<std::string> changes;
    if (low.in_contact != high.in_contact)
        changes.push_back(fmt::format("in contact {} to {}", contact_names(scene, low.in_contact),
                                      contact_names(scene, high.in_contact)));
    if (low.zones != high.zones)
        changes.push_back(fmt::format("zones {} to {}", low.zones, high.zones));
    if (low.zone_vertices != high.zone_vertices)
        changes.push_back(
            fmt::format("zone vertices {} to {}", low.zone_vertices, high.zone_vertices));
    if (low.notes.size() != high.notes.size())
        for (const ContactState* state : {&low, &high})
            for (const std::string& note : state->notes)
                changes.push_back(
                    fmt::format("{} \"{}\"", state == &low ? "before" : "after", note));
    return changes.empty() ? "nothing to be seen" : fmt::format("{}", fmt::join(changes, ", "));
}

} // namespace knead
