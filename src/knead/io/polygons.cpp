#include "knead/io/polygons.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

double cross(const Vec2& a, const Vec2& b) {
    return a.x() * b.y() - a.y() * b.x();
}

// Twice the signed area of a triangle.
double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
    return cross(b - a, c - a);
}

// The polygon in the plane of its mean normal (Newell's sum over the edges), counter-clockwise.
std::vector<Vec2> flattened(std::span<const int> polygon, std::span<const Vec3> positions) {
    const Vec3& origin = positions[polygon[0]];
    Vec3 normal = Vec3::Zero();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3 a = positions[polygon[i]] - origin;
        const Vec3 b = positions[polygon[(i + 1) % polygon.size()]] - origin;
        normal += a.cross(b);
    }
    const double length = normal.stableNorm();
    if (!(length > 0) || !std::isfinite(length)) return {};
    normal /= length;
    const Vec3 u = normal.unitOrthogonal(), v = normal.cross(u);
    std::vector<Vec2> points;
    points.reserve(polygon.size());
    for (const int corner : polygon) {
        const Vec3 offset = positions[corner] - origin;
        points.emplace_back(offset.dot(u), offset.dot(v));
    }
    return points;
}

// Whether a fan about the first corner covers the polygon without folds or slivers; true of
// strictly convex polygons and some others. Areas are twice too large, as in `turn`.
bool is_fan(const std::vector<Vec2>& points, double sliver) {
    for (std::size_t i = 2; i < points.size(); ++i)
        if (!(turn(points[0], points[i - 1], points[i]) > sliver)) return false;
    return true;
}

double area_of(const std::vector<Vec2>& points) {
    double area = 0;
    for (std::size_t i = 2; i < points.size(); ++i)
        area += turn(points[0], points[i - 1], points[i]);
    return area;
}

// Cuts a simple polygon by its ears. Whether a corner is an ear is remembered and looked at again
// when a neighbour goes; that makes the work quadratic whatever the shape.
class EarCutter {
public:
    EarCutter(const std::vector<Vec2>& points, double sliver)
        : points_(points),
          sliver_(sliver),
          next_(points.size()),
          previous_(points.size()),
          ear_(points.size()) {
        const int n = static_cast<int>(points.size());
        for (int i = 0; i < n; ++i) {
            next_[i] = (i + 1) % n;
            previous_[i] = (i + n - 1) % n;
        }
        for (int i = 0; i < n; ++i) ear_[i] = is_ear(i);
    }

    template <typename Emit>
    void cut(const Emit& emit) {
        int corner = 0, looks_left = 8;
        for (std::size_t left = points_.size(); left > 3; --left) {
            corner = next_ear(corner, left, looks_left);
            const int before = previous_[corner], after = next_[corner];
            emit(before, corner, after);
            next_[before] = after;
            previous_[after] = before;
            ear_[before] = is_ear(before);
            ear_[after] = is_ear(after);
            // Going on behind the cut spreads the ears and keeps triangles from becoming slivers.
            corner = next_[after];
        }
        emit(previous_[corner], corner, next_[corner]);
    }

private:
    int next_ear(int corner, std::size_t left, int& looks_left) {
        for (;;) {
            for (std::size_t i = 0; i < left; ++i, corner = next_[corner])
                if (ear_[corner]) return corner;
            // A corner that blocked an ear has gone, only slivers are left, or the outline crosses
            // itself and has no ear.
            if (looks_left-- <= 0) return corner;
            sliver_ = 0;
            bool found = false;
            for (std::size_t i = 0; i < left; ++i, corner = next_[corner]) {
                ear_[corner] = is_ear(corner);
                found = found || ear_[corner];
            }
            if (!found) looks_left = 0;
        }
    }

    bool is_ear(int corner) const {
        const int before = previous_[corner], after = next_[corner];
        const Vec2 &a = points_[before], &b = points_[corner], &c = points_[after];
        if (!(turn(a, b, c) > sliver_)) return false;
        for (int i = next_[after]; i != before; i = next_[i]) {
            const Vec2& p = points_[i];
            if (p == a || p == b || p == c) continue;
            if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
        }
        return true;
    }

    const std::vector<Vec2>& points_;
    double sliver_;
    std::vector<int> next_, previous_;
    std::vector<char> ear_;
};

} // namespace

std::optional<int> repeated_index(std::span<const int> polygon) {
    if (polygon.size() > 8) {
        std::vector<int> sorted(polygon.begin(), polygon.end());
        std::sort(sorted.begin(), sorted.end());
        const auto found = std::adjacent_find(sorted.begin(), sorted.end());
        return found == sorted.end() ? std::nullopt : std::optional(*found);
    }
    for (std::size_t i = 1; i < polygon.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (polygon[i] == polygon[j]) return polygon[i];
    return std::nullopt;
}

void check_polygons(const Polygons& polygons, std::size_t vertex_count, std::string_view where) {
    for (int p = 0; p < polygons.count(); ++p) {
        const std::span<const int> polygon = polygons[p];
        if (polygon.size() < 3)
            throw InputError(fmt::format("{}: face {} has {}, expected at least 3", where, p,
                                         counted(std::ssize(polygon), "corner", "corners")));
        for (const int corner : polygon)
            if (corner < 0 || static_cast<std::size_t>(corner) >= vertex_count)
                throw InputError(fmt::format("{}: face {} uses vertex {}, expected 0 to {}", where,
                                             p, corner, static_cast<long>(vertex_count) - 1));
        if (const std::optional<int> repeated = repeated_index(polygon))
            throw InputError(fmt::format("{}: face {} uses vertex {} twice", where, p, *repeated));
    }
}

std::vector<Triangle> triangulate(const Polygons& polygons, std::span<const Vec3> positions,
                                  std::string_view where) {
    std::vector<Triangle> faces;
    faces.reserve(polygons.corners.size() -
                  std::min<std::size_t>(polygons.corners.size(), 2 * polygons.count()));
    for (int p = 0; p < polygons.count(); ++p) {
        const std::span<const int> polygon = polygons[p];
        std::vector<Vec2> points;
        if (polygon.size() > 3) points = flattened(polygon, positions);
        const double sliver = 1e-6 * area_of(points);
        const bool too_large_to_cut = polygon.size() > max_concave_corners;
        if (is_fan(points, too_large_to_cut ? 0 : sliver)) {
            for (std::size_t i = 2; i < polygon.size(); ++i)
                faces.push_back({polygon[0], polygon[i - 1], polygon[i]});
            continue;
        }
        if (too_large_to_cut)
            throw InputError(fmt::format("{}: face {} is not convex and has {} corners, expected "
                                         "at most {}",
                                         where, p, polygon.size(), max_concave_corners));
        EarCutter(points, sliver).cut([&](int a, int b, int c) {
            faces.push_back({polygon[a], polygon[b], polygon[c]});
        });
    }
    return faces;
}

} // namespace knead
