#pragma once

#include "knead/rig/keyed.hpp"

#include <optional>
#include <string>
#include <vector>

namespace knead {

/// The object key `body`, for dynamics. Units are SI when the scene's unit is a metre. What is not
/// given is left to the method.
struct BodySpec {
    enum class Type { volume, cloth, rigid, kinematic };

    Type type = Type::volume;
    std::optional<Keyed<double>> density;
    std::optional<Keyed<double>> young;
    std::optional<Keyed<double>> poisson;
    std::optional<Keyed<double>> damping;
    std::optional<Keyed<double>> friction;
    std::optional<Keyed<double>> thickness;
    std::optional<int> cells;            ///< lattice cells along the longest side
    std::string pin_group;               ///< vertices that do not move by themselves: a group ...
    std::vector<int> pin_vertices;       ///< ... or a list
    std::optional<Keyed<Vec3>> velocity; ///< in the world
    std::optional<Keyed<Vec3>> angular_velocity; ///< in the world; radians a second
    /// Of springs to where the scene says that the vertices are; a kilogram, 1 / s^2.
    std::optional<Keyed<double>> targets;
    std::string where;      ///< the key in the scene file, to begin messages with
    std::string pins_where; ///< that of `pins`; empty without
};

} // namespace knead
