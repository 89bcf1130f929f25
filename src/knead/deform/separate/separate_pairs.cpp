#include "knead/deform/separate/separate_pairs.hpp"

#include "knead/base/box.hpp"
#include "knead/base/parallel.hpp"
#include "knead/bulge/swept_volume.hpp"
#include "knead/contact/fades.hpp"
#include "knead/deform/separate/separate.hpp"
#include "knead/deform/settle/settled_bulge.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/spatial/depth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace knead {
namespace {

// Of the finer side's mean edge: what is left between the sides, and how near to the other side
// bulges do not rise any more.
constexpr double gap_in_edges = 0.005, near_in_edges = 0.1;
// Nearly all pairs are apart after one or two; what is not after this many does not get there.
constexpr int most_rounds = 8;
// In heights of the bulge that is there: one that has hardly come in does not rise at once.
constexpr double most_height = 0.5;
// Of an edge: how deep sides may stay in each other where a crease or the border of a part holds
// them.
constexpr double left_in_crease = 0.1;

} // namespace

struct Separation::Object {
    SeparateObject given;
    std::vector<Vec3> before;     ///< where it came in
    std::vector<Vec3> pushed;     ///< how far, one a vertex
    std::vector<Vec3> rise;       ///< that keeps the volume
    std::vector<Vec3> best;       ///< where it crossed the least
    std::vector<Vec3> best_rise;  ///< that was there
    double taken = 1;             ///< of the way there
    std::vector<Vec3> raise;      ///< with room
    std::vector<Vec3> risen;      ///< about what was pushed
    std::vector<double> distance; ///< from the sides of others, where it is near; else `near`
    std::vector<int> moving, faces;
    std::vector<char> vertex_listed, face_listed;
    Pushes pushes;
    bool is_elsewhere = false; ///< than its sides

    bool moves() const { return takes_part && given.moves; }

    void take(const SeparateObject& object) {
        given = object;
        const std::size_t n = object.positions->size();
        before = *object.positions;
        pushed.assign(n, Vec3::Zero());
        risen.assign(n, Vec3::Zero());
        distance.assign(n, near);
        vertex_listed.assign(n, 0);
        face_listed.assign(object.structure->faces.size(), 0);
        moving.clear();
        faces.clear();
        is_elsewhere = false;
        raise.clear();
        rise.clear();
        height = change = 0;
        is_inward = false;
        pushes.reset(n);
    }
    void list(int vertex) {
        if (vertex_listed[vertex]) return;
        vertex_listed[vertex] = 1;
        moving.push_back(vertex);
        for (const int face : given.structure->topology.vertex_faces[vertex])
            if (!face_listed[face]) {
                face_listed[face] = 1;
                faces.push_back(face);
            }
    }
    void move_pushed() {
        for (const int v : pushes.vertices()) {
            const Vec3 way = pushes.way(v);
            // What a bulge meets holds it back: else they would push each other to and fro.
            if (!raise.empty()) {
                const double risen = std::abs(height) * raise[v].norm() + 0.05 * near;
                raise[v] *= risen > 0 ? risen / (risen + 4 * way.norm()) : 1;
            }
            pushed[v] += way;
            (*given.positions)[v] += way;
            list(v);
            is_elsewhere = true;
        }
        pushes.reset(pushed.size());
    }
    // An object that crosses no other one in the input has none that is looked at for being near.
    double free_to_rise(int vertex) const {
        return near > 0 ? fades::bulge_near_other(distance[vertex] / near) : 1;
    }
    // Bulges do not rise where they are near to another object.
    void find_raise() {
        const double largest = given.bulge.largest();
        if (given.raise.empty() || !(largest > 0)) return;
        raise.assign(before.size(), Vec3::Zero());
        for (const int v : given.raised) {
            if (given.raise[v].isZero(0)) continue;
            raise[v] = free_to_rise(v) * given.bulge[v] / largest * given.raise[v];
            if (!raise[v].isZero(0)) list(v);
        }
    }
    // Where there is no zone, or one that has hardly come in, a bulge of its own, about what was
    // pushed, keeps the volume.
    void rise_about_pushed() {
        if (given.held.empty() || !(given.bulge.largest() > 0)) return;
        CombinedDisplacement combined;
        combined.base = before;
        combined.raise.assign(before.size(), Vec3::Zero());
        std::vector<Vec3> after(before);
        for (const int v : moving) {
            after[v] += pushed[v];
            risen[v].setZero();
        }
        raise_about_settled(given.zones, after, given.held, given.mesh, about_pushed, combined);
        // Where hardly any vertices are about it, it does not rise further than what was pushed.
        double farthest = 0, highest = 0;
        for (const int v : moving) farthest = std::max(farthest, pushed[v].norm());
        for (const int v : combined.moved) highest = std::max(highest, combined.raise[v].norm());
        const double part = highest > farthest ? farthest / highest : 1;
        for (const int v : combined.moved) {
            risen[v] = part * free_to_rise(v) * std::min(1.0, given.bulge[v]) * combined.raise[v];
            if (!risen[v].isZero(0)) list(v);
        }
    }
    void keep_volume() {
        if (!is_elsewhere) return;
        rise_about_pushed();
        if (raise.empty() && given.held.empty()) return;
        // A bulge of less than one gives back its part of the volume.
        const double lost = 1 - std::min(1.0, given.bulge.largest());
        change = lost > 0 ? lost * volume_keeping_change() : 0;
        std::vector<Vec3> ways(pushed);
        rise.assign(before.size(), Vec3::Zero());
        for (const int v : moving) {
            ways[v] += risen[v];
            // Outward, also where what was pushed has added volume.
            if (!given.held.empty())
                rise[v] = risen[v].dot(given.mesh.normals[v]) < 0 ? -risen[v] : risen[v];
            if (!raise.empty()) rise[v] += raise[v];
            if (is_inward) rise[v] = -rise[v];
        }
        bool is_turned = false;
        height = volume_keeping_raise(ways, change, rise, is_turned);
        is_inward = is_inward != is_turned;
        for (const int v : moving) (*given.positions)[v] = before[v] + ways[v] + height * rise[v];
    }
    double volume_keeping_raise(std::span<const Vec3> ways, double asked, std::vector<Vec3>& along,
                                bool& is_turned) const {
        const auto root = [&] {
            return volume_keeping_height(before, ways, along, given.structure->faces, faces, asked);
        };
        std::optional<double> found = root();
        if (!found) {
            // Where wrinkles take in volume bulges may go inward.
            is_turned = !is_turned;
            for (const int v : moving) along[v] = -along[v];
            found = root();
        }
        return std::clamp(found.value_or(0), -most_height, most_height);
    }
    void keep_as_best() {
        best = *given.positions;
        best_rise = rise;
        best_change = change;
    }
    // Volume is no line: what keeps it at the end of a way does not half way there.
    void go_as_taken() {
        std::vector<Vec3> ways(before.size(), Vec3::Zero());
        for (const int v : moving) ways[v] = taken * (best[v] - before[v]);
        double raised = 0;
        bool is_turned = false;
        std::vector<Vec3> along(best_rise);
        if (taken > 0 && taken < 1 && !along.empty())
            raised = volume_keeping_raise(ways, taken * best_change, along, is_turned);
        for (const int v : moving) {
            (*given.positions)[v] = before[v] + ways[v];
            if (raised != 0) (*given.positions)[v] += raised * along[v];
        }
        is_elsewhere = true;
    }
    double farthest() const {
        double squared = 0;
        for (const int v : moving) squared = std::max(squared, (best[v] - before[v]).squaredNorm());
        return std::sqrt(squared);
    }
    double volume_keeping_change() const {
        std::vector<Vec3> after(before);
        for (const int v : moving) after[v] += pushed[v];
        return volume_between(before, after, given.structure->faces);
    }

    SettledBulgeWorkspace about_pushed;
    double height = 0;                  ///< of bulges
    double change = 0, best_change = 0; ///< of the volume, that is asked for
    bool is_inward = false;
    double near = 0; ///< how near to another object bulges rise less
    bool takes_part = false;
};

struct Separation::Side {
    const DeformSurface* of = nullptr;
    Object* object = nullptr;
    std::vector<Vec3> part_positions;
    Surface surface;

    void follow() {
        if (of->region) {
            of->gather_values<Vec3>(*object->given.positions, part_positions);
            move(surface, part_positions);
        } else {
            move(surface, *object->given.positions);
        }
    }
    /// Where it came in, in the memory of `positions`.
    Surface as_before(std::vector<Vec3>& positions) const {
        of->gather_values<Vec3>(object->before, positions);
        Surface posed;
        posed.structure = of->structure;
        move(posed, positions);
        return posed;
    }
    /// Whether it is a vertex of the object, and not a point of a crease, which follows it.
    bool has_own(int vertex) const { return !of->region || vertex < of->region->vertex_count(); }
    /// The edge of faces as large, but equilateral: those of slivers are long.
    double spacing() const {
        double twice_area = 0;
        const std::size_t count = surface.faces().size();
        for (std::size_t f = 0; f < count; ++f) {
            const auto [a, b, c] = surface.corners(static_cast<int>(f));
            twice_area += area_vector(a, b, c).norm();
        }
        return std::min(
            of->edge, std::sqrt(2 / std::numbers::sqrt3 * twice_area / static_cast<double>(count)));
    }
    void add_weights(int vertex, double weight, PlaceWeights& weights) const {
        if (has_own(vertex)) return weights.add(of_object(vertex), weight);
        const EdgeBlend& point = of->crease[vertex - of->region->vertex_count()];
        weights.add(point.a, weight * (1 - point.t));
        weights.add(point.b, weight * point.t);
    }
    int of_object(int vertex) const { return of->region ? of->region->vertices[vertex] : vertex; }
    bool has(int object_vertex) const {
        return !of->region || of->region->of_mesh_vertex[object_vertex] >= 0;
    }
};

struct Separation::Pair {
    const ResolvedPair* given = nullptr;
    std::size_t index = 0; ///< among those given
    std::array<Side*, 2> sides{};
    double gap = 0; ///< that is to be left between the sides
    std::array<Clearance, 2> clearances;
    std::array<std::vector<double>, 2> distances;
    std::array<std::vector<SeparatePlace>, 2> places;
    Crossings crossings;
    CrossingWorkspace for_crossings;
    std::array<CrossingPlacesWorkspace, 2> for_places;

    SeparateSide side(int s, const Surface& surface) const {
        const DeformSettings& settings = sides[s]->of->settings;
        const double reach =
            surface.closed() ? std::numeric_limits<double>::infinity() : reach_of();
        return {&surface, settings.stiffness, settings.offset, reach, !given->share.empty()};
    }
    SeparateSide side(int s) const { return side(s, sides[s]->surface); }
    bool of_parts() const { return !sides[0]->surface.closed() || !sides[1]->surface.closed(); }
    bool of_regions() const { return sides[0]->of->region || sides[1]->of->region; }
    bool of_one_object() const { return sides[0]->object == sides[1]->object; }
    // What bulges have brought there is not deep, whether or not a contact was found.
    double reach_of() const {
        return given->way.is_found() ? std::max(given->way.reach, edge()) : edge();
    }
    double edge() const { return std::max(sides[0]->of->edge, sides[1]->of->edge); }
    double finer_edge() const { return std::min(sides[0]->of->edge, sides[1]->of->edge); }
    double depth_between(const Surface& first, const Surface& second) const {
        if (!of_parts()) return measure_penetration(first, second).depth;
        const SeparateSide a = side(0, first), b = side(1, second);
        return std::max(depth_in(a, b), depth_in(b, a));
    }
    double depth_before() const {
        std::array<std::vector<Vec3>, 2> places;
        return depth_between(sides[0]->as_before(places[0]), sides[1]->as_before(places[1]));
    }
    // How much may be taken of a way that throws vertices.
    double not_thrown() const {
        double farthest = 0;
        for (const Side* side : sides)
            if (side->object->moves()) farthest = std::max(farthest, side->object->farthest());
        const double little =
            of_parts() ? std::max(sides[0]->spacing(), sides[1]->spacing()) : edge();
        if (!(farthest > fades::thrown.from * little)) return 1;
        const double far = farthest / (depth_before() + little);
        return 1 - fades::thrown(far);
    }
    // How much may be taken of a way that leaves the pair deeper in each other.
    double not_deeper() const {
        const double now = depth_between(sides[0]->surface, sides[1]->surface);
        // What is left in a crease is no deeper for having been there before.
        const double before = depth_before() + (of_parts() ? left_in_crease * finer_edge() : 0);
        if (!(now > fades::deeper_than_before.from * before)) return 1;
        return before > 0 ? 1 - fades::deeper_than_before(now / before) : 0;
    }
    // A point of a crease is on both sides; rounding would tell which of them is in front.
    bool is_in_crease(int s, const SeparatePlace& place) const {
        return place.ends[0] == place.ends[1] && !sides[s]->has_own(place.ends[0]);
    }
    // Parts that overlap have places in common, which are in neither.
    bool is_of_both(int s, const SeparatePlace& place) const {
        if (!of_one_object()) return false;
        for (const int v : place.ends)
            if (sides[s]->has_own(v) && sides[1 - s]->has(sides[s]->of_object(v))) return true;
        return false;
    }
    bool apart() const { return !sides[0]->surface.box().overlaps(sides[1]->surface.box()); }
    void push() {
        PlaceWeights weights;
        PlacePush ways;
        const auto push = [&](Side& side, const Vec3& direction) {
            if (side.object->given.moves) side.object->pushes.push(ways, direction);
        };
        for (int s = 0; s < 2; ++s) {
            Side &mine = *sides[s], &theirs = *sides[1 - s];
            for (const SeparatePlace& place : places[s]) {
                if (!(place.way > 0) || is_in_crease(s, place) || is_of_both(s, place)) continue;
                weights.clear();
                mine.add_weights(place.ends[0], 1 - place.t, weights);
                mine.add_weights(place.ends[1], place.t, weights);
                ways.clear();
                ways.add(weights, (1 - place.stiffness) * place.way);
                push(mine, place.out);
                ways.clear();
                if (!theirs.object->given.moves || !(place.stiffness > 0)) continue;
                for (const NearFace& near : place.near) {
                    weights.clear();
                    for (int i = 0; i < 3; ++i)
                        theirs.add_weights(theirs.surface.faces()[near.point.face][i],
                                           near.point.barycentric[i], weights);
                    ways.add(weights, near.counts * place.stiffness * place.way);
                }
                push(theirs, -place.out);
            }
        }
    }
};

Separation::Separation() = default;
Separation::~Separation() = default;

Separation::Side& Separation::pose(const DeformSurface& of) {
    for (std::size_t i = 0; i < side_count_; ++i)
        if (sides_[i]->of == &of) return *sides_[i];
    if (side_count_ == sides_.size()) sides_.push_back(std::make_unique<Side>());
    Side& side = *sides_[side_count_++];
    side.of = &of;
    side.object = objects_[of.object].get();
    side.surface.structure = of.structure;
    side.follow();
    return side;
}

void Separation::begin(std::span<const ResolvedPair> pairs,
                       std::span<const SeparateObject> objects) {
    side_count_ = pair_count_ = 0;
    object_count_ = objects.size();
    while (objects_.size() < objects.size()) objects_.push_back(std::make_unique<Object>());
    std::vector<char> needed(objects.size(), 0);
    std::vector<double> near(objects.size(), 0);
    std::vector<Box> boxes;
    for (const SeparateObject& object : objects) boxes.push_back(bounding_box(*object.positions));
    left_.assign(pairs.size(), 0);
    // Sides that do not touch in the input are not even posed.
    const auto near_of = [](const ResolvedPair& pair) {
        return pair.way.is_found()
                   ? near_in_edges * std::max(pair.sides[0]->edge, pair.sides[1]->edge)
                   : 0;
    };
    const auto is_inside_out = [&](const DeformSurface& side) {
        const SeparateObject& object = objects[side.object];
        return object.structure->closed && signed_volume(*object.positions, object.structure->faces,
                                                         boxes[side.object].center()) < 0;
    };
    const auto concerns = [&](const ResolvedPair& pair) {
        const auto [a, b] = pair.sides;
        // Nothing is left of a part that is outside of its object's region.
        return pair.crossing_free && !a->structure->faces.empty() && !b->structure->faces.empty() &&
               grown(boxes[a->object], near_of(pair)).overlaps(boxes[b->object]) &&
               !is_inside_out(*a) && !is_inside_out(*b);
    };
    std::vector<char> chosen;
    for (const ResolvedPair& pair : pairs)
        if (chosen.push_back(concerns(pair)); chosen.back())
            for (const DeformSurface* side : pair.sides) {
                needed[side->object] = 1;
                if (pair.way.is_found())
                    near[side->object] = std::max(near[side->object], near_in_edges * side->edge);
            }
    parallel_for(objects.size(), 1, [&](std::size_t i) {
        objects_[i]->near = near[i];
        objects_[i]->takes_part = needed[i];
        if (needed[i]) objects_[i]->take(objects[i]);
    });
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        if (!chosen[p]) continue;
        if (pair_count_ == pairs_.size()) pairs_.push_back(std::make_unique<Pair>());
        Pair& pair = *pairs_[pair_count_++];
        pair.given = &pairs[p];
        pair.index = p;
        for (int s = 0; s < 2; ++s) pair.sides[s] = &pose(*pairs[p].sides[s]);
        pair.gap = 0;
        if (pairs[p].way.is_found())
            pair.gap = gap_in_edges * pairs[p].certainty *
                       std::min(pairs[p].sides[0]->edge, pairs[p].sides[1]->edge);
    }
}

void Separation::follow() {
    parallel_for(side_count_, 1, [&](std::size_t i) {
        if (sides_[i]->object->is_elsewhere) sides_[i]->follow();
    });
    for (std::size_t i = 0; i < object_count_; ++i) objects_[i]->is_elsewhere = false;
}

void Separation::open_gaps() {
    for (std::size_t p = 0; p < pair_count_; ++p) {
        Pair& pair = *pairs_[p];
        if (!pair.given->way.is_found()) continue;
        // Both sides at once, unless they are parts of one object.
        parallel_for(2, pair.of_one_object() ? 2 : 1, [&](std::size_t i) {
            const int s = static_cast<int>(i);
            Side& side = *pair.sides[s];
            const std::size_t n = side.surface.positions.size();
            pair.clearances[s].reset(n);
            const double near = side.object->near;
            pair.distances[s].assign(n, near);
            find_near_places(pair.side(s), pair.side(1 - s), pair.gap, near, pair.clearances[s],
                             pair.distances[s], pair.places[s]);
            for (std::size_t v = 0; v < n; ++v)
                if (pair.distances[s][v] < near && side.has_own(static_cast<int>(v))) {
                    double& distance = side.object->distance[side.of_object(static_cast<int>(v))];
                    distance = std::min(distance, near + pair.given->certainty *
                                                             (pair.distances[s][v] - near));
                }
        });
        pair.push();
    }
    move_pushed();
}

void Separation::move_pushed() {
    for (std::size_t i = 0; i < object_count_; ++i)
        if (objects_[i]->moves()) objects_[i]->move_pushed();
}

void Separation::keep_volumes() {
    parallel_for(object_count_, 1, [&](std::size_t i) {
        if (objects_[i]->moves()) objects_[i]->keep_volume();
    });
}

int Separation::find_crossings() {
    int count = 0;
    for (std::size_t p = 0; p < pair_count_; ++p) {
        Pair& pair = *pairs_[p];
        pair.crossings.of_a.clear();
        pair.crossings.of_b.clear();
        if (!pair.apart())
            knead::find_crossings(pair.sides[0]->surface, pair.sides[1]->surface, pair.crossings,
                                  pair.for_crossings, pair.of_one_object());
        count += count_crossing_edges(pair.crossings);
    }
    return count;
}

void Separation::push_crossings() {
    for (std::size_t p = 0; p < pair_count_; ++p) {
        Pair& pair = *pairs_[p];
        for (int s = 0; s < 2; ++s)
            find_crossing_places(pair.side(s), pair.side(1 - s),
                                 s == 0 ? pair.crossings.of_a : pair.crossings.of_b, pair.gap,
                                 pair.for_places[s], pair.places[s]);
        pair.push();
    }
    move_pushed();
}

void Separation::separate(std::span<const ResolvedPair> pairs,
                          std::span<const SeparateObject> objects) {
    begin(pairs, objects);
    if (pair_count_ == 0) return;
    open_gaps();
    for (std::size_t i = 0; i < object_count_; ++i)
        if (objects_[i]->moves()) objects_[i]->find_raise();
    // Between the sides of a fold, and between parts, crossings may be left in a crease or beside a
    // border: which round has the fewest would change from one frame to the next.
    const bool of_parts =
        std::any_of(pairs_.begin(), pairs_.begin() + static_cast<std::ptrdiff_t>(pair_count_),
                    [](const auto& pair) { return pair->of_regions(); });
    int fewest = std::numeric_limits<int>::max();
    for (int round = 0;; ++round) {
        keep_volumes();
        follow();
        const int crossings = find_crossings();
        const bool gets_worse = round > 0 && crossings > 2 * fewest + 100;
        if (crossings < fewest || (of_parts && !gets_worse)) {
            fewest = std::min(fewest, crossings);
            count_left();
            for (std::size_t i = 0; i < object_count_; ++i)
                if (objects_[i]->moves()) objects_[i]->keep_as_best();
        }
        if (crossings == 0 || round == most_rounds || gets_worse) break;
        push_crossings();
    }
    take_best();
}

void Separation::count_left() {
    for (std::size_t p = 0; p < pair_count_; ++p)
        left_[pairs_[p]->index] = count_crossing_edges(pairs_[p]->crossings);
}

// What crosses the least, or between parts came last, but nothing that is thrown, and where there
// is no way apart nothing that is deeper than before.
void Separation::take_best() {
    for (std::size_t i = 0; i < object_count_; ++i) objects_[i]->taken = 1;
    bool all = true;
    const auto take_at_most = [&](const Pair& pair, double part) {
        for (Side* side : pair.sides) side->object->taken = std::min(side->object->taken, part);
        all = all && part == 1;
    };
    for (std::size_t p = 0; p < pair_count_; ++p) take_at_most(*pairs_[p], pairs_[p]->not_thrown());
    const bool apart = std::all_of(left_.begin(), left_.end(), [](int left) { return left == 0; });
    if (apart && all) return;
    go_as_taken();
    for (std::size_t p = 0; p < pair_count_; ++p)
        if (left_[pairs_[p]->index] > 0) take_at_most(*pairs_[p], pairs_[p]->not_deeper());
    if (!all) go_as_taken();
    find_crossings();
    count_left();
}

void Separation::go_as_taken() {
    for (std::size_t i = 0; i < object_count_; ++i)
        if (objects_[i]->moves()) objects_[i]->go_as_taken();
    follow();
}

} // namespace knead
