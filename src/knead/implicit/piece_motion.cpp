#include "knead/implicit/piece_motion.hpp"

#include <Eigen/SVD>

namespace knead {
namespace {

Vec3 mean_of(std::span<const Vec3> points) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& point : points) sum += point;
    return sum / static_cast<double>(points.size());
}

// A segment can turn about itself without anybody seeing it, so the smallest turn is as good as
// any.
Affine3 segment_motion(std::span<const Vec3> from, std::span<const Vec3> to) {
    const Vec3 before = from.back() - from.front(), after = to.back() - to.front();
    Affine3 motion = Affine3::Identity();
    if (before.norm() > 0 && after.norm() > 0) {
        const Vec3 axis = before.normalized();
        const Mat3 stretch =
            Mat3::Identity() + (after.norm() / before.norm() - 1) * axis * axis.transpose();
        motion.linear() = Quat::FromTwoVectors(before, after).toRotationMatrix() * stretch;
    }
    motion.translation() = mean_of(to) - motion.linear() * mean_of(from);
    return motion;
}

// The rotation that fits best: polylines and faces that bend are followed as a whole, and the
// projection onto the new surface does the rest.
Affine3 best_turn(std::span<const Vec3> from, std::span<const Vec3> to) {
    const Vec3 center = mean_of(from), new_center = mean_of(to);
    Mat3 sum = Mat3::Zero();
    for (std::size_t i = 0; i < from.size(); ++i)
        sum += (to[i] - new_center) * (from[i] - center).transpose();
    const Eigen::JacobiSVD<Mat3> svd(sum, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 turn = svd.matrixU() * svd.matrixV().transpose();
    if (turn.determinant() < 0) {
        Mat3 u = svd.matrixU();
        u.col(2) *= -1;
        turn = u * svd.matrixV().transpose();
    }
    Affine3 motion = Affine3::Identity();
    motion.linear() = turn;
    motion.translation() = new_center - turn * center;
    return motion;
}

} // namespace

std::vector<Affine3> piece_motions(const Field& from, const Field& to) {
    std::vector<Affine3> motions;
    for (std::size_t i = 0; i < from.pieces().size(); ++i) {
        const std::vector<Vec3>&before = from.pieces()[i].points, &after = to.pieces()[i].points;
        motions.push_back(before.size() <= 2 ? segment_motion(before, after)
                                             : best_turn(before, after));
    }
    return motions;
}

Vec3 carried_point(const Field& field, std::span<const Affine3> motions, const Vec3& point) {
    std::vector<double> shares(motions.size());
    field.contributions(point, shares);
    double all = 0;
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < motions.size(); ++i) {
        all += shares[i];
        sum += shares[i] * (motions[i] * point);
    }
    return all > 0 ? Vec3(sum / all) : Vec3(motions[0] * point);
}

} // namespace knead
