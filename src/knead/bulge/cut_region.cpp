#include "knead/bulge/cut_region.hpp"

#include "knead/mesh/measures.hpp"

#include <algorithm>

namespace knead {
namespace {

double cotangent(const Vec3& at, const Vec3& b, const Vec3& c) {
    const Vec3 u = b - at, v = c - at;
    const double sine = u.cross(v).norm();
    return sine > 0 ? u.dot(v) / sine : 0;
}

// The quad a b c d into two triangles along its Delaunay diagonal: the sum of the angles opposite
// to a-c, at b and d, is at most pi when a-c is the right one.
void add_quad(std::vector<CutRegion::Piece>& pieces, const std::array<int, 4>& quad, int face,
              std::span<const Vec3> positions, const ContactZone& zone) {
    const auto at = [&](int i) -> const Vec3& { return corner_position(quad[i], positions, zone); };
    const bool first = cotangent(at(1), at(2), at(0)) + cotangent(at(3), at(0), at(2)) >= 0;
    if (first) {
        pieces.push_back({{quad[0], quad[1], quad[2]}, face});
        pieces.push_back({{quad[0], quad[2], quad[3]}, face});
    } else {
        pieces.push_back({{quad[0], quad[1], quad[3]}, face});
        pieces.push_back({{quad[1], quad[2], quad[3]}, face});
    }
}

} // namespace

CutRegion cut_region(const ContactZone& zone, std::span<const Vec3> positions,
                     std::span<const Triangle> faces, const Topology& topology) {
    CutRegion region;
    region.pieces.reserve(faces.size());
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const Triangle& face = faces[f];
        const int in = zone.inside[face[0]] + zone.inside[face[1]] + zone.inside[face[2]];
        const int id = static_cast<int>(f);
        if (in == 0) {
            region.pieces.push_back({face, id});
            continue;
        }
        if (in == 3) continue;
        // Corner 0 is the odd one out.
        int odd = 0;
        while (zone.inside[face[odd]] != (in == 1)) ++odd;
        const int a = face[odd], b = face[(odd + 1) % 3], c = face[(odd + 2) % 3];
        const int ab = ~zone.border_of_edge[topology.face_edges[f][odd]];
        const int ca = ~zone.border_of_edge[topology.face_edges[f][(odd + 2) % 3]];
        if (in == 1)
            add_quad(region.pieces, {ab, b, c, ca}, id, positions, zone);
        else
            region.pieces.push_back({{a, ab, ca}, id});
    }

    // Flood from the border: parts of the mesh that no border reaches have nothing to follow.
    region.unknown.assign(positions.size(), 0);
    std::vector<int> stack;
    const auto reach = [&](int vertex) {
        if (zone.inside[vertex] || region.unknown[vertex]) return;
        region.unknown[vertex] = 1;
        stack.push_back(vertex);
    };
    for (const ZoneBorderPoint& point : zone.border)
        for (const int end : topology.edges[point.on_edge.edge]) reach(end);
    while (!stack.empty()) {
        const int vertex = stack.back();
        stack.pop_back();
        for (const int neighbour : topology.vertex_vertices[vertex]) reach(neighbour);
    }
    return region;
}

void assemble_cut_laplacian(const CutRegion& region, const ContactZone& zone,
                            const LaplacianPattern& pattern, std::span<const Vec3> positions,
                            std::span<const Triangle> faces, SparseMatrix& matrix,
                            const Eigen::Ref<const Eigen::MatrixXd>& border_values,
                            Eigen::MatrixXd& right_hand_sides) {
    double* values = matrix.valuePtr();
    for (const CutRegion::Piece& piece : region.pieces) {
        const Vec3& p0 = corner_position(piece.corners[0], positions, zone);
        const Vec3& p1 = corner_position(piece.corners[1], positions, zone);
        const Vec3& p2 = corner_position(piece.corners[2], positions, zone);
        const double weights[3] = {0.5 * cotangent(p2, p0, p1), 0.5 * cotangent(p0, p1, p2),
                                   0.5 * cotangent(p1, p2, p0)};
        for (int i = 0; i < 3; ++i) {
            const int a = piece.corners[i], b = piece.corners[(i + 1) % 3];
            const double w = weights[i];
            const bool a_free = a >= 0 && region.unknown[a], b_free = b >= 0 && region.unknown[b];
            if (a_free) values[pattern.diagonal[a]] += w;
            if (b_free) values[pattern.diagonal[b]] += w;
            if (a_free && b_free) {
                const Triangle& face = faces[piece.face];
                int side = 0;
                while (!((face[side] == a && face[(side + 1) % 3] == b) ||
                         (face[side] == b && face[(side + 1) % 3] == a)))
                    ++side;
                values[pattern.face_edges[piece.face][side]] -= w;
            } else if (a_free && b < 0) {
                right_hand_sides.row(a) += w * border_values.row(~b);
            } else if (b_free && a < 0) {
                right_hand_sides.row(b) += w * border_values.row(~a);
            }
        }
    }
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (!region.unknown[v]) values[pattern.diagonal[v]] = 1;
}

void assemble_cut_mass(const CutRegion& region, const ContactZone& zone,
                       std::span<const Vec3> positions, std::vector<double>& mass) {
    mass.assign(positions.size(), 0.0);
    for (const CutRegion::Piece& piece : region.pieces) {
        const std::array<Vec3, 3> corners = {corner_position(piece.corners[0], positions, zone),
                                             corner_position(piece.corners[1], positions, zone),
                                             corner_position(piece.corners[2], positions, zone)};
        const Vec3 share = voronoi_areas(corners[0], corners[1], corners[2]);
        for (int i = 0; i < 3; ++i)
            if (piece.corners[i] >= 0) mass[piece.corners[i]] += share[i];
    }
}

} // namespace knead
