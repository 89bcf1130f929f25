#include "knead/deform/object_settings.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace knead {
namespace {

// One object's settings, and how complaints about them begin.
struct Check {
    int object;
    std::size_t vertices;

    [[noreturn]] void fail(const char* setting, double found, std::optional<std::size_t> vertex,
                           const std::string& expected) const {
        const std::string where = vertex ? fmt::format(" at vertex {}", *vertex) : "";
        throw InputError(fmt::format("deform: object {}, {} is {}{}, expected {}", object, setting,
                                     found, where, expected));
    }
    void length(std::span<const double> map, const char* setting) const {
        if (map.size() != vertices)
            throw InputError(fmt::format("deform: object {}, the {} map has {} values, expected {}",
                                         object, setting, map.size(), vertices));
    }
    template <typename Fine>
    void number(const VertexNumber& number, const char* setting, const char* expected,
                const Fine& fine) const {
        if (!number.is_map()) {
            if (!(std::isfinite(number[0]) && fine(number[0])))
                fail(setting, number[0], std::nullopt, expected);
            return;
        }
        length(number.map(), setting);
        for (std::size_t v = 0; v < vertices; ++v)
            if (!(std::isfinite(number[v]) && fine(number[v])))
                fail(setting, number[v], v, expected);
    }
};

bool any(double) {
    return true;
}

void check_profile(const ProfileSettings& profile, const Check& check) {
    check.number(profile.end_at, "end_at", "between 0 and 1",
                 [](double x) { return x > 0 && x < 1; });
    check.number(profile.bulge_at, "bulge_at", "a number", any);
    const bool painted = profile.bulge_at.is_map() || profile.end_at.is_map();
    for (std::size_t v = 0; v < (painted ? check.vertices : 1); ++v) {
        const double bulge_at = profile.bulge_at[v], end_at = profile.end_at[v];
        if (!(bulge_at > 0 && bulge_at <= end_at))
            check.fail("bulge_at", bulge_at, painted ? std::optional(v) : std::nullopt,
                       fmt::format("more than 0 and at most end_at, {}", end_at));
    }
    check.number(profile.wrinkles.amplitude, "wrinkles' amplitude", "a number", any);
    check.number(profile.wrinkles.waves, "wrinkles' waves", "0 or more",
                 [](double x) { return x >= 0; });
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
    const Check check{index, object.positions.size()};
    const auto not_negative = [](double x) { return x >= 0; };
    const auto zero_to_one = [](double x) { return x >= 0 && x <= 1; };
    check.number(object.stiffness, "stiffness", "0 or more", not_negative);
    check.number(object.softness, "softness", "0 to 1", zero_to_one);
    if (object.extent)
        check.number(*object.extent, "extent", "more than 0", [](double x) { return x > 0; });
    check.number(object.bulge.bulge, "bulge", "a number", any);
    check.number(object.envelope, "envelope", "0 to 1", zero_to_one);
    check.number(object.offset, "offset", "a number", any);
    check.number(object.smooth_normals, "smooth_normals", "0 or more", not_negative);
    check.number(object.details, "details", "0 or more", not_negative);
    check_profile(object.bulge.profile, check);
    const BulgeMapSettings& map = object.bulge.map;
    check.number(map.omega, "omega", "0 or more", not_negative);
    check.number(map.psi, "psi", "a number", any);
    if (!map.painted.empty()) check.number(map.painted, "bulge_map", "a number", any);
    if (const std::size_t count = object.texture_coordinates.size();
        count != 0 && count != check.vertices)
        throw InputError(fmt::format("deform: object {} has {} texture coordinates, expected {}",
                                     index, count, vertices));
}

void check_contact(const DeformContact& contact, std::size_t index, const DeformObject& first,
                   const DeformObject& second) {
    const bool two_parts =
        contact.first_part && contact.second_part && *contact.first_part != *contact.second_part;
    if (contact.first == contact.second && !contact.fold && !two_parts)
        throw InputError(
            fmt::format("deform: contact {} names object {} twice, expected two of its parts",
                        index, contact.first));
    const double tau = contact.zone.apparent_stiffness.value_or(0);
    if (!std::isfinite(tau))
        throw InputError(fmt::format(
            "deform: contact {} has the apparent stiffness {}, expected a number", index, tau));
    if (const auto& radius = contact.zone.ball_radius) {
        if (!(*radius > 0 && std::isfinite(*radius)))
            throw InputError(
                fmt::format("deform: contact {} has the ball radius {}, expected a positive number",
                            index, *radius));
        if (first.rigid == second.rigid)
            throw InputError(fmt::format(
                "deform: contact {} has a ball radius, expected one object that is rigid and "
                "one that is not",
                index));
    }
    if (contact.mapping == MappingMethod::parametrization) {
        if (contact.fold)
            throw InputError(fmt::format("deform: contact {} is a fold mapped by parametrization, "
                                         "expected a mapping by direction",
                                         index));
        if (first.rigid == second.rigid)
            throw InputError(fmt::format(
                "deform: contact {} is mapped by parametrization, expected one object that is "
                "rigid and one that is not",
                index));
    }
    if (contact.direction && !(contact.direction->norm() > 0 && contact.direction->allFinite()))
        throw InputError(fmt::format("deform: contact {} has the direction ({}, {}, {}), "
                                     "expected one that is finite and not zero",
                                     index, contact.direction->x(), contact.direction->y(),
                                     contact.direction->z()));
}

DeformObject
part_settings(const DeformObject& object,
              const std::function<std::span<const double>(std::span<const double>)>& gathered) {
    DeformObject part = object;
    BulgeSettings& bulge = part.bulge;
    for (VertexNumber* number :
         {&part.stiffness, &part.softness, &part.envelope, &part.offset, &part.smooth_normals,
          &part.details, &bulge.bulge, &bulge.profile.bulge_at, &bulge.profile.end_at,
          &bulge.profile.wrinkles.amplitude, &bulge.profile.wrinkles.waves, &bulge.map.omega,
          &bulge.map.psi, part.extent ? &*part.extent : nullptr})
        if (number != nullptr && number->is_map()) *number = gathered(number->map());
    if (!bulge.map.painted.empty()) bulge.map.painted = gathered(bulge.map.painted);
    return part;
}

} // namespace knead
