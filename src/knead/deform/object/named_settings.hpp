#pragma once

#include "knead/deform/object/deform_settings.hpp"

#include <span>
#include <string_view>

namespace knead {

/// A number of an object by the name that it has in a scene file, for hosts that set it by that.
struct NamedSetting {
    Setting setting;
    /// Where it is kept. Makes an extent where there was none.
    VertexNumber& (*of)(DeformSettings& settings);
};

/// All that may be painted, but for the bulge map, which has no constant.
std::span<const NamedSetting> named_settings();

/// Null when there is none of that name.
const NamedSetting* find_named_setting(std::string_view name);

} // namespace knead
