#include "knead/implicit/field.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace knead {
namespace {

using Shape = FieldPiece::Shape;

constexpr double infinity = std::numeric_limits<double>::infinity();
// Where the largest value along a segment or triangle of a skeleton is looked for.
constexpr int peak_samples = 8;
constexpr int end_slope_steps = 256;

Vec3 closest_on_segment(const Vec3& from, const Vec3& to, const Vec3& point) {
    const Vec3 along = to - from;
    const double length = along.squaredNorm();
    if (!(length > 0)) return from;
    return from + std::clamp((point - from).dot(along) / length, 0.0, 1.0) * along;
}

// Fields are asked for millions of times, mostly about points over the inside of a triangle or
// beyond one side. This takes a third of the time of `closest_point_on_triangle`, which also tells
// exactly which feature is nearest.
Vec3 closest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& point) {
    const Vec3 ab = b - a, ac = c - a, ap = point - a;
    const double d1 = ab.dot(ap), d2 = ac.dot(ap);
    const double aa = ab.squaredNorm(), cc = ac.squaredNorm(), ac_ab = ab.dot(ac);
    const double determinant = aa * cc - ac_ab * ac_ab;
    const double v = cc * d1 - ac_ab * d2, w = aa * d2 - ac_ab * d1;
    // Of corners in a line it is nothing but rounding.
    if (determinant > 1e-14 * aa * cc && v >= 0 && w >= 0 && v + w <= determinant)
        return a + v / determinant * ab + w / determinant * ac;
    // Outside, the nearest point is on one of the sides.
    const std::array<Vec3, 3> candidates{closest_on_segment(a, b, point),
                                         closest_on_segment(b, c, point),
                                         closest_on_segment(c, a, point)};
    int nearest = 0;
    for (int i = 1; i < 3; ++i)
        if ((point - candidates[i]).squaredNorm() < (point - candidates[nearest]).squaredNorm())
            nearest = i;
    return candidates[nearest];
}

// The segments or triangles of a piece, one after the other.
template <typename Visit>
void for_each_part(const FieldPiece& piece, const Visit& visit) {
    const std::span<const Vec3> points = piece.points;
    switch (piece.shape) {
    case Shape::point:
        visit(points.subspan(0, 1));
        break;
    case Shape::chain:
        for (std::size_t i = 0; i + 1 < points.size(); ++i) visit(points.subspan(i, 2));
        break;
    case Shape::triangles:
        for (std::size_t i = 0; i + 2 < points.size(); i += 3) visit(points.subspan(i, 3));
        break;
    }
}

Vec3 closest_on_part(std::span<const Vec3> part, const Vec3& point) {
    if (part.size() == 1) return part[0];
    if (part.size() == 2) return closest_on_segment(part[0], part[1], point);
    return closest_on_triangle(part[0], part[1], part[2], point);
}

// From the nearest point of a skeleton.
Vec3 offset_from(const FieldPiece& piece, const Vec3& point) {
    Vec3 nearest = Vec3::Zero();
    double smallest = infinity;
    for_each_part(piece, [&](std::span<const Vec3> part) {
        const Vec3 away = point - closest_on_part(part, point);
        const double squared = away.squaredNorm();
        if (squared < smallest) {
            smallest = squared;
            nearest = away;
        }
    });
    return nearest;
}

bool is_convolution(const FieldPiece& piece) {
    return piece.kind == FieldPiece::Kind::convolution && piece.shape != Shape::point;
}

FieldSample sample_of(const FieldPiece& piece, const FieldPolynomial& function, const Vec3& point) {
    FieldSample result;
    if (is_convolution(piece)) {
        for_each_part(piece, [&](std::span<const Vec3> part) {
            result += part.size() == 2
                          ? segment_convolution(function, part[0], part[1], point)
                          : triangle_convolution(function, {part[0], part[1], part[2]}, point);
        });
        return result;
    }
    const Vec3 away = offset_from(piece, point);
    const double r = away.norm();
    if (r >= function.influence) return result;
    result.value = function.value(r);
    if (r > 0) result.gradient = function.slope(r) / r * away;
    return result;
}

double value_of(const FieldPiece& piece, const FieldPolynomial& function, const Vec3& point) {
    return is_convolution(piece) ? sample_of(piece, function, point).value
                                 : function.value(offset_from(piece, point).norm());
}

void check_piece(const FieldPiece& piece) {
    const std::size_t count = piece.points.size();
    if (piece.shape == Shape::point && count != 1)
        throw InputError(fmt::format("it has {} points, expected one", count));
    if (piece.shape == Shape::chain && count < 2)
        throw InputError(fmt::format("it has {} points, expected two or more", count));
    if (piece.shape == Shape::triangles && (count == 0 || count % 3 != 0))
        throw InputError(fmt::format("it has {} points, expected three a triangle", count));
    for (const Vec3& point : piece.points)
        if (!point.allFinite()) throw InputError("a point is not finite");
    check_field_function(piece.function);
    if (!is_convolution(piece)) return;
    double measure = 0;
    for_each_part(piece, [&](std::span<const Vec3> part) {
        measure += part.size() == 2 ? (part[1] - part[0]).norm()
                                    : (part[1] - part[0]).cross(part[2] - part[0]).norm();
    });
    if (!(measure > 0))
        throw InputError("its points coincide, expected a skeleton with a length or an area, over "
                         "which a convolution adds up");
}

} // namespace

std::vector<Vec3> sampled_curve(std::span<const Vec3> points, int samples) {
    std::vector<Vec3> result{points.front()};
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const Vec3 &b = points[i], &c = points[i + 1];
        // Beyond the ends the curve goes on as it came.
        const Vec3 a = i > 0 ? points[i - 1] : Vec3(2 * b - c);
        const Vec3 d = i + 2 < points.size() ? points[i + 2] : Vec3(2 * c - b);
        if (b == c) {
            result.insert(result.end(), static_cast<std::size_t>(samples), c);
            continue;
        }
        // Points that coincide count as a little apart.
        const double least = 1e-6 * (c - b).norm();
        const auto knot = [&](const Vec3& p, const Vec3& q) {
            return std::sqrt(std::max((q - p).norm(), least));
        };
        const double t1 = knot(a, b), t2 = t1 + knot(b, c), t3 = t2 + knot(c, d);
        const auto blend = [](const Vec3& p, const Vec3& q, double from, double to, double t) {
            return Vec3(((to - t) * p + (t - from) * q) / (to - from));
        };
        for (int s = 1; s <= samples; ++s) {
            if (s == samples) {
                result.push_back(c);
                continue;
            }
            const double t = t1 + (t2 - t1) * s / samples;
            const Vec3 ab = blend(a, b, 0, t1, t), bc = blend(b, c, t1, t2, t),
                       cd = blend(c, d, t2, t3, t);
            result.push_back(blend(blend(ab, bc, 0, t2, t), blend(bc, cd, t1, t3, t), t1, t2, t));
        }
    }
    return result;
}

Field::Field(std::vector<FieldPiece> pieces) : pieces_(std::move(pieces)) {
    if (pieces_.empty()) throw InputError("a field needs a skeleton, but there is none");
    smallest_radius_ = infinity;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        try {
            check_piece(pieces_[i]);
        } catch (const InputError& error) {
            throw InputError(fmt::format("piece {}: {}", i, error.what()));
        }
        pieces_[i].function = completed(pieces_[i].function);
        functions_.emplace_back(pieces_[i].function);
        boxes_.push_back(grown(bounding_box(pieces_[i].points), functions_.back().influence));
        box_.include(boxes_.back());
        smallest_radius_ = std::min(smallest_radius_, pieces_[i].function.radius);
        steepest_ += functions_.back().steepest;
        end_slopes_.emplace_back();
        if (!is_convolution(pieces_[i])) continue;
        is_distance_ = false;
        for (int step = 0; step < end_slope_steps; ++step)
            end_slopes_.back().push_back(
                end_slope(functions_.back(), functions_.back().influence * step / end_slope_steps));
        // A kernel need not fall everywhere: what counts is the largest from there on.
        for (std::size_t step = end_slopes_.back().size() - 1; step > 0; --step)
            end_slopes_.back()[step - 1] =
                std::max(end_slopes_.back()[step - 1], end_slopes_.back()[step]);
    }
    for (const FieldPiece& piece : pieces_)
        for_each_part(piece, [&](std::span<const Vec3> part) {
            for (int i = 0; i <= peak_samples; ++i)
                for (int j = 0; j <= (part.size() == 3 ? peak_samples - i : 0); ++j) {
                    const double s = static_cast<double>(i) / peak_samples,
                                 t = static_cast<double>(j) / peak_samples;
                    Vec3 point = part[0];
                    if (part.size() > 1) point += s * (part[1] - part[0]);
                    if (part.size() > 2) point += t * (part[2] - part[0]);
                    peak_ = std::max(peak_, value(point));
                }
        });
    // Fields that fall slowly may add up to more between their skeletons than on them.
    constexpr std::size_t most_pairs = 40;
    for (std::size_t i = 0; i < std::min(pieces_.size(), most_pairs); ++i)
        for (std::size_t j = 0; j < i; ++j)
            peak_ = std::max(peak_, value(0.5 * (bounding_box(pieces_[i].points).center() +
                                                 bounding_box(pieces_[j].points).center())));
    if (!(peak_ > 1))
        throw InputError(fmt::format(
            "the field never reaches 1, at most {:.4g} on its skeleton, so there is no solid; "
            "expected a longer skeleton, or a larger stiffness or radius",
            peak_));
}

double Field::value(const Vec3& point) const {
    double sum = 0;
    for (std::size_t i = 0; i < pieces_.size(); ++i)
        if (boxes_[i].contains(point)) sum += value_of(pieces_[i], functions_[i], point);
    return sum;
}

FieldSample Field::at(const Vec3& point) const {
    FieldSample sum;
    for (std::size_t i = 0; i < pieces_.size(); ++i)
        if (boxes_[i].contains(point)) sum += sample_of(pieces_[i], functions_[i], point);
    return sum;
}

void Field::contributions(const Vec3& point, std::span<double> values) const {
    for (std::size_t i = 0; i < pieces_.size(); ++i)
        values[i] = value_of(pieces_[i], functions_[i], point);
}

// Distances are rounded down, and the slopes fall.
double Field::end_slope_bound(std::size_t piece, double nearest) const {
    const double R = functions_[piece].influence;
    if (nearest >= R) return 0;
    const double place = std::max(0.0, nearest) / R * end_slope_steps;
    return end_slopes_[piece][static_cast<std::size_t>(place)];
}

// Across a line the slope is at most that of all of it, along it what its ends add.
double Field::segment_slope(std::size_t piece, std::span<const Vec3> part, const Vec3& point,
                            double reach) const {
    const FieldPolynomial& function = functions_[piece];
    const double nearest = (point - closest_on_part(part, point)).norm() - reach;
    if (nearest >= function.influence) return 0;
    const Vec3 axis = (part[1] - part[0]).stableNormalized(), away = point - part[0];
    const double r = (away - away.dot(axis) * axis).norm();
    const double end = std::min(away.norm(), (point - part[1]).norm()) - reach;
    return function.steepest_between(r - reach, r + reach) + end_slope_bound(piece, end);
}

// The same for a face and its edges.
double Field::triangle_slope(std::size_t piece, std::span<const Vec3> part, const Vec3& point,
                             double reach) const {
    const FieldPolynomial& function = functions_[piece];
    const double nearest = (point - closest_on_part(part, point)).norm() - reach;
    if (nearest >= function.influence) return 0;
    const Vec3 normal = (part[1] - part[0]).cross(part[2] - part[0]).stableNormalized();
    const double r = std::abs((point - part[0]).dot(normal));
    double slope = function.steepest_between(r - reach, r + reach);
    for (int i = 0; i < 3; ++i) {
        const Vec3 on_edge = closest_on_segment(part[i], part[(i + 1) % 3], point);
        slope += end_slope_bound(piece, (point - on_edge).norm() - reach);
    }
    return slope;
}

double Field::clearance(const Vec3& point) const {
    double to_influence = infinity;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        // Distance to the box of the piece's influence, and no further when that decides.
        const Vec3 beyond = (boxes_[i].lower - point).cwiseMax(point - boxes_[i].upper).cwiseMax(0);
        const double to_box = beyond.norm();
        if (to_box >= to_influence) continue;
        const double distance = offset_from(pieces_[i], point).norm() - functions_[i].influence;
        to_influence = std::min(to_influence, std::max(to_box, distance));
    }
    // From there to the surface the field has to rise to 1.
    const double rise = is_distance_ ? (1 - value(point)) / steepest_ : 0;
    return std::max(0.0, to_influence) + std::max(0.0, rise);
}

double Field::steepest_around(const Vec3& point, double reach) const {
    double sum = 0;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const FieldPolynomial& function = functions_[i];
        if (!grown(boxes_[i], reach).contains(point)) continue;
        if (!is_convolution(pieces_[i])) {
            const double r = offset_from(pieces_[i], point).norm();
            sum += function.steepest_between(r - reach, r + reach);
            continue;
        }
        for_each_part(pieces_[i], [&](std::span<const Vec3> part) {
            sum += part.size() == 2 ? segment_slope(i, part, point, reach)
                                    : triangle_slope(i, part, point, reach);
        });
    }
    return sum;
}

Vec3 Field::approach(const Vec3& point) const {
    const Vec3 gradient = at(point).gradient;
    const double length = gradient.norm();
    if (length > 0) return gradient / length;
    double nearest = infinity;
    Vec3 away = Vec3::Zero();
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const Vec3 offset = offset_from(pieces_[i], point);
        const double distance = offset.norm() - functions_[i].influence;
        if (distance >= nearest) continue;
        nearest = distance;
        away = offset;
    }
    return -away.stableNormalized();
}

std::optional<Field::Foot> Field::foot(const Vec3& point, double reach) const {
    if (pieces_.size() == 1 && !is_convolution(pieces_[0])) {
        const Vec3 away = offset_from(pieces_[0], point);
        const double r = away.norm(), distance = r - functions_[0].radius;
        if (distance > reach) return std::nullopt;
        return Foot{point - distance / r * away, distance,
                    std::abs(functions_[0].slope(functions_[0].radius))};
    }
    const Vec3 way = approach(point);
    // Newton's method along the way, between a place known to be outside and one known to be
    // inside.
    double outside = 0, inside = infinity, s = 0;
    for (int step = 0; step < 60; ++step) {
        const FieldSample here = at(point + s * way);
        const double missing = 1 - here.value, slope = here.gradient.dot(way);
        if (missing > 0)
            outside = s;
        else
            inside = s;
        if (outside >= reach) return std::nullopt;
        double next = slope > 0 ? s + missing / slope : infinity;
        // Where no field reaches yet, on to where it begins; not too far at once.
        const double furthest = outside + 0.5 * smallest_radius_;
        if (!(next > outside) || !(next < inside) || next > furthest)
            next = inside < infinity ? 0.5 * (outside + inside) : furthest;
        if (std::abs(next - s) <= 1e-12 * smallest_radius_) break;
        s = next;
    }
    if (!(inside < infinity) && at(point + s * way).value < 1 - 1e-9) return std::nullopt;
    if (s > reach) return std::nullopt;
    const Vec3 at_foot = point + s * way;
    return Foot{at_foot, s, at(at_foot).gradient.norm()};
}

std::optional<Vec3> Field::project(const Vec3& point, double reach) const {
    Vec3 moved = point;
    for (int step = 0; step < 50; ++step) {
        const FieldSample here = at(moved);
        const double missing = 1 - here.value, squared = here.gradient.squaredNorm();
        if (!(squared > 0)) {
            // Outside all fields, or on a skeleton.
            if (here.value > 1) return std::nullopt;
            moved += 0.25 * reach * approach(moved);
        } else {
            Vec3 change = missing / squared * here.gradient;
            const double most = 0.5 * smallest_radius_, length = change.norm();
            if (length > most) change *= most / length;
            moved += change;
            if (length <= 1e-14 * smallest_radius_) return moved;
        }
        if (!((moved - point).norm() <= reach)) return std::nullopt;
    }
    return std::abs(value(moved) - 1) < 1e-9 ? std::optional<Vec3>(moved) : std::nullopt;
}

} // namespace knead
