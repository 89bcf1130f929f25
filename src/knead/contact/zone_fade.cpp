#include "knead/contact/zone_fade.hpp"

#include "knead/contact/fades.hpp"
#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// All corners of a face that are in the zone are joined by its edges.
int component_of_face(const ZonePresence& presence, const Triangle& face) {
    return std::max({presence.component_of_vertex[face[0]], presence.component_of_vertex[face[1]],
                     presence.component_of_vertex[face[2]]});
}

// The two banks of a fold lie on each other, so that a zone of one is always near those of the
// other; it comes in on its own all the same.
bool on_one_side(const Vec3& outward, const Vec3& other) {
    return outward.dot(other) > 0;
}

template <typename Weight>
double presence_at(const ZonePresence& presence, const Vec3& position, Weight weight) {
    if (!(presence.enough > 0)) return 0;
    double area = 0;
    presence.grid.visit_until(position, [&](int i) {
        const double s =
            1 - (presence.places[i] - position).squaredNorm() / (presence.radius * presence.radius);
        if (s > 0) area += weight(presence.samples[i].component) * presence.samples[i].area * s * s;
        return area >= presence.enough; // more would change nothing
    });
    return fades::zone_comes_in(area / presence.enough);
}

void find_components(const ContactZone& zone, const Topology& topology, ZonePresence& presence) {
    presence.component_of_vertex.assign(zone.inside.size(), -1);
    std::vector<int> stack;
    for (std::size_t v = 0; v < zone.inside.size(); ++v) {
        if (!zone.inside[v] || presence.component_of_vertex[v] >= 0) continue;
        const int component = presence.component_count++;
        presence.component_of_vertex[v] = component;
        stack.push_back(static_cast<int>(v));
        while (!stack.empty()) {
            const int vertex = stack.back();
            stack.pop_back();
            for (const int neighbour : topology.vertex_vertices[vertex]) {
                if (!zone.inside[neighbour] || presence.component_of_vertex[neighbour] >= 0)
                    continue;
                if (!on_one_side(zone.outward_at(vertex), zone.outward_at(neighbour))) continue;
                presence.component_of_vertex[neighbour] = component;
                stack.push_back(neighbour);
            }
        }
    }
}

// Two components that are about to merge have borders that meet; one that has just appeared is a
// vertex, and no other within its faces.
void find_nearness(const ContactZone& zone, const Topology& topology, double edge,
                   ZonePresence& presence) {
    if (static_cast<int>(presence.neighbours.size()) < presence.component_count)
        presence.neighbours.resize(presence.component_count);
    for (auto& list : presence.neighbours) list.clear();
    if (presence.component_count < 2) return;
    const double near = 0.4 * edge;
    std::vector<Vec3> places;
    std::vector<int> components;
    for (const ZoneBorderPoint& point : zone.border) {
        const Edge& ends = topology.edges[point.on_edge.edge];
        places.push_back(point.position);
        components.push_back(
            presence.component_of_vertex[zone.inside[ends[0]] ? ends[0] : ends[1]]);
    }
    const PointGrid grid(places, near);
    for (std::size_t i = 0; i < places.size(); ++i)
        grid.for_each_near(places[i], [&](int j) {
            if (components[i] == components[j]) return;
            if (!on_one_side(zone.border[i].outward, zone.border[j].outward)) return;
            const double closeness = fades::zones_merge((places[i] - places[j]).norm() / near);
            if (closeness == 0) return;
            auto& list = presence.neighbours[components[i]];
            auto known = std::find_if(list.begin(), list.end(), [&](const auto& neighbour) {
                return neighbour.component == components[j];
            });
            if (known == list.end())
                list.push_back({components[j], closeness});
            else
                known->nearness = std::max(known->nearness, closeness);
        });
}

} // namespace

double ZonePresence::at(const Vec3& position) const {
    return presence_at(*this, position, [](int) { return 1.0; });
}

double ZonePresence::at(const Vec3& position, int component) const {
    return presence_at(*this, position, [&](int other) {
        if (other == component) return 1.0;
        for (const Neighbour& neighbour : neighbours[component])
            if (neighbour.component == other) return neighbour.nearness;
        return 0.0;
    });
}

void ZonePresence::clear() {
    places.clear();
    samples.clear();
    radius = enough = 0;
    component_of_vertex.clear();
    component_count = 0;
}

void find_presence(const ContactZone& zone, const PairSide& side, double edge,
                   ZonePresence& presence) {
    const Surface& surface = *side.surface;
    presence.clear();
    find_components(zone, surface.topology(), presence);
    find_nearness(zone, surface.topology(), edge, presence);
    for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
        const CutFace cut = cut_face(zone, f, surface.faces(), surface.topology());
        if (cut.count == 0) continue;
        const Vec3 inward = side.inward_of(surface.faces()[f]);
        for_each_triangle(cut, [&](const std::array<CutCorner, 3>& corners, double weight) {
            const Vec3 a = corners[0].of<Vec3>(surface.positions),
                       b = corners[1].of<Vec3>(surface.positions),
                       c = corners[2].of<Vec3>(surface.positions);
            presence.places.push_back((a + b + c) / 3);
            presence.samples.push_back({weight * 0.5 * std::abs(inward.dot(area_vector(a, b, c))),
                                        component_of_face(presence, surface.faces()[f])});
        });
    }
    // A straight border has 4.7 edge^2 about it, a strip of one face 3.2, a single vertex up to
    // 2.6.
    presence.radius = 3 * edge;
    presence.enough = 2 * edge * edge;
    presence.grid.rebuild(presence.places, presence.radius);
}

void fade_zone(const ZonePresence& presence, const PairSide& side, ContactZone& zone) {
    const std::span<const Vec3> positions = side.surface->positions;
    const std::span<const Triangle> faces = side.surface->faces();
    zone.vertex_fade.assign(positions.size(), 0);
    zone.face_fade.assign(faces.size(), 1);
    // One zone lies on one part of the mesh; only several may lie on several.
    Components listed;
    const Components* parts = &side.surface->structure->components;
    if (presence.component_count > 1 && parts->count == 0) {
        listed = connected_components(side.surface->topology());
        parts = &listed;
    }
    const bool divided = presence.component_count > 1 && parts->count > 1;
    const auto part_of = [&](std::size_t vertex) { return divided ? parts->of_vertex[vertex] : 0; };
    std::vector<double> largest(divided ? parts->count : 1, 0);
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const Triangle& face = faces[f];
        const int component = component_of_face(presence, face);
        if (component < 0) continue;
        zone.face_fade[f] = presence.at(
            (positions[face[0]] + positions[face[1]] + positions[face[2]]) / 3, component);
        double& of_part = largest[part_of(face[0])];
        of_part = std::max(of_part, zone.face_fade[f]);
        for (const int v : face)
            zone.vertex_fade[v] = std::max(zone.vertex_fade[v], zone.face_fade[f]);
    }
    // Against the place of the part that is there most: what all have in common is the zone's own
    // fade.
    zone.fade.resize(positions.size());
    for (std::size_t v = 0; v < positions.size(); ++v) {
        zone.fade[v] = largest[part_of(v)];
        zone.vertex_fade[v] =
            zone.fade[v] > 0 ? std::min(1.0, zone.vertex_fade[v] / zone.fade[v]) : 1;
    }
    for (std::size_t f = 0; f < faces.size(); ++f) {
        if (component_of_face(presence, faces[f]) < 0) continue;
        const double whole = zone.fade[faces[f][0]];
        zone.face_fade[f] = whole > 0 ? std::min(1.0, zone.face_fade[f] / whole) : 1;
    }
}

} // namespace knead
