#pragma once

#include "knead/contact/mapping_direction.hpp"

#include <array>
#include <span>
#include <vector>

namespace knead {

/// What is known of the direction about a place.
struct LocalDirection {
    Vec3 direction = Vec3::Zero(); ///< in which the first mesh is resolved here, unit length
    double reach = 0;              ///< how far along it something of the contact may be
};

/// One that goes over from `own` to `other`, evenly.
LocalDirection between(const LocalDirection& own, const LocalDirection& other, double t);

/// A direction that an artist gave, and how much of it is kept against what the field finds.
struct KeptDirection {
    LocalDirection given = {};
    double kept = 0;
};

/// One part of a pair, as the field looks at it.
struct DirectionPart {
    const Surface* surface = nullptr;
    std::span<const Vec3> normals;
    const CutSet* part = nullptr;  ///< what is inside the other mesh
    std::span<const double> depth; ///< one a vertex: to the other surface where inside, else 0
};

/// Directions of a contact that goes round: a ring on a finger, a belt, a hand about a ball. About
/// every place the mean normals of both parts are taken, as for the one direction of a pair but
/// weighted by depth, and by distance: over the whole contact where normals agree, over less and
/// less of it where they do not. It has no jumps: faces come in with no depth, and lengths go over
/// into each other where the agreement changes.
///
/// Sums run over cells of faces (`SurfaceStructure::face_cells`), so that a place costs a few
/// hundred of these, however fine the meshes are.
class DirectionField {
public:
    /// `whole` is the pair's one direction, as far as there is one, its reach, and how much of the
    /// normals points that way.
    void rebuild(const std::array<DirectionPart, 2>& parts, const LocalDirection& whole,
                 double agreement, const KeptDirection& given = {});

    /// At a place this deep inside the other mesh, or outside of it (0).
    LocalDirection at(const Vec3& place, double depth) const;
    /// How much the pair's one direction still counts for how far the contact goes on, 0 to 1.
    double share_of_whole() const;

private:
    /// Of one part, a quantity at a time; each value times the cell's weight.
    struct Cells {
        std::vector<double> x, y, z; ///< not times it
        std::vector<double> weight, normal_x, normal_y, normal_z, squares, depth;

        std::size_t size() const { return x.size(); }
        std::array<std::vector<double>*, 9> columns() {
            return {&x, &y, &z, &weight, &normal_x, &normal_y, &normal_z, &squares, &depth};
        }
        void add() {
            for (std::vector<double>* column : columns()) column->push_back(0);
        }
    };
    struct Sums;
    void add_cells(const DirectionPart& part, Cells& cells);
    Sums sums_about(const Cells& cells, const Vec3& place, double radius) const;

    std::array<Cells, 2> cells_;
    LocalDirection whole_;
    KeptDirection given_;
    double agreement_ = 0;
    double radius_ = 0; ///< of the contact: root of the mean square
};

/// The directions in which the vertices of one side go. They are looked up when first asked for, by
/// one thread at a time.
class SideDirections {
public:
    /// Of a side of a pair, 0 or 1. `field`, `places` and `depth` must live as long as this is
    /// asked.
    void begin(const DirectionField& field, int side, std::span<const Vec3> places,
               std::span<const double> depth);

    Vec3 inward(int vertex) { return look_up(vertex).direction; }
    double reach(int vertex) { return look_up(vertex).reach; }
    /// 1 for the first side, -1 for the second: times an inward direction it is the pair's.
    double sign() const { return sign_; }
    const DirectionField& field() const { return *field_; }

private:
    const LocalDirection& look_up(int vertex);

    const DirectionField* field_ = nullptr;
    double sign_ = 1;
    std::span<const Vec3> places_;
    std::span<const double> depth_;
    std::vector<char> is_known_;
    std::vector<LocalDirection> known_;
};

} // namespace knead
