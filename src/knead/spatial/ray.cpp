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
        inverse_ = line.direction.cwiseInverse();
        // Rounding moves vertices by a few units in the last place of their distance to the
        // origin; boxes must not be missed because of it.
        const Box box = surface.box();
        padding_ = 0x1p-48 * std::max((box.lower - line.origin).cwiseAbs().maxCoeff(),
                                      (box.upper - line.origin).cwiseAbs().maxCoeff());
    }

    // Where the line enters the box, or infinity if it does not within its bounds.
    double enter(const Box& box, double t_max) const {
        double enter = line_.t_min, leave = t_max;
        for (int i = 0; i < 3; ++i) {
            double t0 = (box.lower[i] - padding_ - line_.origin[i]) * inverse_[i];
            double t1 = (box.upper[i] + padding_ - line_.origin[i]) * inverse_[i];
            if (inverse_[i] < 0) std::swap(t0, t1);
            // In this order a product that is not a number, of a line within the side, is ignored.
            enter = std::max(enter, t0);
            leave = std::min(leave, t1);
        }
        return enter <= leave ? enter : std::numeric_limits<double>::infinity();
    }

    std::optional<Hit> meet(int face, double t_max) const {
        const Triangle& f = surface_.faces()[face];
        const Vec3 a = shear(f[0]), b = shear(f[1]), c = shear(f[2]);
        const Vec3 weights(c.x() * b.y() - c.y() * b.x(), a.x() * c.y() - a.y() * c.x(),
                           b.x() * a.y() - b.y() * a.x());
        const bool behind = (weights.array() <= 0).all(), before = (weights.array() >= 0).all();
        const double sum = weights.sum();
        if ((!behind && !before) || sum == 0) return std::nullopt;
        Hit hit;
        hit.point = {face, weights / sum};
        hit.t = hit.point.barycentric.dot(Vec3(a.z(), b.z(), c.z()));
        if (!(hit.t >= line_.t_min && hit.t <= t_max)) return std::nullopt;
        // The weights are positive for a face that turns clockwise around the sheared axis, which
        // points along the line where the direction's largest component is positive.
        hit.front = before == (line_.direction[z_] > 0);
        return hit;
    }

private:
    Vec3 shear(int vertex) const {
        const Vec3 p = surface_.positions[vertex] - line_.origin;
        return {p[x_] - shear_[0] * p[z_], p[y_] - shear_[1] * p[z_], shear_[2] * p[z_]};
    }

    const Surface& surface_;
    const Line& line_;
    int x_, y_, z_ = 0;
    Vec3 shear_, inverse_;
    double padding_;
};

} // namespace

std::optional<Hit> nearest_hit(const Surface& surface, const Line& line) {
    const BoxTree& tree = surface.tree();
    if (tree.empty() || !line.direction.allFinite() || line.direction.isZero(0))
        return std::nullopt;
    const ShearedLine sheared(surface, line);
    constexpr double missed = std::numeric_limits<double>::infinity();
    std::optional<Hit> best;
    double t_max = line.t_max;

    std::array<std::pair<double, int>, BoxTree::max_depth + 1> stack;
    int size = 0;
    if (const double t = sheared.enter(surface.boxes[0], t_max); t < missed) stack[size++] = {t, 0};
    while (size > 0) {
        const auto [enter, index] = stack[--size];
        if (enter > t_max) continue;
        const BoxTree::Node& node = tree.nodes[index];
        if (node.count > 0) {
            for (const int face : tree.items_of(node)) {
                const auto hit = sheared.meet(face, t_max);
                // Among faces that meet in the point hit, the first counts, in whatever order they
                // are visited.
                if (!hit || (best && hit->t == best->t && face > best->point.face)) continue;
                best = hit;
                t_max = hit->t;
            }
            continue;
        }
        std::pair<double, int> near{sheared.enter(surface.boxes[node.first], t_max), node.first};
        std::pair<double, int> far{sheared.enter(surface.boxes[node.first + 1], t_max),
                                   node.first + 1};
        if (far.first < near.first) std::swap(near, far);
        if (far.first < missed) stack[size++] = far;
        if (near.first < missed) stack[size++] = near;
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
