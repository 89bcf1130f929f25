#include "schema.hpp"

#include "knead/scene/picture/picture.hpp"
#include "knead/scene/read/preset.hpp"
#include "knead/scene/spec/controls.hpp"
#include "knead/scene/spec/scene.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace knead::studio {
Json schema_of_controls() {
    // The page has no place for those of dynamics yet.
    std::vector<Control> shown;
    for (const Control& control : controls())
        if (control.group != "dynamics") shown.push_back(control);
    return Json::parse(controls_as_json(shown));
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
