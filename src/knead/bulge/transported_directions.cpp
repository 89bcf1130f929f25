#include "knead/bulge/transported_directions.hpp"

#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace knead {
namespace {

// Two tangents that make a right-handed frame with the normal; which ones does not matter.
std::array<Vec3, 2> frame_of(const Vec3& normal) {
    const Vec3 axis = std::abs(normal.x()) < 0.6 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitY());
    const Vec3 first = normal.cross(axis).normalized();
    return {first, normal.cross(first)};
}

// Two unknowns a vertex, coupled by whole blocks along edges.
SparseMatrix transport_structure(const Topology& topology) {
    std::vector<Eigen::Triplet<double>> entries;
    const auto block = [&](int row, int column) {
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                if (2 * row + i >= 2 * column + j)
                    entries.emplace_back(2 * row + i, 2 * column + j, 0.0);
    };
    for (int v = 0; v < topology.vertex_count; ++v) block(v, v);
    for (const Edge& ends : topology.edges)
        block(std::max(ends[0], ends[1]), std::min(ends[0], ends[1]));
    SparseMatrix structure(2 * topology.vertex_count, 2 * topology.vertex_count);
    structure.setFromTriplets(entries.begin(), entries.end());
    return structure;
}

// How strongly vertices are coupled to border points, by all pieces together.
std::vector<CutLaplacian::Coupling> summed(std::vector<CutLaplacian::Coupling> pieces) {
    std::stable_sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) {
        return std::pair(a.vertex, a.point) < std::pair(b.vertex, b.point);
    });
    std::vector<CutLaplacian::Coupling> sums;
    for (const CutLaplacian::Coupling& piece : pieces)
        if (!sums.empty() && sums.back().vertex == piece.vertex && sums.back().point == piece.point)
            sums.back().weight += piece.weight;
        else
            sums.push_back(piece);
    return sums;
}

} // namespace

Vec3 tilt_of(const Vec3& outward, const Vec3& normal) {
    const Vec3 tangent = outward - outward.dot(normal) * normal;
    const double sine = tangent.norm();
    if (!(sine > 0)) return Vec3::Zero();
    return std::atan2(sine, outward.dot(normal)) / sine * tangent;
}

Vec3 tilted(const Vec3& normal, const Vec3& tilt) {
    const double angle = tilt.norm();
    if (!(angle > 0)) return normal;
    return (std::cos(angle) * normal + std::sin(angle) / angle * tilt).normalized();
}

Vec3 carried(const Vec3& tangent, const Vec3& from, const Vec3& to) {
    // Opposite normals have no smallest turn between them.
    const double sum = std::max(1 + from.dot(to), 1e-6);
    return tangent - to.dot(tangent) / sum * (from + to);
}

std::vector<Vec3> transported_tilts(const CutRegion& region, const ContactZone& zone,
                                    std::span<const Vec3> normals, const Topology& topology,
                                    BulgeWorkspace& workspace) {
    SparseMatrix& matrix = workspace.transport_matrix;
    if (!workspace.transport) {
        matrix = transport_structure(topology);
        std::vector<int> order;
        for (const int v : workspace.order) order.insert(order.end(), {2 * v, 2 * v + 1});
        workspace.transport = make_supernodal_solver(plan_elimination(matrix, order));
    }
    std::fill_n(matrix.valuePtr(), matrix.nonZeros(), 0.0);
    const Eigen::Index n = static_cast<Eigen::Index>(normals.size());
    std::vector<std::array<Vec3, 2>> frames;
    for (const Vec3& normal : normals) frames.push_back(frame_of(normal));
    std::vector<Vec3> at_border;
    for (const ZoneBorderPoint& point : zone.border)
        at_border.push_back(tilt_of(point.outward, point.normal));

    // Next to curved ground negative weights could make the field grow without bound. It is the sum
    // of all pieces between two points that must not be negative: single pieces change with the
    // diagonals of quads, sums do not.
    Eigen::MatrixXd tilts = Eigen::MatrixXd::Zero(2 * n, 1);
    const auto hold = [&](int vertex, double weight) {
        for (int i = 0; i < 2; ++i) matrix.coeffRef(2 * vertex + i, 2 * vertex + i) += weight;
    };
    for (const CutLaplacian::Coupling& border : summed(workspace.laplacian.couplings)) {
        const double w = std::max(border.weight, 0.0);
        const Vec3 tilt = carried(at_border[border.point], zone.border[border.point].normal,
                                  normals[border.vertex]);
        hold(border.vertex, w);
        for (int i = 0; i < 2; ++i)
            tilts(2 * border.vertex + i, 0) += w * frames[border.vertex][i].dot(tilt);
    }
    for (int column = 0; column < n; ++column)
        for (SparseMatrix::InnerIterator entry(workspace.laplacian.matrix, column); entry;
             ++entry) {
            const int row = static_cast<int>(entry.row());
            const double w = std::max(-entry.value(), 0.0);
            if (row == column || w == 0) continue;
            hold(row, w);
            hold(column, w);
            for (int j = 0; j < 2; ++j) {
                const Vec3 there = carried(frames[column][j], normals[column], normals[row]);
                for (int i = 0; i < 2; ++i)
                    matrix.coeffRef(2 * row + i, 2 * column + j) -= w * frames[row][i].dot(there);
            }
        }
    for (int v = 0; v < n; ++v)
        for (int i = 0; i < 2; ++i)
            // The rest keeps what no weight reaches, at a cone's tip of needles, from being
            // singular.
            matrix.coeffRef(2 * v + i, 2 * v + i) += region.unknown[v] ? 1e-12 : 1;
    workspace.transport->factorise(matrix);
    workspace.transport->solve(tilts);
    std::vector<Vec3> result;
    for (Eigen::Index v = 0; v < n; ++v)
        result.push_back(tilts(2 * v, 0) * frames[v][0] + tilts(2 * v + 1, 0) * frames[v][1]);
    return result;
}

Vec3 direction_change(const ZoneBorderPoint& point, const Vec3& outward, double extent,
                      std::span<const Vec3> positions, std::span<const Vec3> normals,
                      std::span<const Triangle> faces, const Topology& topology) {
    Vec3 turn = Vec3::Zero();
    const std::span<const int> around = topology.edge_faces[point.on_edge.edge];
    for (const int f : around) {
        const Triangle& face = faces[f];
        const Vec3 area = area_vector(positions[face[0]], positions[face[1]], positions[face[2]]);
        const double squared = area.squaredNorm();
        if (!(squared > 0)) continue;
        for (int i = 0; i < 3; ++i) {
            const Vec3 hat =
                area.cross(positions[face[(i + 2) % 3]] - positions[face[(i + 1) % 3]]) / squared;
            turn += hat.dot(outward) / static_cast<double>(around.size()) * normals[face[i]];
        }
    }
    const Vec3& normal = point.normal;
    turn -= turn.dot(normal) * normal;
    const Vec3 tilt = tilt_of(point.outward, normal);
    const double angle = tilt.norm();
    if (!(angle > 0)) return turn;
    const Vec3 tangent = tilt / angle;
    const double sine = std::sin(angle), cosine = std::cos(angle), falls = -angle / extent;
    return falls * (cosine * tangent - sine * normal) + cosine * turn -
           sine * turn.dot(tangent) * normal;
}

} // namespace knead
