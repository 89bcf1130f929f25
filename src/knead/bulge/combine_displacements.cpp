#include "knead/bulge/combine_displacements.hpp"

#include <algorithm>

namespace knead {
namespace {

// How much a pair has to say at a place, against other pairs: all in its zone, nothing at its end.
double influence(double u, double fade) {
    const double s = 1 - u * u;
    return fade * s * s;
}

// 0 at the end of the pair's region, without bound in its zone.
double strength(const PairDisplacement& pair, std::size_t i) {
    const double z = std::min(influence(pair.u[i], pair.fade[i]), 1 - 1e-9);
    return z / (1 - z);
}

void begin_combining(const BulgeMesh& mesh, CombinedDisplacement& result) {
    const std::size_t n = mesh.positions.size();
    result.base.assign(mesh.positions.begin(), mesh.positions.end());
    if (result.raise.size() != n) {
        result.raise.assign(n, Vec3::Zero());
    } else {
        for (const int v : result.moved) result.raise[v].setZero();
    }
    result.moved.clear();
}

void take_over(const PairDisplacement& pair, CombinedDisplacement& result) {
    result.moved = pair.vertices;
    for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
        result.base[pair.vertices[i]] += pair.base[i];
        result.raise[pair.vertices[i]] = pair.height * pair.raise[i];
    }
}

void add_shares(std::span<const PairDisplacement> pairs, CombinedWorkspace& workspace,
                CombinedDisplacement& result) {
    std::vector<double>& strengths = workspace.strengths;
    strengths.resize(result.base.size(), 0);
    for (const PairDisplacement& pair : pairs)
        for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
            double& total = strengths[pair.vertices[i]];
            if (total == 0) {
                result.moved.push_back(pair.vertices[i]);
                total = 1;
            }
            total += strength(pair, i);
        }
    for (const PairDisplacement& pair : pairs)
        for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
            const int v = pair.vertices[i];
            const double share = (1 + strength(pair, i)) / strengths[v];
            result.base[v] += share * pair.base[i];
            result.raise[v] += share * pair.height * pair.raise[i];
        }
    for (const int v : result.moved) strengths[v] = 0;
}

} // namespace

CombinedDisplacement combine_displacements(std::span<const PairDisplacement> pairs,
                                           const BulgeMesh& mesh) {
    CombinedWorkspace workspace;
    CombinedDisplacement result;
    combine_displacements(pairs, mesh, workspace, result);
    return result;
}

void combine_displacements(std::span<const PairDisplacement> pairs, const BulgeMesh& mesh,
                           CombinedWorkspace& workspace, CombinedDisplacement& result) {
    begin_combining(mesh, result);
    if (pairs.size() == 1)
        take_over(pairs.front(), result);
    else
        add_shares(pairs, workspace, result);
}

} // namespace knead
