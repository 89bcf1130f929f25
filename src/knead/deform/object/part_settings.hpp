#pragma once

#include "knead/deform/object/deform_settings.hpp"

#include <functional>
#include <span>

namespace knead {

/// An object's settings as a part of it sees them: each map is what `gathered` makes of it.
DeformSettings
part_settings(const DeformSettings& settings,
              const std::function<std::span<const double>(std::span<const double>)>& gathered);

} // namespace knead
