#include "knead/spatial/closest_point.hpp"

#include "knead/spatial/predicates.hpp"
#include "knead/spatial/pseudonormal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace knead {
namespace {

double squared_distance(const Box& box, const Vec3& point) {
    return (box.lower - point).cwiseMax(point - box.upper).cwiseMax(0.0).squaredNorm();
}

// The coordinates v, w of the foot of `query` in the plane a + v (b - a) + w (c - a), or nothing
// for a triangle so thin that it is as good as its edges.
std::optional<Vec2> plane_coordinates(const Vec3& query, const std::array<Vec3, 3>& corners) {
    const auto& [a, b, c] = corners;
    const Vec3 ab = b - a, ac = c - a, normal = ab.cross(ac);
    const double squared = normal.squaredNorm(), scale = ab.squaredNorm() * ac.squaredNorm();
    if (!(squared > 1e-18 * scale)) return std::nullopt;
    const auto solve = [&](const Vec3& offset) {
        return Vec2(offset.cross(ac).dot(normal) / squared, ab.cross(offset).dot(normal) / squared);
    };
    Vec2 foot = solve(query - a);
    // Thin triangles lose digits; the residual brings them back.
    if (squared < 1e-6 * scale)
        for (int i = 0; i < 2; ++i) foot += solve((query - a) - foot[0] * ab - foot[1] * ac);
    return foot;
}

} // namespace

ClosestPoint closest_point_on_triangle(const Vec3& query, const std::array<Vec3, 3>& corners) {
    ClosestPoint closest;
    closest.point.face = 0;
    closest.element = 0;
    Vec3 weights = Vec3::Constant(-1);
    if (const auto foot = plane_coordinates(query, corners))
        weights = {1 - foot->sum(), foot->x(), foot->y()};
    if ((weights.array() > 0).all()) {
        closest.point.barycentric = weights;
        closest.position =
            weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2];
        closest.squared_distance = (query - closest.position).squaredNorm();
        return closest;
    }

    // From outside, the nearest point is on an edge that the foot is beyond.
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        if (weights[3 - i - j] > 0) continue;
        const Vec3 along = corners[j] - corners[i];
        const double length = along.squaredNorm();
        const double t =
            length > 0 ? std::clamp((query - corners[i]).dot(along) / length, 0.0, 1.0) : 0.0;
        const Vec3 position = t < 1 ? Vec3(corners[i] + t * along) : corners[j];
        const double distance = (query - position).squaredNorm();
        if (!(distance < closest.squared_distance)) continue;
        closest.squared_distance = distance;
        closest.position = position;
        closest.point.barycentric.setZero();
        closest.point.barycentric[i] = 1 - t;
        closest.point.barycentric[j] = t;
        closest.feature = t > 0 && t < 1 ? Feature::edge : Feature::vertex;
        closest.element = t < 1 ? i : j;
    }
    return closest;
}

std::optional<ClosestPoint> closest_point(const Surface& surface, const Vec3& query,
                                          const ClosestPointOptions& options) {
    ClosestPoint best;
    best.squared_distance = options.max_squared_distance;
    const auto try_face = [&](int face) {
        if (squared_distance(surface.face_box(face), query) > best.squared_distance) return;
        const ClosestPoint candidate = closest_point_on_triangle(query, surface.corners(face));
        if (candidate.squared_distance > best.squared_distance ||
            (candidate.squared_distance == best.squared_distance && best.point.face >= 0 &&
             face >= best.point.face))
            return;
        best = candidate;
        best.point.face = face;
    };
    const BoxTree& tree = surface.tree();
    if (tree.empty() || !query.allFinite()) return std::nullopt;
    if (options.first_face >= 0) try_face(options.first_face);

    std::array<std::pair<double, int>, BoxTree::max_depth + 1> stack;
    int size = 0;
    stack[size++] = {squared_distance(surface.boxes[0], query), 0};
    while (size > 0 && !(best.squared_distance < options.enough_squared_distance)) {
        const auto [distance, index] = stack[--size];
        if (distance > best.squared_distance) continue;
        const BoxTree::Node& node = tree.nodes[index];
        if (node.count > 0) {
            for (const int face : tree.items_of(node)) try_face(face);
            continue;
        }
        std::pair<double, int> near{squared_distance(surface.boxes[node.first], query), node.first};
        std::pair<double, int> far{squared_distance(surface.boxes[node.first + 1], query),
                                   node.first + 1};
        if (far.first < near.first) std::swap(near, far);
        if (far.first <= best.squared_distance) stack[size++] = far;
        if (near.first <= best.squared_distance) stack[size++] = near;
    }
    if (best.point.face < 0) return std::nullopt;

    const int face = best.point.face;
    if (best.feature == Feature::face)
        best.element = face;
    else if (best.feature == Feature::edge)
        best.element = surface.topology().face_edges[face][best.element];
    else
        best.element = surface.faces()[face][best.element];
    return best;
}

bool on_border(const Surface& surface, const ClosestPoint& point) {
    switch (point.feature) {
    case Feature::vertex:
        return surface.structure->on_border[point.element] != 0;
    case Feature::edge:
        return surface.topology().is_boundary_edge(point.element);
    case Feature::face:
        return false;
    }
    return false;
}

int side_of(const Surface& surface, const Vec3& query, const ClosestPoint& nearest) {
    if (nearest.feature == Feature::face) {
        const auto [a, b, c] = surface.corners(nearest.element);
        return orient3d(a, b, c, query);
    }
    const Vec3 normal = nearest.feature == Feature::edge
                            ? edge_pseudonormal(surface, nearest.element)
                            : vertex_pseudonormal(surface, nearest.element);
    const double product = (query - nearest.position).dot(normal);
    return product > 0 ? 1 : product < 0 ? -1 : 0;
}

double distance_between(const Surface& a, const Surface& b, double reach) {
    double squared = reach * reach;
    for (const auto& [surface, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
        const Box near = grown(other->box(), reach);
        ClosestPointOptions options;
        for (const Vec3& position : surface->positions) {
            if (!near.contains(position)) continue;
            options.max_squared_distance = squared;
            const auto nearest = closest_point(*other, position, options);
            if (!nearest) continue;
            squared = std::min(squared, nearest->squared_distance);
            options.first_face = nearest->point.face;
        }
    }
    return std::sqrt(squared);
}

} // namespace knead
