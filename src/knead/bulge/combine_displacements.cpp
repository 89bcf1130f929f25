#include "knead/bulge/combine_displacements.hpp"

#include <algorithm>

namespace knead {
namespace {

// How much a pair has to say at a place, against other pairs: all in its zone, nothing at its end.
double influence(double u, double fade) {
    const double s = 1 - u * u;
    return fade * s * s;
}

} // namespace

CombinedDisplacement combine_displacements(std::span<const PairDisplacement> pairs,
                                           const BulgeMesh& mesh) {
    CombinedDisplacement result;
    combine_displacements(pairs, mesh, result);
    return result;
}

void combine_displacements(std::span<const PairDisplacement> pairs, const BulgeMesh& mesh,
                           CombinedDisplacement& result) {
    const std::size_t n = mesh.positions.size();
    result.base.assign(mesh.positions.begin(), mesh.positions.end());
    result.strengths.resize(n, 0);
    if (result.raise.size() != n) {
        result.raise.assign(n, Vec3::Zero());
    } else {
        for (const int v : result.moved) result.raise[v].setZero();
    }
    result.moved.clear();
    if (pairs.size() == 1) {
        const PairDisplacement& pair = pairs.front();
        result.moved = pair.vertices;
        for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
            result.base[pair.vertices[i]] += pair.base[i];
            result.raise[pair.vertices[i]] = pair.height * pair.raise[i];
        }
        return;
    }
    // 0 at the end of the pair's region, without bound in its zone.
    const auto strength = [](const PairDisplacement& pair, std::size_t i) {
        const double z = std::min(influence(pair.u[i], pair.fade[i]), 1 - 1e-9);
        return z / (1 - z);
    };
    for (const PairDisplacement& pair : pairs)
        for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
            double& total = result.strengths[pair.vertices[i]];
            if (total == 0) {
                result.moved.push_back(pair.vertices[i]);
                total = 1;
            }
            total += strength(pair, i);
        }
    for (const PairDisplacement& pair : pairs)
        for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
            const int v = pair.vertices[i];
            const double share = (1 + strength(pair, i)) / result.strengths[v];
            result.base[v] += share * pair.base[i];
            result.raise[v] += share * pair.height * pair.raise[i];
        }
    for (const int v : result.moved) result.strengths[v] = 0;
}

} // namespace knead
