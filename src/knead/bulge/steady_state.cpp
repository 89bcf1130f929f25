#include "knead/bulge/steady_state.hpp"

#include "knead/mesh/measures.hpp"
#include "knead/solve/hard_values.hpp"

#include <cmath>

namespace knead {
namespace {

// Mean length of the gradient over the region, by area.
double mean_gradient(const CutRegion& region, const ContactZone& zone,
                     std::span<const Vec3> positions, const Eigen::VectorXd& values,
                     double border_value) {
    double sum = 0, area = 0;
    for (const CutRegion::Piece& piece : region.pieces) {
        std::array<const Vec3*, 3> p;
        Vec3 value;
        for (int i = 0; i < 3; ++i) {
            p[i] = &corner_position(piece.corners[i], positions, zone);
            value[i] = piece.corners[i] >= 0 ? values[piece.corners[i]] : border_value;
        }
        // Times twice the area, which the mean takes up.
        sum += piece.weight * (value[0] * (*p[2] - *p[1]) + value[1] * (*p[0] - *p[2]) +
                               value[2] * (*p[1] - *p[0]))
                                  .norm();
        area += piece.weight * area_vector(*p[0], *p[1], *p[2]).norm();
    }
    return area > 0 ? sum / area : 0;
}

} // namespace

void prepare_steady_state(const CutRegion& region, const ContactZone& zone,
                          std::span<const Vec3> positions, std::span<const Triangle> faces,
                          std::span<const char> region_border, BulgeWorkspace& workspace) {
    const Eigen::Index n = static_cast<Eigen::Index>(positions.size());
    find_cold_vertices(region, region_border, workspace.cold);
    const std::vector<char>& cold = workspace.cold;
    const bool any_cold = !cold.empty();
    const double border_value = any_cold ? 1 : 0;
    CutLaplacian& laplacian = workspace.laplacian;
    assemble_cut_laplacian(region, zone, workspace.pattern, positions, faces, laplacian);
    Eigen::VectorXd& values = workspace.heat_values;
    values.resize(n);
    couple_border(laplacian, border_value, values);
    copy_values(laplacian.matrix, workspace.heat_matrix);
    if (any_cold) {
        move_hard_values(workspace.heat_matrix, cold,
                         heat_of_cold(cold, zone, positions, region.edge), values);
        constrain_matrix(workspace.heat_matrix, cold);
    } else {
        for (Eigen::Index v = 0; v < n; ++v)
            if (region.unknown[v]) values[v] += laplacian.mass[v];
    }
    SpdSolver& solver = any_cold ? *workspace.heat : *workspace.harmonic;
    solver.factorise(workspace.heat_matrix);
    solver.solve(values);
    const double usual = mean_gradient(region, zone, positions, values, border_value);
    prepare_from_gradient(region, zone, {values.data(), positions.size()}, border_value,
                          any_cold ? -1 : 1, {0.1 * usual, false}, positions, workspace);
}

} // namespace knead
