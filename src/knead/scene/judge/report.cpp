#include "knead/scene/judge/report.hpp"

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/scene/format/json_number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const ObjectReport& object) {
    Json json = {{"vertices", object.vertices},
                 {"volume_before", object.volume_before},
                 {"volume_after", object.volume_after},
                 {"max_displacement", object.max_displacement},
                 {"contact_vertices", object.contact_vertices},
                 {"deformed_vertices", object.deformed_vertices}};
    if (object.flips > 0) json["flips"] = object.flips;
    if (!object.notes.empty()) json["notes"] = object.notes;
    return json;
}

Json to_json(const ContactReport& contact) {
    Json json = {
        {"between", contact.between},
        {"direction", {contact.direction.x(), contact.direction.y(), contact.direction.z()}},
        {"zone_area", contact.zone_area},
        {"depth_before", contact.depth_before},
        {"depth_after", contact.depth_after},
        {"crossings_before", contact.crossings_before},
        {"crossings_after", contact.crossings_after}};
    if (contact.force) json["force"] = {contact.force->x(), contact.force->y(), contact.force->z()};
    if (contact.pressure) json["pressure"] = *contact.pressure;
    if (!contact.note.empty()) json["note"] = contact.note;
    return json;
}

void add_json(const DynamicsReport& dynamics, Json& json) {
    json["steps"] = dynamics.steps;
    json["refinement_rounds"] = dynamics.refinement_rounds;
    json["halvings"] = dynamics.halvings;
    json["last_resorts"] = dynamics.last_resorts;
    json["contacts_active"] = dynamics.contacts_active;
    json["energy"] = dynamics.energy();
    json["energies"] = {{"kinetic", dynamics.kinetic},
                        {"elastic", dynamics.elastic},
                        {"potential", dynamics.potential},
                        {"work", dynamics.work}};
    if (dynamics.crossings) json["crossings"] = *dynamics.crossings;
    if (dynamics.tolerance) {
        json["tolerance"] = *dynamics.tolerance;
        json["smallest_distance"] =
            dynamics.smallest_distance ? Json(*dynamics.smallest_distance) : Json(nullptr);
    }
    if (!dynamics.notes.empty()) json["notes"] = dynamics.notes;
}

DynamicsReport dynamics_from_json(const Json& json) {
    DynamicsReport dynamics;
    json.at("steps").get_to(dynamics.steps);
    json.at("refinement_rounds").get_to(dynamics.refinement_rounds);
    json.at("halvings").get_to(dynamics.halvings);
    json.at("last_resorts").get_to(dynamics.last_resorts);
    json.at("contacts_active").get_to(dynamics.contacts_active);
    const Json& energies = json.at("energies");
    energies.at("kinetic").get_to(dynamics.kinetic);
    energies.at("elastic").get_to(dynamics.elastic);
    energies.at("potential").get_to(dynamics.potential);
    energies.at("work").get_to(dynamics.work);
    if (json.contains("crossings")) dynamics.crossings = json.at("crossings").get<int>();
    if (json.contains("tolerance")) {
        dynamics.tolerance = json.at("tolerance").get<double>();
        if (const Json& distance = json.at("smallest_distance"); !distance.is_null())
            dynamics.smallest_distance = distance.get<double>();
    }
    dynamics.notes = json.value("notes", std::vector<std::string>());
    return dynamics;
}

Json to_json(const FrameReport& frame) {
    Json json = {{"frame", json_number(frame.frame)},
                 {"objects", Json::object()},
                 {"contacts", Json::array()}};
    if (frame.dynamics) add_json(*frame.dynamics, json);
    json["milliseconds"] = Json::object();
    for (const ObjectReport& object : frame.objects) json["objects"][object.name] = to_json(object);
    for (const ContactReport& contact : frame.contacts)
        json["contacts"].push_back(to_json(contact));
    // Microseconds are enough for a timing.
    for (const auto& [stage, time] : frame.milliseconds)
        json["milliseconds"][stage] = std::round(time * 1000) / 1000;
    return json;
}

Json to_json(const std::map<std::string, FrameSequence>& caches) {
    Json json = Json::object();
    for (const auto& [format, frames] : caches)
        json[format] = {json_number(frames.first), json_number(frames.last),
                        json_number(frames.step)};
    return json;
}

FrameReport frame_from_json(const Json& json) {
    FrameReport frame;
    frame.frame = json.at("frame").get<double>();
    for (const auto& [name, object] : json.at("objects").items())
        frame.objects.push_back(
            {name, object.at("vertices").get<int>(), object.at("volume_before").get<double>(),
             object.at("volume_after").get<double>(), object.at("max_displacement").get<double>(),
             object.at("contact_vertices").get<int>(), object.at("deformed_vertices").get<int>(),
             object.value("notes", std::vector<std::string>()), object.value("flips", 0)});
    for (const Json& contact : json.at("contacts")) {
        const auto direction = contact.at("direction").get<std::array<double, 3>>();
        frame.contacts.push_back(
            {contact.at("between").get<std::array<std::string, 2>>(),
             Vec3(direction[0], direction[1], direction[2]),
             contact.at("zone_area").get<std::array<double, 2>>(),
             contact.at("depth_before").get<double>(), contact.at("depth_after").get<double>(),
             contact.at("crossings_before").get<int>(), contact.at("crossings_after").get<int>(),
             contact.value("note", ""), std::nullopt, std::nullopt});
        if (contact.contains("force")) {
            const auto force = contact.at("force").get<std::array<double, 3>>();
            frame.contacts.back().force = Vec3(force[0], force[1], force[2]);
        }
        if (contact.contains("pressure"))
            frame.contacts.back().pressure = contact.at("pressure").get<double>();
    }
    for (const auto& [stage, time] : json.at("milliseconds").items())
        frame.milliseconds.emplace_back(stage, time.get<double>());
    if (json.contains("steps")) frame.dynamics = dynamics_from_json(json);
    return frame;
}

bool earlier(const FrameReport& entry, double frame) {
    return entry.frame < frame;
}

} // namespace

void add_frame(Report& report, FrameReport frame) {
    auto place = std::lower_bound(report.frames.begin(), report.frames.end(), frame.frame, earlier);
    if (place != report.frames.end() && place->frame == frame.frame)
        *place = std::move(frame);
    else
        report.frames.insert(place, std::move(frame));
}

const FrameReport* find_frame(const Report& report, double frame) {
    const auto place = std::lower_bound(report.frames.begin(), report.frames.end(), frame, earlier);
    return place != report.frames.end() && place->frame == frame ? &*place : nullptr;
}

void write_report(const std::filesystem::path& path, const Report& report) {
    write_file_atomically(path, [&](std::ostream& out) {
        // One line a frame: thousands of frames stay readable, and differences show frame by frame.
        out << fmt::format("{{\"knead\": 1, \"scene\": {}, \"scene_hash\": {}, ",
                           Json(report.scene).dump(), Json(report.scene_hash).dump());
        if (!report.caches.empty()) out << "\"caches\": " << to_json(report.caches).dump() << ", ";
        out << "\"frames\": [";
        const char* separator = "\n";
        for (const FrameReport& frame : report.frames) {
            out << separator << to_json(frame).dump();
            separator = ",\n";
        }
        out << "\n]}\n";
    });
}

Report read_report(const std::filesystem::path& path) {
    const std::string text = read_text_file(path);
    const auto is_none = [&](const std::string& found) {
        return InputError(fmt::format("{}: {}, expected a report of Knead; move the file away, or "
                                      "choose another folder or file for the report",
                                      path.string(), found));
    };
    try {
        const Json json = Json::parse(text);
        if (!json.is_object() || !json.contains("knead"))
            throw is_none("found JSON without the key knead");
        if (json.at("knead") != 1)
            throw is_none(fmt::format("knead: found {}", json.at("knead").dump()));
        Report report;
        report.scene = json.at("scene").get<std::string>();
        report.scene_hash = json.value("scene_hash", "");
        const Json caches = json.value("caches", Json::object());
        for (const auto& [format, frames] : caches.items()) {
            const auto range = frames.get<std::array<double, 3>>();
            report.caches[format] = {range[0], range[1], range[2]};
            check_frame_sequence(report.caches[format],
                                 fmt::format("{}: caches.{}", path.string(), format));
        }
        for (const Json& frame : json.at("frames")) add_frame(report, frame_from_json(frame));
        return report;
    } catch (const Json::parse_error& error) {
        throw is_none(fmt::format("found no JSON at byte {}", error.byte));
    } catch (const Json::exception&) {
        throw is_none("found JSON that is something else of Knead");
    }
}

} // namespace knead
