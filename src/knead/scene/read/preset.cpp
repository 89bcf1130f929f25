#include "knead/scene/read/preset.hpp"

namespace knead {
namespace {

constexpr Preset all[] = {
    {"rubber", 2, 0.2, 1, 0.45, 0.9},     // tough and springy: a small zone, felt far around
    {"flesh", 1, 0.6, 1, 0.4, 0.85},      // follows, and rises softly beside the contact
    {"cushion", 0.3, 0.8, 0.3, 0.4, 0.9}, // air leaves it: it hardly rises
    {"dough", 0.2, 0.9, 1, 0.35, 0.75},   // takes the print, and piles up at its edge
};

const Preset& find_preset(const SceneValue& value) {
    std::vector<std::string_view> names;
    for (const Preset& preset : all) {
        if (value.is_text() && *value.json().text() == preset.name) return preset;
        names.push_back(preset.name);
    }
    value.expected_one_of(names);
}

} // namespace

std::span<const Preset> presets() {
    return all;
}

void read_preset(const SceneValue& value, SceneObject& object) {
    const Preset& preset = find_preset(value);
    object.preset = preset.name;
    object.stiffness = preset.stiffness;
    object.softness = preset.softness;
    object.bulge = preset.bulge;
    object.profile.bulge_at = preset.bulge_at;
    object.profile.end_at = preset.end_at;
}

} // namespace knead
