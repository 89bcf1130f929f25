#pragma once

#include "knead/render/render.hpp"

namespace knead {

/// Throw InputError with what is wrong.
void check_settings(const RenderSettings& settings);
void check_object(const RenderObject& object);

} // namespace knead
