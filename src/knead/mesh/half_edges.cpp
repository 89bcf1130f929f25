#include "knead/mesh/half_edges.hpp"

#include "knead/base/error.hpp"
#include "knead/mesh/topology.hpp"

#include <fmt/format.h>

namespace knead {

HalfEdges::HalfEdges(std::span<const Triangle> faces, int vertex_count)
    : out_(static_cast<std::size_t>(vertex_count), -1) {
    const Topology topology = build_topology(faces, vertex_count);
    tail_.reserve(faces.size() * 3);
    for (const Triangle& face : faces) tail_.insert(tail_.end(), face.begin(), face.end());
    twin_.assign(tail_.size(), -1);
    std::vector<int> first_of_edge(topology.edges.size(), -1);
    for (int h = 0; h < half_edge_count(); ++h) {
        out_[tail_[h]] = h;
        const int edge = topology.face_edges[h / 3][h % 3];
        int& first = first_of_edge[edge];
        if (first < 0) {
            first = h;
        } else if (topology.edge_faces[edge].size() == 2 && tail_[first] == head(h)) {
            link(first, h);
        }
    }
    for (int h = 0; h < half_edge_count(); ++h)
        if (twin_[h] < 0)
            throw GeometryError(fmt::format("remesh: edge {}-{} does not join two faces that agree "
                                            "on its direction, expected a closed surface",
                                            tail_[h], head(h)));
    for (int v = 0; v < vertex_count; ++v) {
        if (out_[v] < 0) continue;
        if (valence(v) != static_cast<int>(topology.vertex_faces[v].size()))
            throw GeometryError(fmt::format(
                "remesh: vertex {} joins several fans of faces, expected a manifold surface", v));
    }
}

int HalfEdges::valence(int vertex) const {
    int count = 0;
    around(vertex, [&](int) { ++count; });
    return count;
}

bool HalfEdges::adjacent(int a, int b) const {
    bool found = false;
    around(a, [&](int h) { found |= head(h) == b; });
    return found;
}

int HalfEdges::split(int h) {
    const int t = twin_[h], a_side = next(h), b_side = previous(t);
    const int b = head(h), c = apex(h), d = apex(t), middle = vertex_count();
    const int beyond_a = twin_[a_side], beyond_b = twin_[b_side];
    // Faces (middle, b, c) and (b, middle, d) are new; the old ones keep the tail's side.
    const int n = half_edge_count();
    tail_.insert(tail_.end(), {middle, b, c, b, middle, d});
    twin_.resize(tail_.size());
    tail_[a_side] = tail_[t] = middle;
    link(n, n + 3);
    link(n + 1, beyond_a);
    link(n + 2, a_side);
    link(n + 4, b_side);
    link(n + 5, beyond_b);
    out_.push_back(n);
    out_[b] = n + 1;
    return middle;
}

bool HalfEdges::can_flip(int h) const {
    const int t = twin_[h], c = apex(h), d = apex(t);
    return c != d && valence(tail(h)) > 3 && valence(head(h)) > 3 && !adjacent(c, d);
}

void HalfEdges::flip(int h) {
    const int t = twin_[h], hn = next(h), hp = previous(h), tn = next(t), tp = previous(t);
    const int a = tail(h), b = head(h), c = apex(h), d = apex(t);
    const int bc = twin_[hn], ca = twin_[hp], ad = twin_[tn], db = twin_[tp];
    tail_[h] = d;
    tail_[hn] = c;
    tail_[hp] = a;
    tail_[t] = c;
    tail_[tn] = d;
    tail_[tp] = b;
    link(hn, ca);
    link(hp, ad);
    link(tn, db);
    link(tp, bc);
    out_[a] = hp;
    out_[b] = tp;
    out_[c] = hn;
    out_[d] = tn;
}

bool HalfEdges::can_collapse(int h) const {
    // The link condition: the ends have no common neighbour but the two opposite corners.
    const int a = tail(h), b = head(h);
    if (valence(apex(h)) <= 3 || valence(apex(twin_[h])) <= 3) return false;
    int common = 0;
    around(a, [&](int from_a) {
        const int neighbour = head(from_a);
        if (neighbour != b && adjacent(b, neighbour)) ++common;
    });
    return common == 2;
}

void HalfEdges::collapse(int h) {
    const int t = twin_[h], a = tail(h), b = head(h), c = apex(h), d = apex(t);
    const int cb = twin_[next(h)], bc = twin_[previous(h)];
    const int db = twin_[next(t)], bd = twin_[previous(t)];
    std::vector<int> leaving;
    around(a, [&](int from_a) { leaving.push_back(from_a); });
    for (const int from_a : leaving) tail_[from_a] = b;
    for (const int gone : {h, next(h), previous(h), t, next(t), previous(t)}) tail_[gone] = -1;
    link(cb, bc);
    link(db, bd);
    out_[a] = -1;
    out_[b] = bc;
    out_[c] = cb;
    out_[d] = db;
}

std::vector<Triangle> HalfEdges::faces() const {
    std::vector<Triangle> result;
    for (std::size_t h = 0; h < tail_.size(); h += 3)
        if (tail_[h] >= 0) result.push_back({tail_[h], tail_[h + 1], tail_[h + 2]});
    return result;
}

} // namespace knead
