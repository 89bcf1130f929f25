#pragma once

#include "knead/base/types.hpp"

#include <span>
#include <vector>

namespace knead {

/// The connectivity of a closed, manifold, oriented triangle mesh that changes: half-edges 3f, 3f+1
/// and 3f+2 run around face f. Operations keep the surface closed and manifold provided their
/// `can_` tests pass; indices of what they remove are not used again.
class HalfEdges {
public:
    /// A GeometryError names the first edge or vertex that does not allow it.
    HalfEdges(std::span<const Triangle> faces, int vertex_count);

    int half_edge_count() const { return static_cast<int>(tail_.size()); }
    int vertex_count() const { return static_cast<int>(out_.size()); }
    bool removed(int half_edge) const { return tail_[half_edge] < 0; }
    bool vertex_removed(int vertex) const { return out_[vertex] < 0; }

    static int next(int h) { return h % 3 == 2 ? h - 2 : h + 1; }
    static int previous(int h) { return h % 3 == 0 ? h + 2 : h - 1; }
    int twin(int h) const { return twin_[h]; }
    int tail(int h) const { return tail_[h]; }
    int head(int h) const { return tail_[next(h)]; }
    /// The corner opposite to a half-edge in its face.
    int apex(int h) const { return tail_[previous(h)]; }

    /// Calls `visit(h)` for every half-edge that leaves the vertex.
    template <typename Visit>
    void around(int vertex, const Visit& visit) const {
        int h = out_[vertex];
        do {
            visit(h);
            h = twin_[previous(h)];
        } while (h != out_[vertex]);
    }
    int valence(int vertex) const;
    bool adjacent(int a, int b) const;

    /// A new vertex in the middle of the edge, joined to both opposite corners.
    int split(int h);

    /// The edge may turn to its opposite corners without doubling one that is there.
    bool can_flip(int h) const;
    void flip(int h);

    /// The edge may shrink to its head without folding the surface onto itself.
    bool can_collapse(int h) const;
    void collapse(int h);

    std::vector<Triangle> faces() const;

private:
    void link(int h, int t) {
        twin_[h] = t;
        twin_[t] = h;
    }

    std::vector<int> tail_; ///< -1 for the half-edges of a removed face
    std::vector<int> twin_;
    std::vector<int> out_; ///< vertex -> a half-edge that leaves it, or -1
};

} // namespace knead
