#include "knead/bulge/cut_region.hpp"

#include "knead/contact/fades.hpp"
#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

struct Angle {
    double sine = 0, cosine = 0;
};

Angle angle(const Vec3& at, const Vec3& b, const Vec3& c) {
    const Vec3 u = b - at, v = c - at;
    const double lengths = u.norm() * v.norm();
    return lengths > 0 ? Angle{u.cross(v).norm() / lengths, u.dot(v) / lengths} : Angle();
}

// A zone that is there to this part is there.
constexpr double fully_there = 1 - 1e-9;
// One that is there to less than this part is not: so little would not hold the fields.
constexpr double barely_there = 1e-6;

// The pieces of one face, all with one weight.
class FacePieces {
public:
    FacePieces(CutRegion& region, int face, double weight, std::span<const Vec3> positions,
               const ContactZone& zone)
        : region_(region), face_(face), weight_(weight), positions_(positions), zone_(zone) {}

    void triangle(int a, int b, int c, double part = 1) {
        region_.pieces.push_back({{a, b, c}, face_, part * weight_});
    }

    // Along its Delaunay diagonal: the sum of the angles opposite to a-c, at b and d, is at most pi
    // when a-c is the right one. At the change from one diagonal to the other the Laplacian is the
    // same for both, but the direction of the heat's gradient is not: both count there.
    void quad(int a, int b, int c, int d) {
        const auto at = [&](int corner) -> const Vec3& {
            return corner_position(corner, positions_, zone_);
        };
        // The sine of those angles' sum; seen from the other diagonal it has the other sign.
        const Angle at_b = angle(at(b), at(c), at(a)), at_d = angle(at(d), at(a), at(c));
        const double sine = at_b.sine * at_d.cosine + at_b.cosine * at_d.sine;
        const double part = fades::diagonal(0.5 + sine / 0.4);
        if (part > 0) {
            triangle(a, b, c, part);
            triangle(a, c, d, part);
        }
        if (part < 1) {
            triangle(a, b, d, 1 - part);
            triangle(b, c, d, 1 - part);
        }
    }

private:
    CutRegion& region_;
    int face_;
    double weight_;
    std::span<const Vec3> positions_;
    const ContactZone& zone_;
};

// A face with less weight is left out: it could hardly hold what is behind it.
constexpr double least_weight = 1e-8;

// Vertices of the pieces that pieces join to a border point: parts of the mesh that no border
// reaches have nothing to follow. A face is passed on from once.
void find_unknowns(CutRegion& region, CutWorkspace& workspace, const ContactZone& zone,
                   std::span<const Triangle> faces, const Topology& topology) {
    constexpr char waiting = 2;
    workspace.face_has_piece.assign(faces.size(), 0);
    workspace.border_has_piece.assign(zone.border.size(), 0);
    workspace.stack.clear();
    // A char may be a part of anything, also of what says where the chars are: pointers of our own
    // need not be read again after each is written.
    char* const unknown = region.unknown.data();
    char* const face_has_piece = workspace.face_has_piece.data();
    char* const border_has_piece = workspace.border_has_piece.data();
    for (const CutRegion::Piece& piece : region.pieces) {
        face_has_piece[piece.face] = 1;
        for (const int corner : piece.corners)
            (corner >= 0 ? unknown[corner] : border_has_piece[~corner]) = waiting;
    }
    std::vector<int>& stack = workspace.stack;
    const auto reach = [&](int vertex) {
        if (unknown[vertex] != waiting) return;
        unknown[vertex] = 1;
        stack.push_back(vertex);
    };
    for (std::size_t b = 0; b < zone.border.size(); ++b)
        if (border_has_piece[b])
            for (const int end : topology.edges[zone.border[b].on_edge.edge]) reach(end);
    while (!stack.empty()) {
        const int vertex = stack.back();
        stack.pop_back();
        for (const int face : topology.vertex_faces[vertex])
            if (face_has_piece[face]) {
                face_has_piece[face] = 0;
                for (const int corner : faces[face]) reach(corner);
            }
    }
    for (char& each : region.unknown) each &= 1;
}

} // namespace

CutRegion cut_region(const ContactZone& zone, std::span<const Vec3> positions,
                     std::span<const Triangle> faces, const Topology& topology,
                     std::span<const double> weights, double edge) {
    CutWorkspace workspace;
    CutRegion region;
    cut_region(zone, positions, faces, topology, weights, edge, workspace, region);
    return region;
}

void cut_region(const ContactZone& zone, std::span<const Vec3> positions,
                std::span<const Triangle> faces, const Topology& topology,
                std::span<const double> weights, double edge, CutWorkspace& workspace,
                CutRegion& region) {
    region.edge = edge > 0 ? edge : mean_edge_length(positions, topology);
    region.pieces.clear();
    region.pieces.reserve(faces.size());
    // While a zone comes in somewhere its inside counts, all of it: a vertex that has just entered
    // is held by its neighbours in the zone, also by those that are fully there.
    const bool with_inside = std::any_of(zone.face_fade.begin(), zone.face_fade.end(),
                                         [](double fade) { return fade < fully_there; });
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const Triangle& face = faces[f];
        const int in = zone.inside[face[0]] + zone.inside[face[1]] + zone.inside[face[2]];
        const int id = static_cast<int>(f);
        const double weight =
            weights.empty() ? 1 : std::min({weights[face[0]], weights[face[1]], weights[face[2]]});
        if (weight < least_weight) continue;
        if (in == 0) {
            region.pieces.push_back({face, id, weight});
            continue;
        }
        const double fade = zone.face_fade.empty() ? 1 : zone.face_fade[f];
        const bool partly = fade < fully_there;
        if (partly)
            FacePieces(region, id, weight * (fade < barely_there ? 1 : 1 - fade), positions, zone)
                .triangle(face[0], face[1], face[2]);
        if (fade < barely_there) continue;
        FacePieces cut(region, id, weight * (partly ? fade : 1), positions, zone);
        if (in == 3) {
            if (with_inside) cut.triangle(face[0], face[1], face[2]);
            continue;
        }
        // Corner 0 is the odd one out.
        int odd = 0;
        while (zone.inside[face[odd]] != (in == 1)) ++odd;
        const int a = face[odd], b = face[(odd + 1) % 3], c = face[(odd + 2) % 3];
        const int ab = ~zone.border_of_edge[topology.face_edges[f][odd]];
        const int ca = ~zone.border_of_edge[topology.face_edges[f][(odd + 2) % 3]];
        if (in == 1 || with_inside) cut.quad(ab, b, c, ca);
        if (in == 2 || with_inside) cut.triangle(a, ab, ca);
    }
    region.unknown.assign(positions.size(), 0);
    find_unknowns(region, workspace, zone, faces, topology);
}

} // namespace knead
