#include "knead/bulge/radial_field.hpp"

#include "knead/base/smoothstep.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/solve/hard_values.hpp"
#include "knead/solve/ordering.hpp"
#include "knead/spatial/point_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace knead {

std::vector<char> cold_vertices(const CutRegion& region, std::span<const char> region_border) {
    std::vector<char> cold(region_border.size(), 0);
    for (std::size_t v = 0; v < cold.size(); ++v)
        cold[v] = region.unknown[v] && region_border[v] ? 1 : 0;
    if (std::find(cold.begin(), cold.end(), 1) == cold.end()) cold.clear();
    return cold;
}

Eigen::MatrixXd heat_of_cold(std::span<const char> cold, const ContactZone& zone,
                             std::span<const Vec3> positions, double edge) {
    std::vector<Vec3> places;
    for (const ZoneBorderPoint& point : zone.border) places.push_back(point.position);
    const PointGrid grid(places, edge);
    Eigen::MatrixXd heat = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(cold.size()), 1);
    for (std::size_t v = 0; v < cold.size(); ++v) {
        if (!cold[v]) continue;
        double nearest = zone.inside[v] ? 0 : edge * edge;
        grid.for_each_near(positions[v], [&](int i) {
            nearest = std::min(nearest, (places[i] - positions[v]).squaredNorm());
        });
        heat(static_cast<Eigen::Index>(v), 0) = smoothstep(1 - std::sqrt(nearest) / edge);
    }
    return heat;
}

BulgeWorkspace make_bulge_workspace(const Topology& topology) {
    return make_bulge_workspace(topology,
                                nested_dissection_order(laplacian_pattern(topology).structure));
}

BulgeWorkspace make_bulge_workspace(const Topology& topology, std::vector<int> order) {
    BulgeWorkspace workspace;
    workspace.pattern = laplacian_pattern(topology);
    workspace.order = std::move(order);
    const auto plan = plan_elimination(workspace.pattern.structure, workspace.order);
    workspace.heat = make_supernodal_solver(plan);
    workspace.harmonic = make_supernodal_solver(plan);
    return workspace;
}

RadialField radial_field(const CutRegion& region, const ContactZone& zone,
                         std::span<const Vec3> positions, std::span<const Triangle> faces,
                         std::span<const char> region_border, BulgeWorkspace& workspace) {
    const Eigen::Index n = static_cast<Eigen::Index>(positions.size());
    const Eigen::Index border = static_cast<Eigen::Index>(zone.border.size());
    const double time = 10 * region.edge * region.edge;

    CutLaplacian& laplacian = workspace.laplacian;
    assemble_cut_laplacian(region, zone, workspace.pattern, positions, faces, laplacian);
    Eigen::MatrixXd heat = couple_border(laplacian, Eigen::MatrixXd::Ones(border, 1));
    workspace.matrix = laplacian.matrix;
    for (Eigen::Index v = 0; v < n; ++v)
        if (region.unknown[v])
            workspace.matrix.valuePtr()[workspace.pattern.diagonal[v]] += laplacian.mass[v] / time;
    const std::vector<char> cold = cold_vertices(region, region_border);
    if (!cold.empty()) {
        move_hard_values(workspace.matrix, cold, heat_of_cold(cold, zone, positions, region.edge),
                         heat);
        constrain_matrix(workspace.matrix, cold);
    }
    workspace.heat->factorise(workspace.matrix);
    workspace.heat->solve(heat);

    // Heat falls by its own amount over the square root of the time.
    return integrate_gradient(
        region, zone, heat, 1, -1,
        [&](double gradient, double value) {
            return smoothstep(gradient * std::sqrt(time) / std::abs(value) / 0.15);
        },
        positions, workspace);
}

RadialField
integrate_gradient(const CutRegion& region, const ContactZone& zone, const Eigen::MatrixXd& values,
                   double border_value, double away,
                   const std::function<double(double gradient, double value)>& certainty,
                   std::span<const Vec3> positions, BulgeWorkspace& workspace) {
    const Eigen::Index n = static_cast<Eigen::Index>(positions.size());
    // The right-hand side of the Poisson step: each piece's unit gradient against its hat
    // functions.
    Eigen::MatrixXd distance = Eigen::MatrixXd::Zero(n, 1);
    for (const CutRegion::Piece& piece : region.pieces) {
        const Vec3* p[3];
        double value[3];
        for (int i = 0; i < 3; ++i) {
            const int corner = piece.corners[i];
            p[i] = &corner_position(corner, positions, zone);
            value[i] = corner >= 0 ? values(corner, 0) : border_value;
        }
        const Vec3 normal = area_vector(*p[0], *p[1], *p[2]);
        const double squared = normal.squaredNorm();
        if (!(squared > 0)) continue;
        // Times twice the area: only the direction of the gradient matters.
        const Vec3 gradient = normal.cross(value[0] * (*p[2] - *p[1]) + value[1] * (*p[0] - *p[2]) +
                                           value[2] * (*p[1] - *p[0]));
        const double largest = gradient.cwiseAbs().maxCoeff();
        if (!(largest > 0)) continue;
        const Vec3 scaled = gradient / largest; // squares of small heat are none
        const double length = scaled.norm();
        const double counts =
            away * certainty(length * largest / squared, (value[0] + value[1] + value[2]) / 3);
        // Area times the gradient of a corner's hat function is the side opposite turned in the
        // plane, by half; so is the direction against all three, turned the other way.
        const Vec3 turned =
            0.5 * piece.weight * counts / (length * std::sqrt(squared)) * scaled.cross(normal);
        for (int i = 0; i < 3; ++i) {
            const int corner = piece.corners[i];
            if (corner >= 0 && region.unknown[corner])
                distance(corner, 0) += turned.dot(*p[(i + 2) % 3] - *p[(i + 1) % 3]);
        }
    }
    workspace.harmonic->factorise(workspace.laplacian.matrix);
    workspace.harmonic->solve(distance);

    RadialField field;
    field.distance.resize(positions.size());
    for (Eigen::Index v = 0; v < n; ++v)
        field.distance[v] = region.unknown[v] ? std::max(0.0, distance(v, 0))
                            : zone.inside[v]  ? 0.0
                                              : std::numeric_limits<double>::infinity();
    return field;
}

Eigen::MatrixXd diffuse_from_border(const Eigen::MatrixXd& border_values,
                                    BulgeWorkspace& workspace) {
    Eigen::MatrixXd values = couple_border(workspace.laplacian, border_values);
    workspace.harmonic->solve(values);
    return values;
}

} // namespace knead
