#include "actions.hpp"

#include "knead/base/parallel.hpp"
#include "knead/base/stopwatch.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <stop_token>

#include "export.hpp"
#include "idle.hpp"
#include "painting.hpp"
#include "scene_files.hpp"
#include "schema.hpp"

namespace knead::studio {
namespace {

namespace fs = std::filesystem;
using Action = void (*)(SessionState&, const Request&, const Outbox&);

void hello(SessionState& session, const Request& request, const Outbox& outbox) {
    const Context& context = *session.context;
    const Limits& limits = context.settings.limits;
    Json demos = Json::array();
    for (const Demo& demo : context.settings.demos)
        demos.push_back({{"name", demo.name}, {"about", demo.about}});
    Json members = {{"version", KNEAD_VERSION},
                    {"protocol", 1},
                    {"scene", nullptr},
                    {"revision", nullptr},
                    {"folder", context.folder.string()},
                    {"limits",
                     {{"asset_bytes", limits.asset_bytes},
                      {"assets", limits.assets},
                      {"message_bytes", limits.message_bytes}}},
                    {"threads", thread_count()},
                    {"demos", std::move(demos)},
                    {"schema", schema_of_controls()},
                    {"methods", method_list()},
                    {"presets", preset_names()},
                    {"preset_values", preset_values()},
                    {"fields", field_list()}};
    std::string document = "null";
    if (context.settings.scene) {
        const fs::path path = context.folder / context.settings.scene->filename();
        const OpenedScene opened = open_scene(context, path);
        members["scene"] = relative_name(context, path);
        members["revision"] = opened.revision;
        document = opened.document;
        watch_file(session, path, opened.revision);
    }
    outbox.text(done(request, members, "document", document));
}

void demo(SessionState& session, const Request& request, const Outbox& outbox) {
    const RequestReader reader(request);
    const SceneValue name = reader.require("name", "the name of a demo");
    for (const Demo& known : session.context->settings.demos)
        if (known.name == name.text("the name of a demo"))
            return outbox.text(done(request, Json::object(), "document",
                                    json_text(parse_json(known.text, known.name))));
    name.expected("the name of a demo");
}

void open(SessionState& session, const Request& request, const Outbox& outbox) {
    const RequestReader reader(request);
    const std::string path = reader.require("path", "a scene file").text("a scene file");
    const fs::path file = below_folder(*session.context, path, "path");
    const OpenedScene opened = open_scene(*session.context, file);
    session.scene_path = file;
    watch_file(session, file, opened.revision);
    outbox.text(done(request, {{"revision", opened.revision}}, "document", opened.document));
}

void scenes(SessionState& session, const Request& request, const Outbox& outbox) {
    outbox.text(done(request, {{"scenes", list_scenes(*session.context)}}));
}

void document(SessionState& session, const Request& request, const Outbox& outbox) {
    RequestReader(request).require("document", "a scene");
    take_document(session, request);
    outbox.text(done(request, document_summary(document_of(session))));
}

void mesh(SessionState& session, const Request& request, const Outbox& outbox) {
    const LoadedDocument& loaded = document_of(session);
    const RequestReader reader(request);
    const int object = object_of(loaded, reader.require("object", "the name of an object"));
    outbox.binary(mesh_message(loaded, object, request.id));
}

// Only a little at a time when others wait: what was reached stays, and the request goes on later.
ShownFrame reach(SessionState& session, double frame,
                 const std::function<void(const ShownFrame&)>& passed) {
    std::stop_source enough;
    const std::stop_callback superseded(session.progress.stop, [&] { enough.request_stop(); });
    const auto look_around = [&](double) {
        if (session.others_wait()) enough.request_stop();
    };
    try {
        return simulation_of(session).reach(frame, passed, {look_around, enough.get_token()});
    } catch (const Cancelled&) {
        session.progress.check();
        throw GivesWay();
    }
}

// A simulation takes its time to a frame: what it has reached is shown on the way.
void solve_in_time(SessionState& session, const Request& request,
                   std::span<const std::string> fields, double frame, const Outbox& outbox) {
    // More than ten a second would only hold it up.
    constexpr double pause = 100;
    Stopwatch all, since_told;
    bool document_is_told = !brings_document(request);
    const auto message = [&](const ShownFrame& shown, Json json) {
        if (!document_is_told) json["document"] = document_summary(document_of(session));
        document_is_told = true;
        json["server_milliseconds"] = all.milliseconds();
        return frame_message(session, shown, fields, request.id, std::move(json));
    };
    const auto tell = [&](const ShownFrame& shown) {
        if (document_is_told && since_told.milliseconds() < pause) return;
        outbox.binary(message(shown, {{"on_the_way", true}}));
        since_told = {};
    };
    outbox.binary(message(reach(session, frame, tell), Json::object()));
}

void solve(SessionState& session, const Request& request, const Outbox& outbox) {
    const Stopwatch watch;
    session.unmeasured.reset();
    const RequestReader reader(request);
    const double frame = reader.require("frame", "the number of a frame").number();
    std::vector<std::string> fields;
    if (const auto names = reader.find("fields"))
        for (const SceneValue& name : names->items("a list of names"))
            fields.push_back(name.text("the name of a field"));
    if (fields.size() > 20) reader.find("fields")->expected("at most 20 names");
    const std::shared_ptr<LoadedDocument> earlier = session.document;
    take_document(session, request);
    session.progress.check();
    const LoadedDocument& loaded = document_of(session);
    if (loaded.depends_on_time()) {
        try {
            simulation_of(session);
        } catch (const Error&) {
            // As with one that cannot be read, the last good one stays.
            if (earlier) session.document = earlier;
            throw;
        }
        return solve_in_time(session, request, fields, frame, outbox);
    }
    const ShownFrame shown = solved_frame(session, frame);
    Json json = Json::object();
    if (brings_document(request)) json["document"] = document_summary(loaded);
    json["server_milliseconds"] = watch.milliseconds();
    outbox.binary(frame_message(session, shown, fields, request.id, std::move(json)));
    session.unmeasured = {request.id, shown};
}

void paint(SessionState& session, const Request& request, const Outbox& outbox) {
    outbox.text(done(request, {{"values", paint_map(session, request)}}));
}

void brush(SessionState& session, const Request& request, const Outbox& outbox) {
    const RequestReader reader(request);
    MessageBlocks blocks;
    blocks.add("reach", reader.require("object", "the name of an object").text("a name"),
               brush_reach(session, request));
    outbox.binary(blocks.message(MessageKind::brush, request.id, Json::object()));
}

void save(SessionState& session, const Request& request, const Outbox& outbox) {
    const RequestReader reader(request);
    const std::string path = reader.require("path", "a scene file").text("a scene file");
    const SceneValue document = reader.require("document", "a scene");
    SaveRequest save{
        below_folder(*session.context, path, "path"), document.json(), {}, {}, {}, false};
    if (const auto names = reader.find("assets"))
        for (const SceneValue& name : names->items("a list of names"))
            save.assets.push_back(name.text("the name of a file"));
    if (const auto known = reader.find("saved_assets"))
        for (const std::string& name : save.assets)
            if (const auto revision = known->find(name))
                save.saved_assets[name] = revision->text("a revision");
    if (const auto revision = reader.find("revision")) save.revision = revision->text("a revision");
    if (const auto overwrite = reader.find("overwrite")) save.overwrite = overwrite->boolean();
    const SavedScene saved = save_scene(session, save);
    session.scene_path = save.path;
    watch_file(session, save.path, saved.revision);
    outbox.text(done(request, {{"path", relative_name(*session.context, save.path)},
                               {"revision", saved.revision},
                               {"assets", saved.assets}}));
}

void begin_export(SessionState& session, const Request& request, const Outbox& outbox) {
    session.exporter->start(session.context, read_export(session, request), outbox);
}

const std::map<std::string_view, Action>& actions() {
    static const std::map<std::string_view, Action> all = {
        {"hello", hello},       {"demo", demo}, {"open", open},          {"scenes", scenes},
        {"document", document}, {"mesh", mesh}, {"solve", solve},        {"paint", paint},
        {"brush", brush},       {"save", save}, {"export", begin_export}};
    return all;
}

} // namespace

void act(SessionState& session, const Request& request, const Outbox& outbox) {
    actions().at(request.action)(session, request, outbox);
}

bool is_action(std::string_view action) {
    return actions().contains(action);
}

void take_document(SessionState& session, const Request& request) {
    if (!brings_document(request)) return;
    const RequestReader reader(request);
    if (const auto path = reader.find("path"))
        session.scene_path = below_folder(*session.context, path->text("a scene file"), "path");
    load_document(session, reader.find("document")->json());
}

} // namespace knead::studio
