#include "knead/mesh/local_rotations.hpp"

#include "knead/base/parallel.hpp"

#include <Eigen/SVD>

namespace knead {

std::vector<Mat3> local_rotations(std::span<const Vec3> before, std::span<const Vec3> after,
                                  const Topology& topology) {
    std::vector<Mat3> rotations(before.size(), Mat3::Identity());
    parallel_for(before.size(), 64, [&](std::size_t v) {
        Mat3 covariance = Mat3::Zero();
        bool moved = false;
        for (const int neighbour : topology.vertex_vertices[static_cast<int>(v)]) {
            const Vec3 from = before[neighbour] - before[v], to = after[neighbour] - after[v];
            moved = moved || from != to;
            covariance += to * from.transpose();
        }
        if (!moved) return;
        const Eigen::JacobiSVD<Mat3> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
        Mat3 u = svd.matrixU();
        // A flat ring leaves the third direction open: no reflection.
        if ((u * svd.matrixV().transpose()).determinant() < 0) u.col(2) = -u.col(2);
        rotations[v] = u * svd.matrixV().transpose();
    });
    return rotations;
}

} // namespace knead
