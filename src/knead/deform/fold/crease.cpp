#include "knead/deform/fold/crease.hpp"

#include "knead/solve/minimum_cut.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// How well the two ends of an edge belong together: hardly where the silhouette passes between
// them. Normals are interpolated along the edge.
double affinity(double facing_a, double facing_b) {
    const double least =
        facing_a * facing_b <= 0 ? 0 : std::min(std::abs(facing_a), std::abs(facing_b));
    return 0.1 + least;
}

std::vector<double> affinities(const FoldRegion& fold, std::span<const Vec3> normals,
                               const Vec3& direction) {
    std::vector<double> weights;
    weights.reserve(fold.shared.edges.size());
    for (const int e : fold.shared.edges) {
        const Edge& ends = fold.structure->topology.edges[e];
        weights.push_back(
            affinity(normals[ends[0]].dot(direction), normals[ends[1]].dot(direction)));
    }
    return weights;
}

CutSet walk(const FoldRegion& fold, std::span<const double> weights, SpdSolver& solver) {
    std::vector<double> likely = fold.beta;
    diffuse_over_shared(fold.shared, fold.structure->topology, weights, likely, solver);
    CutSet crease;
    for (const double first : likely) crease.inside.push_back(first >= 0.5);
    for (const Edge& ends : fold.structure->topology.edges) {
        const double a = likely[ends[0]] - 0.5, b = likely[ends[1]] - 0.5;
        crease.cut.push_back(a != b ? std::clamp(a / (a - b), 0.0, 1.0) : 0.5);
    }
    return crease;
}

// Which of the shared vertices stay with the first part.
std::vector<char> label(const FoldRegion& fold, std::span<const double> weights) {
    // [Bru21] sec. 1.3 has the costs of the two sides the other way round, by which the parts would
    // change places.
    std::vector<double> to_first, to_second;
    for (const int v : fold.shared.vertices) {
        to_first.push_back(fold.beta[v]);
        to_second.push_back(1 - fold.beta[v]);
    }
    std::vector<CutCost> edges;
    for (std::size_t i = 0; i < fold.shared.edges.size(); ++i) {
        const Edge& ends = fold.structure->topology.edges[fold.shared.edges[i]];
        const int a = fold.shared.of_vertex[ends[0]], b = fold.shared.of_vertex[ends[1]];
        if (a >= 0 && b >= 0)
            edges.push_back({a, b, weights[i]});
        else if (fold.beta[a >= 0 ? ends[1] : ends[0]] == 1)
            to_first[std::max(a, b)] += weights[i];
        else
            to_second[std::max(a, b)] += weights[i];
    }
    return minimum_cut(to_first, to_second, edges);
}

CutSet cut(const FoldRegion& fold, std::span<const double> weights, std::span<const Vec3> normals,
           const Vec3& direction) {
    const std::vector<char> with_first = label(fold, weights);
    CutSet crease;
    for (std::size_t v = 0; v < fold.beta.size(); ++v) {
        const int unknown = fold.shared.of_vertex[v];
        crease.inside.push_back(unknown >= 0 ? with_first[unknown] : fold.beta[v] == 1);
    }
    // On its edge the crease is where the silhouette is, or in the middle.
    for (const Edge& ends : fold.structure->topology.edges) {
        const double a = normals[ends[0]].dot(direction), b = normals[ends[1]].dot(direction);
        crease.cut.push_back(a * b < 0 ? a / (a - b) : 0.5);
    }
    return crease;
}

} // namespace

CutSet find_crease(const FoldRegion& fold, std::span<const Vec3> normals, const Vec3& direction,
                   CreaseMethod method, SpdSolver& solver) {
    const std::vector<double> weights = affinities(fold, normals, direction);
    CutSet crease = method == CreaseMethod::random_walker ? walk(fold, weights, solver)
                                                          : cut(fold, weights, normals, direction);
    // Nowhere on a vertex: each part keeps faces about the vertices it has.
    for (double& t : crease.cut) t = std::clamp(t, 1e-6, 1 - 1e-6);
    return crease;
}

} // namespace knead
