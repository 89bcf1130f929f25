#include "knead/spatial/closest_point.hpp"

#include "knead/spatial/predicates.hpp"
#include "knead/spatial/pseudonormal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace knead {
namespace {

// What the nearest point of a triangle and a bound on its distance have in common.
struct FaceFrame {
    Vec3 ab, ac, normal, to; ///< from a to the other corners and to the query
    double ab_squared, ac_squared, area;

    FaceFrame(const Vec3& query, const std::array<Vec3, 3>& corners)
        : ab(corners[1] - corners[0]),
          ac(corners[2] - corners[0]),
          normal(ab.cross(ac)),
          to(query - corners[0]),
          ab_squared(ab.squaredNorm()),
          ac_squared(ac.squaredNorm()),
          area(normal.squaredNorm()) {}
};

// The coordinates v, w of the foot of the query in the plane a + v (b - a) + w (c - a), or nothing
// for a triangle so thin that it is as good as its edges.
std::optional<Vec2> plane_coordinates(const FaceFrame& frame) {
    const double scale = frame.ab_squared * frame.ac_squared;
    if (!(frame.area > 1e-18 * scale)) return std::nullopt;
    const auto solve = [&](const Vec3& offset) {
        return Vec2(offset.cross(frame.ac).dot(frame.normal) / frame.area,
                    frame.ab.cross(offset).dot(frame.normal) / frame.area);
    };
    Vec2 foot = solve(frame.to);
    // Thin triangles lose digits; the residual brings them back.
    if (frame.area < 1e-6 * scale)
        for (int i = 0; i < 2; ++i)
            foot += solve(frame.to - foot[0] * frame.ab - foot[1] * frame.ac);
    return foot;
}

ClosestPoint closest_point_on(const Vec3& query, const std::array<Vec3, 3>& corners,
                              const FaceFrame& frame) {
    ClosestPoint closest;
    closest.point.face = 0;
    closest.element = 0;
    Vec3 weights = Vec3::Constant(-1);
    if (const auto foot = plane_coordinates(frame))
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

// How far four boxes at least are from a point, squared, in the scaled coordinates of a surface.
class BoxDistances {
public:
    BoxDistances(const WideBoxes& boxes, const Vec3& query) {
        const FlatBox box = flat_box(boxes, query);
        for (int i = 0; i < 3; ++i) {
            lower_[i] = four(box.lower[i]);
            upper_[i] = four(box.upper[i]);
        }
    }
    Float4 operator()(const FourBoxes& boxes) const {
        const Float4 x = along(boxes, 0), y = along(boxes, 1), z = along(boxes, 2);
        return x * x + y * y + z * z;
    }

private:
    Float4 along(const FourBoxes& boxes, int axis) const {
        return max4(max4(boxes.sides[axis] - upper_[axis], lower_[axis] - boxes.sides[axis + 3]),
                    four(0));
    }

    Float4 lower_[3], upper_[3];
};

// Of what is compared with `BoxDistances`: allows for rounding of boxes to single precision.
float limit_for_boxes(const WideBoxes& boxes, double squared_distance) {
    return static_cast<float>(
        std::min(squared_distance * boxes.scale * boxes.scale * (1 + 0x1p-20) + 1e-37, 3e38));
}

// A point that was found on a face as a triangle of its own.
ClosestPoint of_surface(ClosestPoint point, int face, const Surface& surface) {
    point.point.face = face;
    if (point.feature == Feature::face)
        point.element = face;
    else if (point.feature == Feature::edge)
        point.element = surface.topology().face_edges[face][point.element];
    else
        point.element = surface.faces()[face][point.element];
    return point;
}

// The search for the closest point: the best so far, and what can be ruled out by it.
class Closest {
public:
    Closest(const Surface& surface, const Vec3& query, double max_squared_distance)
        : surface_(surface), query_(query) {
        best.squared_distance = max_squared_distance;
        find_limits();
    }

    // Compared with `BoxDistances`.
    float box_limit() const { return box_limit_; }

    // Of faces at the same distance the first counts, in whatever order they are visited.
    void try_face(int face) {
        const std::array<Vec3, 3> corners = surface_.corners(face);
        const FaceFrame frame(query_, corners);
        if (clearly_further(corners, frame)) return;
        const ClosestPoint candidate = closest_point_on(query_, corners, frame);
        if (candidate.squared_distance > best.squared_distance ||
            (candidate.squared_distance == best.squared_distance && best.point.face >= 0 &&
             face >= best.point.face))
            return;
        best = candidate;
        best.point.face = face;
        find_limits();
    }

    ClosestPoint best;

private:
    // Both allow for rounding, this one of points worked out on faces.
    void find_limits() {
        const WideBoxes& boxes = surface_.boxes;
        const double squared = best.squared_distance;
        box_limit_ = limit_for_boxes(boxes, squared);
        face_limit_ = squared * (1 + 1e-6) + 1e6 * (boxes.rounding * boxes.rounding);
    }

    // From the distance to the plane and to the line of an edge that the query is beyond, without a
    // division. Rules out three of five faces that the boxes leave, for half of what it takes to
    // find the point; written out coordinate by coordinate it is no faster. Thin triangles lose too
    // many digits to tell.
    bool clearly_further(const std::array<Vec3, 3>& corners, const FaceFrame& frame) const {
        if (!(frame.area > 1e-4 * frame.ab_squared * frame.ac_squared)) return false;
        const double limit =
            face_limit_ + 1e-10 * (frame.to.squaredNorm() + frame.ab_squared + frame.ac_squared);
        const double height = frame.to.dot(frame.normal);
        const double left = limit * frame.area - height * height;
        if (left < 0) return true;
        const Vec3 across = frame.to.cross(frame.normal);
        const double v = -across.dot(frame.ac), w = across.dot(frame.ab), u = frame.area - v - w;
        return (v < 0 && v * v > left * frame.ac_squared) ||
               (w < 0 && w * w > left * frame.ab_squared) ||
               (u < 0 && u * u > left * (corners[2] - corners[1]).squaredNorm());
    }

    const Surface& surface_;
    const Vec3& query_;
    float box_limit_;
    double face_limit_;
};

} // namespace

ClosestPoint closest_point_on_triangle(const Vec3& query, const std::array<Vec3, 3>& corners) {
    return closest_point_on(query, corners, FaceFrame(query, corners));
}

std::optional<ClosestPoint> closest_point(const Surface& surface, const Vec3& query,
                                          const ClosestPointOptions& options) {
    const WideTree& tree = surface.tree();
    if (tree.empty() || !query.allFinite()) return std::nullopt;
    Closest closest(surface, query, options.max_squared_distance);
    if (options.first_face >= 0) closest.try_face(options.first_face);

    const BoxDistances distances(surface.boxes, query);
    WideStack stack;
    WideStack::Entry at{0, 0};
    while (!(closest.best.squared_distance < options.enough_squared_distance)) {
        if (!(at.key > closest.box_limit())) {
            if (at.child >= 0) {
                const Float4 squared = distances(surface.boxes.nodes[at.child]);
                const int near = ~bits_of(squared > four(closest.box_limit())) & 15;
                if (near != 0) {
                    at = stack.push_others(squared, tree.nodes[at.child], near);
                    continue;
                }
            } else if (~at.child != options.first_face && at.child != WideTree::none) {
                closest.try_face(~at.child);
            }
        }
        if (stack.empty()) break;
        at = stack.pop();
    }
    if (closest.best.point.face < 0) return std::nullopt;
    return of_surface(closest.best, closest.best.point.face, surface);
}

void find_near_faces(const Surface& surface, const Vec3& query, double distance,
                     std::vector<ClosestPoint>& found) {
    found.clear();
    const WideTree& tree = surface.tree();
    if (tree.empty() || !query.allFinite()) return;
    const double squared = distance * distance;
    const Float4 limit = four(limit_for_boxes(surface.boxes, squared));
    const BoxDistances distances(surface.boxes, query);
    WideStack stack;
    WideStack::Entry at{0, 0};
    while (true) {
        if (at.child >= 0) {
            const Float4 squares = distances(surface.boxes.nodes[at.child]);
            const int near = ~bits_of(squares > limit) & 15;
            if (near != 0) {
                at = stack.push_others(squares, tree.nodes[at.child], near);
                continue;
            }
        } else if (at.child != WideTree::none) {
            const int face = ~at.child;
            const ClosestPoint point = closest_point_on_triangle(query, surface.corners(face));
            if (!(point.squared_distance > squared))
                found.push_back(of_surface(point, face, surface));
        }
        if (stack.empty()) break;
        at = stack.pop();
    }
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

namespace {

// The side that all faces around a vertex or an edge agree on, or 0. Normals of any length will do
// for that, which spares nearly always what weighing them takes, ten times as much.
int agreed_side(const Surface& surface, std::span<const int> faces, const Vec3& way) {
    const double squared = way.squaredNorm();
    int side = 0;
    for (const int face : faces) {
        const auto [a, b, c] = surface.corners(face);
        const Vec3 ab = b - a, ac = c - a, normal = ab.cross(ac);
        const double product = way.dot(normal), area = normal.squaredNorm();
        // Neither nearly within the face nor of one without a direction.
        if (!(product * product > 1e-12 * squared * area) ||
            !(area > 1e-12 * ab.squaredNorm() * ac.squaredNorm()))
            return 0;
        const int here = product > 0 ? 1 : -1;
        if (side == -here) return 0;
        side = here;
    }
    return side;
}

} // namespace

int side_of(const Surface& surface, const Vec3& query, const ClosestPoint& nearest) {
    if (nearest.feature == Feature::face) {
        const auto [a, b, c] = surface.corners(nearest.element);
        return orient3d(a, b, c, query);
    }
    const bool on_edge = nearest.feature == Feature::edge;
    const Vec3 way = query - nearest.position;
    const std::span<const int> around = on_edge ? surface.topology().edge_faces[nearest.element]
                                                : surface.topology().vertex_faces[nearest.element];
    if (const int side = agreed_side(surface, around, way); side != 0) return side;
    const Vec3 normal = on_edge ? edge_pseudonormal(surface, nearest.element)
                                : vertex_pseudonormal(surface, nearest.element);
    const double product = way.dot(normal);
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
