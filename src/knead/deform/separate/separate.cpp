#include "knead/deform/separate/separate.hpp"

#include "knead/base/box.hpp"
#include "knead/base/parallel.hpp"
#include "knead/contact/contact_surface.hpp"
#include "knead/contact/fades.hpp"
#include "knead/deform/settle/clear_of_border.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/winding.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// The surface's normal as if it were smooth: a face's own would turn at once where the nearest
// point goes over an edge.
Vec3 smooth_normal(const Surface& surface, const FacePoint& point) {
    Vec3 normal = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
        Vec3 at_corner = Vec3::Zero();
        for (const int face : surface.topology().vertex_faces[surface.faces()[point.face][i]]) {
            const auto [a, b, c] = surface.corners(face);
            at_corner += area_vector(a, b, c);
        }
        normal += point.barycentric[i] * at_corner.normalized();
    }
    return normal.normalized();
}

// The faces that are about as near as the nearest; that one also where the place lies on it.
void find_near(const Surface& surface, const Vec3& position, const ClosestPoint& nearest,
               std::vector<NearFace>& near) {
    const double distance = std::sqrt(nearest.squared_distance);
    std::vector<ClosestPoint> found;
    find_near_faces(surface, position, fades::as_near.from * distance, found);
    near.clear();
    for (const ClosestPoint& point : found) {
        const double counts =
            distance > 0 ? fades::as_near(std::sqrt(point.squared_distance) / distance) : 1;
        if (counts > 0) near.push_back({point.point, counts});
    }
    if (near.empty()) near.push_back({nearest.point, 1});
}

// Fills in what follows from where the place is nearest to the other side. Gives how much of its
// way it is to go: nothing where an overlap of more than the gap is asked for, or where the ways
// out of several walls cancel.
double meet(const SeparateSide& side, const SeparateSide& other, const Vec3& position,
            const ClosestPoint& nearest, double gap, SeparatePlace& place) {
    const Surface& against = *other.surface;
    const Edge ends{place.ends[0], place.ends[1]};
    const double own_offset = side.offset.at(ends, place.t);
    if (own_offset + other.offset.largest() <= -gap && own_offset + other.offset.largest() < 0)
        return 0;
    find_near(against, position, nearest, place.near);
    double counts = 0, stiffness = 0, offset = 0;
    Vec3 out = Vec3::Zero();
    for (const NearFace& near : place.near) {
        counts += near.counts;
        out += near.counts * smooth_normal(against, near.point);
        stiffness += near.counts * other.stiffness.at(near.point, against.faces());
        offset += near.counts * other.offset.at(near.point, against.faces());
    }
    place.stiffness = relative_stiffness(side.stiffness.at(ends, place.t), stiffness / counts);
    place.out = out.normalized();
    const double offsets = own_offset + offset / counts;
    return fades::sure_direction(out.norm() / counts) * (offsets >= 0 ? 1
                                                         : gap > 0
                                                             ? fades::overlap_asked(offsets / gap)
                                                             : 0);
}

// How much of what is at a place belongs to a contact with this surface: all if it is closed. A
// part has an open border, and less and less belongs to it towards that or the end of the reach.
class Belonging {
public:
    explicit Belonging(const SeparateSide& against)
        : surface_(*against.surface), reach_(against.reach), clear_(surface_) {}

    double operator()(const Vec3& position, const ClosestPoint& nearest) const {
        if (surface_.closed()) return 1;
        const double depth = std::sqrt(nearest.squared_distance);
        return depth < reach_
                   ? fades::settled_within_reach(depth / reach_) * clear_(position, nearest)
                   : 0;
    }
    /// The same of a place that would be inside if the surface is closed.
    double inside(const Vec3& position, const ClosestPoint& nearest) const {
        return surface_.closed() || side_of(surface_, position, nearest) < 0
                   ? (*this)(position, nearest)
                   : 0;
    }

private:
    const Surface& surface_;
    double reach_;
    ClearOfBorder clear_;
};

// What can be behind it, or nearer than `near`.
Box box_about(const SeparateSide& side, double near) {
    return grown(side.surface->box(), side.surface->closed() ? near : std::max(near, side.reach));
}

// Where the part of an edge from `low` to `high`, which is inside the other side, is deepest.
struct DeepestOnEdge {
    double t = 0, depth = 0;
    ClosestPoint nearest;
};

DeepestOnEdge deepest_on_edge(const Surface& surface, const Edge& ends, double low, double high,
                              const Surface& other, int first_face) {
    const auto at = [&](double t) {
        DeepestOnEdge found;
        found.t = t;
        ClosestPointOptions options;
        options.first_face = first_face;
        const Vec3 position = (1 - t) * surface.positions[ends[0]] + t * surface.positions[ends[1]];
        if (const auto nearest = closest_point(other, position, options)) {
            found.nearest = *nearest;
            found.depth = std::sqrt(nearest->squared_distance);
            first_face = nearest->point.face;
        }
        return found;
    };
    // Golden sections: depth along a line through a solid rises and falls once, nearly always. The
    // sides of a fold may be deep in each other, and what is left of the way must be small.
    constexpr double part = 0.6180339887498949;
    const int sections = other.closed() ? 8 : 16;
    DeepestOnEdge a = at(high - part * (high - low)), b = at(low + part * (high - low));
    for (int i = 0; i < sections; ++i) {
        if (a.depth > b.depth) {
            high = b.t;
            b = a;
            a = at(high - part * (high - low));
        } else {
            low = a.t;
            a = b;
            b = at(low + part * (high - low));
        }
    }
    return a.depth > b.depth ? a : b;
}

} // namespace

void PlaceWeights::add(int vertex, double weight) {
    if (weight == 0) return;
    std::size_t i = 0;
    while (i < count_ && vertices_[i] != vertex) ++i;
    if (i == count_) {
        vertices_[count_] = vertex;
        values_[count_++] = 0;
    }
    values_[i] += weight;
}

void Pushes::reset(std::size_t vertex_count) {
    if (of_vertex_.size() == vertex_count)
        for (const int vertex : vertices_) of_vertex_[vertex] = {};
    else
        of_vertex_.assign(vertex_count, {});
    vertices_.clear();
}

void PlacePush::add(const PlaceWeights& place, double way) {
    double squared = 0;
    for (std::size_t i = place.values().size(); i-- > 0;)
        squared += place.values()[i] * place.values()[i];
    const double scale = way / squared;
    for (std::size_t i = 0; i < place.vertices().size(); ++i) {
        const int vertex = place.vertices()[i];
        const double asked = scale * place.values()[i];
        const auto known = std::find_if(of_vertex_.begin(), of_vertex_.end(),
                                        [&](const auto& one) { return one.first == vertex; });
        if (known == of_vertex_.end())
            of_vertex_.emplace_back(vertex, asked);
        else
            known->second = std::max(known->second, asked);
    }
}

void Pushes::push(const PlacePush& place, const Vec3& direction) {
    for (const auto& [vertex, way] : place.of_vertex()) push(vertex, way, direction);
}

void Pushes::push(int vertex, double way, const Vec3& direction) {
    if (!(way > 0)) return;
    Push& push = of_vertex_[vertex];
    if (push.farthest == 0) vertices_.push_back(vertex);
    push.farthest = std::max(push.farthest, way);
    push.weight += way * way;
    push.sum += way * way * direction;
}

Vec3 Pushes::way(int vertex) const {
    const Push& push = of_vertex_[vertex];
    return push.weight > 0 ? Vec3(push.farthest / push.weight * push.sum) : Vec3(Vec3::Zero());
}

void find_near_places(const SeparateSide& side, const SeparateSide& other, double gap, double near,
                      Clearance& clearance, std::span<double> distance,
                      std::vector<SeparatePlace>& places) {
    const Surface &surface = *side.surface, &against = *other.surface;
    const Box box = box_about(other, near);
    const Belonging belongs(other);
    places.clear();
    for (std::size_t i = 0; i < surface.positions.size(); ++i) {
        const int v = static_cast<int>(i);
        const Vec3& position = surface.positions[i];
        // What is in front of a part does not tell that what is near by is, too.
        if ((against.closed() && clearance.at_least(i) > near) || !box.contains(position) ||
            surface.topology().vertex_faces[v].empty())
            continue;
        ClosestPointOptions options;
        options.first_face = clearance.near_face(i);
        const auto nearest = closest_point(against, position, options);
        if (!nearest) continue;
        const double far = std::sqrt(nearest->squared_distance);
        const bool behind = side_of(against, position, *nearest) < 0;
        if (behind)
            clearance.found(surface, v, nearest->point.face);
        else
            clearance.found(surface, v, nearest->point.face, far);
        if (!behind && !(far < near)) continue;
        const double belonging = belongs(position, *nearest);
        // Which side of a border rounding puts a place on must not matter.
        const double from_other = std::min(distance[i], behind ? 0 : far);
        distance[i] = belonging == 1 ? from_other : near + belonging * (from_other - near);
        SeparatePlace place{{v, v}, 0, gap + (behind ? far : -far), 0.5, {}, {}};
        if (!(place.way > 0)) continue;
        place.way *= belonging;
        if (!(place.way > 0)) continue;
        place.way *= meet(side, other, position, *nearest, gap, place);
        if (place.way > 0) places.push_back(std::move(place));
    }
}

void find_crossing_places(const SeparateSide& side, const SeparateSide& other,
                          std::span<const Crossing> crossings, double gap,
                          CrossingPlacesWorkspace& workspace, std::vector<SeparatePlace>& places) {
    const Surface &surface = *side.surface, &against = *other.surface;
    const std::vector<Edge>& edges = surface.topology().edges;
    std::vector<char>& known = workspace.known;
    std::vector<int>& listed = workspace.listed;
    known.resize(surface.positions.size(), 0);
    listed.clear();
    const auto learn = [&](int vertex, bool inside) {
        if (known[vertex] == 0) listed.push_back(vertex);
        // Of a part edges may disagree next to its border: in whatever order, the ones inside win.
        if (known[vertex] == 0 || (inside && !against.closed())) known[vertex] = inside ? 1 : 2;
    };
    struct Part {
        int edge;
        double low, high;
        int face;
    };
    std::vector<Part> parts;
    for (std::size_t i = 0; i < crossings.size();) {
        const int edge = crossings[i].edge.edge;
        // What is entered and left first does not tell it where the other side crosses itself; of
        // one that is open there is nothing else, but for a crease.
        int times = winding_number(against, surface.positions[edges[edge][0]]);
        if (!against.closed() && !other.has_crease && !crossings[i].entering) times = 1;
        learn(edges[edge][0], times > 0);
        double low = 0;
        int face = crossings[i].face.face;
        for (; i < crossings.size() && crossings[i].edge.edge == edge; ++i) {
            const double t = crossings[i].edge.t;
            if (crossings[i].entering) {
                if (times++ == 0) low = t, face = crossings[i].face.face;
            } else if (times-- == 1) {
                parts.push_back({edge, low, t, face});
            }
        }
        if (times > 0) parts.push_back({edge, low, 1, face});
        learn(edges[edge][1], times > 0);
    }
    const Belonging belongs(other);
    const auto ask = [&](SeparatePlace& place, const ClosestPoint& nearest) {
        const double depth = std::sqrt(nearest.squared_distance);
        const Vec3 position = (1 - place.t) * surface.positions[place.ends[0]] +
                              place.t * surface.positions[place.ends[1]];
        place.way = (depth + std::min(depth, gap)) * belongs.inside(position, nearest);
        if (place.way > 0) place.way *= meet(side, other, position, nearest, gap, place);
    };
    places.assign(parts.size(), {});
    parallel_for(parts.size(), 64, [&](std::size_t p) {
        const Part& part = parts[p];
        const Edge& ends = edges[part.edge];
        const DeepestOnEdge deepest =
            deepest_on_edge(surface, ends, part.low, part.high, against, part.face);
        if (deepest.nearest.point.face < 0) return;
        places[p].ends = {ends[0], ends[1]};
        places[p].t = deepest.t;
        ask(places[p], deepest.nearest);
    });
    // From the ends that are inside to all others that no crossing parts from them.
    for (std::size_t i = 0; i < listed.size(); ++i) {
        const int v = listed[i];
        if (known[v] != 1) continue;
        const auto nearest = closest_point(against, surface.positions[v]);
        SeparatePlace place;
        place.ends = {v, v};
        if (!nearest) continue;
        ask(place, *nearest);
        // Behind an open surface there is no wall around what is inside; and in a crease, which is
        // on both sides, rounding would tell which vertex is.
        if (!against.closed() && (!(place.way > 0) || surface.structure->on_border[v] != 0))
            continue;
        places.push_back(std::move(place));
        for (const int next : surface.topology().vertex_vertices[v])
            if (known[next] == 0) learn(next, true);
    }
    for (const int v : listed) known[v] = 0;
}

double depth_in(const SeparateSide& side, const SeparateSide& other) {
    const Belonging belongs(other);
    const Box box = box_about(other, 0);
    double deepest = 0;
    for (std::size_t v = 0; v < side.surface->positions.size(); ++v) {
        const Vec3& position = side.surface->positions[v];
        if (!box.contains(position) ||
            side.surface->topology().vertex_faces[static_cast<int>(v)].empty())
            continue;
        const auto nearest = closest_point(*other.surface, position);
        if (!nearest || side_of(*other.surface, position, *nearest) >= 0) continue;
        deepest =
            std::max(deepest, belongs(position, *nearest) * std::sqrt(nearest->squared_distance));
    }
    return deepest;
}

} // namespace knead
