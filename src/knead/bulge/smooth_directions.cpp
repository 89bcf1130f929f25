#include "knead/bulge/smooth_directions.hpp"

#include "knead/base/parallel.hpp"
#include "knead/contact/fades.hpp"

#include <algorithm>
#include <array>

namespace knead {
namespace {

constexpr int sweep_count = 32;
constexpr double most_edges = 8;
using SweepWeights = std::array<double, sweep_count + 1>;

// exp(-t (1 - A)) for a mean A with eigenvalues of at most 1 is, in Chebyshev polynomials of A,
// exp(-t) (I_0(t) + 2 I_1(t) T_1 + 2 I_2(t) T_2 + ...), and what is left out here is below 1e-3.
// Bessel functions by their recurrence from the last one back, which is the stable way; their sum
// is known.
SweepWeights sweep_weights(double time) {
    SweepWeights weights{};
    if (!(time > 0)) {
        weights[0] = 1;
        return weights;
    }
    double above = 0, sum = 0;
    weights[sweep_count] = 1;
    for (int k = sweep_count; k > 0; --k) {
        weights[k - 1] = above + 2 * k / time * weights[k];
        above = weights[k];
        if (weights[k - 1] < 1e100) continue;
        for (int i = k - 1; i <= sweep_count; ++i) weights[i] *= 1e-100;
        above *= 1e-100;
    }
    for (int k = 1; k <= sweep_count; ++k) weights[k] *= 2;
    for (const double weight : weights) sum += weight;
    for (double& weight : weights) weight /= sum;
    return weights;
}

} // namespace

double fold_nearness(std::span<const Vec3> positions, std::span<const Vec3> raise, double height,
                     const Topology& topology, std::vector<double>& nearness) {
    nearness.assign(positions.size(), 0);
    double nearest = 0;
    for (const auto& [a, b] : topology.edges) {
        if (raise[a].isZero(0) && raise[b].isZero(0)) continue;
        const Vec3 edge = positions[b] - positions[a];
        const double squared = edge.squaredNorm();
        const double lost = -height * (raise[b] - raise[a]).dot(edge);
        if (!(lost > 0 && squared > 0)) continue;
        nearness[a] = std::max(nearness[a], lost / squared);
        nearness[b] = std::max(nearness[b], lost / squared);
        nearest = std::max(nearest, lost / squared);
    }
    return nearest;
}

void smooth_directions(std::span<const Vec3> directions, std::span<const double> weights,
                       const Topology& topology, double edges, SmoothingWorkspace& workspace,
                       std::vector<Vec3>& result) {
    const std::size_t n = directions.size();
    const auto weight_of = [&](int vertex) { return weights.empty() ? 1 : weights[vertex]; };
    // A mean with the neighbours alone is heat for a quarter of a squared edge; a length of
    // `smooth_normals` is heat for a quarter of its square.
    const double length = std::min(edges, most_edges);
    const SweepWeights of_sweeps = sweep_weights(length * length);
    std::vector<double>& sums = workspace.sums;
    std::vector<Vec3>&last = workspace.last, &current = workspace.current, &next = workspace.next;
    sums.resize(n);
    next.resize(n);
    current.assign(directions.begin(), directions.end());
    last.clear();
    result.resize(n);
    for (std::size_t v = 0; v < n; ++v) {
        sums[v] = 0;
        for (const int other : topology.vertex_vertices[static_cast<int>(v)])
            sums[v] += weight_of(other);
        result[v] = of_sweeps[0] * current[v];
    }
    for (int k = 1; k <= sweep_count; ++k) {
        parallel_for(n, 1024, [&](std::size_t v) {
            Vec3 mean = Vec3::Zero();
            for (const int other : topology.vertex_vertices[static_cast<int>(v)])
                mean += weight_of(other) * current[other];
            if (sums[v] > 0)
                mean /= sums[v];
            else
                mean = current[v];
            next[v] = k == 1 ? mean : Vec3(2 * mean - last[v]);
            result[v] += of_sweeps[k] * next[v];
        });
        last.swap(current);
        current.swap(next);
        next.resize(n);
    }
    for (std::size_t v = 0; v < n; ++v) {
        // About the rim of something thin there is no one direction: its own then counts.
        const double sure = fades::sure_direction(result[v].norm());
        result[v] += 0.3 * (1 - sure) * directions[v];
        const double norm = result[v].norm();
        result[v] = norm > 1e-9 ? Vec3(result[v] / norm) : directions[v];
    }
}

} // namespace knead
