#pragma once

#include "knead/base/box.hpp"
#include "knead/implicit/convolution.hpp"
#include "knead/implicit/field_piece.hpp"

#include <optional>
#include <span>
#include <vector>

namespace knead {

/// A smooth curve through the points (a Catmull-Rom spline that is centripetal, so that it makes no
/// loops), `samples` points from one to the next. At least two points.
std::vector<Vec3> sampled_curve(std::span<const Vec3> points, int samples);

/// A potential field: the sum of what skeletons generate [Gas93] sec. 2.1. The solid is where it is
/// at least 1, and its gradient is the stiffness there, pointing inwards.
class Field {
public:
    /// Throws an InputError that begins with "piece i: " for a piece that cannot be used, and one
    /// without when the field never reaches 1, so that there is no solid.
    explicit Field(std::vector<FieldPiece> pieces);

    double value(const Vec3& point) const;
    FieldSample at(const Vec3& point) const;
    /// What each piece adds; `values` has one entry a piece.
    void contributions(const Vec3& point, std::span<double> values) const;

    /// No slope is steeper within `reach` of the point. Near the ends of a convolution skeleton
    /// there is no bound, and this is infinite.
    double steepest_around(const Vec3& point, double reach) const;

    /// No part of the surface is nearer to a point outside than this.
    double clearance(const Vec3& point) const;

    /// The way towards the solid from a point outside: along the gradient or, where no field
    /// reaches, to the skeleton whose field is nearest.
    Vec3 approach(const Vec3& point) const;

    /// From a point outside to the surface, along `approach`.
    struct Foot {
        Vec3 point;
        double distance;
        double slope; ///< of the field at the foot
    };
    /// Nothing when the surface is further than `reach` along that way.
    std::optional<Foot> foot(const Vec3& point, double reach) const;

    /// The point of the surface that Newton's method finds near a point, never moving further than
    /// `reach`; nothing when there is none.
    std::optional<Vec3> project(const Vec3& point, double reach) const;

    const std::vector<FieldPiece>& pieces() const { return pieces_; }
    /// Beyond it the field is 0.
    const Box& box() const { return box_; }
    /// The largest value on the skeleton.
    double peak() const { return peak_; }
    double smallest_radius() const { return smallest_radius_; }

private:
    double end_slope_bound(std::size_t piece, double nearest) const;
    double segment_slope(std::size_t piece, std::span<const Vec3> part, const Vec3& point,
                         double reach) const;
    double triangle_slope(std::size_t piece, std::span<const Vec3> part, const Vec3& point,
                          double reach) const;

    std::vector<FieldPiece> pieces_;
    std::vector<FieldPolynomial> functions_;
    /// Of convolution pieces: `end_slope` at even distances up to the influence.
    std::vector<std::vector<double>> end_slopes_;
    bool is_distance_ = true; ///< no piece is a convolution
    std::vector<Box> boxes_;  ///< where each piece has a field
    Box box_;
    double peak_ = 0, smallest_radius_ = 0, steepest_ = 0;
};

} // namespace knead
