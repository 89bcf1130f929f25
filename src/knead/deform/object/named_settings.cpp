#include "knead/deform/object/named_settings.hpp"

#include <algorithm>

namespace knead {
namespace {

constexpr NamedSetting all[] = {
    {settings::stiffness, [](DeformSettings& s) -> VertexNumber& { return s.stiffness; }},
    {settings::softness, [](DeformSettings& s) -> VertexNumber& { return s.softness; }},
    {settings::extent,
     [](DeformSettings& s) -> VertexNumber& { return s.extent ? *s.extent : s.extent.emplace(); }},
    {settings::envelope, [](DeformSettings& s) -> VertexNumber& { return s.envelope; }},
    {settings::offset, [](DeformSettings& s) -> VertexNumber& { return s.offset; }},
    {settings::bulge, [](DeformSettings& s) -> VertexNumber& { return s.bulge.bulge; }},
    {settings::omega, [](DeformSettings& s) -> VertexNumber& { return s.bulge.map.omega; }},
    {settings::psi, [](DeformSettings& s) -> VertexNumber& { return s.bulge.map.psi; }},
    {settings::bulge_at,
     [](DeformSettings& s) -> VertexNumber& { return s.bulge.profile.bulge_at; }},
    {settings::end_at, [](DeformSettings& s) -> VertexNumber& { return s.bulge.profile.end_at; }},
    {settings::wrinkle_amplitude,
     [](DeformSettings& s) -> VertexNumber& { return s.bulge.profile.wrinkles.amplitude; }},
    {settings::wrinkle_waves,
     [](DeformSettings& s) -> VertexNumber& { return s.bulge.profile.wrinkles.waves; }},
    {settings::smooth_normals, [](DeformSettings& s) -> VertexNumber& { return s.smooth_normals; }},
    {settings::details, [](DeformSettings& s) -> VertexNumber& { return s.details; }},
};

} // namespace

std::span<const NamedSetting> named_settings() {
    return all;
}

const NamedSetting* find_named_setting(std::string_view name) {
    const auto found = std::find_if(std::begin(all), std::end(all),
                                    [&](const NamedSetting& s) { return s.setting.name == name; });
    return found != std::end(all) ? found : nullptr;
}

} // namespace knead
