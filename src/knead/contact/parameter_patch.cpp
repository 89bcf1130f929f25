#include "knead/contact/parameter_patch.hpp"

#include "knead/mesh/measures.hpp"
#include "knead/solve/spd_solver.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Against the stretching of the part, which has no unit: values at the curve are met to a
// thousandth of an edge, and what is outside is held in shape without being felt inside.
constexpr double curve_penalty = 1e3, outside_weight = 1e-3, rest_weight = 1e-9;

Vec3 barycentric_of(const CutCorner& corner, const Triangle& face) {
    Vec3 result = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
        if (face[i] == corner.a) result[i] += 1 - corner.t;
        if (face[i] == corner.b) result[i] += corner.t;
    }
    return result;
}

double part_inside(const CutFace& cut, const Triangle& face) {
    if (cut.count < 3) return 0;
    // Barycentric coordinates are affine, so areas in them are parts of the face.
    std::array<Vec3, 4> b;
    for (int i = 0; i < cut.count; ++i) b[i] = barycentric_of(cut.corners[i], face);
    double area = 0;
    for (int i = 2; i < cut.count; ++i)
        area += (b[i - 1][1] - b[0][1]) * (b[i][2] - b[0][2]) -
                (b[i][1] - b[0][1]) * (b[i - 1][2] - b[0][2]);
    return std::clamp(area, 0.0, 1.0);
}

Vec3 to_vec3(const Eigen::RowVectorXd& row) {
    return {row[0], row[1], row.size() > 2 ? row[2] : 0.0};
}

} // namespace

std::vector<CurvePoint> intersection_curve(const std::array<PairSide, 2>& sides,
                                           const Intersection& intersection) {
    std::vector<CurvePoint> curve;
    const double gauss = 0.5 / std::sqrt(3.0);
    for (int s = 0; s < 2; ++s) {
        const Surface& surface = *sides[s].surface;
        for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
            const CutFace cut =
                cut_face(intersection.parts[s], f, surface.faces(), surface.topology());
            for (int i = 0; i < cut.count; ++i) {
                const CutCorner &from = cut.corners[i], &to = cut.corners[(i + 1) % cut.count];
                if (from.edge < 0 || to.edge < 0) continue;
                const Vec3 a = from.of<Vec3>(surface.positions),
                           b = to.of<Vec3>(surface.positions);
                const Vec3 at_a = barycentric_of(from, surface.faces()[f]),
                           at_b = barycentric_of(to, surface.faces()[f]);
                for (const double t : {0.5 - gauss, 0.5 + gauss}) {
                    CurvePoint point;
                    point.position = (1 - t) * a + t * b;
                    point.length = 0.5 * (b - a).norm();
                    point.on[s] = {f, (1 - t) * at_a + t * at_b};
                    const auto nearest = closest_point(*sides[1 - s].surface, point.position);
                    if (!nearest || !(point.length > 0)) continue;
                    point.on[1 - s] = nearest->point;
                    curve.push_back(point);
                }
            }
        }
    }
    return curve;
}

ParameterPatch parameter_patch(const Surface& surface, const CutSet& part,
                               std::span<const CurvePoint> curve, int side) {
    const std::span<const Triangle> faces = surface.faces();
    ParameterPatch patch;
    patch.of_mesh_vertex.assign(surface.positions.size(), -1);
    std::vector<double> inside(faces.size());
    for (int f = 0; f < static_cast<int>(faces.size()); ++f)
        inside[f] = part_inside(cut_face(part, f, faces, surface.topology()), faces[f]);
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
            const int a = patch.of_mesh_vertex[face[i]], b = patch.of_mesh_vertex[face[(i + 1) % 3]];
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
    const double edge = mean_edge_length(surface.positions, surface.topology());
    for (std::size_t k = 0; k < curve.size(); ++k) {
        const FacePoint& on = curve[k].on[side];
        const double w = curve_penalty * curve[k].length / edge;
        for (int i = 0; i < 3; ++i) {
            const int a = patch.of_mesh_vertex[surface.faces()[on.face][i]];
            result.row(a) +=
                w * on.barycentric[i] * values.row(static_cast<Eigen::Index>(k));
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
        positions_.push_back(to_vec3(parameters.row(v)));
    std::vector<Triangle> triangles;
    for (const int f : patch.faces)
        triangles.push_back({patch.of_mesh_vertex[faces[f][0]], patch.of_mesh_vertex[faces[f][1]],
                             patch.of_mesh_vertex[faces[f][2]]});
    surface_ = make_surface(make_structure(positions_, triangles), positions_);
}

std::optional<FacePoint> ParameterInverse::operator()(const Eigen::RowVectorXd& parameters) const {
    const auto nearest = closest_point(surface_, to_vec3(parameters));
    if (!nearest) return std::nullopt;
    return FacePoint{mesh_faces_[nearest->point.face], nearest->point.barycentric};
}

} // namespace knead
