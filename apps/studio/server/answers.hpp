#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

#include "request.hpp"

namespace knead::studio {

using Json = nlohmann::ordered_json;

/// The final answer to a request that was done.
std::string done(const Request& request, const Json& members);
/// The same with one more member that is JSON already.
std::string done(const Request& request, const Json& members, std::string_view key,
                 const std::string& json);
/// The final answer to one that was not.
std::string failed(std::uint32_t id, const Complaint& complaint);
/// The same, with another member that is true: why.
std::string failed(std::uint32_t id, const Complaint& complaint, const std::string& why);
std::string superseded(std::uint32_t id);
/// What the page did not ask for.
std::string event(const std::string& name, const Json& members);

} // namespace knead::studio
