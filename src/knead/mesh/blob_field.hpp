#pragma once

#include "knead/mesh/blob.hpp"
#include "knead/mesh/isosurface.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace knead {

/// The hull of two balls, its ends: exact signed distance, negative inside.
class RoundedCone {
public:
    RoundedCone(const Vec3& from, double from_radius, const Vec3& to, double to_radius);

    double distance(const Vec3& point) const;
    /// Unit length, except on the axis.
    Vec3 gradient(const Vec3& point) const;

private:
    Vec3 from_;
    Vec3 axis_ = Vec3::Zero(); ///< unit length, or zero for a ball
    double length_ = 0;
    double from_radius_, to_radius_;
    /// Of the angle by which the side's normal leans towards `axis_`.
    double sine_ = 0, cosine_ = 1;
};

/// The field whose zero is the surface of a blob: rounded cones joined by a smooth minimum.
///
/// The smooth minimum v of distances d_i with blend k solves sum_i max(0, 1 - (d_i - v) / k)^3 = 1.
/// It is symmetric, equals the smallest distance where no other is within k of it, and has
/// continuous second derivatives. Where segments share an end, the ball they have in common would
/// be counted once for each; its term is subtracted again for all but one of them, so that limbs do
/// not swell at their joints.
class BlobField {
public:
    struct Sample {
        double value = 0;
        Vec3 gradient = Vec3::Zero();
    };

    /// The settings must have passed `check_blob`; `cell` is that of the grid. Throws InputError
    /// where so much may hold the surface that it would fill the memory.
    BlobField(const BlobSettings& settings, double cell);

    Sample at(const Vec3& point) const;

    /// The point of the surface that Newton's method finds within two cells; the same point when
    /// there is none.
    Vec3 project(const Vec3& point) const;

    /// The nearest among the segments that make the surface here: those that carve inside a pit,
    /// the others elsewhere.
    int nearest_segment(const Vec3& point) const;

    /// Blocks that hold the surface.
    const IsosurfaceGrid& grid() const { return grid_; }
    double size() const { return size_; }

private:
    struct Primitive {
        RoundedCone cone;
        int segment;
        int part;     ///< `carving_` for what is taken away; that is the last one
        double count; ///< 1 for a segment, -1 for a ball that was counted once too often
    };
    struct Node {
        std::array<int, 3> first; ///< in blocks
        int blocks;               ///< along a side
    };

    void add_primitives(const BlobSettings& settings);
    void find_blocks(const Node& node, const std::vector<int>& candidates);
    std::span<const int> candidates(const Vec3& point) const;
    /// What is there without carving, and what is taken away; far away when there is none.
    struct Sides {
        Sample solid, carved;
    };
    Sides sides(const Vec3& point, std::span<const int> candidates) const;

    std::vector<Primitive> primitives_; ///< by part
    int carving_ = 0;
    double blend_ = 0, part_blend_ = 0;
    double size_ = 0;
    IsosurfaceGrid grid_;
    /// What can matter in each block, and in space at large.
    std::vector<std::vector<int>> block_candidates_;
    std::size_t candidate_count_ = 0; ///< of all blocks
    std::vector<int> all_;
    std::unordered_map<std::uint64_t, int> block_of_;
};

/// Throws an InputError that names the first argument that cannot be used.
void check_blob(const BlobSettings& settings);

} // namespace knead
