#pragma once

#include "knead/implicit/samples.hpp"
#include "knead/implicit/solid_frame.hpp"
#include "knead/implicit/solid_simulation.hpp"

#include <numbers>

namespace knead::testing {

inline SolidDefinition solid_of(std::string name, std::vector<FieldPiece> pieces, int samples,
                                const Vec3& at = Vec3::Zero()) {
    SolidDefinition definition;
    definition.name = std::move(name);
    definition.mesh = polygonize(Field(pieces), samples);
    definition.pieces = std::move(pieces);
    definition.pose.at = at;
    return definition;
}

inline SolidDefinition ball(std::string name, const Vec3& at, int samples = 2000,
                            const FieldFunction& function = {1, 1.5, 4}) {
    return solid_of(std::move(name), {{FieldPiece::Shape::point, {Vec3::Zero()}, function}},
                    samples, at);
}

/// Two triangles, whose convolution is flat: its upper side is at y = 0.
inline SolidDefinition slab(std::string name, double half,
                            const FieldFunction& function = {0.5, 1, 4}, int samples = 800) {
    const double y = -function.radius;
    SolidDefinition definition = solid_of(std::move(name),
                                          {{FieldPiece::Shape::triangles,
                                            {{-half, y, -half},
                                             {-half, y, half},
                                             {half, y, half},
                                             {-half, y, -half},
                                             {half, y, half},
                                             {half, y, -half}},
                                            function,
                                            FieldPiece::Kind::convolution}},
                                          samples);
    definition.held = true;
    return definition;
}

inline SolidDefinition rigid(SolidDefinition definition) {
    definition.rigid = true;
    return definition;
}

/// The force with which a plane presses on a ball with a linear field, `depth` below its top.
inline double plane_force(const FieldFunction& f, double depth) {
    const double r = f.radius, h = r - depth;
    return 2 * std::numbers::pi * *completed(f).stiffness *
           (r * (r * r - h * h) / 2 - (r * r * r - h * h * h) / 3);
}

} // namespace knead::testing
