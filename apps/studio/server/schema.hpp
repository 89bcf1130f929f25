#pragma once

#include "answers.hpp"

namespace knead::studio {

/// Every control of the deformer, as the library knows it.
Json schema_of_controls();
/// Ways to resolve contacts, and whether they depend on time.
Json method_list();
/// Names of presets, and the numbers each of them brings.
Json preset_names();
Json preset_values();
/// The fields that can be looked at.
Json field_list();

} // namespace knead::studio
