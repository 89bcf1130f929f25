#include "knead/deform/check_frame.hpp"

#include "knead/base/error.hpp"
#include "knead/mesh/check.hpp"
#include "knead/spatial/surface.hpp"

#include <fmt/format.h>

namespace knead {
namespace {

// One object's settings, and how complaints about them begin.
struct Check {
    int object;
    std::size_t vertices;

    [[noreturn]] void fail(std::string_view setting, double found,
                           std::optional<std::size_t> vertex, std::string_view expected) const {
        const std::string where = vertex ? fmt::format(" at vertex {}", *vertex) : "";
        throw InputError(fmt::format("deform: object {}, {} is {}{}, expected {}", object, setting,
                                     found, where, expected));
    }
    [[noreturn]] void fail(const Setting& setting, double found,
                           std::optional<std::size_t> vertex) const {
        fail(setting.name, found, vertex, setting.bounds.words);
    }
    void length(std::span<const double> map, std::string_view setting) const {
        if (map.size() != vertices)
            throw InputError(fmt::format("deform: object {}, the {} map has {} values, expected {}",
                                         object, setting, map.size(), vertices));
    }
    void number(const VertexNumber& number, const Setting& setting) const {
        if (!number.is_map()) {
            if (!setting.bounds.contain(number[0])) fail(setting, number[0], std::nullopt);
            return;
        }
        length(number.map(), setting.name);
        for (std::size_t v = 0; v < vertices; ++v)
            if (!setting.bounds.contain(number[v])) fail(setting, number[v], v);
    }
};

void check_profile(const ProfileSettings& profile, const Check& check) {
    check.number(profile.end_at, settings::end_at);
    check.number(profile.bulge_at, settings::bulge_at);
    const bool painted = profile.bulge_at.is_map() || profile.end_at.is_map();
    for (std::size_t v = 0; v < (painted ? check.vertices : 1); ++v) {
        const double bulge_at = profile.bulge_at[v], end_at = profile.end_at[v];
        if (bulge_at > end_at)
            check.fail(settings::bulge_at.name, bulge_at, painted ? std::optional(v) : std::nullopt,
                       fmt::format("at most end_at, {}", end_at));
    }
    check.number(profile.wrinkles.amplitude, settings::wrinkle_amplitude);
    check.number(profile.wrinkles.waves, settings::wrinkle_waves);
}

// So that sixth powers of lengths are numbers still.
constexpr double farthest = 1e50;

} // namespace

void check_structure(const SurfaceStructure* structure, const std::string& where) {
    if (structure == nullptr)
        throw InputError(where + " has no structure, expected one of make_structure");
    check_indices(structure->faces, structure->topology.vertex_count, where);
}

void check_object(const DeformObject& object, int index, const SurfaceStructure& structure) {
    const int vertices = structure.topology.vertex_count;
    if (static_cast<int>(object.positions.size()) != vertices)
        throw InputError(fmt::format("deform: object {} has {} positions, expected {}", index,
                                     object.positions.size(), vertices));
    for (int v = 0; v < vertices; ++v)
        if (!object.positions[v].allFinite() ||
            object.positions[v].cwiseAbs().maxCoeff() > farthest)
            throw InputError(fmt::format("deform: object {}, vertex {} is at ({}, {}, {}), "
                                         "expected finite numbers up to {:.0e}",
                                         index, v, object.positions[v].x(), object.positions[v].y(),
                                         object.positions[v].z(), farthest));
    const Check check{index, object.positions.size()};
    const DeformSettings& given = object.settings;
    check.number(given.stiffness, settings::stiffness);
    check.number(given.softness, settings::softness);
    if (given.extent) check.number(*given.extent, settings::extent);
    check.number(given.bulge.bulge, settings::bulge);
    check.number(given.envelope, settings::envelope);
    check.number(given.offset, settings::offset);
    check.number(given.smooth_normals, settings::smooth_normals);
    check.number(given.details, settings::details);
    check_profile(given.bulge.profile, check);
    const BulgeMapSettings& map = given.bulge.map;
    check.number(map.omega, settings::omega);
    check.number(map.psi, settings::psi);
    if (!map.painted.empty()) check.number(map.painted, settings::bulge_map);
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
    const auto number = [&](const std::optional<double>& found, const Setting& setting) {
        if (found && !setting.bounds.contain(*found))
            throw InputError(fmt::format("deform: contact {}, {} is {}, expected {}", index,
                                         setting.name, *found, setting.bounds.words));
    };
    number(contact.zone.apparent_stiffness, settings::apparent_stiffness);
    number(contact.zone.ball_radius, settings::ball_radius);
    if (contact.zone.ball_radius) {
        if (first.settings.rigid == second.settings.rigid)
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
        if (first.settings.rigid == second.settings.rigid)
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

} // namespace knead
