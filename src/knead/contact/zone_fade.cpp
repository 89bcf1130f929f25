#include "knead/contact/zone_fade.hpp"

#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>

namespace knead {

double ZonePresence::at(const Vec3& position) const {
    if (!(enough > 0)) return 0;
    double area = 0;
    grid.for_each_near(position, [&](int i) {
        const double s = 1 - (places[i] - position).squaredNorm() / (radius * radius);
        if (s > 0) area += areas[i] * s * s;
    });
    const double t = std::clamp(area / enough, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

ZonePresence zone_presence(const ContactZone& zone, const PairSide& side, double edge) {
    const Surface& surface = *side.surface;
    const CutSet set = cut_set_of(zone);
    ZonePresence presence;
    for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
        const CutFace cut = cut_face(set, f, surface.faces(), surface.topology());
        for (int i = 2; i < cut.count; ++i) {
            const Vec3 a = cut.corners[0].of<Vec3>(surface.positions),
                       b = cut.corners[i - 1].of<Vec3>(surface.positions),
                       c = cut.corners[i].of<Vec3>(surface.positions);
            presence.places.push_back((a + b + c) / 3);
            presence.areas.push_back(0.5 * std::abs(side.inward.dot(area_vector(a, b, c))));
        }
    }
    // A straight border has 4.7 edge^2 about it, a strip of one face 3.2, a single vertex up to
    // 2.6.
    presence.radius = 3 * edge;
    presence.enough = 2 * edge * edge;
    presence.grid = PointGrid(presence.places, presence.radius);
    return presence;
}

void fade_zone(const ZonePresence& presence, const PairSide& side, ContactZone& zone) {
    const std::span<const Vec3> positions = side.surface->positions;
    const std::span<const Triangle> faces = side.surface->faces();
    zone.vertex_fade.assign(positions.size(), 0);
    zone.face_fade.assign(faces.size(), 1);
    zone.fade = 0;
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const Triangle& face = faces[f];
        if (!zone.inside[face[0]] && !zone.inside[face[1]] && !zone.inside[face[2]]) continue;
        zone.face_fade[f] =
            presence.at((positions[face[0]] + positions[face[1]] + positions[face[2]]) / 3);
        zone.fade = std::max(zone.fade, zone.face_fade[f]);
        for (const int v : face)
            zone.vertex_fade[v] = std::max(zone.vertex_fade[v], zone.face_fade[f]);
    }
    if (!(zone.fade > 0)) return;
    // Against the place that is there most: what all have in common is the zone's own fade.
    for (double& fade : zone.vertex_fade) fade = std::min(1.0, fade / zone.fade);
    for (double& fade : zone.face_fade) fade = std::min(1.0, fade / zone.fade);
}

} // namespace knead
