#pragma once

#include "knead/deform/settle/settle.hpp"
#include "knead/spatial/crossings.hpp"

namespace knead {

/// One side of a pair that is to be separated, as it is now: a closed surface.
struct SeparateSide {
    const Surface* surface = nullptr;
    VertexNumber stiffness = 1; ///< against the other side's; infinite does not move
    VertexNumber offset = 0;    ///< below 0 with the other side's: a depth that may stay
};

/// A place of one side that is to go `way` against the other, along `out`: a vertex, or a place on
/// an edge.
struct SeparatePlace {
    std::array<int, 2> ends{}; ///< of the edge; twice the same vertex
    double t = 0;              ///< from the first end
    double way = 0;
    double stiffness = 0.5; ///< of this side, relative
    FacePoint nearest;      ///< of the other side
    Vec3 out = Vec3::UnitY();
};

/// The ways that vertices of an object are pushed: each as far as the farthest push, in the mean
/// direction of all, the farther counting more. So that nothing jumps when a push comes in from
/// nothing, or one overtakes another.
class Pushes {
public:
    void reset(std::size_t vertex_count);
    void push(int vertex, double way, const Vec3& direction);
    const std::vector<int>& vertices() const { return vertices_; }
    Vec3 way(int vertex) const;

private:
    struct Push {
        double farthest = 0, weight = 0;
        Vec3 sum = Vec3::Zero();
    };
    std::vector<Push> of_vertex_;
    std::vector<int> vertices_;
};

/// The vertices of `side` that are nearer to the other side than the `gap` that is to be left, or
/// in it. In front
/// of it `distance`, one a vertex, is lowered to the distance from the other side, surely where
/// that is below `near`.
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

} // namespace knead
