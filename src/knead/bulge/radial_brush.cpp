#include "knead/base/error.hpp"
#include "knead/base/sparse.hpp"
#include "knead/bulge/brush.hpp"
#include "knead/mesh/geodesic.hpp"
#include "knead/mesh/vertex_number.hpp"
#include "knead/solve/spd_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace knead {
namespace {

struct Tracer {
    const Surface& surface;
    std::span<const double> u;
    std::vector<Vec3> gradients; ///< of u, one a vertex

    Vec3 position(const FacePoint& point) const {
        return interpolate<Vec3>(point, surface.faces(), surface.positions);
    }
    double u_at(const FacePoint& point) const {
        return interpolate<double>(point, surface.faces(), u);
    }
    /// The face on the other side of side `side` of a face, and the same point in it.
    std::optional<FacePoint> across(const FacePoint& point, int side) const {
        const int edge = surface.topology().face_edges[point.face][side];
        const std::span<const int> faces = surface.topology().edge_faces[edge];
        if (faces.size() != 2) return std::nullopt;
        FacePoint next;
        next.face = faces[0] == point.face ? faces[1] : faces[0];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                if (surface.faces()[next.face][i] == surface.faces()[point.face][j])
                    next.barycentric[i] = point.barycentric[j];
        return next;
    }
    /// Goes straight on in the face until the first side, or no further than `length`. The side, or
    /// -1.
    int walk(FacePoint& point, const Vec3& direction, double length) const {
        const Triangle& face = surface.faces()[point.face];
        const Vec3 &a = surface.positions[face[0]], &b = surface.positions[face[1]],
                   &c = surface.positions[face[2]];
        const Vec3 normal = (b - a).cross(c - a);
        const double squared = normal.squaredNorm();
        if (!(squared > 0)) return -1;
        // How fast each barycentric coordinate grows.
        const Vec3 rate =
            Vec3(normal.cross(c - b).dot(direction), normal.cross(a - c).dot(direction),
                 normal.cross(b - a).dot(direction)) /
            squared;
        int side = -1;
        for (int i = 0; i < 3; ++i)
            if (rate[i] < 0 && -point.barycentric[i] / rate[i] < length) {
                length = std::max(0.0, -point.barycentric[i] / rate[i]);
                side = (i + 1) % 3; // opposite to corner i
            }
        point.barycentric += length * rate;
        if (side >= 0) point.barycentric[(side + 2) % 3] = 0;
        // Never into a corner, where it is not clear which face comes next.
        for (int i = 0; i < 3; ++i)
            if (side < 0 || i != (side + 2) % 3)
                point.barycentric[i] = std::max(point.barycentric[i], 1e-7);
        point.barycentric /= point.barycentric.sum();
        return side;
    }
};

struct LevelWay {
    FacePoint end;
    double length = 0;
    bool closed = false; ///< came back to where it began
};

// Along the line of the centre's u, left or right, for a length.
LevelWay trace_level(const Tracer& tracer, const FacePoint& center, bool left, double length) {
    const double level = tracer.u_at(center);
    LevelWay way{center};
    FacePoint& point = way.end;
    for (int steps = 0; steps < 4 * tracer.surface.topology().face_count(); ++steps) {
        const Triangle& face = tracer.surface.faces()[point.face];
        // The line passes two sides of the face, one with u growing along it and one with u
        // falling: those are left and right.
        int side = -1;
        for (int i = 0; i < 3; ++i) {
            const bool from_below = tracer.u[face[i]] < level;
            const bool to_below = tracer.u[face[(i + 1) % 3]] < level;
            if (from_below != to_below && from_below == left) side = i;
        }
        if (side < 0) return way;
        const int i = side, j = (side + 1) % 3;
        const double t = (level - tracer.u[face[i]]) / (tracer.u[face[j]] - tracer.u[face[i]]);
        FacePoint exit{point.face, Vec3::Zero()};
        exit.barycentric[i] = 1 - t;
        exit.barycentric[j] = t;
        const double step = (tracer.position(exit) - tracer.position(point)).norm();
        if (way.length + step >= length) {
            const double part = step > 0 ? (length - way.length) / step : 0;
            point.barycentric += part * (exit.barycentric - point.barycentric);
            way.length = length;
            return way;
        }
        way.length += step;
        const auto next = tracer.across(exit, side);
        if (!next) return way;
        point = *next;
        if (point.face == center.face) {
            way.length += (tracer.position(center) - tracer.position(point)).norm();
            way.closed = true;
            return way;
        }
    }
    return way;
}

// Marks the edges that the way along the gradient of u passes, from `start` out of the contact or
// into it: `passed` is where on the edge.
void trace_gradient(const Tracer& tracer, FacePoint point, double sign,
                    std::vector<double>& passed) {
    int last_edge = -1;
    for (int steps = 0; steps < 4 * tracer.surface.topology().face_count(); ++steps) {
        const double u = tracer.u_at(point);
        if (sign > 0 ? u >= 1 - 1e-9 : u <= 1e-9) return;
        const Triangle& face = tracer.surface.faces()[point.face];
        Vec3 direction = sign * interpolate<Vec3>(point, tracer.surface.faces(), tracer.gradients);
        const Vec3 normal =
            (tracer.surface.positions[face[1]] - tracer.surface.positions[face[0]])
                .cross(tracer.surface.positions[face[2]] - tracer.surface.positions[face[0]]);
        if (normal.squaredNorm() > 0)
            direction -= direction.dot(normal) / normal.squaredNorm() * normal;
        if (!(direction.norm() > 0)) return;
        direction.normalize();
        int side = tracer.walk(point, direction, std::numeric_limits<double>::infinity());
        if (side < 0) return;
        int edge = tracer.surface.topology().face_edges[point.face][side];
        if (edge == last_edge) {
            // The faces on both sides lead to this edge: along it, then.
            const Vec3 along = tracer.surface.positions[face[(side + 1) % 3]] -
                               tracer.surface.positions[face[side]];
            const int towards = direction.dot(along) > 0 ? (side + 1) % 3 : side;
            point.barycentric.setConstant(1e-7);
            point.barycentric[towards] = 1 - 2e-7;
            // Out of the face by the other side at that corner.
            side = towards == side ? (side + 2) % 3 : towards;
            edge = tracer.surface.topology().face_edges[point.face][side];
            point.barycentric[(side + 2) % 3] = 0;
            point.barycentric /= point.barycentric.sum();
        }
        const Edge& ends = tracer.surface.topology().edges[edge];
        passed[edge] =
            face[side] == ends[0] ? point.barycentric[(side + 1) % 3] : point.barycentric[side];
        last_edge = edge;
        const auto next = tracer.across(point, side);
        if (!next) return;
        point = *next;
    }
}

double cotangent_at(const Vec3& apex, const Vec3& a, const Vec3& b) {
    const Vec3 x = a - apex, y = b - apex;
    const double area = x.cross(y).norm();
    return area > 0 ? x.dot(y) / area : 0;
}

// nu at the vertices between the two ways, -1 elsewhere: harmonic, 0 and 1 where edges pass the
// ways, with natural conditions at the zone and at the end of the region.
std::vector<double> across_region(const Tracer& tracer, const FacePoint& center,
                                  const std::array<std::vector<double>, 2>& passed) {
    const Topology& topology = tracer.surface.topology();
    const std::span<const Vec3> positions = tracer.surface.positions;
    const auto in_region = [&](int v) { return tracer.u[v] > 0 && tracer.u[v] < 1; };
    const auto cut = [&](int edge) { return passed[0][edge] >= 0 || passed[1][edge] >= 0; };
    // From the faces about the centre on, over edges that do not pass a way.
    std::vector<int> unknown(positions.size(), -1), members;
    std::vector<int> stack;
    const auto visit = [&](int v) {
        if (unknown[v] >= 0 || !in_region(v)) return;
        unknown[v] = static_cast<int>(members.size());
        members.push_back(v);
        stack.push_back(v);
    };
    int nearest = -1;
    for (int i = 0; i < 3; ++i)
        if (in_region(tracer.surface.faces()[center.face][i]) &&
            (nearest < 0 || center.barycentric[i] > center.barycentric[nearest]))
            nearest = i;
    if (nearest >= 0) visit(tracer.surface.faces()[center.face][nearest]);
    while (!stack.empty()) {
        const int v = stack.back();
        stack.pop_back();
        for (const int neighbour : topology.vertex_vertices[v])
            if (!cut(topology.find_edge(v, neighbour))) visit(neighbour);
    }
    std::vector<double> nu(positions.size(), -1);
    if (members.empty()) return nu;

    std::vector<Eigen::Triplet<double>> entries;
    const Eigen::Index n = static_cast<Eigen::Index>(members.size());
    Eigen::VectorXd values = Eigen::VectorXd::Zero(n);
    double total = 0;
    for (int e = 0; e < topology.edge_count(); ++e) {
        const auto [a, b] = topology.edges[e];
        if (unknown[a] < 0 && unknown[b] < 0) continue;
        double weight = 0;
        for (const int f : topology.edge_faces[e])
            for (const int c : tracer.surface.faces()[f])
                if (c != a && c != b)
                    weight += 0.5 * cotangent_at(positions[c], positions[a], positions[b]);
        // Obtuse pairs must not make nu leave 0 to 1.
        weight = std::max(weight, 1e-3);
        if (cut(e)) {
            // The way is nearer than the other end: as much stronger is the pull of its value.
            for (int end = 0; end < 2; ++end) {
                const int v = end == 0 ? a : b;
                if (unknown[v] < 0) continue;
                const int way = passed[0][e] >= 0 ? 0 : 1;
                const double t = end == 0 ? passed[way][e] : 1 - passed[way][e];
                const double pull = weight / std::max(t, 1e-3);
                entries.emplace_back(unknown[v], unknown[v], pull);
                values[unknown[v]] += pull * way;
                total += pull;
            }
        } else if (unknown[a] >= 0 && unknown[b] >= 0) {
            entries.emplace_back(unknown[a], unknown[a], weight);
            entries.emplace_back(unknown[b], unknown[b], weight);
            entries.emplace_back(std::max(unknown[a], unknown[b]), std::min(unknown[a], unknown[b]),
                                 -weight);
        }
    }
    if (!(total > 0)) return nu;
    SparseMatrix matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    const auto solver = make_eigen_solver();
    solver->analyse(matrix);
    solver->factorise(matrix);
    solver->solve(values);
    for (Eigen::Index i = 0; i < n; ++i) nu[members[i]] = std::clamp(values[i], 0.0, 1.0);
    return nu;
}

} // namespace

BrushWeights radial_brush(const Surface& surface, std::span<const double> u,
                          const FacePoint& center, double radius) {
    check_face_point(surface.faces(), center, "brush");
    if (u.size() != surface.positions.size())
        throw InputError(
            fmt::format("brush: u has {} values, expected {}", u.size(), surface.positions.size()));
    if (!(radius > 0 && std::isfinite(radius)))
        throw InputError(fmt::format("brush: the radius is {}, expected more than 0", radius));
    const Tracer tracer{surface, u, vertex_gradients(u, surface.positions, surface.faces())};
    const double level = tracer.u_at(center);
    if (!(level > 0 && level < 1))
        throw InputError(fmt::format("brush: u is {} at the centre, expected a place between the "
                                     "contact zone, 0, and the end of its deformation, 1",
                                     level));
    // Ways nearer than a face have no vertex between them, and once around they would meet.
    const std::array<Vec3, 3> corners = surface.corners(center.face);
    for (int i = 0; i < 3; ++i)
        radius = std::max(radius, 1.01 * (corners[i] - corners[(i + 1) % 3]).norm());
    const LevelWay around = trace_level(tracer, center, true, 2 * radius);
    if (around.closed) radius = std::min(radius, 0.49 * around.length);
    std::array<std::vector<double>, 2> passed;
    for (int side = 0; side < 2; ++side) {
        passed[side].assign(surface.topology().edges.size(), -1);
        const FacePoint end = trace_level(tracer, center, side == 0, radius).end;
        trace_gradient(tracer, end, 1, passed[side]);
        trace_gradient(tracer, end, -1, passed[side]);
    }
    const std::vector<double> nu = across_region(tracer, center, passed);
    BrushWeights weights(nu.size(), 0);
    for (std::size_t v = 0; v < nu.size(); ++v)
        if (nu[v] >= 0) weights[v] = std::pow(1 - std::pow(2 * nu[v] - 1, 2), 2);
    return weights;
}

} // namespace knead
