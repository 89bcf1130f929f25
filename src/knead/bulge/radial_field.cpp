#include "knead/bulge/radial_field.hpp"

#include "knead/contact/fades.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/solve/hard_values.hpp"
#include "knead/spatial/point_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace knead {

void find_cold_vertices(const CutRegion& region, std::span<const char> region_border,
                        std::vector<char>& cold) {
    cold.assign(region_border.size(), 0);
    bool any = false;
    for (std::size_t v = 0; v < cold.size(); ++v)
        if (region_border[v] && region.unknown[v]) {
            cold[v] = 1;
            any = true;
        }
    if (!any) cold.clear();
}

Eigen::VectorXd heat_of_cold(std::span<const char> cold, const ContactZone& zone,
                             std::span<const Vec3> positions, double edge) {
    std::vector<Vec3> places;
    for (const ZoneBorderPoint& point : zone.border) places.push_back(point.position);
    const PointGrid grid(places, edge);
    Eigen::VectorXd heat = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(cold.size()));
    for (std::size_t v = 0; v < cold.size(); ++v) {
        if (!cold[v]) continue;
        double nearest = zone.inside[v] ? 0 : edge * edge;
        grid.for_each_near(positions[v], [&](int i) {
            nearest = std::min(nearest, (places[i] - positions[v]).squaredNorm());
        });
        heat[static_cast<Eigen::Index>(v)] = fades::border_heat(std::sqrt(nearest) / edge);
    }
    return heat;
}

void prepare_radial_field(const CutRegion& region, const ContactZone& zone,
                          std::span<const Vec3> positions, std::span<const Triangle> faces,
                          std::span<const char> region_border, BulgeWorkspace& workspace) {
    const double time = 10 * region.edge * region.edge;
    CutLaplacian& laplacian = workspace.laplacian;
    assemble_cut_laplacian(region, zone, workspace.pattern, positions, faces, laplacian);
    Eigen::VectorXd& heat = workspace.heat_values;
    heat.resize(static_cast<Eigen::Index>(positions.size()));
    couple_border(laplacian, 1, heat);
    copy_values(laplacian.matrix, workspace.heat_matrix);
    double* const values = workspace.heat_matrix.valuePtr();
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (region.unknown[v]) values[workspace.pattern.diagonal[v]] += laplacian.mass[v] / time;
    find_cold_vertices(region, region_border, workspace.cold);
    if (!workspace.cold.empty()) {
        move_hard_values(workspace.heat_matrix, workspace.cold,
                         heat_of_cold(workspace.cold, zone, positions, region.edge), heat);
        constrain_matrix(workspace.heat_matrix, workspace.cold);
    }
    workspace.heat->factorise(workspace.heat_matrix);
    workspace.heat->solve(heat);
    // Heat falls by its own amount over the square root of the time.
    prepare_from_gradient(region, zone, {heat.data(), positions.size()}, 1, -1,
                          {0.15 / std::sqrt(time), true}, positions, workspace);
}

void prepare_from_gradient(const CutRegion& region, const ContactZone& zone,
                           std::span<const double> values, double border_value, double away,
                           const GradientCertainty& certainty, std::span<const Vec3> positions,
                           BulgeWorkspace& workspace) {
    // Each piece's unit gradient against its hat functions. The integrals of the gradient itself
    // against them, and of its square, are sums over the sides of cotangents times differences:
    // a third of the work of doing it in space, which is left for pieces that are next to flat.
    const std::span<double> divergence = workspace.fields.distance();
    std::fill(divergence.begin(), divergence.end(), 0.0);
    for (std::size_t k = 0; k < region.pieces.size(); ++k) {
        const CutRegion::Piece& piece = region.pieces[k];
        const auto value_at = [&](int i) {
            return piece.corners[i] >= 0 ? values[piece.corners[i]] : border_value;
        };
        const std::array<double, 3> value = {value_at(0), value_at(1), value_at(2)};
        const std::array<double, 3> along = {value[2] - value[1], value[0] - value[2],
                                             value[1] - value[0]}; // the sides opposite
        const double largest =
            std::max({std::abs(along[0]), std::abs(along[1]), std::abs(along[2])});
        if (!(largest > 0)) continue;
        const CutLaplacian::PieceShape& shape = workspace.laplacian.shapes[k];
        const auto counted = [&](double gradient) {
            const double least =
                certainty.per_value
                    ? certainty.least * std::abs((value[0] + value[1] + value[2]) / 3)
                    : certainty.least;
            return away * piece.weight *
                   (gradient >= least ? 1 : fades::sure_gradient(gradient / least));
        };
        const auto add = [&](int i, double flow) {
            const int corner = piece.corners[i];
            if (corner >= 0 && region.unknown[corner]) divergence[corner] += flow;
        };
        if (shape.per_area > 0) {
            std::array<double, 3> flow{};
            double square = 0;
            const double scale = 1 / largest; // squares of small heat are none
            for (int i = 0; i < 3; ++i) {
                const double scaled = scale * along[i];
                flow[i] = shape.cotangents[i] * scaled;
                square += flow[i] * scaled;
            }
            if (!(square > 0)) continue;
            const double length = std::sqrt(square * shape.per_area);
            const double factor = 0.5 * counted(length * largest) / length;
            for (int i = 0; i < 3; ++i) add(i, factor * (flow[(i + 1) % 3] - flow[(i + 2) % 3]));
            continue;
        }
        const Vec3& p0 = corner_position(piece.corners[0], positions, zone);
        const Vec3& p1 = corner_position(piece.corners[1], positions, zone);
        const Vec3& p2 = corner_position(piece.corners[2], positions, zone);
        const std::array<Vec3, 3> side = {p2 - p1, p0 - p2, p1 - p0};
        const Vec3 normal = area_vector(p0, p1, p2);
        const double squared = normal.squaredNorm();
        if (!(squared > 0)) continue;
        // Times twice the area: only the direction of the gradient matters.
        const Vec3 gradient =
            normal.cross(value[0] * side[0] + value[1] * side[1] + value[2] * side[2]);
        const double largest_part = gradient.cwiseAbs().maxCoeff();
        if (!(largest_part > 0)) continue;
        const Vec3 scaled = gradient / largest_part;
        const double length = scaled.norm();
        // Area times the gradient of a corner's hat function is the side opposite turned in the
        // plane, by half; so is the direction against all three, turned the other way.
        const Vec3 turned = 0.5 * counted(length * largest_part / squared) /
                            (length * std::sqrt(squared)) * scaled.cross(normal);
        for (int i = 0; i < 3; ++i) add(i, turned.dot(side[i]));
    }
    workspace.harmonic->factorise(workspace.laplacian.matrix);
}

void read_radial_field(const CutRegion& region, const ContactZone& zone,
                       const BulgeWorkspace& workspace, std::vector<double>& distance) {
    const std::span<const double> solution = workspace.fields.distance();
    distance.resize(region.unknown.size());
    for (std::size_t v = 0; v < distance.size(); ++v)
        distance[v] = region.unknown[v] ? std::max(0.0, solution[v])
                      : zone.inside[v]  ? 0.0
                                        : std::numeric_limits<double>::infinity();
}

void copy_values(const SparseMatrix& from, SparseMatrix& to) {
    if (to.nonZeros() != from.nonZeros() || to.cols() != from.cols())
        to = from;
    else
        std::copy_n(from.valuePtr(), from.nonZeros(), to.valuePtr());
}

} // namespace knead
