#pragma once

#include "knead/contact/direction_field.hpp"
#include "knead/contact/intersection.hpp"
#include "knead/mesh/vertex_number.hpp"

#include <memory>
#include <optional>
#include <string>

namespace knead {

/// One side of a pair in one frame.
struct PairPart {
    const Surface* surface = nullptr;
    std::span<const Vec3> normals;
    double edge = 0;            ///< mean length of the mesh
    VertexNumber stiffness = 1; ///< against the other part's; infinite does not move
    VertexNumber apparent_stiffness = 0;
    VertexNumber offset = 0;
    std::span<const Vec2> texture_coordinates = {};
};

/// A direction that an artist gave, in which the first part is resolved.
struct GivenDirection {
    Vec3 direction = Vec3::UnitY(); ///< unit length
    double kept = 1;                ///< of it, 0 to 1, at most
};

/// The directions of places: lives as long as anybody looks directions up in it.
struct PlaceDirections {
    DirectionField field;
    std::array<std::vector<double>, 2> depth; ///< one a vertex, inside the other part
};

/// Which way a pair is resolved.
struct PairDirection {
    Vec3 direction = Vec3::Zero(); ///< of the first part; zero: none
    double reach = 0;              ///< how far along it something of the contact may be
    /// Where one direction cannot do; nothing: all go along the one above.
    std::shared_ptr<const PlaceDirections> places = nullptr;
    /// 0 to 1: how much a given direction looks the way that the surfaces do. 1 if none was given.
    double fits = 1;
    double kept = 1; ///< of it, against what would be found without it

    bool is_found() const { return !direction.isZero(0); }
};

/// Finds the direction of two parts that intersect: the one that is given, or what their normals
/// say, or in between. Only where it `may_vary` places can have directions of their own; a given
/// one is then kept as far as it says. Gives why there is none, or nothing.
std::string find_pair_direction(const std::array<PairPart, 2>& parts,
                                const Intersection& intersection,
                                const std::optional<GivenDirection>& given, bool may_vary,
                                PairDirection& result);

} // namespace knead
