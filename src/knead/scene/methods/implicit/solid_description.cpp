#include "knead/scene/methods/implicit/solid_description.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/scene/format/whole_number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

using Json = nlohmann::ordered_json;

// Most solids of a scene do not turn.
Json placed(double value) {
    const auto whole = whole_number(value);
    return whole ? Json(*whole) : Json(value);
}

double finite(const Json& json) {
    const auto value = json.get<double>();
    if (!std::isfinite(value)) throw InputError("found a number that is not finite");
    return value;
}

SolidFrame::Entry entry_from(const Json& json, const std::string& self, const SceneSolids& solids) {
    SolidFrame::Entry entry;
    const Json &at = json.at("at"), &turn = json.at("turn");
    if (at.size() != 3 || turn.size() != 4)
        throw InputError("found lists of other lengths, expected [x, y, z] and [w, x, y, z]");
    for (int i = 0; i < 3; ++i) entry.pose.at[i] = finite(at[i]);
    Quat orientation(finite(turn[0]), finite(turn[1]), finite(turn[2]), finite(turn[3]));
    if (!(std::abs(orientation.norm() - 1) < 1e-6))
        throw InputError("found a turn that is no unit quaternion");
    entry.pose.turn = orientation.normalized().toRotationMatrix();
    if (!json.contains("touches")) return entry;
    for (const auto& touch : json.at("touches").items()) {
        const std::string& name = touch.key();
        const Json& height = touch.value();
        const auto other =
            std::find_if(solids.solids.begin(), solids.solids.end(),
                         [&](const SolidDefinition& solid) { return solid.name == name; });
        if (other == solids.solids.end() || name == self)
            throw InputError(fmt::format("found a touch with {}, expected a solid of the scene",
                                         single_quoted(name)));
        if (!(finite(height) >= 0 && finite(height) <= 1))
            throw InputError(fmt::format("found a bulge of height {} against {}, expected 0 to 1",
                                         shortest(finite(height)), single_quoted(name)));
        entry.touches.push_back({static_cast<int>(other - solids.solids.begin()), finite(height)});
    }
    return entry;
}

} // namespace

std::string describe_solids(const SceneSolids& solids, const SolidFrame& frame, double at) {
    Json json = {{"knead", 1}, {"frame", placed(at)}, {"solids", Json::object()}};
    for (std::size_t i = 0; i < solids.solids.size(); ++i) {
        const SolidFrame::Entry& entry = frame.solids[i];
        const Quat turn = Quat(entry.pose.turn).normalized();
        const auto list = [](std::initializer_list<double> values) {
            Json result = Json::array();
            for (const double value : values) result.push_back(placed(value));
            return result;
        };
        Json solid = {{"at", list({entry.pose.at.x(), entry.pose.at.y(), entry.pose.at.z()})},
                      {"turn", list({turn.w(), turn.x(), turn.y(), turn.z()})}};
        for (const SolidFrame::Touch& touch : entry.touches)
            solid["touches"][solids.solids[touch.other].name] = touch.height;
        json["solids"][solids.solids[i].name] = std::move(solid);
    }
    return json.dump() + "\n";
}

SolidFrame parse_solids(const SceneSolids& solids, const std::string& text,
                        const std::string& name) {
    try {
        const Json json = Json::parse(text);
        if (json.at("knead") != 1)
            throw InputError(fmt::format("knead: found {}, expected 1", json.at("knead").dump()));
        SolidFrame frame;
        for (const SolidDefinition& solid : solids.solids) {
            if (!json.at("solids").contains(solid.name))
                throw InputError(fmt::format("there is no solid {}", single_quoted(solid.name)));
            frame.solids.push_back(
                entry_from(json.at("solids").at(solid.name), solid.name, solids));
        }
        return frame;
    } catch (const Json::exception& error) {
        throw InputError(
            fmt::format("{}: found something that is no frame of solids: {}", name, error.what()));
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", name, error.what()));
    }
}

} // namespace knead
