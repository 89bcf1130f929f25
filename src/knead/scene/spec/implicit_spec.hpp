#pragma once

#include "knead/implicit/solid_settings.hpp"
#include "knead/rig/keyed.hpp"

#include <optional>
#include <string>
#include <vector>

namespace knead {

struct FieldSpec {
    enum class Law { linear, nonlinear };
    enum class Kind { distance, convolution };

    std::optional<Keyed<double>> radius;
    std::optional<Keyed<double>> influence;
    std::optional<Keyed<double>> stiffness;
    std::optional<Law> law;
    std::optional<Kind> kind;
};

/// A piece of an implicit object's skeleton, in object space.
struct SkeletonPiece {
    enum class Kind { point, segment, polyline, curve, triangle, triangles };
    Kind kind = Kind::point;
    /// 1, 2, 2 or more, 2 or more, 3, 3 each.
    std::vector<Keyed<Vec3>> points;
    int samples = 8; ///< of a curve, from point to point
    FieldSpec field; ///< what differs from the object's
    /// Joints of the object's skin that the points follow: none, one for all, or one a point.
    std::vector<std::string> joints;
    std::string where; ///< the key in the scene file, to begin messages with
};

struct PropagationSpec {
    std::optional<Keyed<double>> width;
    std::optional<Keyed<double>> attenuation;
    std::optional<Keyed<double>> compressibility;
};

/// The object keys of the implicit method.
struct ImplicitSpec {
    std::vector<SkeletonPiece> skeleton;
    FieldSpec field;
    PropagationSpec propagation;
    std::optional<Keyed<double>> density;
    std::optional<Keyed<double>> drag;
    Keyed<double> friction = settings::solid_friction.otherwise; ///< Coulomb
    int samples = static_cast<int>(
        settings::samples.otherwise); ///< about as many, when the object has no mesh
    std::string where;                ///< of `skeleton`
    /// The file's own words for skeleton, field and samples: the same words, the same mesh.
    std::string text;

    /// Skeletons or fields change from frame to frame, besides what a skin does to them.
    bool is_animated() const;
};

} // namespace knead
