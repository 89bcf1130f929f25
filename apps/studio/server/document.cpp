#include "document.hpp"

#include "knead/base/error.hpp"
#include "knead/scene/judge/frame_report.hpp"
#include "knead/scene/picture/picture.hpp"
#include "knead/scene/read/scene_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace knead::studio {
namespace {

Json three(const Vec3& v) {
    return {v.x(), v.y(), v.z()};
}

bool same_mesh(const TriangleMesh& a, const TriangleMesh& b) {
    return a.positions == b.positions && a.faces == b.faces &&
           std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin(),
                      b.attributes.end(), [](const auto& one, const auto& other) {
                          return one.first == other.first &&
                                 one.second.components == other.second.components &&
                                 one.second.values == other.second.values;
                      });
}

std::vector<std::uint32_t> mesh_versions(SessionState& session, const LoadedScene& scene) {
    std::vector<std::uint32_t> versions;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const int before =
            session.document
                ? session.document->scene->scene.find_object(scene.scene.objects[i].name)
                : -1;
        const bool same =
            before >= 0 && same_mesh(scene.objects[i].source.mesh,
                                     session.document->scene->objects[before].source.mesh);
        versions.push_back(same ? session.document->mesh_versions[before]
                                : ++session.context->meshes);
    }
    return versions;
}

template <typename Map>
Json names_of(const Map& map) {
    Json names = Json::array();
    for (const auto& [name, value] : map) names.push_back(name);
    return names;
}

Json json_of(const ObjectReport& report) {
    return {{"name", report.name},
            {"volume_before", report.volume_before},
            {"volume_after", report.volume_after},
            {"max_displacement", report.max_displacement},
            {"contact_vertices", report.contact_vertices},
            {"deformed_vertices", report.deformed_vertices}};
}

Json objects_of(const ShownFrame& shown) {
    const LoadedScene& scene = *shown.scene;
    Json objects = Json::array();
    for (std::size_t i = 0; i < scene.objects.size(); ++i)
        objects.push_back(json_of(shown.report
                                      ? shown.report->objects[i]
                                      : object_report(scene, *shown.solved, static_cast<int>(i))));
    return objects;
}

// Of a frame that is on its own all contacts, without what is measured later; of a simulated one
// those that are near each other.
Json contacts_of(const ShownFrame& shown) {
    const LoadedScene& scene = *shown.scene;
    Json contacts = Json::array();
    if (shown.report) {
        for (const ContactReport& contact : shown.report->contacts)
            contacts.push_back({{"between", contact.between},
                                {"direction", three(contact.direction)},
                                {"zone_area", contact.zone_area},
                                {"depth_before", contact.depth_before},
                                {"depth_after", contact.depth_after},
                                {"crossings_before", contact.crossings_before},
                                {"crossings_after", contact.crossings_after},
                                {"note", contact.note}});
        return contacts;
    }
    const std::vector<ContactSpec> specs = knead::contacts_of(scene.scene);
    for (std::size_t c = 0; c < specs.size(); ++c) {
        const ContactOutcome& outcome = shown.solved->contacts[c];
        contacts.push_back({{"between",
                             {side_name(scene.scene, specs[c].between[0]),
                              side_name(scene.scene, specs[c].between[1])}},
                            {"direction", three(outcome.direction)},
                            {"zone_area", outcome.zone_area},
                            {"note", outcome.note}});
    }
    return contacts;
}

// What a person may want to know of a simulated frame: names of numbers, and sentences.
Json simulation_facts(const FrameReport& report) {
    Json numbers = Json::object(), notes = Json::array();
    if (report.dynamics) {
        const DynamicsReport& dynamics = *report.dynamics;
        numbers = {{"steps", dynamics.steps}, {"halved", dynamics.halvings}};
        if (dynamics.tolerance) numbers["held back"] = dynamics.last_resorts;
        numbers["contacts with a force"] = dynamics.contacts_active;
        if (dynamics.crossings) numbers["crossings"] = *dynamics.crossings;
        numbers["kinetic energy"] = dynamics.kinetic;
        numbers["elastic energy"] = dynamics.elastic;
        if (dynamics.smallest_distance) numbers["smallest distance"] = *dynamics.smallest_distance;
        if (dynamics.tolerance) numbers["tolerance"] = *dynamics.tolerance;
        notes = dynamics.notes;
    }
    return {{"numbers", std::move(numbers)}, {"notes", std::move(notes)}};
}

Json milliseconds_of(const SolvedFrame& solved) {
    Json times = Json::object();
    for (const auto& [stage, time] : solved.milliseconds)
        times[stage] = std::round(time * 1000) / 1000;
    return times;
}

} // namespace

void load_document(SessionState& session, const JsonValue& document) {
    SceneOptions options;
    options.overlays = {session.assets};
    session.read_as = session.scene_path;
    LoadedDocument loaded;
    loaded.scene = std::make_shared<const LoadedScene>(load_scene(
        parse_scene(json_text(document), session.scene_path, options), session.workspace));
    if (!loaded.depends_on_time())
        loaded.solver =
            session.document && session.document->solver
                ? std::make_unique<FrameSolver>(*loaded.scene, *session.document->solver)
                : std::make_unique<FrameSolver>(*loaded.scene);
    loaded.mesh_versions = mesh_versions(session, *loaded.scene);
    session.document = std::make_shared<LoadedDocument>(std::move(loaded));
}

const LoadedDocument& document_of(const SessionState& session) {
    if (!session.document)
        throw InputError("there is no document yet, expected one to be sent before");
    return *session.document;
}

int object_of(const LoadedDocument& document, const SceneValue& name) {
    const int object = document.scene->scene.find_object(name.text("the name of an object"));
    if (object < 0) name.expected("the name of an object");
    return object;
}

ShownFrame solved_frame(SessionState& session, double frame) {
    const LoadedDocument& document = document_of(session);
    if (!session.last || session.last->scene != document.scene || session.last->frame != frame) {
        const auto solved = std::make_shared<SolvedFrame>();
        document.solver->solve(frame, *solved, session.progress);
        session.last = {document.scene, frame, solved, nullptr};
    }
    return *session.last;
}

SimulatedDocument& simulation_of(const SessionState& session) {
    document_of(session);
    LoadedDocument& document = *session.document;
    if (!document.simulation)
        document.simulation = std::make_unique<SimulatedDocument>(
            document.scene, session.context->settings.limits.simulated_bytes);
    return *document.simulation;
}

Json document_summary(const LoadedDocument& document) {
    const LoadedScene& loaded = *document.scene;
    const Scene& scene = loaded.scene;
    Json objects = Json::array();
    for (std::size_t i = 0; i < loaded.objects.size(); ++i) {
        const TriangleMesh& mesh = loaded.objects[i].source.mesh;
        objects.push_back({{"name", scene.objects[i].name},
                           {"vertices", mesh.vertex_count()},
                           {"triangles", mesh.face_count()},
                           {"rigid", scene.objects[i].rigid},
                           {"mesh_version", document.mesh_versions[i]},
                           {"attributes", names_of(mesh.attributes)},
                           {"groups", names_of(mesh.groups)},
                           {"notes", loaded.objects[i].notes}});
    }
    Json contacts = Json::array();
    for (const ContactSpec& contact : knead::contacts_of(scene))
        contacts.push_back(
            {{"between",
              {side_name(scene, contact.between[0]), side_name(scene, contact.between[1])}},
             {"of", scene.contacts ? Json(contacts.size()) : Json()}});
    return {{"frames", {scene.frames.first, scene.frames.last}},
            {"fps", scene.fps},
            {"objects", std::move(objects)},
            {"contacts", std::move(contacts)}};
}

std::string mesh_message(const LoadedDocument& document, int object, std::uint32_t id) {
    const TriangleMesh& mesh = document.scene->objects[object].source.mesh;
    const std::string& name = document.scene->scene.objects[object].name;
    MessageBlocks blocks;
    blocks.add("triangles", name, mesh.faces);
    blocks.add("rest", name, mesh.positions);
    for (const auto& [attribute, values] : mesh.attributes)
        blocks.add(attribute, name, values.values, values.components);
    return blocks.message(MessageKind::mesh, id,
                          {{"object", name}, {"mesh_version", document.mesh_versions[object]}});
}

const SceneGauge& gauge_of(SessionState& session, const std::shared_ptr<const LoadedScene>& scene) {
    if (!session.gauge)
        session.gauge = {scene, make_gauge(*scene)};
    else if (session.gauge->scene != scene)
        session.gauge = {scene, make_gauge(*scene, *session.gauge->scene, session.gauge->gauge)};
    return session.gauge->gauge;
}

std::string frame_message(SessionState& session, const ShownFrame& shown,
                          std::span<const std::string> fields, std::uint32_t id, Json json) {
    const LoadedScene& scene = *shown.scene;
    const SolvedFrame& solved = *shown.solved;
    MessageBlocks blocks;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        blocks.add("after", scene.scene.objects[i].name, solved.after[i]);
        blocks.add("before", scene.scene.objects[i].name, solved.before[i]);
    }
    const SceneGauge none;
    for (const std::string& field : fields) {
        const SceneGauge& gauge = field == "depth" ? gauge_of(session, shown.scene) : none;
        const auto values = field_values(scene, gauge, solved, solved.after, field);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (!values[i].empty()) blocks.add(field, scene.scene.objects[i].name, values[i]);
    }
    json["frame"] = shown.frame;
    json["objects"] = objects_of(shown);
    json["contacts"] = contacts_of(shown);
    json["milliseconds"] = milliseconds_of(solved);
    if (shown.report) {
        json["simulation"] = simulation_facts(*shown.report);
        json["simulation"]["ranges"] = simulation_of(session).ranges();
    }
    return blocks.message(MessageKind::frame, id, std::move(json));
}

} // namespace knead::studio
