#pragma once

#include "knead/bulge/combine_displacements.hpp"
#include "knead/deform/object/resolved_pair.hpp"

#include <memory>

namespace knead {

/// An object whose contacts are to be separated.
struct SeparateObject {
    std::vector<Vec3>* positions = nullptr; ///< resolved but for what may still cross
    bool moves = false;
    std::span<const Vec3> raise = {}; ///< that keeps its volume; empty: nothing does
    std::span<const int> raised = {}; ///< the vertices that have one
    VertexNumber bulge = 1;           ///< how much of the volume is kept
    const SurfaceStructure* structure = nullptr;
    // For bulges about what is pushed; without any where nothing is held.
    BulgeMesh mesh = {};
    std::span<const char> held = {};              ///< one a vertex: those that stay where they are
    std::span<const PairDisplacement> zones = {}; ///< that have a bulge of their own
};

/// The last pass: parts the surfaces that still cross after all that went before.
///
/// First vertices that are nearer to the other side than a small gap, or in it, go out of it, each
/// side by its part of the way. Then, again and again, edges that still pass through the other
/// side, which an exact test finds: until there are none. What the pass has moved is taken for a
/// part of the contact, so that bulges rise by its volume, before every test: the volume is kept
/// and nothing crosses, both at the end.
///
/// Every push comes in from nothing as a vertex or an edge goes in, so nothing jumps, and where
/// nothing crosses nothing moves: however often it is done again, that is one continuous map.
class Separation {
public:
    Separation();
    ~Separation();
    Separation(const Separation&) = delete;
    Separation& operator=(const Separation&) = delete;

    /// The objects are one a surface of the pairs' objects.
    void separate(std::span<const ResolvedPair> pairs, std::span<const SeparateObject> objects);
    /// Edges of either side that still pass through the other, one a pair.
    std::span<const int> crossings_left() const { return left_; }

private:
    struct Object;
    struct Side;
    struct Pair;
    Side& pose(const DeformSurface& side);
    void begin(std::span<const ResolvedPair> pairs, std::span<const SeparateObject> objects);
    void follow();
    void open_gaps();
    int find_crossings();
    void push_crossings();
    void move_pushed();
    void keep_volumes();
    void count_left();
    void take_best();
    void go_as_taken();

    std::vector<std::unique_ptr<Object>> objects_;
    std::vector<std::unique_ptr<Side>> sides_;
    std::vector<std::unique_ptr<Pair>> pairs_;
    std::size_t object_count_ = 0, side_count_ = 0, pair_count_ = 0;
    std::vector<int> left_;
};

} // namespace knead
