#pragma once

#include "knead/deform/deform.hpp"
#include "knead/mesh/region.hpp"

namespace knead {

/// Throws InputError when positions do not fit the object's faces or are not finite, or a setting
/// or one of its painted values is out of its range. `index` names the object.
void check_object(const DeformObject& object, int index, const SurfaceStructure& structure);

/// An object's settings as a part of it sees them: maps are gathered into `memory`. Positions are
/// left to the caller.
DeformObject part_settings(const DeformObject& object, const Region& region,
                           std::vector<std::vector<double>>& memory);

} // namespace knead
