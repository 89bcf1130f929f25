#pragma once

#include "knead/deform/settle/settle.hpp"
#include "knead/spatial/crossings.hpp"

#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace knead {

/// One side of a pair that is to be separated, as it is now: closed, open, or a part of one.
struct SeparateSide {
    const Surface* surface = nullptr;
    VertexNumber stiffness = 1; ///< against the other side's; infinite does not move
    VertexNumber offset = 0;    ///< below 0 with the other side's: a depth that may stay
    /// How deep behind a part can be what belongs to the contact: it has no inside.
    double reach = std::numeric_limits<double>::infinity();
    bool has_crease = false; ///< at its border: what goes through it there may come from anywhere
};

/// A face that is about as near to a place as the nearest, and how much it counts.
struct NearFace {
    FacePoint point;
    double counts = 1;
};

/// A place of one side that is to go `way` against the other, along `out`: a vertex, or a place on
/// an edge.
struct SeparatePlace {
    std::array<int, 2> ends{}; ///< of the edge; twice the same vertex
    double t = 0;              ///< from the first end
    double way = 0;
    double stiffness = 0.5; ///< of this side, relative
    /// Of the other side, all that are about as near: the nearest alone would leap from wall to
    /// wall.
    std::vector<NearFace> near;
    Vec3 out = Vec3::UnitY();
};

/// A place of an object as a mean of its vertices: those of the face that it is on, wherever a
/// crease cuts that.
class PlaceWeights {
public:
    void clear() { count_ = 0; }
    void add(int vertex, double weight);
    std::span<const int> vertices() const { return {vertices_.data(), count_}; }
    std::span<const double> values() const { return {values_.data(), count_}; }

private:
    std::array<int, 6> vertices_{}; ///< three points of a crease, each on an edge
    std::array<double, 6> values_{};
    std::size_t count_ = 0;
};

/// How far one place pushes each vertex of an object: as far as the face that asks for most, so
/// that it does not matter whether a place on an edge has one face or both.
class PlacePush {
public:
    void clear() { of_vertex_.clear(); }
    /// So that a place with these weights goes exactly `way`.
    void add(const PlaceWeights& place, double way);
    std::span<const std::pair<int, double>> of_vertex() const { return of_vertex_; }

private:
    std::vector<std::pair<int, double>> of_vertex_;
};

/// The ways that vertices of an object are pushed: each as far as the farthest push, in the mean
/// direction of all, the farther counting more. So that nothing jumps when a push comes in from
/// nothing, or one overtakes another.
class Pushes {
public:
    void reset(std::size_t vertex_count);
    void push(const PlacePush& place, const Vec3& direction);
    const std::vector<int>& vertices() const { return vertices_; }
    Vec3 way(int vertex) const;

private:
    struct Push {
        double farthest = 0, weight = 0;
        Vec3 sum = Vec3::Zero();
    };
    void push(int vertex, double way, const Vec3& direction);
    std::vector<Push> of_vertex_;
    std::vector<int> vertices_;
};

/// The vertices of `side` that are nearer to the other side than the `gap` that is to be left, or
/// in it. In front of it `distance`, one a vertex, is lowered to the distance from the other side,
/// surely where that is below `near`.
void find_near_places(const SeparateSide& side, const SeparateSide& other, double gap, double near,
                      Clearance& clearance, std::span<double> distance,
                      std::vector<SeparatePlace>& places);

/// Memory of `find_crossing_places`: all 0 between calls.
struct CrossingPlacesWorkspace {
    std::vector<char> known; ///< one a vertex: 1 inside, 2 outside
    std::vector<int> listed;
};

/// What of `side` is in the other side, by its edges that pass through it: these where they are
/// deepest, and the vertices behind them. Each is to go twice as far as it is deep, but no more
/// than the gap beyond.
void find_crossing_places(const SeparateSide& side, const SeparateSide& other,
                          std::span<const Crossing> crossings, double gap,
                          CrossingPlacesWorkspace& workspace, std::vector<SeparatePlace>& places);

/// How deep `side` is in the other side: the deepest of its vertices that belong to the contact.
double depth_in(const SeparateSide& side, const SeparateSide& other);

} // namespace knead
