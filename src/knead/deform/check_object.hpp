#pragma once

#include "knead/deform/deform.hpp"

namespace knead {

/// Throws InputError when positions do not fit the object's faces or are not finite, or a setting
/// is out of its range. `index` names the object.
void check_object(const DeformObject& object, int index, const SurfaceStructure& structure);

} // namespace knead
