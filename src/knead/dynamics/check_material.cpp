#include "knead/dynamics/check_material.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace knead {

void check_material(const BodyMaterial& material, const std::string& body) {
    const auto require = [&](bool good, const char* what, double found, const char* expected) {
        if (!good || !std::isfinite(found))
            throw InputError(fmt::format("body {}: {} is {}, expected {}", single_quoted(body),
                                         what, found, expected));
    };
    const char* const positive = "a positive number";
    const char* const not_negative = "a number that is not negative";
    require(material.density > 0, "density", material.density, positive);
    require(material.young >= 0, "young", material.young, not_negative);
    require(material.poisson > -1 && material.poisson < 0.5, "poisson", material.poisson,
            "a number between -1 and 0.5, exclusive");
    require(material.damping >= 0, "damping", material.damping, not_negative);
    require(material.friction >= 0, "friction", material.friction, not_negative);
    require(material.thickness > 0, "thickness", material.thickness, positive);
}

} // namespace knead
