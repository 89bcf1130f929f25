#include "knead/spatial/ray.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace knead {
namespace {

// Space sheared so that the line is the last axis: each vertex is moved alike for all faces around
// it, and signs of products in the plane are never wrong (equal products at worst), hence no gaps.
class ShearedLine {
public:
    ShearedLine(const Surface& surface, const Line& line) : surface_(surface), line_(line) {
        line.direction.cwiseAbs().maxCoeff(&z_);
        x_ = (z_ + 1) % 3;
        y_ = (z_ + 2) % 3;
        shear_ = Vec3(line.direction[x_], line.direction[y_], 1) / line.direction[z_];
    }

    // Replaces the best hit so far if the line meets the face before it. Of faces that meet in the
    // point hit, the first counts, in whatever order they are visited.
    bool meet(int face, double t_max, std::optional<Hit>& best) const {
        const Triangle& f = surface_.faces()[face];
        const Vec3 a = shear(f[0]), b = shear(f[1]), c = shear(f[2]);
        const Vec3 weights(c.x() * b.y() - c.y() * b.x(), a.x() * c.y() - a.y() * c.x(),
                           b.x() * a.y() - b.y() * a.x());
        const bool behind = weights[0] <= 0 && weights[1] <= 0 && weights[2] <= 0;
        const bool before = weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0;
        if (!behind && !before) return false;
        const double sum = weights.sum();
        if (sum == 0) return false;
        const Vec3 shares = weights / sum;
        const double t = shares.dot(Vec3(a.z(), b.z(), c.z()));
        if (!(t >= line_.t_min && t <= t_max)) return false;
        if (best && t == best->t && face > best->point.face) return false;
        best.emplace();
        best->point = {face, shares};
        best->t = t;
        // The weights are positive for a face that turns clockwise around the sheared axis, which
        // points along the line where the direction's largest component is positive.
        best->front = before == (line_.direction[z_] > 0);
        return true;
    }

private:
    Vec3 shear(int vertex) const {
        const Vec3 p = surface_.positions[vertex] - line_.origin;
        return {p[x_] - shear_[0] * p[z_], p[y_] - shear_[1] * p[z_], shear_[2] * p[z_]};
    }

    const Surface& surface_;
    const Line& line_;
    int x_, y_, z_ = 0;
    Vec3 shear_;
};

// The part of the line that is within the box of the surface, in its scaled coordinates, where
// single precision will do: boxes are widened by what the whole line may be off by. Places along it
// go from 0 to 1.
class LineInBoxes {
public:
    LineInBoxes(const Surface& surface, const Line& line) {
        const WideBoxes& boxes = surface.boxes;
        const Vec3 origin = boxes.scaled(line.origin), direction = line.direction * boxes.scale;
        const Vec3 lower = boxes.scaled(surface.box().lower),
                   upper = boxes.scaled(surface.box().upper);
        // Sixty times half a unit in the last place of the box; and a few of the way from the
        // origin, which is where vertices are sheared.
        const double padding =
            0x1p-18 + boxes.margin + 0x1p-47 * (1 + origin.cwiseAbs().maxCoeff());
        t_in_ = line.t_min;
        t_out_ = line.t_max;
        for (int i = 0; i < 3; ++i) {
            const double inverse = 1 / direction[i];
            double t0 = (lower[i] - padding - origin[i]) * inverse;
            double t1 = (upper[i] + padding - origin[i]) * inverse;
            if (inverse < 0) std::swap(t0, t1);
            // In this order a product that is not a number, of a line within the side, is ignored.
            t_in_ = std::max(t_in_, t0);
            t_out_ = std::min(t_out_, t1);
        }
        misses_ = t_in_ > t_out_;
        if (misses_) return;
        inverse_length_ = t_out_ > t_in_ ? 1 / (t_out_ - t_in_) : 0;
        rounding_ = 0x1p-48 * std::max(std::abs(t_in_), std::abs(t_out_));
        for (int i = 0; i < 3; ++i) {
            const double start = origin[i] + t_in_ * direction[i];
            const auto way = static_cast<float>((t_out_ - t_in_) * direction[i]);
            // Not zero, so that there are no products that are not numbers.
            const float slope = std::abs(way) < 1e-20F ? std::copysign(1e-20F, way) : way;
            const bool upwards = slope > 0;
            near_[i] = upwards ? i : i + 3;
            far_[i] = upwards ? i + 3 : i;
            near_start_[i] = four(static_cast<float>(upwards ? start + padding : start - padding));
            far_start_[i] = four(static_cast<float>(upwards ? start - padding : start + padding));
            inverse_[i] = four(1 / slope);
        }
    }

    bool misses() const { return misses_; }

    // What is beyond `t` is beyond this place.
    float place_of(double t) const {
        return static_cast<float>(std::min((t - t_in_ + rounding_) * inverse_length_, 1.0)) +
               0x1p-18F;
    }

    // Where the line enters each of the boxes, and which of them it meets before `end`, as a mask.
    // What is not a number is met.
    int meet(const FourBoxes& boxes, float end, Float4& enter) const {
        const auto near = [&](int i) {
            return (boxes.sides[near_[i]] - near_start_[i]) * inverse_[i];
        };
        const auto far = [&](int i) {
            return (boxes.sides[far_[i]] - far_start_[i]) * inverse_[i];
        };
        enter = max4(near(2), max4(near(1), max4(near(0), four(0))));
        const Float4 leave = min4(far(2), min4(far(1), min4(far(0), four(end))));
        return ~bits_of(enter > leave) & 15;
    }

private:
    double t_in_, t_out_, inverse_length_ = 0, rounding_ = 0;
    bool misses_;
    int near_[3], far_[3];
    Float4 near_start_[3], far_start_[3], inverse_[3];
};

} // namespace

std::optional<Hit> nearest_hit(const Surface& surface, const Line& line) {
    const WideTree& tree = surface.tree();
    if (tree.empty() || !line.direction.allFinite() || line.direction.isZero(0))
        return std::nullopt;
    const LineInBoxes in_boxes(surface, line);
    if (in_boxes.misses()) return std::nullopt;
    const ShearedLine sheared(surface, line);
    std::optional<Hit> best;
    double t_max = line.t_max;
    float end = in_boxes.place_of(t_max);

    WideStack stack;
    WideStack::Entry at{0, 0};
    for (;;) {
        if (!(at.key > end)) {
            if (at.child >= 0) {
                Float4 enters;
                const int met = in_boxes.meet(surface.boxes.nodes[at.child], end, enters);
                if (met != 0) {
                    at = stack.push_others(enters, tree.nodes[at.child], met);
                    continue;
                }
            } else if (at.child != WideTree::none && sheared.meet(~at.child, t_max, best)) {
                t_max = best->t;
                end = in_boxes.place_of(t_max);
            }
        }
        if (stack.empty()) break;
        at = stack.pop();
    }
    if (best) best->position = interpolate<Vec3>(best->point, surface.faces(), surface.positions);
    return best;
}

std::optional<Hit> farthest_hit(const Surface& surface, const Line& line) {
    std::optional<Hit> hit =
        nearest_hit(surface, {line.origin, -line.direction, -line.t_max, -line.t_min});
    if (hit) {
        hit->t = -hit->t;
        hit->front = !hit->front;
    }
    return hit;
}

} // namespace knead
