#include "knead/dynamics/elastic_volume.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/dynamics/check_material.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Relative to the longest edge cubed.
constexpr double flattest_element = 1e-12;

Mat3 rotation_by_singular_values(const Mat3& f) {
    if (!f.allFinite()) return Mat3::Identity();
    const Eigen::JacobiSVD<Mat3> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 u = svd.matrixU();
    const Mat3& v = svd.matrixV();
    // Singular values come in falling order: turning the smallest over changes the least.
    if (u.determinant() * v.determinant() < 0) u.col(2) = -u.col(2);
    return u * v.transpose();
}

Mat3 edges_of(std::span<const Vec3> positions, const Tetrahedron& tet) {
    const Vec3& origin = positions[tet[0]];
    Mat3 edges;
    for (int i = 0; i < 3; ++i) edges.col(i) = positions[tet[i + 1]] - origin;
    return edges;
}

[[noreturn]] void refuse_element(const std::string& name, std::size_t element,
                                 const std::string& why) {
    throw InputError(fmt::format("body {}: element {} {}", single_quoted(name), element, why));
}

void check_corners(const TetMesh& rest, const std::string& name) {
    if (rest.tets.empty())
        throw InputError(
            fmt::format("body {} has no elements, expected at least one", single_quoted(name)));
    const int nodes = static_cast<int>(rest.positions.size());
    for (std::size_t t = 0; t < rest.tets.size(); ++t) {
        const Tetrahedron& tet = rest.tets[t];
        for (int i = 0; i < 4; ++i) {
            if (tet[i] < 0 || tet[i] >= nodes)
                refuse_element(name, t,
                               fmt::format("has node {}, but there are {}", tet[i],
                                           counted(nodes, "node", "nodes")));
            if (!rest.positions[tet[i]].allFinite())
                refuse_element(name, t,
                               fmt::format("has node {} at ({}, {}, {}), expected finite "
                                           "numbers",
                                           tet[i], rest.positions[tet[i]].x(),
                                           rest.positions[tet[i]].y(), rest.positions[tet[i]].z()));
            for (int j = 0; j < i; ++j)
                if (tet[i] == tet[j])
                    refuse_element(
                        name, t,
                        fmt::format("has node {} twice, expected four different ones", tet[i]));
        }
    }
}

// How much smaller an element is than it may be without resisting more than linearly; 0 mostly.
double crushing(const Mat3& f) {
    return std::max(0.0, ElasticVolume::crushed_below - f.determinant());
}

// First Piola-Kirchhoff stress.
Mat3 stress(const ElasticVolume& model, const Mat3& f, const Mat3& rotation) {
    const double spread = (rotation.transpose() * f).trace() - 3, crushed = crushing(f);
    Mat3 result = 2 * model.mu * (f - rotation) + model.lambda * spread * rotation;
    if (crushed > 0) result -= model.crush_stiffness() * crushed * cofactors(f);
    return result;
}

} // namespace

Mat3 cofactors(const Mat3& m) {
    Mat3 result;
    result.col(0) = m.col(1).cross(m.col(2));
    result.col(1) = m.col(2).cross(m.col(0));
    result.col(2) = m.col(0).cross(m.col(1));
    return result;
}

Mat3 deformation_gradient(const ElasticVolume& model, std::span<const Vec3> positions,
                          std::size_t element) {
    return edges_of(positions, model.tets[element]) * model.inverse_rest[element];
}

Mat3 nearest_rotation(const Mat3& f) {
    // Newton's iteration for the polar decomposition (N. J. Higham, "Computing the Polar
    // Decomposition - with Applications", SIAM J. Sci. Stat. Comput. 7(4), 1986), where it is
    // exact to rounding: neither flat nor inverted.
    const double size = f.squaredNorm() / 3;
    Mat3 adjugate = cofactors(f);
    double determinant = f.col(0).dot(adjugate.col(0));
    if (!(determinant > 0.02 * size * std::sqrt(size))) return rotation_by_singular_values(f);
    Mat3 r = f;
    // Scaled once so that the mean singular value is about one.
    double scale = 1 / std::cbrt(determinant);
    for (int iteration = 0; iteration < 20; ++iteration) {
        const Mat3 next = 0.5 * (scale * r + adjugate * (1 / (scale * determinant)));
        const double change = (next - r).squaredNorm();
        r = next;
        // Convergence is quadratic: what is left is the square of the last change.
        if (change < 1e-18 && iteration > 0) return r;
        adjugate = cofactors(r);
        determinant = r.col(0).dot(adjugate.col(0));
        scale = 1;
    }
    return r;
}

ElasticVolume make_elastic_volume(const TetMesh& rest, std::span<const double> fill,
                                  const BodyMaterial& material, const std::string& name) {
    check_material(material, name);
    check_corners(rest, name);
    if (!fill.empty() && fill.size() != rest.tets.size())
        throw InputError(fmt::format(
            "body {} says how full {} are, but has {}", single_quoted(name),
            counted(static_cast<long long>(fill.size()), "element", "elements"), rest.tets.size()));
    ElasticVolume model;
    model.tets = rest.tets;
    model.mu = material.young / (2 * (1 + material.poisson));
    model.lambda =
        material.young * material.poisson / ((1 + material.poisson) * (1 - 2 * material.poisson));
    model.inverse_rest.reserve(rest.tets.size());
    model.volumes.reserve(rest.tets.size());
    model.mass.assign(rest.positions.size(), 0);
    for (std::size_t t = 0; t < rest.tets.size(); ++t) {
        const Mat3 edges = edges_of(rest.positions, rest.tets[t]);
        const double volume = edges.determinant() / 6;
        double longest = 0;
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < i; ++j)
                longest = std::max(
                    longest,
                    (rest.positions[rest.tets[t][i]] - rest.positions[rest.tets[t][j]]).norm());
        const double least = flattest_element * longest * longest * longest;
        if (volume < -least)
            refuse_element(name, t,
                           fmt::format("is inverted: its volume is {:.6g}, expected a "
                                       "positive one",
                                       volume));
        if (!(volume > least))
            refuse_element(name, t,
                           fmt::format("is flat: its volume is {:.6g} with an edge of {:.6g}",
                                       volume, longest));
        const double part = fill.empty() ? 1 : fill[t];
        if (!(part > 0) || !std::isfinite(part))
            refuse_element(name, t,
                           fmt::format("is filled by {}, expected a positive number", part));
        model.inverse_rest.push_back(edges.inverse());
        model.volumes.push_back(part * volume);
        for (const int node : rest.tets[t])
            model.mass[node] += 0.25 * material.density * part * volume;
    }
    for (std::size_t node = 0; node < model.mass.size(); ++node)
        if (!(model.mass[node] > 0) || !std::isfinite(model.mass[node]))
            throw InputError(fmt::format("body {}: node {} has a mass of {}, expected it to belong "
                                         "to an element with a mass",
                                         single_quoted(name), node, model.mass[node]));
    return model;
}

double elastic_energy(const ElasticVolume& model, std::span<const Vec3> positions) {
    return parallel_sum(model.tets.size(), 0.0, [&](std::size_t t) {
        const Mat3 f = deformation_gradient(model, positions, t);
        const Mat3 rotation = nearest_rotation(f);
        const double spread = (rotation.transpose() * f).trace() - 3, crushed = crushing(f);
        return model.volumes[t] *
               (model.mu * (f - rotation).squaredNorm() + 0.5 * model.lambda * spread * spread +
                0.5 * model.crush_stiffness() * crushed * crushed);
    });
}

std::vector<std::array<int, 2>> couplings(const ElasticVolume& model) {
    std::vector<std::array<int, 2>> pairs;
    pairs.reserve(6 * model.tets.size());
    for (const Tetrahedron& tet : model.tets)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < i; ++j)
                pairs.push_back({std::min(tet[i], tet[j]), std::max(tet[i], tet[j])});
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

void find_places(ElasticVolume& model, const BlockMatrix& matrix, int first_row) {
    model.places.resize(model.tets.size());
    for (std::size_t t = 0; t < model.tets.size(); ++t)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                model.places[t][4 * i + j] =
                    find_block(matrix, first_row + model.tets[t][i], first_row + model.tets[t][j]);
}

void linearise(const ElasticVolume& model, std::span<const Vec3> positions, double factor,
               std::span<Vec3> forces, BlockMatrix& matrix) {
    for (std::size_t t = 0; t < model.tets.size(); ++t) {
        const Tetrahedron& tet = model.tets[t];
        const Mat3& inverse_rest = model.inverse_rest[t];
        const Mat3 f = deformation_gradient(model, positions, t);
        const Mat3 rotation = nearest_rotation(f);
        const Mat3 corner_forces =
            stress(model, f, rotation) * inverse_rest.transpose() * -model.volumes[t];
        forces[tet[0]] -= corner_forces.col(0) + corner_forces.col(1) + corner_forces.col(2);
        for (int i = 0; i < 3; ++i) forces[tet[i + 1]] += corner_forces.col(i);

        // K_ij = V (lambda g_i g_j^T + mu g_j g_i^T + mu g_i.g_j I), with the gradients of the
        // shape functions turned along.
        Eigen::Matrix<double, 3, 4> g;
        g.rightCols<3>().noalias() = rotation * inverse_rest.transpose();
        g.col(0) = -(g.col(1) + g.col(2) + g.col(3));
        const double scale = factor * model.volumes[t];
        const double lambda = scale * model.lambda, mu = scale * model.mu;
        const std::array<int, 16>& places = model.places[t];
        for (int i = 0; i < 4; ++i)
            for (int j = i; j < 4; ++j) {
                const Vec3 gi = g.col(i), gj = g.col(j);
                const double dot = mu * gi.dot(gj);
                Mat3 block;
                for (int c = 0; c < 3; ++c)
                    for (int r = 0; r < 3; ++r)
                        block(r, c) = lambda * gi[r] * gj[c] + mu * gj[r] * gi[c];
                block.diagonal().array() += dot;
                matrix.values[places[4 * i + j]] += block;
                if (j > i) matrix.values[places[4 * j + i]] += block.transpose();
            }
        if (crushing(f) > 0) {
            g.rightCols<3>().noalias() = cofactors(f) * inverse_rest.transpose();
            g.col(0) = -(g.col(1) + g.col(2) + g.col(3));
            const double crush = scale * model.crush_stiffness();
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    matrix.values[places[4 * i + j]] += crush * g.col(i) * g.col(j).transpose();
        }
    }
}

} // namespace knead
