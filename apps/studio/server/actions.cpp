#include "actions.hpp"

#include "knead/base/parallel.hpp"
#include "knead/base/stopwatch.hpp"

#include <nlohmann/json.hpp>

#include <map>

namespace knead::studio {
namespace {

using Action = void (*)(SessionState&, const Request&, const Outbox&);

void hello(SessionState& session, const Request& request, const Outbox& outbox) {
    Json demos = Json::array();
    for (const Demo& demo : session.context->settings.demos)
        demos.push_back({{"name", demo.name}, {"about", demo.about}});
    const Limits& limits = session.context->settings.limits;
    const Json members = {
        {"version", KNEAD_VERSION},
        {"protocol", 1},
        {"folder", session.context->folder.string()},
        {"limits", {{"asset_bytes", limits.asset_bytes}, {"assets", limits.assets}}},
        {"threads", thread_count()},
        {"demos", std::move(demos)}};
    outbox.text(done(request, members));
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

void solve(SessionState& session, const Request& request, const Outbox& outbox) {
    const Stopwatch watch;
    const RequestReader reader(request);
    const double frame = reader.require("frame", "the number of a frame").number();
    std::vector<std::string> fields;
    if (const auto names = reader.find("fields"))
        for (const SceneValue& name : names->items("a list of names"))
            fields.push_back(name.text("the name of a field"));
    take_document(session, request);
    const LoadedDocument& loaded = document_of(session);
    const SolvedFrame solved = loaded.solver->solve(frame);
    Json json = Json::object();
    if (reader.find("document")) json["document"] = document_summary(loaded);
    json["server_milliseconds"] = watch.milliseconds();
    outbox.binary(frame_message(loaded, solved, frame, fields, request.id, std::move(json)));
}

const std::map<std::string_view, Action>& actions() {
    static const std::map<std::string_view, Action> all = {
        {"hello", hello}, {"demo", demo}, {"document", document}, {"mesh", mesh}, {"solve", solve}};
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
    const RequestReader reader(request);
    if (const auto given = reader.find("document")) load_document(session, given->json());
}

} // namespace knead::studio
