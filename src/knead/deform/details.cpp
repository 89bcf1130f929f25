#include "knead/deform/details.hpp"

#include "knead/base/smoothstep.hpp"
#include "knead/bulge/smooth_field.hpp"
#include "knead/mesh/local_rotations.hpp"

namespace knead {

void turn_details(const BulgeMesh& mesh, double length, std::span<const double> u,
                  std::span<const char> held, BulgeWorkspace& workspace,
                  std::vector<Vec3>& displaced) {
    // A thorn is as far from the contact as its foot: it has the u, and the way, of what is about
    // it.
    const std::size_t n = mesh.positions.size();
    Eigen::MatrixXd fields(static_cast<Eigen::Index>(n), 7);
    for (std::size_t v = 0; v < n; ++v)
        fields.row(static_cast<Eigen::Index>(v)) << mesh.positions[v].transpose(),
            (displaced[v] - mesh.positions[v]).transpose(), u[v];
    fields = smoothed(mesh.positions, mesh.faces, std::move(fields), length, workspace);
    std::vector<Vec3> before(n), after(n);
    for (std::size_t v = 0; v < n; ++v) {
        const auto row = fields.row(static_cast<Eigen::Index>(v));
        before[v] = row.segment<3>(0).transpose();
        after[v] = before[v] + Vec3(row.segment<3>(3).transpose());
    }
    const std::vector<Mat3> rotations = local_rotations(before, after, *mesh.topology);
    for (std::size_t v = 0; v < n; ++v) {
        if (held[v]) continue;
        const double around = fields(static_cast<Eigen::Index>(v), 6);
        const double share = smoothstep(u[v] / 0.3) * smoothstep((0.98 - around) / 0.2);
        if (share == 0) continue;
        const Vec3 turned = after[v] + rotations[v] * (mesh.positions[v] - before[v]);
        displaced[v] += share * (turned - displaced[v]);
    }
}

} // namespace knead
