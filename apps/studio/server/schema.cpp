#include "schema.hpp"

#include "knead/scene/picture/picture.hpp"
#include "knead/scene/read/preset.hpp"
#include "knead/scene/spec/controls.hpp"
#include "knead/scene/spec/scene.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace knead::studio {
namespace {

const char* word_for(ControlOf of) {
    switch (of) {
    case ControlOf::object:
        return "object";
    case ControlOf::contact:
        return "contact";
    case ControlOf::scene:
        break;
    }
    return "scene";
}

const char* word_for(ControlKind kind) {
    switch (kind) {
    case ControlKind::number:
        return "number";
    case ControlKind::choice:
        return "choice";
    case ControlKind::flag:
        return "flag";
    case ControlKind::vector:
        return "vector";
    case ControlKind::text:
        break;
    }
    return "text";
}

Json finite(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

} // namespace

Json schema_of_controls() {
    Json schema = Json::array();
    for (const Control& control : controls()) {
        Json entry = {{"path", control.path},
                      {"of", word_for(control.of)},
                      {"kind", word_for(control.kind)},
                      {"unit", control.unit},
                      {"default", Json::parse(control.otherwise)},
                      {"hint", control.hint},
                      {"keyable", control.keyable},
                      {"paintable", control.paintable},
                      {"group", control.group},
                      {"choices", control.choices}};
        if (control.bounds)
            entry.update({{"low", control.low},
                          {"high", control.high},
                          {"step", control.step},
                          {"least", finite(control.bounds->low)},
                          {"least_included", control.bounds->low_included},
                          {"most", finite(control.bounds->high)},
                          {"most_included", control.bounds->high_included}});
        schema.push_back(std::move(entry));
    }
    return schema;
}

Json method_list() {
    Json list = Json::array();
    for (const Method method : methods())
        list.push_back({{"name", method_name(method)}, {"in_time", depends_on_time(method)}});
    return list;
}

Json preset_names() {
    Json names = Json::array();
    for (const Preset& preset : presets()) names.push_back(preset.name);
    return names;
}

Json preset_values() {
    Json values = Json::object();
    for (const Preset& preset : presets())
        values[std::string(preset.name)] = {{"stiffness", preset.stiffness},
                                            {"softness", preset.softness},
                                            {"bulge", preset.bulge},
                                            {"profile.bulge_at", preset.bulge_at},
                                            {"profile.end_at", preset.end_at}};
    return values;
}

Json field_list() {
    Json fields = Json::array();
    for (const FieldName& field : field_names())
        fields.push_back({{"name", field.name}, {"label", field.label}, {"of", "object"}});
    return fields;
}

} // namespace knead::studio
