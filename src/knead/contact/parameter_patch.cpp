#include "knead/contact/parameter_patch.hpp"

#include "knead/contact/fades.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/solve/spd_solver.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Against the stretching of the part, which has no unit: values at the curve are met to a
// millionth of its size, and what is outside is held in shape without being felt inside.
constexpr double curve_penalty = 1e7, outside_weight = 1e-3, rest_weight = 1e-9;

// By what part two places may be at different distances and yet count as equally near.
constexpr double equally_near = 0.2;

// Where a crossing is on a face that its edge belongs to.
FacePoint on_face_of_edge(const Surface& surface, const EdgePoint& point, int face) {
    FacePoint result{face, Vec3::Zero()};
    const Edge& ends = surface.topology().edges[point.edge];
    for (int i = 0; i < 3; ++i) {
        if (surface.faces()[face][i] == ends[0]) result.barycentric[i] = 1 - point.t;
        if (surface.faces()[face][i] == ends[1]) result.barycentric[i] = point.t;
    }
    return result;
}

// How much of each edge is inside the other mesh.
std::vector<double> edges_inside(const Topology& topology, const CutSet& part,
                                 std::span<const Crossing> crossings) {
    std::vector<double> inside(topology.edges.size());
    for (int e = 0; e < topology.edge_count(); ++e)
        inside[e] = part.inside[topology.edges[e][0]] && part.inside[topology.edges[e][1]];
    for (std::size_t c = 0; c < crossings.size();) {
        const int edge = crossings[c].edge.edge;
        bool is_inside = part.inside[topology.edges[edge][0]];
        double length = 0, last = 0;
        for (; c < crossings.size() && crossings[c].edge.edge == edge; ++c) {
            if (is_inside) length += crossings[c].edge.t - last;
            last = crossings[c].edge.t;
            is_inside = !is_inside;
        }
        inside[edge] = length + (is_inside ? 1 - last : 0);
    }
    return inside;
}

// How much of each face is: by Gauss' theorem from the border of the part that is, about the face's
// first corner, from which two of its edges are seen edge-on.
std::vector<double> faces_inside(const std::array<PairSide, 2>& sides,
                                 const Intersection& intersection,
                                 std::span<const CurvePoint> curve, int side) {
    const Surface &surface = *sides[side].surface, &other = *sides[1 - side].surface;
    const std::vector<double> edges =
        edges_inside(surface.topology(), intersection.parts[side],
                     side == 0 ? intersection.crossings.of_a : intersection.crossings.of_b);
    std::vector<double> inside(surface.faces().size());
    for (std::size_t f = 0; f < inside.size(); ++f)
        inside[f] = edges[surface.topology().face_edges[f][1]];
    for (const CurvePoint& point : curve) {
        const std::array<Vec3, 3> p = surface.corners(point.on[side].face),
                                  q = other.corners(point.on[1 - side].face);
        const Vec3 mine = area_vector(p[0], p[1], p[2]);
        const double twice_area = mine.norm();
        if (!(twice_area > 0)) continue;
        // Out of the part, in the face's plane, is where the other mesh ends.
        const Vec3 normal = mine / twice_area, out = area_vector(q[0], q[1], q[2]);
        const Vec3 across = out - out.dot(normal) * normal;
        const double length = across.norm();
        if (length > 0)
            inside[point.on[side].face] +=
                point.length * (point.position - p[0]).dot(across / length) / twice_area;
    }
    for (double& part : inside) part = std::clamp(part, 0.0, 1.0);
    return inside;
}

} // namespace

std::vector<CurvePoint> intersection_curve(const std::array<PairSide, 2>& sides,
                                           const Crossings& crossings) {
    // Two faces that pass through each other do so along a piece between two crossings.
    struct End {
        std::array<int, 2> faces;
        Vec3 position;
        std::array<Vec3, 2> barycentric;
    };
    std::vector<End> ends;
    for (int s = 0; s < 2; ++s)
        for (const Crossing& crossing : s == 0 ? crossings.of_a : crossings.of_b)
            for (const int f : sides[s].surface->topology().edge_faces[crossing.edge.edge]) {
                End& end = ends.emplace_back();
                end.faces[s] = f;
                end.faces[1 - s] = crossing.face.face;
                end.position = crossing.position;
                end.barycentric[s] =
                    on_face_of_edge(*sides[s].surface, crossing.edge, f).barycentric;
                end.barycentric[1 - s] = crossing.face.barycentric;
            }
    std::stable_sort(ends.begin(), ends.end(),
                     [](const End& a, const End& b) { return a.faces < b.faces; });
    std::vector<CurvePoint> curve;
    const double gauss = 0.5 / std::sqrt(3.0);
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        const End &a = ends[i], &b = ends[i + 1];
        if (a.faces != b.faces) continue;
        ++i;
        for (const double t : {0.5 - gauss, 0.5 + gauss}) {
            CurvePoint& point = curve.emplace_back();
            point.position = (1 - t) * a.position + t * b.position;
            point.length = 0.5 * (b.position - a.position).norm();
            for (int s = 0; s < 2; ++s)
                point.on[s] = {a.faces[s], (1 - t) * a.barycentric[s] + t * b.barycentric[s]};
        }
    }
    return curve;
}

ParameterPatch parameter_patch(const std::array<PairSide, 2>& sides,
                               const Intersection& intersection, std::span<const CurvePoint> curve,
                               int side) {
    const Surface& surface = *sides[side].surface;
    const std::span<const Triangle> faces = surface.faces();
    ParameterPatch patch;
    patch.of_mesh_vertex.assign(surface.positions.size(), -1);
    const std::vector<double> inside = faces_inside(sides, intersection, curve, side);
    std::vector<char> reached(faces.size(), 0);
    std::vector<int> stack;
    const auto reach = [&](int face) {
        if (reached[face]) return;
        reached[face] = 1;
        stack.push_back(face);
    };
    for (const CurvePoint& point : curve) reach(point.on[side].face);
    while (!stack.empty()) {
        const int face = stack.back();
        stack.pop_back();
        for (const int v : faces[face])
            for (const int neighbour : surface.topology().vertex_faces[v])
                if (inside[neighbour] > 0) reach(neighbour);
    }
    for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
        if (!reached[f]) continue;
        patch.faces.push_back(f);
        patch.inside.push_back(inside[f]);
        for (const int v : faces[f]) {
            if (patch.of_mesh_vertex[v] >= 0) continue;
            patch.of_mesh_vertex[v] = static_cast<int>(patch.vertices.size());
            patch.vertices.push_back(v);
        }
    }
    return patch;
}

Eigen::MatrixXd harmonic_values(const ParameterPatch& patch, const Surface& surface,
                                std::span<const CurvePoint> curve, int side,
                                const Eigen::MatrixXd& values, const Eigen::MatrixXd& guide) {
    const Eigen::Index n = static_cast<Eigen::Index>(patch.vertices.size());
    Eigen::MatrixXd result = rest_weight * guide;
    std::vector<Eigen::Triplet<double>> entries;
    const auto add = [&](int i, int j, double value) {
        if (i >= j) entries.emplace_back(i, j, value);
    };
    for (int i = 0; i < n; ++i) add(i, i, rest_weight);
    for (std::size_t k = 0; k < patch.faces.size(); ++k) {
        const Triangle& face = surface.faces()[patch.faces[k]];
        const std::array<Vec3, 3> p = surface.corners(patch.faces[k]);
        const double twice_area = area_vector(p[0], p[1], p[2]).norm();
        double longest = 0;
        for (int i = 0; i < 3; ++i) longest = std::max(longest, (p[(i + 1) % 3] - p[i]).norm());
        // A needle has no gradients to speak of.
        if (!(twice_area > 1e-9 * longest * longest)) continue;
        for (int i = 0; i < 3; ++i) {
            const int a = patch.of_mesh_vertex[face[i]],
                      b = patch.of_mesh_vertex[face[(i + 1) % 3]];
            const Vec3 &apex = p[(i + 2) % 3], &from = p[i], &to = p[(i + 1) % 3];
            const double cotangent = (from - apex).dot(to - apex) / twice_area;
            const double w = 0.5 * (patch.inside[k] + outside_weight) * cotangent;
            add(a, a, w);
            add(b, b, w);
            add(std::max(a, b), std::min(a, b), -w);
            const Eigen::RowVectorXd pull =
                0.5 * outside_weight * cotangent * (guide.row(a) - guide.row(b));
            result.row(a) += pull;
            result.row(b) -= pull;
        }
    }
    double length = 0;
    for (const CurvePoint& point : curve) length += point.length;
    for (std::size_t k = 0; k < curve.size(); ++k) {
        const FacePoint& on = curve[k].on[side];
        const double w = curve_penalty * curve[k].length / length;
        for (int i = 0; i < 3; ++i) {
            const int a = patch.of_mesh_vertex[surface.faces()[on.face][i]];
            result.row(a) += w * on.barycentric[i] * values.row(static_cast<Eigen::Index>(k));
            for (int j = 0; j < 3; ++j)
                add(a, patch.of_mesh_vertex[surface.faces()[on.face][j]],
                    w * on.barycentric[i] * on.barycentric[j]);
        }
    }
    SparseMatrix matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    const auto solver = make_eigen_solver();
    solver->analyse(matrix);
    solver->factorise(matrix);
    solver->solve(result);
    return result;
}

ParameterInverse::ParameterInverse(const ParameterPatch& patch, std::span<const Triangle> faces,
                                   const Eigen::MatrixXd& parameters)
    : mesh_faces_(patch.faces) {
    for (Eigen::Index v = 0; v < parameters.rows(); ++v)
        positions_.push_back(parameters.row(v).transpose());
    std::vector<Triangle> triangles;
    for (const int f : patch.faces)
        triangles.push_back({patch.of_mesh_vertex[faces[f][0]], patch.of_mesh_vertex[faces[f][1]],
                             patch.of_mesh_vertex[faces[f][2]]});
    surface_ = make_surface(make_structure(positions_, triangles), positions_);
}

std::optional<FacePoint> ParameterInverse::operator()(const Vec3& parameters) const {
    const auto nearest = closest_point(surface_, parameters);
    if (!nearest) return std::nullopt;
    // Two patches have only their border in common. Between two places that are about equally near
    // the nearest one would jump: their mean does not, and is so near the patch that the next one
    // to it hardly does.
    const double squared = nearest->squared_distance;
    if (!(squared > 0))
        return FacePoint{mesh_faces_[nearest->point.face], nearest->point.barycentric};
    const Vec3 reach = Vec3::Constant((1 + equally_near) * std::sqrt(squared));
    Vec3 mean = Vec3::Zero();
    double sum = 0;
    visit_overlaps(surface_.tree(), surface_.boxes, Box{parameters - reach, parameters + reach},
                   [&](int face) {
                       const ClosestPoint at =
                           closest_point_on_triangle(parameters, surface_.corners(face));
                       const double farther = std::sqrt(at.squared_distance / squared) - 1;
                       const double weight = 1 - fades::equally_near(farther / equally_near);
                       sum += weight;
                       mean += weight * at.position;
                   });
    const auto between = closest_point(surface_, mean / sum);
    const FacePoint& found = between ? between->point : nearest->point;
    return FacePoint{mesh_faces_[found.face], found.barycentric};
}

} // namespace knead
