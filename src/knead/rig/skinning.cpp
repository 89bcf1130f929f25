#include "knead/rig/skinning.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/rig/centers_of_rotation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// A skinning matrix split into a rigid motion, as a dual quaternion, and what is left.
struct JointMotion {
    Affine3 matrix;
    Vec4 rotation;        // unit quaternion: x, y, z, w
    Vec4 dual;            // half the translation times the rotation
    Mat3 beyond_rotation; // matrix minus rotation
    Mat3 stretch;         // the rotation's inverse times the matrix
    bool rigid = true;
};

// Half of (0, t) times q: the dual part of a motion that rotates by q, then translates by t.
Vec4 dual_part(const Vec3& t, const Vec4& q) {
    const Vec3 v = q.head<3>();
    Vec4 result;
    result.head<3>() = 0.5 * (q.w() * t + t.cross(v));
    result.w() = -0.5 * t.dot(v);
    return result;
}

JointMotion split(const Affine3& matrix) {
    JointMotion motion;
    motion.matrix = matrix;
    const Mat3 linear = matrix.linear();
    Mat3 rotation = linear;
    motion.rigid = (linear.transpose() * linear - Mat3::Identity()).cwiseAbs().maxCoeff() < 1e-12 &&
                   linear.determinant() > 0;
    if (!motion.rigid) {
        // The nearest rotation; a mirroring goes into the stretch.
        const Eigen::JacobiSVD<Mat3> svd(linear, Eigen::ComputeFullU | Eigen::ComputeFullV);
        Vec3 signs = Vec3::Ones();
        signs.z() = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
        rotation = svd.matrixU() * signs.asDiagonal() * svd.matrixV().transpose();
    }
    motion.rotation = Quat(rotation).normalized().coeffs();
    motion.dual = dual_part(matrix.translation(), motion.rotation);
    motion.beyond_rotation = linear - rotation;
    motion.stretch = rotation.transpose() * linear;
    return motion;
}

struct Influence {
    const JointMotion& motion;
    double weight;
};

// The influences on one vertex.
class Influences {
public:
    Influences(const SkinWeights& weights, std::span<const JointMotion> motions, std::size_t vertex)
        : weights_(weights),
          motions_(motions),
          begin_(weights.starts[vertex]),
          end_(weights.starts[vertex + 1]) {}

    template <typename Visit>
    void for_each(const Visit& visit) const {
        for (int i = begin_; i < end_; ++i)
            visit(Influence{motions_[weights_.joints[i]], weights_.weights[i]});
    }

    // q and -q are the same rotation: all are taken from the side of the strongest influence, so
    // that the blend goes the short way round and never vanishes.
    Vec4 strongest_rotation() const {
        const auto first = weights_.weights.begin();
        const auto strongest = std::max_element(first + begin_, first + end_) - first;
        return motions_[weights_.joints[strongest]].rotation;
    }

private:
    const SkinWeights& weights_;
    std::span<const JointMotion> motions_;
    int begin_, end_;
};

Vec3 blend_linearly(const Influences& influences, const Vec3& point) {
    Vec3 sum = Vec3::Zero();
    influences.for_each(
        [&](const Influence& i) { sum += i.weight * (i.motion.matrix * point).eval(); });
    return sum;
}

Vec3 rotate(const Vec4& q, const Vec3& v) {
    const Vec3 axis = q.head<3>();
    const Vec3 twice = 2 * axis.cross(v);
    return v + q.w() * twice + axis.cross(twice);
}

// Stretch is put into each joint's translation as what it does to this point, x -> R x + (M x - R
// x), so that the result does not depend on where the origin is.
Vec3 blend_dual_quaternions(const Influences& influences, const Vec3& point) {
    const Vec4 side = influences.strongest_rotation();
    Vec4 rotation = Vec4::Zero(), dual = Vec4::Zero();
    influences.for_each([&](const Influence& i) {
        const double weight = i.motion.rotation.dot(side) < 0 ? -i.weight : i.weight;
        rotation += weight * i.motion.rotation;
        dual += weight * i.motion.dual;
        if (!i.motion.rigid)
            dual += weight * dual_part(i.motion.beyond_rotation * point, i.motion.rotation);
    });
    const double norm = rotation.norm();
    rotation /= norm;
    dual /= norm;
    // Twice the vector part of dual times the conjugate of the rotation.
    const Vec3 translation = 2 * (rotation.w() * dual.head<3>() - dual.w() * rotation.head<3>() +
                                  rotation.head<3>().cross(dual.head<3>()));
    return rotate(rotation, point) + translation;
}

// [Le and Hodgins 2016, sec. 4.1]: the blended rotation about the centre, which itself is blended
// linearly.
Vec3 blend_about_center(const Influences& influences, const Vec3& point, const Vec3& center) {
    const Vec4 side = influences.strongest_rotation();
    const Vec3 arm = point - center;
    Vec4 rotation = Vec4::Zero();
    Vec3 stretched = Vec3::Zero();
    influences.for_each([&](const Influence& i) {
        rotation += (i.motion.rotation.dot(side) < 0 ? -i.weight : i.weight) * i.motion.rotation;
        stretched += i.weight * (i.motion.rigid ? arm : Vec3(i.motion.stretch * arm));
    });
    return rotate(rotation.normalized(), stretched) + blend_linearly(influences, center);
}

} // namespace

void normalise_weights(SkinWeights& weights, int vertex_count, int joint_count,
                       const std::string& where) {
    if (weights.vertex_count() != vertex_count)
        throw InputError(fmt::format("{}: found weights of {}, expected {}", where,
                                     counted(weights.vertex_count(), "vertex", "vertices"),
                                     vertex_count));
    SkinWeights result;
    result.starts.reserve(weights.starts.size());
    result.joints.reserve(weights.joints.size());
    result.weights.reserve(weights.weights.size());
    std::vector<std::pair<int, double>> influences;
    for (int v = 0; v < vertex_count; ++v) {
        influences.clear();
        for (int i = weights.starts[v]; i < weights.starts[v + 1]; ++i) {
            const int joint = weights.joints[i];
            const double weight = weights.weights[i];
            if (!(weight >= 0) || !std::isfinite(weight))
                throw InputError(fmt::format(
                    "{}: vertex {} has the weight {}, expected zero or more", where, v, weight));
            if (weight == 0) continue;
            if (joint < 0 || joint >= joint_count)
                throw InputError(fmt::format("{}: vertex {} follows joint {}, expected 0 to {}",
                                             where, v, joint, joint_count - 1));
            influences.emplace_back(joint, weight);
        }
        std::stable_sort(influences.begin(), influences.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        // Divided by the largest first, so that huge and tiny weights have a finite sum.
        double largest = 0, sum = 0;
        for (const auto& influence : influences) largest = std::max(largest, influence.second);
        if (largest == 0)
            throw InputError(fmt::format("{}: vertex {} has no weight, expected at least one joint "
                                         "to follow",
                                         where, v));
        for (auto& influence : influences) sum += influence.second /= largest;
        const std::size_t first = result.joints.size();
        for (const auto& [joint, weight] : influences) {
            if (weight / sum == 0) continue;
            if (result.joints.size() > first && result.joints.back() == joint) {
                result.weights.back() += weight / sum;
                continue;
            }
            result.joints.push_back(joint);
            result.weights.push_back(weight / sum);
        }
        result.starts.push_back(static_cast<int>(result.joints.size()));
    }
    weights = std::move(result);
}

Skin make_skin(SkinningMethod method, SkinWeights weights, const TriangleMesh& rest) {
    if (weights.vertex_count() != rest.vertex_count())
        throw InputError(fmt::format("skin: found weights of {}, expected {}",
                                     counted(weights.vertex_count(), "vertex", "vertices"),
                                     rest.vertex_count()));
    Skin skin{method, std::move(weights), {}};
    if (method == SkinningMethod::cor)
        skin.centers_of_rotation = centers_of_rotation(skin.weights, rest);
    return skin;
}

void apply_skin(const Skin& skin, std::span<const Vec3> rest, std::span<const Affine3> matrices,
                std::vector<Vec3>& posed) {
    if (static_cast<std::size_t>(skin.weights.vertex_count()) != rest.size())
        throw InputError(
            fmt::format("skin: found {}, expected {}",
                        counted(static_cast<long long>(rest.size()), "position", "positions"),
                        skin.weights.vertex_count()));
    std::vector<JointMotion> motions;
    motions.reserve(matrices.size());
    for (const Affine3& matrix : matrices) motions.push_back(split(matrix));

    posed.resize(rest.size());
    parallel_for(rest.size(), [&](std::size_t v) {
        const Influences influences(skin.weights, motions, v);
        switch (skin.method) {
        case SkinningMethod::lbs:
            posed[v] = blend_linearly(influences, rest[v]);
            break;
        case SkinningMethod::dqs:
            posed[v] = blend_dual_quaternions(influences, rest[v]);
            break;
        case SkinningMethod::cor:
            posed[v] = blend_about_center(influences, rest[v], skin.centers_of_rotation[v]);
            break;
        }
    });
}

} // namespace knead
