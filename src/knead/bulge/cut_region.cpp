#include "knead/bulge/cut_region.hpp"

#include "knead/base/smoothstep.hpp"
#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

double cotangent(const Vec3& at, const Vec3& b, const Vec3& c) {
    const Vec3 u = b - at, v = c - at;
    const double sine = u.cross(v).norm();
    return sine > 0 ? u.dot(v) / sine : 0;
}

struct Angle {
    double sine = 0, cosine = 0;
};

Angle angle(const Vec3& at, const Vec3& b, const Vec3& c) {
    const Vec3 u = b - at, v = c - at;
    const double lengths = u.norm() * v.norm();
    return lengths > 0 ? Angle{u.cross(v).norm() / lengths, u.dot(v) / lengths} : Angle();
}

// Cotangents at the corners, also of a piece that is next to flat: its sides grow by one length
// until they make a triangle again (intrinsic mollification, Sharp and Crane 2020), so that it
// still joins its corners and the matrix stays positive definite.
Vec3 robust_cotangents(const Vec3& a, const Vec3& b, const Vec3& c, double least_slack) {
    Vec3 sides((c - b).norm(), (a - c).norm(), (b - a).norm());
    const double slack = sides.sum() - 2 * sides.maxCoeff();
    if (slack >= least_slack) return {cotangent(a, b, c), cotangent(b, c, a), cotangent(c, a, b)};
    sides.array() += least_slack - slack;
    const double s = 0.5 * sides.sum();
    const double area = std::sqrt(s * (s - sides[0]) * (s - sides[1]) * (s - sides[2]));
    // b^2 + c^2 - a^2, without loss where a needle's two long sides cancel.
    const auto at = [&](double opposite, double side, double other) {
        const double longer = std::max(side, other), shorter = std::min(side, other);
        return (shorter * shorter + (longer - opposite) * (longer + opposite)) / (4 * area);
    };
    return {at(sides[0], sides[1], sides[2]), at(sides[1], sides[2], sides[0]),
            at(sides[2], sides[0], sides[1])};
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
        const double part = smoothstep(0.5 + sine / 0.4);
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

// Vertices of the pieces that pieces join to a border point: parts of the mesh that no border
// reaches have nothing to follow.
void find_unknowns(CutRegion& region, const ContactZone& zone, const Topology& topology) {
    std::vector<char> in_piece(region.unknown.size(), 0);
    std::vector<char> border_in_piece(zone.border.size(), 0);
    for (const CutRegion::Piece& piece : region.pieces)
        for (const int corner : piece.corners)
            (corner >= 0 ? in_piece[corner] : border_in_piece[~corner]) = 1;
    std::vector<int> stack;
    const auto reach = [&](int vertex) {
        if (!in_piece[vertex] || region.unknown[vertex]) return;
        region.unknown[vertex] = 1;
        stack.push_back(vertex);
    };
    for (std::size_t b = 0; b < zone.border.size(); ++b)
        if (border_in_piece[b])
            for (const int end : topology.edges[zone.border[b].on_edge.edge]) reach(end);
    while (!stack.empty()) {
        const int vertex = stack.back();
        stack.pop_back();
        for (const int neighbour : topology.vertex_vertices[vertex]) reach(neighbour);
    }
}

} // namespace

CutRegion cut_region(const ContactZone& zone, std::span<const Vec3> positions,
                     std::span<const Triangle> faces, const Topology& topology) {
    CutRegion region;
    region.edge = mean_edge_length(positions, topology);
    region.pieces.reserve(faces.size());
    // While a zone comes in somewhere its inside counts, all of it: a vertex that has just entered
    // is held by its neighbours in the zone, also by those that are fully there.
    const bool with_inside = std::any_of(zone.face_fade.begin(), zone.face_fade.end(),
                                         [](double fade) { return fade < fully_there; });
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const Triangle& face = faces[f];
        const int in = zone.inside[face[0]] + zone.inside[face[1]] + zone.inside[face[2]];
        const int id = static_cast<int>(f);
        const double fade = in == 0 ? 0 : zone.face_fade.empty() ? 1 : zone.face_fade[f];
        const bool partly = fade < fully_there;
        if (partly)
            FacePieces(region, id, fade < barely_there ? 1 : 1 - fade, positions, zone)
                .triangle(face[0], face[1], face[2]);
        if (in == 0 || fade < barely_there) continue;
        FacePieces cut(region, id, partly ? fade : 1, positions, zone);
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
    find_unknowns(region, zone, topology);
    return region;
}

void for_each_cut_weight(
    const CutRegion& region, const ContactZone& zone, std::span<const Vec3> positions,
    const std::function<void(const CutRegion::Piece&, int a, int b, double weight)>& visit) {
    const double least_slack = 1e-7 * region.edge;
    for (const CutRegion::Piece& piece : region.pieces) {
        const Vec3 cotangents =
            robust_cotangents(corner_position(piece.corners[0], positions, zone),
                              corner_position(piece.corners[1], positions, zone),
                              corner_position(piece.corners[2], positions, zone), least_slack);
        for (int i = 0; i < 3; ++i)
            visit(piece, piece.corners[i], piece.corners[(i + 1) % 3],
                  0.5 * piece.weight * cotangents[(i + 2) % 3]);
    }
}

void assemble_cut_laplacian(const CutRegion& region, const ContactZone& zone,
                            const LaplacianPattern& pattern, std::span<const Vec3> positions,
                            std::span<const Triangle> faces, SparseMatrix& matrix,
                            const Eigen::Ref<const Eigen::MatrixXd>& border_values,
                            Eigen::MatrixXd& right_hand_sides) {
    double* values = matrix.valuePtr();
    for_each_cut_weight(
        region, zone, positions, [&](const CutRegion::Piece& piece, int a, int b, double w) {
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
        });
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
            if (piece.corners[i] >= 0) mass[piece.corners[i]] += piece.weight * share[i];
    }
}

} // namespace knead
