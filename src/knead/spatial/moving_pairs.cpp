#include "knead/spatial/moving_pairs.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/progress.hpp"
#include "knead/spatial/continuous_collision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace knead {
namespace {

using Workspace = MovingPairsWorkspace;

// Faces that look for others together. What is near a block is found by the tree and sorted once,
// and then compared with each of its faces, four at a time. Twice as many make no difference, a
// quarter as many take a sixth longer.
constexpr int faces_per_block = 32;
constexpr std::size_t blocks_per_piece = 32;
// The tree is built anew when its boxes have grown by this, compared with those of the faces.
// Building takes about a fifth of a search.
constexpr double worn_out = 1.3;
// Growth beyond this, in sizes of the scene, makes no difference.
constexpr float largest_growth = 0x1p100f;
constexpr int several_bodies = -1;
// After so many pairs it is asked whether to stop: a hard pair takes some microseconds.
constexpr std::size_t pairs_a_look = 1024;

// Exactly whether boxes are no further apart than the margin along any axis: a rounded
// difference exceeds a number if and only if the difference does.
inline bool within(const Box& a, const Box& b, double margin) {
    const auto axis_within = [&](int i) {
        return static_cast<int>(a.lower[i] - b.upper[i] <= margin) &
               static_cast<int>(b.lower[i] - a.upper[i] <= margin);
    };
    // All at once: which axis decides cannot be guessed.
    return (axis_within(0) & axis_within(1) & axis_within(2)) != 0;
}

// From the scene to single precision: from -1 to 1, and grown by half the margin and by what
// rounding may take away.
class Flattening {
public:
    Flattening(const Box& bounds, double margin) {
        center_ = 0.5 * bounds.lower + 0.5 * bounds.upper;
        const double half = (0.5 * bounds.upper - 0.5 * bounds.lower).maxCoeff();
        scale_ = 1 / std::max(half, 1e-290);
        const double rounding = 0x1p-50 * std::max(bounds.lower.cwiseAbs().maxCoeff(),
                                                   bounds.upper.cwiseAbs().maxCoeff());
        growth_ = std::min((margin / 2 + rounding) * scale_ * (1 + 0x1p-22) + 0x1p-22,
                           static_cast<double>(largest_growth));
    }
    FlatBox operator()(const Box& box) const {
        FlatBox flat;
        for (int i = 0; i < 3; ++i) {
            const double lower = (box.lower[i] - center_[i]) * scale_ - growth_;
            const double upper = (box.upper[i] - center_[i]) * scale_ + growth_;
            // Rounding to single precision is relative, and here growth may be large.
            flat.lower[i] = static_cast<float>(lower - 0x1p-23 * growth_);
            flat.upper[i] = static_cast<float>(upper + 0x1p-23 * growth_);
        }
        return flat;
    }

private:
    Vec3 center_;
    double scale_, growth_;
};

void sweep(const CollisionMesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end,
           double margin, Workspace& w) {
    w.vertex_boxes.resize(start.size());
    w.edge_boxes.resize(mesh.edges.size());
    w.face_boxes.resize(mesh.faces.size());
    w.flat_boxes.resize(mesh.faces.size());
    parallel_for(start.size(), 4096, [&](std::size_t v) {
        w.vertex_boxes[v] = {start[v].cwiseMin(end[v]), start[v].cwiseMax(end[v])};
    });
    Box bounds;
    for (const Box& box : w.vertex_boxes) bounds.include(box);
    const Flattening flattened(bounds, margin);
    parallel_for(mesh.edges.size(), 4096, [&](std::size_t e) {
        Box box = w.vertex_boxes[mesh.edges[e][0]];
        box.include(w.vertex_boxes[mesh.edges[e][1]]);
        w.edge_boxes[e] = box;
    });
    parallel_for(mesh.faces.size(), 4096, [&](std::size_t f) {
        Box box = w.vertex_boxes[mesh.faces[f][0]];
        box.include(w.vertex_boxes[mesh.faces[f][1]]);
        box.include(w.vertex_boxes[mesh.faces[f][2]]);
        w.face_boxes[f] = box;
        w.flat_boxes[f] = flattened(box);
    });
}

// How many faces are below each node decides which nodes are blocks.
void list_blocks(const BoxTree& tree, std::vector<Workspace::Block>& blocks) {
    std::vector<int> counts(tree.nodes.size());
    for (std::size_t n = tree.nodes.size(); n-- > 0;) {
        const BoxTree::Node& node = tree.nodes[n];
        counts[n] = node.count > 0 ? node.count : counts[node.first] + counts[node.first + 1];
    }
    blocks.clear();
    std::vector<int> open;
    if (!tree.empty()) open.push_back(0);
    int first = 0;
    while (!open.empty()) {
        const int n = open.back();
        open.pop_back();
        if (counts[n] <= faces_per_block || tree.nodes[n].count > 0) {
            blocks.push_back({first, counts[n]});
            first += counts[n];
        } else {
            open.insert(open.end(), {tree.nodes[n].first + 1, tree.nodes[n].first});
        }
    }
}

void include(FlatBox& box, const FlatBox& other) {
    for (int i = 0; i < 3; ++i) {
        box.lower[i] = std::min(box.lower[i], other.lower[i]);
        box.upper[i] = std::max(box.upper[i], other.upper[i]);
    }
}

double flat_area(const FlatBox& box) {
    const double x = box.upper[0] - box.lower[0], y = box.upper[1] - box.lower[1],
                 z = box.upper[2] - box.lower[2];
    return x * y + y * z + z * x;
}

// Nothing overlaps this.
constexpr FlatBox empty_flat_box{{largest_growth * 2, largest_growth * 2, largest_growth * 2},
                                 {-largest_growth * 2, -largest_growth * 2, -largest_growth * 2}};

// Written number by number, they would be read again before they have arrived in memory.
FourBoxes four_boxes(const FlatBox& a, const FlatBox& b, const FlatBox& c, const FlatBox& d) {
    static_assert(sizeof(FlatBox) == 6 * sizeof(float));
    const auto load = [](const FlatBox& box, std::size_t first) {
        Float4 numbers;
        std::memcpy(&numbers, reinterpret_cast<const char*>(&box) + first * sizeof(float),
                    sizeof(numbers));
        return numbers;
    };
    FourBoxes boxes;
    Float4* sides = boxes.sides;
    sides[0] = load(a, 0);
    sides[1] = load(b, 0);
    sides[2] = load(c, 0);
    sides[3] = load(d, 0);
    transpose(sides[0], sides[1], sides[2], sides[3]);
    Float4 last[4] = {load(a, 2), load(b, 2), load(c, 2), load(d, 2)};
    transpose(last[0], last[1], last[2], last[3]);
    sides[4] = last[2];
    sides[5] = last[3];
    return boxes;
}

class SweptFitter {
public:
    SweptFitter(const CollisionMesh& mesh, Workspace& w) : mesh_(mesh), w_(w) {}

    // Tells how large the boxes above faces are, compared with those of the faces.
    double operator()() {
        w_.node_boxes.resize(w_.tree.nodes.size());
        w_.node_bodies.resize(w_.tree.nodes.size());
        const std::vector<int>& branches = w_.tree.branches;
        parallel_for(branches.size(), 1, [&](std::size_t b) { fit_branch(branches[b]); });
        for (std::size_t i = w_.tree.top.size(); i-- > 0;) {
            const int top = w_.tree.top[i];
            fit(top, [&](int child) { return fitted(child); });
        }
        double nodes = 0, faces = 0;
        for (const FlatBox& box : w_.flat_boxes) faces += flat_area(box);
        for (std::size_t n = 1; n < w_.tree.nodes.size(); ++n)
            nodes += flat_area(fitted(static_cast<int>(n)).box);
        return faces > 0 ? nodes / faces : 0;
    }

private:
    struct Fitted {
        FlatBox box;
        int body;
    };

    Fitted fit_branch(int node) {
        return fit(node, [&](int child) { return fit_branch(child); });
    }

    template <typename FitNode>
    Fitted fit(int node, const FitNode& fit_node) {
        const WideTree::Children& children = w_.tree.nodes[node];
        Fitted all{empty_flat_box, several_bodies};
        std::array<FlatBox, 4> each;
        each.fill(empty_flat_box);
        for (int i = 0; i < 4; ++i) {
            const int child = children[i];
            if (child == WideTree::none) {
                w_.node_bodies[node][i] = several_bodies;
                continue;
            }
            const Fitted one = child >= 0
                                   ? fit_node(child)
                                   : Fitted{w_.flat_boxes[~child], mesh_.body_of_face(~child)};
            each[i] = one.box;
            w_.node_bodies[node][i] = one.body;
            all.body = i == 0 || one.body == all.body ? one.body : several_bodies;
            include(all.box, one.box);
        }
        w_.node_boxes[node] = four_boxes(each[0], each[1], each[2], each[3]);
        return all;
    }

    Fitted fitted(int node) const {
        Fitted all{empty_flat_box, several_bodies};
        for (int i = 0; i < 4; ++i) {
            if (w_.tree.nodes[node][i] == WideTree::none) continue;
            FlatBox box;
            for (int axis = 0; axis < 3; ++axis) {
                box.lower[axis] = w_.node_boxes[node].sides[axis][i];
                box.upper[axis] = w_.node_boxes[node].sides[axis + 3][i];
            }
            include(all.box, box);
            const int body = w_.node_bodies[node][i];
            all.body = i == 0 || body == all.body ? body : several_bodies;
        }
        return all;
    }

    const CollisionMesh& mesh_;
    Workspace& w_;
};

void fit_tree(const CollisionMesh& mesh, Workspace& w) {
    SweptFitter fit(mesh, w);
    if (w.built_area >= 0 && w.order.size() == mesh.faces.size() &&
        fit() <= worn_out * w.built_area)
        return;
    BoxTree tree = build_box_tree(w.face_boxes);
    w.tree = widen(tree);
    list_blocks(tree, w.blocks);
    w.order = std::move(tree.items);
    w.built_area = fit();
}

// The pairs whose first primitive belongs to a face of one piece of the blocks.
class PieceSearch {
public:
    PieceSearch(const CollisionMesh& mesh, double margin, Workspace& w, std::size_t piece,
                std::atomic<std::size_t>& all_found, const std::stop_token& stop)
        : mesh_(mesh),
          margin_(margin),
          w_(w),
          piece_(w.pieces[piece]),
          number_(static_cast<int>(piece)),
          all_found_(all_found),
          stop_(stop) {}

    void operator()() {
        piece_.found.clear();
        const std::size_t first = static_cast<std::size_t>(number_) * blocks_per_piece;
        const std::size_t end = std::min(w_.blocks.size(), first + blocks_per_piece);
        for (std::size_t b = first; b < end; ++b) {
            const std::span<const int> faces = std::span<const int>(w_.order).subspan(
                static_cast<std::size_t>(w_.blocks[b].first),
                static_cast<std::size_t>(w_.blocks[b].count));
            find_candidates(faces);
            if (piece_.candidates.empty()) continue;
            for (const int face : faces) {
                const std::size_t before = piece_.found.size();
                search(face);
                const std::size_t added = piece_.found.size() - before;
                if (all_found_.fetch_add(added) + added > most_moving_pairs) give_up();
            }
            check_stop(stop_);
        }
    }

private:
    [[noreturn]] static void give_up() {
        throw SolveError(fmt::format(
            "more than {} pairs of vertices, edges and faces may meet at once; expected slower "
            "motion, shorter steps or coarser meshes",
            most_moving_pairs));
    }

    // All faces that one of the block may touch, ascending.
    void find_candidates(std::span<const int> faces) {
        FlatBox box = empty_flat_box;
        int body = mesh_.body_of_face(faces[0]);
        for (const int face : faces) {
            include(box, w_.flat_boxes[face]);
            if (mesh_.body_of_face(face) != body) body = several_bodies;
        }
        std::vector<int>& candidates = piece_.candidates;
        candidates.clear();
        std::array<int, WideTree::max_stack> stack;
        int size = 0;
        stack[size++] = 0;
        while (size > 0) {
            const int node = stack[--size];
            for (int found = overlapping(w_.node_boxes[node], box); found != 0;
                 found &= found - 1) {
                const int i = std::countr_zero(static_cast<unsigned>(found));
                const int child = w_.tree.nodes[node][i], other = w_.node_bodies[node][i];
                if (body >= 0 && other >= 0 && !mesh_.bodies_touch(body, other)) continue;
                if (child >= 0)
                    stack[size++] = child;
                else if (child != WideTree::none)
                    candidates.push_back(~child);
            }
        }
        std::sort(candidates.begin(), candidates.end());
        piece_.candidate_boxes.resize((candidates.size() + 3) / 4);
        const auto box_of = [&](std::size_t c) -> const FlatBox& {
            return c < candidates.size() ? w_.flat_boxes[candidates[c]] : empty_flat_box;
        };
        for (std::size_t i = 0; i < piece_.candidate_boxes.size(); ++i)
            piece_.candidate_boxes[i] =
                four_boxes(box_of(4 * i), box_of(4 * i + 1), box_of(4 * i + 2), box_of(4 * i + 3));
    }

    void search(int face) {
        std::vector<int>& hits = piece_.hits;
        hits.clear();
        const int body = mesh_.body_of_face(face);
        const FlatBox& box = w_.flat_boxes[face];
        for (std::size_t four = 0; four < piece_.candidate_boxes.size(); ++four)
            for (int found = overlapping(piece_.candidate_boxes[four], box); found != 0;
                 found &= found - 1) {
                const int other =
                    piece_.candidates[4 * four + static_cast<std::size_t>(std::countr_zero(
                                                     static_cast<unsigned>(found)))];
                if (other != face && mesh_.bodies_touch(body, mesh_.body_of_face(other)))
                    hits.push_back(other);
            }
        if (hits.empty()) return;
        const std::size_t later = static_cast<std::size_t>(
            std::upper_bound(hits.begin(), hits.end(), face) - hits.begin());
        for (int i = 0; i < 3; ++i) {
            if (mesh_.owned[face] >> i & 1) search_vertex(mesh_.faces[face][i]);
            if (mesh_.owned[face] >> (3 + i) & 1)
                search_edge(mesh_.face_edges[face][i], std::span(hits).subspan(later));
        }
    }

    void search_vertex(int vertex) {
        const int first = static_cast<int>(piece_.found.size());
        const Box box = w_.vertex_boxes[vertex];
        for (const int face : piece_.hits) {
            if (!within(box, w_.face_boxes[face], margin_)) continue;
            const Triangle& corners = mesh_.faces[face];
            if (corners[0] != vertex && corners[1] != vertex && corners[2] != vertex)
                piece_.found.push_back(face);
        }
        w_.runs[vertex] = {number_, first, static_cast<int>(piece_.found.size()) - first};
    }

    void search_edge(int edge, std::span<const int> faces) {
        const int first = static_cast<int>(piece_.found.size());
        const Box box = w_.edge_boxes[edge];
        const auto [a, b] = mesh_.edges[edge];
        for (const int face : faces) {
            const int owned = mesh_.owned[face] >> 3;
            if (owned == 0) continue;
            // Those that belong to the face are numbered one after the other.
            const int one = mesh_.face_edges[face][std::countr_zero(static_cast<unsigned>(owned))];
            const int end = one + (owned & 1) + (owned >> 1 & 1) + (owned >> 2);
            for (int other = one; other < end; ++other) {
                if (!within(box, w_.edge_boxes[other], margin_)) continue;
                const auto [c, d] = mesh_.edges[other];
                if (a != c && a != d && b != c && b != d) piece_.found.push_back(other);
            }
        }
        w_.runs[mesh_.body_of_vertex.size() + static_cast<std::size_t>(edge)] = {
            number_, first, static_cast<int>(piece_.found.size()) - first};
    }

    const CollisionMesh& mesh_;
    double margin_;
    Workspace& w_;
    Workspace::Piece& piece_;
    int number_;
    std::atomic<std::size_t>& all_found_; ///< pairs of all pieces
    const std::stop_token& stop_;
};

// The runs come in the order of the result, whatever the order they were found in.
void collect(std::size_t vertices, Workspace& w, std::vector<PrimitivePair>& pairs) {
    w.starts.resize(w.runs.size() + 1);
    w.starts[0] = 0;
    for (std::size_t r = 0; r < w.runs.size(); ++r)
        w.starts[r + 1] = w.starts[r] + static_cast<std::size_t>(w.runs[r].count);
    pairs.resize(w.starts.back());
    parallel_for(w.runs.size(), 1024, [&](std::size_t r) {
        const Workspace::Run& run = w.runs[r];
        if (run.count == 0) return;
        const bool of_vertex = r < vertices;
        const auto kind =
            of_vertex ? PrimitivePair::Kind::vertex_face : PrimitivePair::Kind::edge_edge;
        const int a = static_cast<int>(of_vertex ? r : r - vertices);
        const int* found = w.pieces[run.piece].found.data() + run.first;
        PrimitivePair* to = pairs.data() + w.starts[r];
        for (int i = 0; i < run.count; ++i) to[i] = {kind, a, found[i]};
    });
}

} // namespace

void find_moving_pairs(const CollisionMesh& mesh, std::span<const Vec3> start,
                       std::span<const Vec3> end, double margin, std::vector<PrimitivePair>& pairs,
                       MovingPairsWorkspace& workspace, const std::stop_token& stop) {
    check_positions(mesh, start, "start position");
    check_positions(mesh, end, "end position");
    if (!(margin >= 0))
        throw InputError(
            fmt::format("moving pairs: expected a margin of 0 or more, found {}", margin));
    pairs.clear();
    if (mesh.faces.empty()) return;
    sweep(mesh, start, end, margin, workspace);
    fit_tree(mesh, workspace);
    const std::size_t pieces = (workspace.blocks.size() + blocks_per_piece - 1) / blocks_per_piece;
    if (workspace.pieces.size() < pieces) workspace.pieces.resize(pieces);
    workspace.runs.assign(mesh.body_of_vertex.size() + mesh.edges.size(), {});
    std::atomic<std::size_t> found = 0;
    parallel_for(pieces, 1,
                 [&](std::size_t p) { PieceSearch(mesh, margin, workspace, p, found, stop)(); });
    collect(mesh.body_of_vertex.size(), workspace, pairs);
}

void find_impacts(const CollisionMesh& mesh, std::span<const Vec3> start, std::span<const Vec3> end,
                  double distance, std::span<const PrimitivePair> pairs,
                  std::vector<Impact>& impacts, const std::stop_token& stop) {
    // A time for every pair, and then only the pairs that have one.
    constexpr double none = 2;
    impacts.resize(pairs.size());
    parallel_for(pairs.size(), 512, [&](std::size_t i) {
        if (i % pairs_a_look == 0) check_stop(stop);
        const std::array<int, 4> vertices = vertices_of(mesh, pairs[i]);
        std::array<LinearMotion, 4> p;
        for (int k = 0; k < 4; ++k) p[k] = {start[vertices[k]], end[vertices[k]]};
        const std::optional<double> time =
            pairs[i].kind == PrimitivePair::Kind::vertex_face
                ? vertex_face_impact(p[0], {p[1], p[2], p[3]}, distance)
                : edge_edge_impact({p[0], p[1]}, {p[2], p[3]}, distance);
        impacts[i] = {pairs[i], time.value_or(none)};
    });
    std::erase_if(impacts, [&](const Impact& impact) { return impact.time == none; });
}

} // namespace knead
