#include "knead/scene/methods/implicit/solid_frames.hpp"

#include "knead/base/parallel.hpp"
#include "knead/scene/judge/frame_report.hpp"
#include "knead/scene/methods/implicit/traced_solids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// A volume that was to be kept and is not, to this part of what contact displaces.
constexpr double volume_kept = 0.02;

void add_shape_notes(const Solid& solid, const SolidShape& shape, std::vector<std::string>& notes) {
    const std::string& name = solid.definition.name;
    const double displaced = shape.volume_at_rest - shape.volume_in_contact;
    const auto& lost = solid.definition.propagation.compressibility;
    if (lost && displaced > 1e-6 * shape.volume_at_rest) {
        const double missing = (shape.volume_at_rest - shape.volume) / displaced - *lost;
        if (missing > volume_kept)
            notes.push_back(
                fmt::format("{}: its bulge is as large as it can be and still lacks "
                            "{:.0f} % of the displaced volume; a wider propagation or a "
                            "wider influence leaves room",
                            name, 100 * missing));
    }
    if (shape.truncated && !lost)
        notes.push_back(fmt::format("{}: its bulge was cut off at the surface between it and what "
                                    "it touches; a smaller attenuation avoids that",
                                    name));
}

ContactReport report_contact(const SolidStage& stage, const SolidContact& contact,
                             const GaugedFrame& before, const GaugedFrame& after) {
    ContactReport report;
    std::array<int, 2> objects{stage.solids.object_of[contact.first],
                               stage.solids.object_of[contact.second]};
    Vec3 force = contact.force;
    // In the order of the scene.
    if (objects[1] < objects[0]) {
        std::swap(objects[0], objects[1]);
        force = -force;
    }
    for (const int side : {0, 1})
        report.between[side] = stage.scene.scene.objects[objects[side]].name;
    report.direction = force.stableNormalized();
    report.zone_area = {contact.area, contact.area};
    report.pressure = contact.pressure;
    report.force = force;
    if (contact.unresolved > 0)
        report.note = fmt::format("pressed to the skeleton at {} samples", contact.unresolved);
    for (int c = 0; c < static_cast<int>(stage.gauge.contacts.size()); ++c) {
        const auto& between = stage.gauge.contacts[c].between;
        if (std::min(between[0].object, between[1].object) != objects[0] ||
            std::max(between[0].object, between[1].object) != objects[1])
            continue;
        const Penetration earlier = measure_contact(stage.gauge, before, c),
                          now = measure_contact(stage.gauge, after, c);
        report.depth_before = earlier.depth;
        report.depth_after = now.depth;
        report.crossings_before = earlier.crossings;
        report.crossings_after = now.crossings;
        break;
    }
    return report;
}

} // namespace

SolidStage::SolidStage(const LoadedScene& of)
    : scene(of), solids(make_scene_solids(of)), gauge(make_gauge(of)) {}

SimulatedFrame picture_of_solids(const SolidStage& stage, std::span<const Solid> placed,
                                 std::span<const SolidContact> contacts, const SolidFrame& frame,
                                 double at) {
    const LoadedScene& scene = stage.scene;
    const std::size_t count = scene.objects.size();
    SimulatedFrame result;
    SolvedFrame& solved = result.solved;
    solved.before_is_input = false;
    solved.before.resize(count);
    solved.after.resize(count);
    solved.objects.resize(count);
    solved.proxies.resize(count);
    solved.pressures.resize(count);
    solved.surfaces.resize(count);
    result.velocities.resize(count);
    std::vector<SolidShape> shapes(placed.size());
    parallel_for(placed.size(), 1, [&](std::size_t i) {
        shapes[i] = deformed_shape(placed, frame, static_cast<int>(i));
    });
    const auto surfaces = traced_solids(placed, frame, shapes);
    FrameReport& report = result.report;
    report.frame = at;
    report.dynamics.emplace();
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const auto object = static_cast<std::size_t>(stage.solids.object_of[i]);
        for (const Vec3& position : placed[i].samples.positions)
            solved.before[object].push_back(placed[i].pose.to_world(position));
        ObjectOutcome& outcome = solved.objects[object];
        for (const double pressure : shapes[i].pressures)
            outcome.zone.push_back(pressure > 0 ? 1 : 0);
        outcome.contact_vertices =
            static_cast<int>(std::count(outcome.zone.begin(), outcome.zone.end(), 1.0));
        for (const Vec3& position : shapes[i].positions)
            result.velocities[object].push_back(placed[i].velocity_at(position));
        add_shape_notes(placed[i], shapes[i], report.dynamics->notes);
        solved.after[object] = std::move(shapes[i].positions);
        solved.pressures[object] = std::move(shapes[i].pressures);
        solved.surfaces[object] = surfaces[i];
    }
    for (std::size_t object = 0; object < count; ++object)
        if (stage.solids.solid_of[object] < 0) {
            solved.before[object] = solved.after[object] =
                positions_at(scene, static_cast<int>(object), at);
            result.velocities[object].assign(solved.after[object].size(), Vec3::Zero());
        }
    for (std::size_t object = 0; object < count; ++object)
        report.objects.push_back(object_report(scene, solved, static_cast<int>(object)));
    const GaugedFrame before = gauge_frame(stage.gauge, solved.before),
                      after = gauge_frame(stage.gauge, solved.after);
    for (const SolidContact& contact : contacts)
        report.contacts.push_back(report_contact(stage, contact, before, after));
    result.description = describe_solids(stage.solids, frame, at);
    return result;
}

StoredSolids::StoredSolids(const LoadedScene& scene) : stage_(scene) {
    for (const SolidDefinition& definition : stage_.solids.solids)
        solids_.push_back(make_solid(definition));
}

SimulatedFrame StoredSolids::show(double at, const std::string& text, const std::string& name) {
    const SolidFrame frame = parse_solids(stage_.solids, text, name);
    const std::vector<HeldTarget> targets = held_targets(stage_.scene, stage_.solids, at);
    for (std::size_t i = 0; i < solids_.size(); ++i) {
        Solid& solid = solids_[i];
        if (!solid.moves()) move_held(solid, frame.solids[i].pose, targets[i].pieces, 0);
        solid.pose = frame.solids[i].pose;
        const ContactNumbers numbers =
            contact_numbers(stage_.scene, stage_.solids.object_of[i], at);
        solid.definition.propagation = numbers.propagation;
        solid.state.velocity.setZero();
        solid.state.angular_momentum.setZero();
    }
    const std::vector<SolidContact> contacts =
        find_contacts(solids_, stage_.solids.settings.passing);
    SimulatedFrame result = picture_of_solids(stage_, solids_, contacts, frame, at);
    result.report.dynamics.reset(); // nothing was simulated
    return result;
}

std::vector<bool> followed_solids(const SolidStage& stage) {
    std::vector<bool> followed;
    for (const int solid : stage.solids.solid_of)
        followed.push_back(solid >= 0 && !stage.solids.solids[solid].held);
    if (std::none_of(followed.begin(), followed.end(), [](bool yes) { return yes; }))
        followed.assign(followed.size(), true);
    return followed;
}

} // namespace knead
