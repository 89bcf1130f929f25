#include "knead/deform/check_object.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace knead {
namespace {

void require(bool fine, int object, const char* setting, double found, const char* expected) {
    if (!fine)
        throw InputError(fmt::format("deform: object {}, {} is {}, expected {}", object, setting,
                                     found, expected));
}

} // namespace

void check_object(const DeformObject& object, int index, const SurfaceStructure& structure) {
    const int vertices = structure.topology.vertex_count;
    if (static_cast<int>(object.positions.size()) != vertices)
        throw InputError(fmt::format("deform: object {} has {} positions, expected {}", index,
                                     object.positions.size(), vertices));
    for (int v = 0; v < vertices; ++v)
        if (!object.positions[v].allFinite())
            throw InputError(fmt::format("deform: object {}, vertex {} is at ({}, {}, {}), "
                                         "expected finite numbers",
                                         index, v, object.positions[v].x(), object.positions[v].y(),
                                         object.positions[v].z()));
    const ProfileShape& profile = object.bulge.profile;
    require(object.stiffness >= 0 && std::isfinite(object.stiffness), index, "stiffness",
            object.stiffness, "0 or more");
    require(!object.extent || (*object.extent > 0 && std::isfinite(*object.extent)), index,
            "extent", object.extent.value_or(1), "more than 0");
    require(std::isfinite(object.bulge.bulge), index, "bulge", object.bulge.bulge, "a number");
    require(object.envelope >= 0 && object.envelope <= 1, index, "envelope", object.envelope,
            "0 to 1");
    require(std::isfinite(object.offset), index, "offset", object.offset, "a number");
    require(profile.end_at > 0 && profile.end_at < 1, index, "end_at", profile.end_at,
            "between 0 and 1");
    if (!(profile.bulge_at > 0 && profile.bulge_at <= profile.end_at))
        throw InputError(fmt::format("deform: object {}, bulge_at is {}, expected more than 0 and "
                                     "at most end_at, {}",
                                     index, profile.bulge_at, profile.end_at));
    const WrinkleShape& wrinkles = profile.wrinkles;
    require(std::isfinite(wrinkles.amplitude), index, "wrinkles' amplitude", wrinkles.amplitude,
            "a number");
    require(wrinkles.waves >= 0 && std::isfinite(wrinkles.waves), index, "wrinkles' waves",
            wrinkles.waves, "0 or more");
    const BulgeMapSettings& map = object.bulge.map;
    require(map.omega >= 0 && std::isfinite(map.omega), index, "omega", map.omega, "0 or more");
    require(std::isfinite(map.psi), index, "psi", map.psi, "a number");
    const std::size_t painted = map.painted.size();
    if (painted != 0 && painted != object.positions.size())
        throw InputError(fmt::format("deform: object {}, the bulge map has {} values, expected {}",
                                     index, painted, object.positions.size()));
    for (const double value : map.painted)
        require(std::isfinite(value), index, "a value of the bulge map", value, "a number");
}

} // namespace knead
