#include "knead/deform/proxy.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/contact/fades.hpp"
#include "knead/mesh/local_rotations.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/spatial/closest_point.hpp"

#include <fmt/format.h>

#include <cmath>

namespace knead {
namespace {

// A gigabyte and a half while they are put together. A vertex near its proxy has about twenty.
constexpr double most_ties = 5e7;

// A disc of two edges about the nearest point, and wider from further away: the distance to a
// surface has no jumps, the nearest point has some.
double squared_tie_radius(double squared_distance, double edge) {
    return squared_distance + 4 * edge * edge + 0.25 * squared_distance;
}

void check_tie_count(std::span<const Vec3> positions, const Surface& proxy, double edge) {
    const double vertices = static_cast<double>(positions.size());
    if (vertices * static_cast<double>(proxy.positions.size()) <= most_ties) return;
    const double ties = parallel_sum(positions.size(), 0.0, [&](std::size_t v) {
        const double squared_radius =
            squared_tie_radius(closest_point(proxy, positions[v])->squared_distance, edge);
        int count = 0;
        for (const Vec3& p : proxy.positions)
            count += (p - positions[v]).squaredNorm() < squared_radius ? 1 : 0;
        return static_cast<double>(count);
    });
    if (ties > most_ties)
        throw InputError(fmt::format(
            "the mesh has {} vertices, many so far from this proxy that they would be tied to its "
            "{} vertices {:.3g} times, expected at most {:.0e}: a proxy around all of the mesh, or "
            "a coarser one",
            positions.size(), proxy.positions.size(), ties, most_ties));
}

} // namespace

ProxyBinding bind_to_proxy(std::span<const Vec3> positions, const Surface& proxy) {
    const std::vector<double> areas = vertex_areas(proxy.positions, proxy.faces());
    const double edge = mean_edge_length(proxy.positions, proxy.topology());
    check_tie_count(positions, proxy, edge);
    const double near = 0.1 * proxy.box().diagonal();
    std::vector<std::vector<ProxyBinding::Tie>> ties(positions.size());
    ProxyBinding binding;
    binding.turning.resize(positions.size());
    parallel_for(positions.size(), 16, [&](std::size_t v) {
        const double nearest = closest_point(proxy, positions[v])->squared_distance;
        binding.turning[v] = 1 - fades::turns_with_proxy(std::sqrt(nearest) / near);
        const double squared_radius = squared_tie_radius(nearest, edge);
        double sum = 0;
        for (std::size_t w = 0; w < proxy.positions.size(); ++w) {
            const double s = 1 - (proxy.positions[w] - positions[v]).squaredNorm() / squared_radius;
            if (!(s > 0) || !(areas[w] > 0)) continue;
            ties[v].push_back({static_cast<int>(w), areas[w] * s * s});
            sum += ties[v].back().weight;
        }
        for (ProxyBinding::Tie& tie : ties[v]) tie.weight /= sum;
        if (!ties[v].empty()) return;
        // Of faces much larger than the mean, none has a corner near.
        const ClosestPoint point = *closest_point(proxy, positions[v]);
        for (int i = 0; i < 3; ++i)
            ties[v].push_back({proxy.faces()[point.point.face][i], point.point.barycentric[i]});
    });
    for (const auto& of_vertex : ties) {
        binding.starts.push_back(binding.ties.size());
        binding.ties.insert(binding.ties.end(), of_vertex.begin(), of_vertex.end());
    }
    binding.starts.push_back(binding.ties.size());
    return binding;
}

std::vector<Vec3> carry(const ProxyBinding& binding, const Topology& proxy,
                        std::span<const Vec3> before, std::span<const Vec3> after,
                        std::span<const Vec3> positions) {
    const std::vector<Mat3> rotations = local_rotations(before, after, proxy);
    std::vector<Vec3> result(positions.begin(), positions.end());
    parallel_for(positions.size(), 64, [&](std::size_t v) {
        Vec3 way = Vec3::Zero();
        for (std::size_t i = binding.starts[v]; i < binding.starts[v + 1]; ++i) {
            const auto [w, weight] = binding.ties[i];
            const Vec3 arm = positions[v] - before[w];
            way +=
                weight * (after[w] - before[w] + binding.turning[v] * (rotations[w] * arm - arm));
        }
        result[v] += way;
    });
    return result;
}

} // namespace knead
