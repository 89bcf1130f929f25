#include "measure_frame.hpp"

#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact_region.hpp"

namespace knead::quality {
namespace {

constexpr double largest_volume_error = 1e-9;
constexpr double largest_move = 10; // times the depth

void take_worse(Judged& judged, const Judged& other) {
    if (other.bound > 0 && !(other.badness() < judged.badness())) judged = other;
}
void take_worse(std::optional<Judged>& judged, const std::optional<Judged>& other) {
    if (!judged)
        judged = other;
    else if (other)
        take_worse(*judged, *other);
}

// The contact's edges and curvature before it was resolved.
struct RegionSize {
    double fine_edge, coarse_edge;
    double curvature;

    // By how much two triangulations of one surface may differ.
    double tolerance() const { return 0.5 * curvature * coarse_edge * coarse_edge; }
};

RegionSize region_size(const Surface& first, const Surface& second) {
    const std::vector<int> of_first = edges_inside(first, second);
    const std::vector<int> of_second = edges_inside(second, first);
    const double a = mean_edge(first, of_first), b = mean_edge(second, of_second);
    return {std::min(a, b), std::max(a, b),
            std::max(curvature(first, of_first), curvature(second, of_second))};
}

// What touched on one side of a contact: the object's part, or the proxy that stands in for it.
struct Touching {
    Surface before, after;
    std::vector<double> zone; ///< one a vertex
};

Touching touching(const GaugedPart& part, const SolvedFrame& solved, const Surface& before,
                  const Surface& after) {
    const int object = part.side.object;
    if (const auto& proxy = solved.proxies[object])
        return {make_surface(proxy->structure, proxy->before),
                make_surface(proxy->structure, proxy->after), proxy->zone};
    const std::vector<double>& zone = solved.objects[object].zone;
    return {before, after, zone.empty() ? zone : gather(part.region, zone)};
}

// How far the vertices of a zone are from the other surface at most.
double largest_distance(const Touching& side, const Surface& other) {
    double largest = 0;
    for (std::size_t i = 0; i < side.zone.size(); ++i) {
        if (!(side.zone[i] > 0)) continue;
        if (const auto nearest = closest_point(other, side.after.positions[i]))
            largest = std::max(largest, std::sqrt(nearest->squared_distance));
    }
    return largest;
}

void measure_contact_quality(const LoadedScene& scene, const SceneGauge& gauge, int contact,
                             const SolvedFrame& solved, const GaugedFrame& before,
                             const GaugedFrame& after, FrameQuality& quality) {
    const Penetration deep = measure_contact(gauge, before, contact);
    quality.crossings_before += deep.crossings;
    const Penetration left = measure_contact(gauge, after, contact);
    quality.crossings_after += left.crossings;
    if (!(deep.depth > 0)) return;
    quality.depth_before = std::max(quality.depth_before, deep.depth);
    const auto [first, second] = gauge.contact_parts[contact];
    const RegionSize size = region_size(before.surfaces[first], before.surfaces[second]);
    take_worse(quality.depth,
               {left.depth / deep.depth, largest_depth_left + size.tolerance() / deep.depth});

    const ContactOutcome& outcome = solved.contacts[contact];
    const double area = 0.5 * (outcome.zone_area[0] + outcome.zone_area[1]);
    if (!(area > 0)) return;
    const double radius = std::sqrt(area / std::numbers::pi);
    take_worse(quality.areas, Judged{std::abs(outcome.zone_area[0] - outcome.zone_area[1]) / area,
                                     2 * std::pow(size.fine_edge / radius, 2)});
    std::array<Touching, 2> sides;
    for (const int side : {0, 1}) {
        const int part = gauge.contact_parts[contact][side];
        sides[side] =
            touching(gauge.parts[part], solved, before.surfaces[part], after.surfaces[part]);
    }
    // A zone vertex of an object with several contacts does not say which one it belongs to.
    std::optional<double> distance;
    for (const int side : {0, 1}) {
        const int object = gauge.parts[gauge.contact_parts[contact][side]].side.object;
        const auto contacts = std::count_if(
            gauge.contacts.begin(), gauge.contacts.end(), [&](const ContactSpec& spec) {
                return spec.between[0].object == object || spec.between[1].object == object;
            });
        if (contacts == 1 && !scene.scene.objects[object].rigid)
            distance = std::max(distance.value_or(0),
                                largest_distance(sides[side], sides[1 - side].after));
    }
    if (!distance) return;
    const double tolerance = region_size(sides[0].before, sides[1].before).tolerance();
    take_worse(quality.apart, Judged{*distance / deep.depth, tolerance / deep.depth});
}

// A proxy keeps its own volume, not that of the mesh it stands in for.
bool keeps_volume(const SceneObject& object, double frame) {
    const auto is_one = [&](const PaintedNumber& number) {
        return !number.is_painted() && number.at(frame) == 1;
    };
    return !object.rigid && object.proxy.empty() && is_one(object.bulge) && is_one(object.envelope);
}

void measure_object_quality(const SceneObject& object, double frame,
                            const std::vector<Triangle>& faces, const std::vector<Vec3>& before,
                            const std::vector<Vec3>& after, FrameQuality& quality) {
    double moved = 0, swept = 0;
    for (std::size_t v = 0; v < before.size(); ++v) {
        if (!after[v].allFinite()) quality.finite = false;
        moved = std::max(moved, (after[v] - before[v]).norm());
    }
    if (quality.depth_before > 0)
        take_worse(quality.move, {moved / quality.depth_before, largest_move});
    if (!(moved > 0) || !keeps_volume(object, frame)) return;
    for (const auto& [a, b, c] : faces)
        swept +=
            std::abs(area_vector(before[a], before[b], before[c])
                         .dot(after[a] - before[a] + after[b] - before[b] + after[c] - before[c])) /
            6;
    const Vec3 origin = bounding_box(before).center();
    const double error =
        std::abs(signed_volume(after, faces, origin) - signed_volume(before, faces, origin));
    take_worse(quality.volume, Judged{error / swept, largest_volume_error});
}

} // namespace

FrameQuality measure_frame(const LoadedScene& scene, const SceneGauge& gauge, double frame,
                           const SolvedFrame& solved) {
    FrameQuality quality;
    quality.move = {0, largest_move};
    const GaugedFrame before = gauge_frame(gauge, solved.before);
    const GaugedFrame after = gauge_frame(gauge, solved.after);
    for (int contact = 0; contact < static_cast<int>(gauge.contacts.size()); ++contact)
        measure_contact_quality(scene, gauge, contact, solved, before, after, quality);
    for (std::size_t i = 0; i < scene.objects.size(); ++i)
        measure_object_quality(scene.scene.objects[i], frame, scene.objects[i].source.mesh.faces,
                               solved.before[i], solved.after[i], quality);
    return quality;
}

void take_worse(FrameQuality& quality, const FrameQuality& other) {
    quality.depth_before = std::max(quality.depth_before, other.depth_before);
    quality.crossings_before = std::max(quality.crossings_before, other.crossings_before);
    quality.crossings_after = std::max(quality.crossings_after, other.crossings_after);
    take_worse(quality.depth, other.depth);
    take_worse(quality.areas, other.areas);
    take_worse(quality.apart, other.apart);
    take_worse(quality.volume, other.volume);
    take_worse(quality.move, other.move);
    quality.finite = quality.finite && other.finite;
}

} // namespace knead::quality
