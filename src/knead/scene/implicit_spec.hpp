#pragma once

#include "knead/rig/keyed.hpp"

#include <optional>
#include <vector>

namespace knead {

/// A piece of an implicit object's skeleton, in object space.
struct SkeletonPiece {
    enum class Kind { point, segment, polyline, triangle };
    Kind kind = Kind::point;
    std::vector<Keyed<Vec3>> points; ///< 1, 2, 2 or more, 3
};

struct FieldSpec {
    enum class Law { linear, nonlinear };
    enum class Kind { distance, convolution };

    std::optional<Keyed<double>> radius;
    std::optional<Keyed<double>> influence;
    std::optional<Keyed<double>> stiffness;
    Law law = Law::linear;
    Kind kind = Kind::distance;
};

struct PropagationSpec {
    std::optional<Keyed<double>> width;
    std::optional<Keyed<double>> attenuation;
};

/// The object keys of the implicit method.
struct ImplicitSpec {
    std::vector<SkeletonPiece> skeleton;
    std::optional<FieldSpec> field;
    std::optional<PropagationSpec> propagation;
    std::optional<Keyed<double>> density;
    std::optional<Keyed<double>> drag;
    Keyed<double> friction = 0.0; ///< Coulomb
};

} // namespace knead
