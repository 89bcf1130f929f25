#include "knead/scene/preset.hpp"

namespace knead {
namespace {

struct Preset {
    double stiffness, softness, bulge, bulge_at, end_at;
};

constexpr Preset rubber{2, 0.2, 1, 0.45, 0.9}; // tough and springy: a small zone, felt far around
constexpr Preset flesh{1, 0.6, 1, 0.4, 0.85};  // follows, and rises softly beside the contact
constexpr Preset cushion{0.3, 0.8, 0.3, 0.4, 0.9}; // air leaves it: it hardly rises
constexpr Preset dough{0.2, 0.9, 1, 0.35, 0.75};   // takes the print, and piles up at its edge

} // namespace

void read_preset(const SceneValue& value, SceneObject& object) {
    const Preset preset = value.choice<Preset>(
        {{"rubber", rubber}, {"flesh", flesh}, {"cushion", cushion}, {"dough", dough}});
    object.preset = *value.json().text();
    object.stiffness = preset.stiffness;
    object.softness = preset.softness;
    object.bulge = preset.bulge;
    object.profile.bulge_at = preset.bulge_at;
    object.profile.end_at = preset.end_at;
}

} // namespace knead
