#pragma once

#include "knead/spatial/surface.hpp"

namespace knead {

/// Ties the vertices of a mesh to a simpler one that stands in for it ([Bru21] ch. 7 sec. 4.1), in
/// the pose in which both rest.
struct ProxyBinding {
    struct Tie {
        int vertex = 0; ///< of the proxy
        double weight = 0;
    };
    std::vector<Tie> ties;           ///< of all vertices, one after the other; weights sum to 1
    std::vector<std::size_t> starts; ///< vertex -> its first tie, and the end
    /// How much a vertex turns with the proxy, 1 near it. One far away only goes along: turned
    /// about a distant place it would be flung.
    std::vector<double> turning;
};

/// Every vertex is tied to the part of the proxy that is about as near as its nearest point. Where
/// a vertex is between two sides of the proxy it is tied to both, and from vertex to vertex ties
/// change smoothly. The proxy must have a face. Throws InputError when so many vertices are so far
/// away that their ties would fill the memory.
ProxyBinding bind_to_proxy(std::span<const Vec3> positions, const Surface& proxy);

/// Where the mesh's vertices go, from `positions`, when those of the proxy go from `before` to
/// `after`. A vertex whose part of the proxy has not moved keeps its bits.
std::vector<Vec3> carry(const ProxyBinding& binding, const Topology& proxy,
                        std::span<const Vec3> before, std::span<const Vec3> after,
                        std::span<const Vec3> positions);

/// A quantity of the proxy's vertices, seen from the mesh; empty when it is.
template <typename T>
std::vector<T> carry_values(const ProxyBinding& binding, std::span<const T> values, const T& zero) {
    std::vector<T> result;
    if (values.empty()) return result;
    for (std::size_t v = 0; v + 1 < binding.starts.size(); ++v) {
        T sum = zero;
        for (std::size_t i = binding.starts[v]; i < binding.starts[v + 1]; ++i)
            sum += binding.ties[i].weight * values[binding.ties[i].vertex];
        result.push_back(sum);
    }
    return result;
}

} // namespace knead
