#include "measure_motion.hpp"

#include "knead/base/parallel.hpp"
#include "knead/mesh/flips.hpp"
#include "knead/scene/judge/frame_report.hpp"

#include <algorithm>

namespace knead::quality {
namespace {

struct MotionFrame {
    std::vector<ContactReport> contacts;
    int flips = 0;
};

MotionFrame measure(const LoadedScene& scene, const SceneGauge& gauge, const SolvedFrame& solved) {
    MotionFrame frame;
    frame.contacts = contact_reports(scene, gauge, solved);
    for (std::size_t i = 0; i < scene.objects.size(); ++i)
        if (solved.after[i] != solved.before[i])
            frame.flips +=
                count_flips(solved.before[i], solved.after[i], scene.objects[i].source.mesh.faces);
    return frame;
}

// Of the notes, what is said of crossings.
std::string why_crossings(const std::string& note) {
    constexpr std::string_view begin = "crossings left: ";
    const std::size_t at = note.find(begin);
    if (at == std::string::npos) return {};
    const std::size_t from = at + begin.size();
    return note.substr(from, note.find(';', from) - from);
}

} // namespace

bool is_to_be_crossing_free(const LoadedScene& scene, const SceneGauge& gauge, int contact) {
    const ContactSpec& spec = gauge.contacts[contact];
    const auto& [first, second] = spec.between;
    const auto can_move = [&](const ContactSide& side) {
        return !scene.scene.objects[side.object].rigid;
    };
    const auto is_itself = [&](const ContactSide& side) {
        const SceneObject& object = scene.scene.objects[side.object];
        return object.proxy.empty() && object.region.empty();
    };
    const auto is_whole_and_closed = [&](int part) {
        return gauge.parts[part].side.group.empty() && gauge.parts[part].structure->closed;
    };
    return spec.crossing_free && first.object != second.object &&
           (can_move(first) || can_move(second)) && is_itself(first) && is_itself(second) &&
           is_whole_and_closed(gauge.contact_parts[contact][0]) &&
           is_whole_and_closed(gauge.contact_parts[contact][1]);
}

std::string open_objects(const LoadedScene& scene) {
    std::vector<char> touches(scene.objects.size(), 0);
    for (const ContactSpec& contact : contacts_of(scene.scene))
        for (const ContactSide& side : contact.between) touches[side.object] = 1;
    std::string names;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const TriangleMesh& mesh = scene.objects[i].source.mesh;
        if (touches[i] && !is_closed(build_topology(mesh.faces, mesh.vertex_count())))
            names += (names.empty() ? "" : ", ") + scene.scene.objects[i].name;
    }
    return names;
}

MotionQuality measure_motion(const LoadedScene& scene, const SceneGauge& gauge,
                             const FrameSolver& solver) {
    const FrameRange range = scene.scene.frames;
    std::vector<MotionFrame> frames(static_cast<std::size_t>(range.count()));
    parallel_for(frames.size(), 1, [&](std::size_t i) {
        frames[i] = measure(scene, gauge, solver.solve(range.first + static_cast<double>(i)));
    });

    MotionQuality quality;
    const auto frame_number = [&](std::size_t i) { return range.first + static_cast<double>(i); };
    std::vector<double> deepest(gauge.contacts.size(), 0);
    for (const MotionFrame& frame : frames)
        for (std::size_t c = 0; c < deepest.size(); ++c)
            deepest[c] = std::max(deepest[c], frame.contacts[c].depth_before);
    for (const double depth : deepest) quality.depth_before = std::max(quality.depth_before, depth);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (frames[i].flips > quality.flips) {
            quality.flips = frames[i].flips;
            quality.flips_frame = frame_number(i);
        }
        int before = 0, free = 0, other = 0;
        std::string why;
        for (std::size_t c = 0; c < deepest.size(); ++c) {
            const ContactReport& contact = frames[i].contacts[c];
            if (deepest[c] > 0 && contact.depth_after > quality.depth.value * deepest[c]) {
                quality.depth.value = contact.depth_after / deepest[c];
                quality.depth_frame = frame_number(i);
            }
            before += contact.crossings_before;
            (is_to_be_crossing_free(scene, gauge, static_cast<int>(c)) ? free : other) +=
                contact.crossings_after;
            if (contact.crossings_after > 0 && why.empty()) why = why_crossings(contact.note);
        }
        quality.crossings_before = std::max(quality.crossings_before, before);
        if (free > quality.crossings) {
            quality.crossings = free;
            quality.crossings_frame = frame_number(i);
            quality.why = why;
        }
        if (other > quality.other_crossings) {
            quality.other_crossings = other;
            quality.other_frame = frame_number(i);
            if (quality.crossings == 0) quality.why = why;
        }
    }
    return quality;
}

} // namespace knead::quality
