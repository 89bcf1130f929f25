#pragma once

#include "knead/bulge/bulge_settings.hpp"
#include "knead/contact/contact_settings.hpp"
#include "knead/deform/fold/crease.hpp"
#include "knead/rig/keyed.hpp"

#include <array>
#include <optional>
#include <string>

namespace knead {

/// An object, or the part of it that is a vertex group.
struct ContactSide {
    int object = 0;    ///< index into the scene's objects
    std::string group; ///< empty: the whole object

    friend bool operator==(const ContactSide&, const ContactSide&) = default;
};

/// Two parts of one skin that meet in a crease.
struct FoldSpec {
    /// Names of three joints, the crease at the second; none when the contact's direction is given.
    std::vector<std::string> joints;
    CreaseMethod crease = CreaseMethod::random_walker;
    FoldVariant variant = FoldVariant::unified;
    std::string where; ///< in the file; begins messages about it
};

enum class ZoneKind {
    symmetric, ///< by the depths about a place
    global,    ///< by the depths of all contacts of the pair, as the authors do
    ball,
};

/// An entry of the scene's `contacts`.
struct ContactSpec {
    std::array<ContactSide, 2> between;
    std::optional<FoldSpec> fold;
    std::optional<Keyed<double>> apparent_stiffness; ///< nothing: from the objects' softness
    /// Mapping direction in the world, or nothing for "auto". Never zero at a key.
    std::optional<Keyed<Vec3>> direction;
    MappingMethod mapping = MappingMethod::direction;
    DistanceMethod distance = DistanceMethod::heat;
    ZoneKind zone = ZoneKind::symmetric;
    std::optional<Keyed<double>> ball_radius; ///< given when `zone` is `ball`
    bool crossing_free = true;
};

} // namespace knead
