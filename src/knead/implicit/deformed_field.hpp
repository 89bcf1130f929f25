#pragma once

#include "knead/implicit/field.hpp"
#include "knead/implicit/pose.hpp"
#include "knead/mesh/triangle_mesh.hpp"

#include <vector>

namespace knead {

/// A field where its solid is. Points and gradients are in the world.
struct PlacedField {
    const Field* field = nullptr;
    Pose pose;

    double value(const Vec3& point) const { return field->value(pose.to_local(point)); }
    FieldSample at(const Vec3& point) const {
        FieldSample sample = field->at(pose.to_local(point));
        sample.gradient = pose.turn * sample.gradient;
        return sample;
    }
};

/// A solid that presses on another.
struct Neighbour {
    PlacedField field;
    bool rigid = false; ///< it keeps its shape, and the other fits it
    double height = 0;  ///< a0: the largest value of the propagation term against it
};

/// What pressing does to a field in the zone where two solids are in each other, and its smooth
/// continuation beside it, before anything is attenuated: 1 - f_j [Gas93] sec. 3.2, or
/// (1 - f_i) + (1 - f_j) against a rigid one, sec. 3.5.
FieldSample contact_term(const FieldSample& self, const FieldSample& other, bool other_is_rigid);

/// The field of a solid that is pressed by others: its own, less what contact takes away, plus what
/// propagates into the bulge beside [Gas93] sec. 3.4. Where several others press, what they take
/// away is added up as the root of the sum of squares: added up as it is, the surface would have a
/// crease where it enters the next one; so it is smooth, and still leaves a small gap between
/// three. The same bits whatever the order in which the neighbours are found, as long as they are
/// listed in the same.
class DeformedField {
public:
    /// `width` is that of the propagation area.
    DeformedField(const PlacedField& self, std::vector<Neighbour> neighbours, double width);

    struct Value {
        double value = 0;
        bool in_contact = false; ///< inside a neighbour, where terms of contact apply
        bool truncated = false;  ///< a bulge would have crossed the surface between two solids
    };
    Value at(const Vec3& point) const;
    double value(const Vec3& point) const { return at(point).value; }
    /// `value` is at least 1; often much faster to tell.
    bool contains(const Vec3& point) const;

    /// Of the surface through a point of it: unit, outwards.
    Vec3 normal(const Vec3& point) const;

    /// Certain that no point within `reach` is inside.
    bool is_empty_around(const Vec3& point, double reach) const;
    /// Certain that all are, and that no neighbour is there.
    bool is_full_around(const Vec3& point, double reach) const;

    const PlacedField& self() const { return self_; }
    const std::vector<Neighbour>& neighbours() const { return neighbours_; }
    double width() const { return width_; }
    /// Everything is in it, in the world.
    Box box() const;

private:
    struct Bulge {
        double value = 0;
        double slope = 0; ///< the steepest of its attenuation
    };
    Bulge bulge_against(const Neighbour& neighbour, const Vec3& point,
                        const FieldSample& term) const;

    PlacedField self_;
    std::vector<Neighbour> neighbours_;
    double width_;
};

/// The whole deformed surface anew, on a lattice of such cells: for shapes that the samples are too
/// coarse for. Throws GeometryError when that takes millions of cells.
TriangleMesh polygonize(const DeformedField& field, double cell);

/// Where a ray first enters or leaves the solid, for t between `near` and `far`.
///
/// Pieces of the ray are ruled out by bounds on the slope of the field, and halved where that is
/// not possible, so nothing that the ray goes through for longer than `thinnest` is missed. The
/// bounds are exact for fields and contact. A bulge may change as fast as its attenuation, times
/// two, since the distance that it depends on may change faster than the point moves.
std::optional<double> first_crossing(const DeformedField& field, const Vec3& origin,
                                     const Vec3& direction, double near, double far,
                                     double thinnest);

} // namespace knead
