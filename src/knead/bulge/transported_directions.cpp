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

// A vertex has two unknowns: how far it is tilted along each tangent of its frame.
constexpr int unknown_of(int vertex, int tangent) {
    return 2 * vertex + tangent;
}

// They are coupled by whole blocks along edges.
SparseMatrix transport_structure(const Topology& topology) {
    std::vector<Eigen::Triplet<double>> entries;
    const auto block = [&](int row, int column) {
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                if (unknown_of(row, i) >= unknown_of(column, j))
                    entries.emplace_back(unknown_of(row, i), unknown_of(column, j), 0.0);
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

namespace {

void prepare_transport(const Topology& topology, BulgeWorkspace& workspace) {
    SparseMatrix& matrix = workspace.transport_matrix;
    if (!workspace.transport) {
        matrix = transport_structure(topology);
        std::vector<int> order;
        for (const int v : workspace.order)
            order.insert(order.end(), {unknown_of(v, 0), unknown_of(v, 1)});
        workspace.transport = make_supernodal_solver(plan_elimination(matrix, order));
    }
    std::fill_n(matrix.valuePtr(), matrix.nonZeros(), 0.0);
}

// Next to curved ground negative weights could make the field grow without bound. It is the sum of
// all pieces between two points that must not be negative: single pieces change with the diagonals
// of quads, sums do not.
class TransportSystem {
public:
    TransportSystem(std::span<const Vec3> normals, BulgeWorkspace& workspace)
        : normals_(normals),
          workspace_(workspace),
          matrix_(workspace.transport_matrix),
          tilts_(Eigen::VectorXd::Zero(2 * static_cast<Eigen::Index>(normals.size()))) {
        for (const Vec3& normal : normals) frames_.push_back(frame_of(normal));
    }

    void couple_border(const ContactZone& zone) {
        std::vector<Vec3> at_border;
        for (const ZoneBorderPoint& point : zone.border)
            at_border.push_back(tilt_of(point.outward, point.normal));
        for (const CutLaplacian::Coupling& border : summed(workspace_.laplacian.couplings)) {
            const double w = std::max(border.weight, 0.0);
            const Vec3 tilt = carried(at_border[border.point], zone.border[border.point].normal,
                                      normals_[border.vertex]);
            hold(border.vertex, w);
            for (int i = 0; i < 2; ++i)
                tilts_[unknown_of(border.vertex, i)] += w * frames_[border.vertex][i].dot(tilt);
        }
    }

    void couple_vertices() {
        const SparseMatrix& laplacian = workspace_.laplacian.matrix;
        for (int column = 0; column < laplacian.outerSize(); ++column)
            for (SparseMatrix::InnerIterator entry(laplacian, column); entry; ++entry) {
                const int row = static_cast<int>(entry.row());
                const double w = std::max(-entry.value(), 0.0);
                if (row == column || w == 0) continue;
                hold(row, w);
                hold(column, w);
                for (int j = 0; j < 2; ++j) {
                    const Vec3 there = carried(frames_[column][j], normals_[column], normals_[row]);
                    for (int i = 0; i < 2; ++i)
                        matrix_.coeffRef(unknown_of(row, i), unknown_of(column, j)) -=
                            w * frames_[row][i].dot(there);
                }
            }
    }

    // Vertices that are not unknown, and what no weight reaches, at a cone's tip of needles, which
    // would be singular.
    void hold_the_rest(const CutRegion& region) {
        for (std::size_t v = 0; v < region.unknown.size(); ++v)
            hold(static_cast<int>(v), region.unknown[v] ? 1e-12 : 1);
    }

    std::vector<Vec3> solve() {
        workspace_.transport->factorise(matrix_);
        workspace_.transport->solve(tilts_);
        std::vector<Vec3> result;
        for (std::size_t v = 0; v < frames_.size(); ++v) {
            const int first = unknown_of(static_cast<int>(v), 0);
            result.push_back(tilts_[first] * frames_[v][0] + tilts_[first + 1] * frames_[v][1]);
        }
        return result;
    }

private:
    void hold(int vertex, double weight) {
        for (int i = 0; i < 2; ++i)
            matrix_.coeffRef(unknown_of(vertex, i), unknown_of(vertex, i)) += weight;
    }

    std::span<const Vec3> normals_;
    BulgeWorkspace& workspace_;
    SparseMatrix& matrix_;
    Eigen::VectorXd tilts_;
    std::vector<std::array<Vec3, 2>> frames_;
};

} // namespace

std::vector<Vec3> transported_tilts(const CutRegion& region, const ContactZone& zone,
                                    std::span<const Vec3> normals, const Topology& topology,
                                    BulgeWorkspace& workspace) {
    prepare_transport(topology, workspace);
    TransportSystem system(normals, workspace);
    system.couple_border(zone);
    system.couple_vertices();
    system.hold_the_rest(region);
    return system.solve();
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
