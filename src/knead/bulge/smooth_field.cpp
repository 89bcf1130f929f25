#include "knead/bulge/smooth_field.hpp"

namespace knead {

Eigen::MatrixXd smoothed(std::span<const Vec3> positions, std::span<const Triangle> faces,
                         Eigen::MatrixXd values, const VertexNumber& length,
                         BulgeWorkspace& workspace) {
    // A wave of this length loses all but 1/35 of its height in the two steps.
    std::vector<double> times(faces.size());
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const double of_face =
            (length[faces[f][0]] + length[faces[f][1]] + length[faces[f][2]]) / 3;
        times[f] = of_face * of_face / 8;
    }
    std::vector<double> mass;
    assemble_mass(MassLumping::barycentric, positions, faces, mass);
    assemble_laplacian(workspace.pattern, positions, faces, workspace.heat_matrix, times);
    double* entries = workspace.heat_matrix.valuePtr();
    for (std::size_t v = 0; v < positions.size(); ++v) {
        // A vertex without area has no neighbours to be smoothed with.
        if (!(mass[v] > 0)) mass[v] = 1;
        entries[workspace.pattern.diagonal[v]] += mass[v];
    }
    workspace.heat->factorise(workspace.heat_matrix);
    for (int step = 0; step < 2; ++step) {
        for (std::size_t v = 0; v < positions.size(); ++v)
            values.row(static_cast<Eigen::Index>(v)) *= mass[v];
        workspace.heat->solve(values);
    }
    return values;
}

std::vector<Vec3> smoothed(std::span<const Vec3> positions, std::span<const Triangle> faces,
                           std::span<const Vec3> values, const VertexNumber& length,
                           BulgeWorkspace& workspace) {
    Eigen::MatrixXd columns(static_cast<Eigen::Index>(values.size()), 3);
    for (std::size_t v = 0; v < values.size(); ++v)
        columns.row(static_cast<Eigen::Index>(v)) = values[v].transpose();
    columns = smoothed(positions, faces, std::move(columns), length, workspace);
    std::vector<Vec3> result;
    for (Eigen::Index v = 0; v < columns.rows(); ++v) result.push_back(columns.row(v).transpose());
    return result;
}

} // namespace knead
