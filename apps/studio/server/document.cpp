#include "document.hpp"

#include "knead/base/error.hpp"
#include "knead/scene/frame_report.hpp"
#include "knead/scene/picture.hpp"
#include "knead/scene/scene_file.hpp"

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
    loaded.solver = session.document
                        ? std::make_unique<FrameSolver>(*loaded.scene, *session.document->solver)
                        : std::make_unique<FrameSolver>(*loaded.scene);
    loaded.mesh_versions = mesh_versions(session, *loaded.scene);
    session.document = std::move(loaded);
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

std::shared_ptr<const SolvedFrame> solved_frame(SessionState& session, double frame) {
    const LoadedDocument& document = document_of(session);
    if (!session.last || session.last->scene != document.scene || session.last->frame != frame) {
        const auto solved = std::make_shared<SolvedFrame>();
        document.solver->solve(frame, *solved, session.progress);
        session.last = {document.scene, frame, solved};
    }
    return session.last->solved;
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
    for (const ContactSpec& contact : contacts_of(scene))
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

const SceneGauge& gauge_of(SessionState& session) {
    const std::shared_ptr<const LoadedScene>& scene = document_of(session).scene;
    if (!session.gauge)
        session.gauge = {scene, make_gauge(*scene)};
    else if (session.gauge->scene != scene)
        session.gauge = {scene, make_gauge(*scene, *session.gauge->scene, session.gauge->gauge)};
    return session.gauge->gauge;
}

std::string frame_message(SessionState& session, const SolvedFrame& solved, double frame,
                          std::span<const std::string> fields, std::uint32_t id, Json json) {
    const LoadedScene& scene = *document_of(session).scene;
    MessageBlocks blocks;
    Json objects = Json::array(), contacts = Json::array();
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const ObjectReport report = object_report(scene, solved, static_cast<int>(i));
        objects.push_back({{"name", report.name},
                           {"volume_before", report.volume_before},
                           {"volume_after", report.volume_after},
                           {"max_displacement", report.max_displacement},
                           {"contact_vertices", report.contact_vertices},
                           {"deformed_vertices", report.deformed_vertices}});
        blocks.add("after", report.name, solved.after[i]);
        blocks.add("before", report.name, solved.before[i]);
    }
    const std::vector<ContactSpec> specs = contacts_of(scene.scene);
    for (std::size_t c = 0; c < specs.size(); ++c)
        contacts.push_back({{"between",
                             {side_name(scene.scene, specs[c].between[0]),
                              side_name(scene.scene, specs[c].between[1])}},
                            {"direction", three(solved.contacts[c].direction)},
                            {"zone_area", solved.contacts[c].zone_area},
                            {"note", solved.contacts[c].note}});
    const SceneGauge none;
    for (const std::string& field : fields) {
        const SceneGauge& gauge = field == "depth" ? gauge_of(session) : none;
        const auto values = field_values(scene, gauge, solved, solved.after, field);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (!values[i].empty()) blocks.add(field, scene.scene.objects[i].name, values[i]);
    }
    json["frame"] = frame;
    json["objects"] = std::move(objects);
    json["contacts"] = std::move(contacts);
    json["milliseconds"] = milliseconds_of(solved);
    return blocks.message(MessageKind::frame, id, std::move(json));
}

} // namespace knead::studio
