#include "answers.hpp"

#include <nlohmann/json.hpp>

namespace knead::studio {
namespace {

// Names of files need not be UTF-8.
std::string text_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

std::string done(const Request& request, const Json& members) {
    Json answer = {{"id", request.id}, {"ok", true}};
    answer.update(members);
    return text_of(answer);
}

std::string done(const Request& request, const Json& members, std::string_view key,
                 const std::string& json) {
    std::string answer = done(request, members);
    answer.pop_back();
    return answer.append(",\"").append(key).append("\":").append(json).append("}");
}

std::string failed(std::uint32_t id, const Complaint& complaint) {
    return text_of(
        Json{{"id", id}, {"ok", false}, {"error", complaint.sentence}, {"path", complaint.path}});
}

std::string failed(std::uint32_t id, const Complaint& complaint, const std::string& why) {
    return text_of(Json{{"id", id},
                        {"ok", false},
                        {why, true},
                        {"error", complaint.sentence},
                        {"path", complaint.path}});
}

std::string superseded(std::uint32_t id) {
    return text_of(Json{{"id", id}, {"ok", false}, {"superseded", true}});
}

std::string event(const std::string& name, const Json& members) {
    Json text = {{"event", name}};
    text.update(members);
    return text_of(text);
}

} // namespace knead::studio
