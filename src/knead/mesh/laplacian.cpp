#include "knead/mesh/laplacian.hpp"

#include "knead/mesh/measures.hpp"

#include <algorithm>

namespace knead {
namespace {

// Cotangents of the three corners; all zero for a face without area.
Vec3 corner_cotangents(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double twice_area = area_vector(a, b, c).norm();
    if (!(twice_area > 0)) return Vec3::Zero();
    return Vec3((b - a).dot(c - a), (c - b).dot(a - b), (a - c).dot(b - c)) / twice_area;
}

bool same_structure(const SparseMatrix& a, const SparseMatrix& b) {
    return a.isCompressed() && a.rows() == b.rows() && a.cols() == b.cols() &&
           a.nonZeros() == b.nonZeros() &&
           std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.cols() + 1, b.outerIndexPtr()) &&
           std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr());
}

} // namespace

Vec3 voronoi_areas(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double area = 0.5 * area_vector(a, b, c).norm();
    const Vec3 cotangent = corner_cotangents(a, b, c);
    for (int i = 0; i < 3; ++i)
        if (cotangent[i] < 0) {
            Vec3 share = Vec3::Constant(0.25 * area);
            share[i] = 0.5 * area;
            return share;
        }
    const double ab = (b - a).squaredNorm(), bc = (c - b).squaredNorm(), ca = (a - c).squaredNorm();
    return Vec3(ab * cotangent[2] + ca * cotangent[1], ab * cotangent[2] + bc * cotangent[0],
                ca * cotangent[1] + bc * cotangent[0]) /
           8;
}

LaplacianPattern laplacian_pattern(const Topology& topology) {
    LaplacianPattern pattern;
    const int n = topology.vertex_count;
    // Column j of the lower triangle: the diagonal, then the edges from j to larger vertices, which
    // are consecutive in the sorted edge list.
    SparseMatrix& matrix = pattern.structure;
    matrix.resize(n, n);
    matrix.resizeNonZeros(n + topology.edge_count());
    int* columns = matrix.outerIndexPtr();
    int* rows = matrix.innerIndexPtr();
    std::fill_n(matrix.valuePtr(), n + topology.edge_count(), 0.0);
    pattern.diagonal.resize(static_cast<std::size_t>(n));
    std::vector<int> entry_of_edge(topology.edges.size());
    int entry = 0, edge = 0;
    for (int j = 0; j < n; ++j) {
        columns[j] = entry;
        pattern.diagonal[j] = entry;
        rows[entry++] = j;
        for (; edge < topology.edge_count() && topology.edges[edge][0] == j; ++edge) {
            entry_of_edge[edge] = entry;
            rows[entry++] = topology.edges[edge][1];
        }
    }
    columns[n] = entry;
    pattern.face_edges.reserve(topology.face_edges.size());
    for (const auto& sides : topology.face_edges)
        pattern.face_edges.push_back(
            {entry_of_edge[sides[0]], entry_of_edge[sides[1]], entry_of_edge[sides[2]]});
    return pattern;
}

void assemble_laplacian(const LaplacianPattern& pattern, std::span<const Vec3> positions,
                        std::span<const Triangle> faces, SparseMatrix& laplacian,
                        std::span<const double> conductivity) {
    if (!same_structure(laplacian, pattern.structure)) laplacian = pattern.structure;
    double* values = laplacian.valuePtr();
    std::fill_n(values, laplacian.nonZeros(), 0.0);
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const Triangle& face = faces[f];
        Vec3 cotangent =
            corner_cotangents(positions[face[0]], positions[face[1]], positions[face[2]]);
        if (!conductivity.empty()) cotangent *= conductivity[f];
        for (int i = 0; i < 3; ++i) {
            // The side from corner i to i + 1 lies opposite to corner i + 2.
            const double weight = 0.5 * cotangent[(i + 2) % 3];
            values[pattern.face_edges[f][i]] -= weight;
            values[pattern.diagonal[face[i]]] += weight;
            values[pattern.diagonal[face[(i + 1) % 3]]] += weight;
        }
    }
}

void assemble_mass(MassLumping lumping, std::span<const Vec3> positions,
                   std::span<const Triangle> faces, std::vector<double>& mass) {
    mass.assign(positions.size(), 0.0);
    for (const Triangle& face : faces) {
        const Vec3 &a = positions[face[0]], &b = positions[face[1]], &c = positions[face[2]];
        const Vec3 share = lumping == MassLumping::voronoi
                               ? voronoi_areas(a, b, c)
                               : Vec3(Vec3::Constant(area_vector(a, b, c).norm() / 6));
        for (int i = 0; i < 3; ++i) mass[face[i]] += share[i];
    }
}

} // namespace knead
