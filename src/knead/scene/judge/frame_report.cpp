#include "knead/scene/judge/frame_report.hpp"

#include "knead/mesh/flips.hpp"
#include "knead/mesh/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string_view>

namespace knead {
namespace {

double farthest_way(std::span<const Vec3> before, std::span<const Vec3> after) {
    double farthest = 0;
    for (std::size_t v = 0; v < before.size(); ++v)
        farthest = std::max(farthest, (after[v] - before[v]).norm());
    return farthest;
}

// Crossings that the deformer does not know of, where it was to leave none.
void note_crossings(const Scene& scene, const ContactSpec& contact, bool closed, bool inside_out,
                    std::string& note) {
    const auto& sides = contact.between;
    const std::array<const SceneObject*, 2> objects = {&scene.objects[sides[0].object],
                                                       &scene.objects[sides[1].object]};
    const auto any = [&](auto has) { return has(*objects[0]) || has(*objects[1]); };
    if (!contact.crossing_free || note.find("crossings left") != std::string::npos) return;
    std::string_view why = "an envelope below 1";
    if (objects[0]->rigid && objects[1]->rigid)
        why = "both are rigid";
    else if (inside_out)
        why = "a mesh is inside out";
    else if (!closed)
        why = "an open surface has no inside";
    else if (contact.fold)
        why = "sides are held in their crease";
    else if (any([](const SceneObject& object) { return !object.proxy.empty(); }))
        why = "a proxy stands in";
    else if (any([](const SceneObject& object) { return !object.region.empty(); }) ||
             !sides[0].group.empty() || !sides[1].group.empty())
        why = "parts are moved alone";
    note += fmt::format("{}crossings left: {}", note.empty() ? "" : "; ", why);
}

// Where the contact has made something worse than it was.
void note_worse(const Scene& scene, const ContactSpec& contact, const SolvedFrame& solved,
                ContactReport& report) {
    const auto add = [&](std::string text) {
        report.note += fmt::format("{}{}", report.note.empty() ? "" : "; ", text);
    };
    double size = std::numeric_limits<double>::infinity();
    for (const ContactSide& side : contact.between)
        size = std::min(size, bounding_box(solved.before[side.object]).diagonal());
    if (report.depth_after > report.depth_before + 1e-9 * size)
        add(fmt::format("deeper than without a response: {:.4g}, was {:.4g}", report.depth_after,
                        report.depth_before));
    if (report.crossings_after > report.crossings_before)
        add(fmt::format("more edges cross than without a response: {}, were {}",
                        report.crossings_after, report.crossings_before));
    for (const ContactSide& side : contact.between) {
        const double way = farthest_way(solved.before[side.object], solved.after[side.object]);
        if (way > size)
            add(fmt::format("'{}' is moved by {:.4g}, more than the smaller of both is large: "
                            "{:.4g}",
                            scene.objects[side.object].name, way, size));
        if (contact.between[0].object == contact.between[1].object) break;
    }
}

ContactReport contact_report(const LoadedScene& scene, const SceneGauge& gauge, int contact,
                             const SolvedFrame& solved, const GaugedFrame& gauged_before,
                             const GaugedFrame& gauged_after) {
    ContactReport report;
    const auto& sides = gauge.contacts[contact].between;
    for (const int side : {0, 1}) report.between[side] = side_name(scene.scene, sides[side]);
    const Penetration before = measure_contact(gauge, gauged_before, contact);
    const bool moved = solved.after[sides[0].object] != solved.before[sides[0].object] ||
                       solved.after[sides[1].object] != solved.before[sides[1].object];
    const Penetration after = moved ? measure_contact(gauge, gauged_after, contact) : before;
    report.depth_before = before.depth;
    report.crossings_before = before.crossings;
    report.depth_after = after.depth;
    report.crossings_after = after.crossings;
    const ContactOutcome& outcome = solved.contacts[contact];
    report.direction = outcome.direction;
    report.zone_area = outcome.zone_area;
    if (before.depth > 0 && before.crossings == 0)
        report.note = "no surface intersection: one is inside the other";
    else if (before.depth > 0 || before.crossings > 0 || after.crossings > 0)
        report.note = outcome.note;
    if (after.crossings > 0) {
        // Whether what the sides are of is.
        const auto is_closed = [&](int side) {
            const int whole = gauge.contact_whole[contact];
            if (whole >= 0) return gauge.parts[whole].structure->closed;
            if (sides[side].group.empty())
                return gauge.parts[gauge.contact_parts[contact][side]].structure->closed;
            const TriangleMesh& mesh = scene.objects[sides[side].object].source.mesh;
            return make_structure(mesh.positions, mesh.faces)->closed;
        };
        const auto is_inside_out = [&](int side) {
            const std::vector<Vec3>& positions = solved.before[sides[side].object];
            return is_closed(side) &&
                   signed_volume(positions, scene.objects[sides[side].object].source.mesh.faces,
                                 bounding_box(positions).center()) < 0;
        };
        const bool closed = is_closed(0) && is_closed(1);
        note_crossings(scene.scene, gauge.contacts[contact], closed,
                       is_inside_out(0) || is_inside_out(1), report.note);
    }
    if (moved) note_worse(scene.scene, gauge.contacts[contact], solved, report);
    return report;
}

} // namespace

ObjectReport object_report(const LoadedScene& scene, const SolvedFrame& solved, int object) {
    const std::vector<Triangle>& faces = scene.objects[object].source.mesh.faces;
    const std::vector<Vec3>&before = solved.before[object], &after = solved.after[object];
    ObjectReport report;
    report.name = scene.scene.objects[object].name;
    report.vertices = static_cast<int>(before.size());
    const Vec3 origin = bounding_box(before).center();
    report.volume_before = signed_volume(before, faces, origin);
    report.volume_after = signed_volume(after, faces, origin);
    report.max_displacement = farthest_way(before, after);
    for (std::size_t v = 0; v < before.size(); ++v)
        report.deformed_vertices += (after[v] - before[v]).squaredNorm() > 0;
    report.contact_vertices = solved.objects[object].contact_vertices;
    if (report.deformed_vertices > 0) report.flips = count_flips(before, after, faces);
    report.notes = scene.objects[object].notes;
    return report;
}

std::vector<ContactReport> contact_reports(const LoadedScene& scene, const SceneGauge& gauge,
                                           const SolvedFrame& solved, const Progress& progress) {
    const GaugedFrame before = gauge_frame(gauge, solved.before);
    const GaugedFrame after = gauge_frame(gauge, solved.after);
    std::vector<ContactReport> reports;
    for (int contact = 0; contact < static_cast<int>(gauge.contacts.size()); ++contact) {
        progress.check();
        reports.push_back(contact_report(scene, gauge, contact, solved, before, after));
    }
    return reports;
}

} // namespace knead
