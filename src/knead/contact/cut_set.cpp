#include "knead/contact/cut_set.hpp"

#include <algorithm>

namespace knead {

bool CutSet::empty() const {
    return std::none_of(inside.begin(), inside.end(), [](char c) { return c != 0; });
}

CutFace cut_face(const CutSet& set, int face, std::span<const Triangle> faces,
                 const Topology& topology) {
    CutFace result;
    const Triangle& corners = faces[face];
    for (int i = 0; i < 3; ++i) {
        const int from = corners[i], to = corners[(i + 1) % 3];
        if (set.inside[from]) result.corners[result.count++] = {from, from, 0, -1};
        if (set.inside[from] != set.inside[to]) {
            const int edge = topology.face_edges[face][i];
            const Edge& ends = topology.edges[edge];
            result.corners[result.count++] = {ends[0], ends[1], set.cut[edge], edge};
        }
    }
    return result;
}

} // namespace knead
