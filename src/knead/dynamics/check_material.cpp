#include "knead/dynamics/check_material.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

namespace knead {

void check_material(const BodyMaterial& material, const std::string& body) {
    const auto check = [&](const Setting& setting, double found) {
        if (!setting.bounds.contain(found))
            throw InputError(fmt::format("body {}: {} is {}, expected {}", single_quoted(body),
                                         setting.name.substr(setting.name.find('.') + 1), found,
                                         setting.bounds.words));
    };
    check(settings::body_density, material.density);
    check(settings::young, material.young);
    check(settings::poisson, material.poisson);
    check(settings::damping, material.damping);
    check(settings::body_friction, material.friction);
    check(settings::thickness, material.thickness);
}

} // namespace knead
