#include "knead/deform/deform.hpp"

#include "knead/base/error.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/contact/mapping_direction.hpp"
#include "knead/mesh/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

// A zone comes in while it grows to the size of a few faces.
double fade_of(double zone_area, double edge) {
    const double t = std::clamp(zone_area / (1.5 * edge * edge), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

double disc_radius(double area) {
    return std::sqrt(std::max(0.0, area) / std::numbers::pi);
}

// Area of a part of a mesh, seen along a direction.
double projected_area(const CutSet& part, const Surface& surface, const Vec3& direction) {
    double area = 0;
    for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
        const CutFace cut = cut_face(part, f, surface.faces(), surface.topology());
        for (int i = 2; i < cut.count; ++i)
            area +=
                0.5 *
                std::abs(direction.dot(area_vector(cut.corners[0].of<Vec3>(surface.positions),
                                                   cut.corners[i - 1].of<Vec3>(surface.positions),
                                                   cut.corners[i].of<Vec3>(surface.positions))));
    }
    return area;
}

CutSet cut_set_of(const ContactZone& zone) {
    CutSet set;
    set.inside = zone.inside;
    set.cut.assign(zone.border_of_edge.size(), 0.5);
    for (const ZoneBorderPoint& point : zone.border) set.cut[point.on_edge.edge] = point.on_edge.t;
    return set;
}

// Area of a zone after it was moved onto the contact surface.
double area_on_surface(const ContactZone& zone, const Surface& surface) {
    const CutSet set = cut_set_of(zone);
    double area = 0;
    for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
        const CutFace cut = cut_face(set, f, surface.faces(), surface.topology());
        const auto at = [&](int i) -> const Vec3& {
            const CutCorner& corner = cut.corners[i];
            return corner.edge < 0 ? zone.target[corner.a]
                                   : zone.border[zone.border_of_edge[corner.edge]].target;
        };
        for (int i = 2; i < cut.count; ++i)
            area += 0.5 * area_vector(at(0), at(i - 1), at(i)).norm();
    }
    return area;
}

// How far the parts reach along the mapping direction.
double span_along(const Intersection& intersection, const std::array<PairSide, 2>& sides) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (int s = 0; s < 2; ++s)
        for (std::size_t v = 0; v < sides[s].surface->positions.size(); ++v)
            if (intersection.parts[s].inside[v]) {
                const double at = sides[0].inward.dot(sides[s].surface->positions[v]);
                low = std::min(low, at);
                high = std::max(high, at);
            }
    for (const auto* crossings : {&intersection.crossings.of_a, &intersection.crossings.of_b})
        for (const Crossing& crossing : *crossings) {
            const double at = sides[0].inward.dot(crossing.position);
            low = std::min(low, at);
            high = std::max(high, at);
        }
    return std::max(0.0, high - low);
}

double relative_stiffness(const DeformObject& mine, const DeformObject& other) {
    if (mine.rigid) return 1;
    if (other.rigid) return 0;
    const double sum = mine.stiffness + other.stiffness;
    return sum > 0 ? mine.stiffness / sum : 0.5;
}

} // namespace

struct Deformer::State {
    struct Object {
        std::shared_ptr<const SurfaceStructure> structure;
        std::vector<char> border;
        std::optional<BulgeWorkspace> bulge; ///< made when first needed
    };
    std::vector<Object> objects;
    Intersection intersection;
    IntersectionWorkspace intersecting;
    std::array<Mapping, 2> mappings;
    std::array<ContactZone, 2> zones;
};

Deformer::Deformer(std::vector<std::shared_ptr<const SurfaceStructure>> objects)
    : state_(std::make_unique<State>()) {
    for (auto& structure : objects) {
        State::Object object;
        object.border.assign(structure->on_border.begin(), structure->on_border.end());
        object.structure = std::move(structure);
        state_->objects.push_back(std::move(object));
    }
}

Deformer::~Deformer() = default;
Deformer::Deformer(Deformer&&) noexcept = default;
Deformer& Deformer::operator=(Deformer&&) noexcept = default;

DeformResult Deformer::deform(std::span<const DeformObject> objects,
                              std::span<const DeformContact> contacts) {
    State& state = *state_;
    const int count = static_cast<int>(state.objects.size());
    if (objects.size() != state.objects.size())
        throw InputError(
            fmt::format("deform: found {} objects, expected {}", objects.size(), count));
    DeformResult result;
    result.objects.resize(objects.size());
    result.contacts.resize(contacts.size());
    std::vector<Surface> surfaces;
    std::vector<std::vector<Vec3>> normals;
    Stopwatch watch;
    for (int i = 0; i < count; ++i) {
        const SurfaceStructure& structure = *state.objects[i].structure;
        if (static_cast<int>(objects[i].positions.size()) != structure.topology.vertex_count)
            throw InputError(fmt::format("deform: object {} has {} positions, expected {}", i,
                                         objects[i].positions.size(),
                                         structure.topology.vertex_count));
        surfaces.push_back(make_surface(state.objects[i].structure, objects[i].positions));
        normals.push_back(vertex_normals(objects[i].positions, structure.faces));
        result.objects[i].positions.assign(objects[i].positions.begin(),
                                           objects[i].positions.end());
    }
    result.milliseconds.intersect += watch.lap();

    std::vector<std::vector<PairDisplacement>> displacements(objects.size());
    std::vector<std::vector<double>> fades(objects.size());
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const DeformContact& contact = contacts[c];
        ContactOutcome& outcome = result.contacts[c];
        const std::array<int, 2> pair = {contact.first, contact.second};
        for (const int i : pair)
            if (i < 0 || i >= count)
                throw InputError(fmt::format("deform: contact {} names object {}, expected 0 to {}",
                                             c, i, count - 1));
        if (pair[0] == pair[1])
            throw InputError(fmt::format("deform: contact {} names object {} twice", c, pair[0]));
        if (objects[pair[0]].rigid && objects[pair[1]].rigid) continue;

        watch.lap();
        intersect(surfaces[pair[0]], surfaces[pair[1]], state.intersection, state.intersecting);
        if (state.intersection.empty()) {
            result.milliseconds.intersect += watch.lap();
            continue;
        }
        std::array<NormalStatistics, 2> statistics;
        for (int s = 0; s < 2; ++s)
            statistics[s] =
                normal_statistics(state.intersection.parts[s], surfaces[pair[s]], normals[pair[s]]);
        const std::optional<Vec3> direction =
            contact.direction ? std::optional<Vec3>(contact.direction->normalized())
                              : mapping_direction(statistics[0], statistics[1]);
        result.milliseconds.intersect += watch.lap();
        if (!direction) {
            outcome.note = "no mapping direction: the normals cancel; give one";
            continue;
        }
        outcome.direction = *direction;

        std::array<PairSide, 2> sides;
        for (int s = 0; s < 2; ++s)
            sides[s] = {&surfaces[pair[s]], normals[pair[s]],
                        s == 0 ? *direction : Vec3(-*direction),
                        relative_stiffness(objects[pair[s]], objects[pair[1 - s]])};
        // What lies further along the direction than twice the overlap belongs to something else.
        const double reach = 2 * span_along(state.intersection, sides);
        for (int s = 0; s < 2; ++s)
            map_side(sides[s], sides[1 - s], state.intersection.parts[s], reach, state.mappings[s]);
        const DepthStatistics depths = depth_statistics(sides, state.mappings);
        result.milliseconds.map += watch.lap();

        outcome.threshold = zone_threshold(depths, contact.apparent_stiffness);
        bool any_zone = false;
        double mapped_area = 0;
        for (int s = 0; s < 2; ++s) {
            find_zone(sides[s], sides[1 - s], state.mappings[s], outcome.threshold, reach,
                      objects[pair[s]].offset, state.zones[s]);
            outcome.zone_area[s] = area_on_surface(state.zones[s], surfaces[pair[s]]);
            any_zone = any_zone || !state.zones[s].empty();
            mapped_area +=
                0.5 * projected_area(state.mappings[s].region, surfaces[pair[s]], sides[s].inward);
        }
        result.milliseconds.zone += watch.lap();
        if (!any_zone) {
            outcome.note = fmt::format("zone empty: threshold {:.4g}", outcome.threshold);
            continue;
        }
        for (int s = 0; s < 2; ++s) {
            const int i = pair[s];
            const DeformObject& object = objects[i];
            const ContactZone& zone = state.zones[s];
            if (object.rigid || zone.empty()) continue;
            State::Object& kept = state.objects[i];
            if (!kept.bulge) kept.bulge = make_bulge_workspace(kept.structure->topology);
            const double edge = mean_edge_length(object.positions, kept.structure->topology);
            const double zone_seen = projected_area(cut_set_of(zone), surfaces[i], sides[s].inward);
            const double gap = std::max(0.0, disc_radius(mapped_area) - disc_radius(zone_seen));
            const double extent = object.extent.value_or(
                std::max({8 * gap, 2.5 * disc_radius(mapped_area), 5 * edge}));
            if (object.extent && extent < 8 * gap)
                outcome.note =
                    fmt::format("extent shorter than 8 times the gap: {:.4g}, expected {:.4g}",
                                extent, 8 * gap);
            const BulgeMesh mesh{object.positions, normals[i], kept.structure->faces,
                                 &kept.structure->topology, kept.border};
            fades[i].push_back(fade_of(zone_seen, edge));
            pair_displacement(zone, mesh, object.bulge, extent, fades[i].back(), *kept.bulge,
                              displacements[i].emplace_back());
            result.objects[i].contact_vertices +=
                static_cast<int>(std::count(zone.inside.begin(), zone.inside.end(), 1));
        }
    }

    watch.lap();
    for (int i = 0; i < count; ++i) {
        if (displacements[i].empty()) continue;
        for (const PairDisplacement& pair : displacements[i]) {
            result.milliseconds.parametrize += pair.parametrize_milliseconds;
            result.milliseconds.guide += pair.guide_milliseconds;
            result.milliseconds.displace += pair.displace_milliseconds;
        }
        State::Object& kept = state.objects[i];
        ObjectOutcome& outcome = result.objects[i];
        const BulgeMesh mesh{objects[i].positions, normals[i], kept.structure->faces,
                             &kept.structure->topology, kept.border};
        combine_displacements(displacements[i], fades[i], mesh, objects[i].bulge,
                              outcome.positions);
        if (objects[i].envelope != 1)
            for (std::size_t v = 0; v < outcome.positions.size(); ++v)
                outcome.positions[v] =
                    objects[i].positions[v] +
                    objects[i].envelope * (outcome.positions[v] - objects[i].positions[v]);
        const std::size_t n = outcome.positions.size();
        outcome.zone.assign(n, 0);
        outcome.u.assign(n, 1);
        outcome.amplitude.assign(n, 0);
        outcome.slope.assign(n, 0);
        for (const PairDisplacement& pair : displacements[i])
            for (std::size_t v = 0; v < n; ++v) {
                if (!(pair.u[v] < outcome.u[v])) continue;
                outcome.u[v] = pair.u[v];
                outcome.amplitude[v] = pair.amplitude[v];
                outcome.slope[v] = pair.slope[v];
                if (pair.u[v] == 0) outcome.zone[v] = 1;
            }
    }
    result.milliseconds.displace += watch.lap();
    return result;
}

std::array<std::vector<Vec3>, 2> deform(const TriangleMesh& first, const TriangleMesh& second,
                                        const DeformContact& contact) {
    Deformer deformer({make_structure(first.positions, first.faces),
                       make_structure(second.positions, second.faces)});
    DeformObject objects[2];
    objects[0].positions = first.positions;
    objects[1].positions = second.positions;
    DeformResult result = deformer.deform(objects, std::span(&contact, 1));
    return {std::move(result.objects[0].positions), std::move(result.objects[1].positions)};
}

} // namespace knead
