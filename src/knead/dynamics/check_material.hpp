#pragma once

#include "knead/dynamics/body.hpp"

#include <string>

namespace knead {

/// Throws an InputError that names the body and the first value that cannot be: those that are not
/// finite, below zero, a density or a thickness of nothing, Poisson's ratio not between -1 and 0.5.
void check_material(const BodyMaterial& material, const std::string& body);

} // namespace knead
