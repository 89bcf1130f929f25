#include "knead/scene/judge/frame_report.hpp"

#include "knead/mesh/measures.hpp"

#include <algorithm>

namespace knead {
namespace {

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
    else if (before.depth > 0 || before.crossings > 0)
        report.note = outcome.note;
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
    for (std::size_t v = 0; v < before.size(); ++v) {
        const double moved = (after[v] - before[v]).norm();
        report.max_displacement = std::max(report.max_displacement, moved);
        report.deformed_vertices += moved > 0;
    }
    report.contact_vertices = solved.objects[object].contact_vertices;
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
