#include "knead/spatial/crossings.hpp"

#include "knead/base/parallel.hpp"
#include "knead/spatial/perturbation.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace knead {
namespace {

// Pairs of faces tested by one thread at a time.
constexpr std::size_t pairs_per_piece = 512;

// The shares of a sum of terms of one sign that each have in it, as epsilon goes to zero: terms of
// higher order vanish against those of the lowest.
template <std::size_t N>
std::array<double, N> limit_shares(const std::array<LeadingTerm, N>& terms) {
    int lowest = terms[0].order;
    for (const LeadingTerm& term : terms) lowest = std::min(lowest, term.order);
    std::array<double, N> shares;
    double sum = 0;
    for (std::size_t i = 0; i < N; ++i) {
        shares[i] = terms[i].order == lowest ? std::abs(terms[i].value) : 0.0;
        sum += shares[i];
    }
    // Positions that are not finite have no shares worth the name, but must not break the order.
    for (double& share : shares) share = sum > 0 && std::isfinite(sum) ? share / sum : 1.0 / N;
    return shares;
}

// Where the edge pq, known to pass through the face, does so.
Crossing locate(int edge, const PerturbedPoint& p, const PerturbedPoint& q, int face,
                const PerturbedFace& corners) {
    const auto along = limit_shares<2>({orient3d_value(corners[0], corners[1], corners[2], p),
                                        orient3d_value(corners[0], corners[1], corners[2], q)});
    const auto within = limit_shares<3>({orient3d_value(p, q, corners[1], corners[2]),
                                         orient3d_value(p, q, corners[2], corners[0]),
                                         orient3d_value(p, q, corners[0], corners[1])});
    Crossing crossing;
    crossing.edge = {edge, along[0]};
    crossing.face = {face, Vec3(within[0], within[1], within[2])};
    crossing.position = along[1] * p.position() + along[0] * q.position();
    return crossing;
}

using Sides = std::array<int, 3>;

// On which side of the face each corner of the other lies, where that is not clear already.
void settle_sides(const PerturbedFace& face, const PerturbedFace& other, Sides& sides) {
    for (int i = 0; i < 3; ++i)
        if (sides[i] == 0) sides[i] = orient3d(face[0], face[1], face[2], other[i]);
}

bool one_side(const Sides& sides) {
    return sides[0] == sides[1] && sides[1] == sides[2];
}

bool clearly_one_side(const Sides& sides) {
    return sides[0] != 0 && one_side(sides);
}

// The edges that belong to face `of` of `surface` and pass through the other face; those in the
// mask `edges` are looked at.
void cross_edges(const Surface& surface, int of, int edges, const PerturbedFace& corners,
                 const Sides& sides, int other, const PerturbedFace& other_corners,
                 std::vector<Crossing>& result) {
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        if (sides[i] == sides[j] || !(edges >> i & 1)) continue;
        const bool forward = corners[i].vertex() < corners[j].vertex();
        const int first = forward ? i : j, second = forward ? j : i;
        if (!passes_through(corners[first], corners[second], other_corners)) continue;
        result.push_back(locate(surface.topology().face_edges[of][i], corners[first],
                                corners[second], other, other_corners));
        result.back().entering = sides[first] > 0;
    }
}

// One edge at most has no end in the corner that two faces share; exact tests of that corner, which
// are slow, are not needed for it.
void cross_opposite_edge(const Surface& surface, int of, int shared, const Surface& other,
                         int other_face, std::array<double, 2> shrinks,
                         std::vector<Crossing>& result) {
    const int i = (shared + 1) % 3, j = (shared + 2) % 3;
    if (!(surface.structure->own_edges[of] >> i & 1)) return;
    const PerturbedFace corners = perturbed_face(surface, of, shrinks[0]);
    const PerturbedFace others = perturbed_face(other, other_face, shrinks[1]);
    Sides sides{};
    for (const int corner : {i, j})
        sides[corner] = orient3d(others[0], others[1], others[2], corners[corner]);
    cross_edges(surface, of, 1 << i, corners, sides, other_face, others, result);
}

// Whether the faces have a corner in common; what then passes through either of them.
bool cross_touching(const Surface& a, int face_a, const Surface& b, int face_b, Crossings& result) {
    const auto corners_a = a.corners(face_a), corners_b = b.corners(face_b);
    int shared = 0, of_a = 0, of_b = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (corners_a[i] == corners_b[j]) ++shared, of_a = i, of_b = j;
    if (shared == 1) {
        cross_opposite_edge(a, face_a, of_a, b, face_b, {shrink_of_a, shrink_of_b}, result.of_a);
        cross_opposite_edge(b, face_b, of_b, a, face_a, {shrink_of_b, shrink_of_a}, result.of_b);
    }
    return shared > 0;
}

void cross_faces(const Surface& a, int face_a, const Surface& b, int face_b, Crossings& result) {
    // Plain arithmetic sorts out most pairs, and leaves little to do for most others.
    Sides sides_a = clear_sides(b.corners(face_b), a.corners(face_a));
    if (clearly_one_side(sides_a)) return;
    Sides sides_b = clear_sides(a.corners(face_a), b.corners(face_b));
    if (clearly_one_side(sides_b)) return;
    const PerturbedFace corners_a = perturbed_face(a, face_a, shrink_of_a);
    const PerturbedFace corners_b = perturbed_face(b, face_b, shrink_of_b);
    settle_sides(corners_b, corners_a, sides_a);
    if (one_side(sides_a)) return;
    settle_sides(corners_a, corners_b, sides_b);
    if (one_side(sides_b)) return;
    cross_edges(a, face_a, a.structure->own_edges[face_a], corners_a, sides_a, face_b, corners_b,
                result.of_a);
    cross_edges(b, face_b, b.structure->own_edges[face_b], corners_b, sides_b, face_a, corners_a,
                result.of_b);
}

void sort_along_edges(std::vector<Crossing>& crossings) {
    const auto key = [](const Crossing& c) {
        return std::make_tuple(c.edge.edge, c.edge.t, c.face.face);
    };
    std::sort(crossings.begin(), crossings.end(),
              [&](const Crossing& x, const Crossing& y) { return key(x) < key(y); });
}

int count_edges(const std::vector<Crossing>& crossings) {
    int count = 0;
    for (std::size_t i = 0; i < crossings.size(); ++i)
        count += i == 0 || crossings[i].edge.edge != crossings[i - 1].edge.edge;
    return count;
}

} // namespace

Crossings find_crossings(const Surface& a, const Surface& b) {
    Crossings result;
    CrossingWorkspace workspace;
    find_crossings(a, b, result, workspace);
    return result;
}

void find_crossings(const Surface& a, const Surface& b, Crossings& result,
                    CrossingWorkspace& workspace, bool share_border) {
    auto& pairs = workspace.face_pairs;
    pairs.clear();
    visit_overlaps(a.tree(), a.boxes, b.tree(), b.boxes, [&](int face_a, int face_b) {
        pairs.push_back({face_a, face_b});
    });

    const std::size_t piece_count = (pairs.size() + pairs_per_piece - 1) / pairs_per_piece;
    if (workspace.pieces.size() < piece_count) workspace.pieces.resize(piece_count);
    parallel_for(piece_count, 1, [&](std::size_t i) {
        Crossings& piece = workspace.pieces[i];
        piece.of_a.clear();
        piece.of_b.clear();
        const std::size_t end = std::min(pairs.size(), (i + 1) * pairs_per_piece);
        for (std::size_t p = i * pairs_per_piece; p < end; ++p)
            if (!share_border || !cross_touching(a, pairs[p][0], b, pairs[p][1], piece))
                cross_faces(a, pairs[p][0], b, pairs[p][1], piece);
    });

    result.of_a.clear();
    result.of_b.clear();
    for (std::size_t i = 0; i < piece_count; ++i) {
        const Crossings& piece = workspace.pieces[i];
        result.of_a.insert(result.of_a.end(), piece.of_a.begin(), piece.of_a.end());
        result.of_b.insert(result.of_b.end(), piece.of_b.begin(), piece.of_b.end());
    }
    sort_along_edges(result.of_a);
    sort_along_edges(result.of_b);
}

int count_crossing_edges(const Crossings& crossings) {
    return count_edges(crossings.of_a) + count_edges(crossings.of_b);
}

} // namespace knead
