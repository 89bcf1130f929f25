#include "knead/implicit/solid_frame.hpp"

#include "knead/base/parallel.hpp"
#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// A bulge with a field value of 1 would be a solid of its own.
constexpr double greatest_height = 0.95;
// How well volumes are met, as a part of what contact displaces.
constexpr double volume_exactness = 1e-3;

// The samples of a solid that contact or a bulge may move, and what contact alone makes of them.
struct MovableSamples {
    struct Sample {
        int index;
        Vec3 position, normal; ///< at rest, in the world
        bool in_contact = false;
        double pressure = 0;
    };
    std::vector<Sample> samples;
    std::vector<Vec3> positions; ///< of all samples: at rest, or on the contact surface
};

// Where a function of s changes its sign, between `low` and `high`, where it does.
template <typename Function>
double root_between(const Function& f, double low, double high, double at_low, double at_high,
                    double exactness) {
    int kept = 0; // times that the same end stayed
    for (int i = 0; i < 200 && std::abs(high - low) > exactness; ++i) {
        double s = 0.5 * (low + high);
        // False position, with bisection when it lingers at one end (a jump, for instance).
        if (std::abs(kept) < 3 && at_low != at_high) {
            s = low - at_low * (high - low) / (at_high - at_low);
            if (!(s > std::min(low, high)) || !(s < std::max(low, high))) s = 0.5 * (low + high);
        }
        const double value = f(s);
        if (value == 0) return s;
        if ((value < 0) == (at_low < 0)) {
            low = s;
            at_low = value;
            kept = kept > 0 ? kept + 1 : 1;
        } else {
            high = s;
            at_high = value;
            kept = kept < 0 ? kept - 1 : -1;
        }
        if (std::abs(kept) >= 4) kept = 0;
    }
    return 0.5 * (low + high);
}

MovableSamples movable_samples(std::span<const Solid> solids, const SolidFrame& frame, int index) {
    const Solid& solid = solids[index];
    const Samples& samples = solid.samples;
    const Pose& pose = frame.solids[index].pose;
    MovableSamples result;
    for (const Vec3& position : samples.positions)
        result.positions.push_back(pose.to_world(position));
    if (solid.definition.rigid) return result;

    std::vector<char> wanted(samples.positions.size(), 0);
    const double width = *solid.definition.propagation.width;
    for (const SolidFrame::Touch& touch : frame.solids[index].touches) {
        const Field& field = solids[touch.other].field;
        const Pose& other = frame.solids[touch.other].pose;
        for (const Samples::Patch& patch : samples.patches) {
            const Vec3 center = other.to_local(pose.to_world(patch.center));
            if (!grown(field.box(), patch.radius + width).contains(center)) continue;
            for (const int v : patch.samples) wanted[v] = samples.on_surface[v];
        }
    }
    for (std::size_t v = 0; v < wanted.size(); ++v)
        if (wanted[v] != 0)
            result.samples.push_back({static_cast<int>(v), result.positions[v],
                                      Vec3(pose.turn * samples.normals[v]), false, 0});

    // Contact: the surface between the two, and where there are more than two, the field of all.
    std::vector<Neighbour> neighbours = deformed_field(solids, frame, index).neighbours();
    const DeformedField field({&solid.field, pose}, neighbours, 0);
    std::vector<SampledSolid> others;
    for (const SolidFrame::Touch& touch : frame.solids[index].touches) {
        SampledSolid other = solids[touch.other].sampled();
        other.placed.pose = frame.solids[touch.other].pose;
        others.push_back(other);
    }
    SampledSolid self = solid.sampled();
    self.placed.pose = pose;
    parallel_for(result.samples.size(), 32, [&](std::size_t i) {
        MovableSamples::Sample& sample = result.samples[i];
        int inside = 0;
        const SampledSolid* only = nullptr;
        for (const SampledSolid& other : others)
            if (other.placed.value(sample.position) > 1) {
                ++inside;
                only = &other;
            }
        if (inside == 0) return;
        sample.in_contact = true;
        Vec3& position = result.positions[sample.index];
        const double thickness = samples.thickness[sample.index];
        if (inside == 1) {
            const ContactPoint point =
                contact_point(self, *only, sample.index, sample.position, sample.normal);
            position = point.position;
            sample.pressure = point.pressure;
            // Another solid may begin on the way in.
            if (others.size() == 1 || field.value(position) > 1 - 1e-9) return;
        }
        const auto missing = [&](double s) {
            return field.value(sample.position - s * sample.normal) - 1;
        };
        const double at_surface = missing(0);
        if (!(at_surface < 0)) return;
        // The first place on the way in that is inside.
        double outside = 0, before = at_surface;
        constexpr int steps = 16;
        for (int k = 1; k <= steps; ++k) {
            const double s = thickness * k / steps, value = missing(s);
            if (value >= 0) {
                const double root = root_between(missing, outside, s, before, value,
                                                 1e-14 * solid.field.smallest_radius());
                position = sample.position - root * sample.normal;
                sample.pressure = std::max(0.0, solid.field.value(pose.to_local(position)) - 1);
                return;
            }
            outside = s;
            before = value;
        }
        position = sample.position - thickness * sample.normal;
    });
    return result;
}

// How far outwards the field of contact and bulge is still at least 1.
double bulge_at(const DeformedField& field, const MovableSamples::Sample& sample, double slope,
                double scale, bool& truncated) {
    const DeformedField::Value here = field.at(sample.position);
    double above = here.value - 1;
    truncated = here.truncated;
    if (!(above > 1e-14) || here.in_contact) return 0;
    const auto excess = [&](double s) {
        return field.value(sample.position + s * sample.normal) - 1;
    };
    double low = 0, step = std::min(above / slope, 0.25 * scale);
    for (int i = 0; i < 60; ++i) {
        const double high = low + step, value = excess(high);
        if (value < 0) {
            const double s = root_between(excess, low, high, above, value, 1e-14 * scale);
            truncated = truncated || field.at(sample.position + s * sample.normal).truncated;
            return s;
        }
        low = high;
        above = value;
        step = std::min(2 * step, 0.25 * scale);
    }
    return low;
}

struct Bulged {
    std::vector<Vec3> positions;
    bool truncated = false;
};

Bulged add_bulge(const Solid& solid, const MovableSamples& movable, const DeformedField& field) {
    Bulged result{movable.positions, false};
    std::vector<char> truncated(movable.samples.size(), 0);
    const double scale = solid.field.smallest_radius();
    parallel_for(movable.samples.size(), 32, [&](std::size_t i) {
        const MovableSamples::Sample& sample = movable.samples[i];
        if (sample.in_contact) return;
        const double slope =
            solid.field.at(field.self().pose.to_local(sample.position)).gradient.norm();
        bool ends = false;
        const double s = bulge_at(field, sample, slope, scale, ends);
        truncated[i] = ends;
        if (s > 0) result.positions[sample.index] = sample.position + s * sample.normal;
    });
    result.truncated = std::find(truncated.begin(), truncated.end(), 1) != truncated.end();
    return result;
}

double volume_of(const Solid& solid, const Pose& pose, std::span<const Vec3> positions) {
    return signed_volume(positions, solid.samples.faces, pose.to_world(solid.samples.box.center()));
}

double rest_volume(const Solid& solid) {
    return signed_volume(solid.samples.positions, solid.samples.faces, solid.samples.box.center());
}

// Heights times a factor, none higher than a bulge may be.
std::vector<SolidFrame::Touch> scaled(std::vector<SolidFrame::Touch> touches, double factor) {
    for (SolidFrame::Touch& touch : touches)
        touch.height = std::min(factor * touch.height, greatest_height);
    return touches;
}

// Finds the factor with which the bulges of a solid make up for what contact displaces.
void keep_volume(std::span<const Solid> solids, SolidFrame& frame, int index) {
    const Solid& solid = solids[index];
    SolidFrame::Entry& entry = frame.solids[index];
    const MovableSamples movable = movable_samples(solids, frame, index);
    const double whole = rest_volume(solid);
    const double lost = whole - volume_of(solid, entry.pose, movable.positions);
    if (!(lost > 0)) return;
    const double wanted = whole - *solid.definition.propagation.compressibility * lost;
    const std::vector<SolidFrame::Touch> compressions = entry.touches; // with a factor of 1
    const auto missing = [&](double factor) {
        entry.touches = scaled(compressions, factor);
        const DeformedField field = deformed_field(solids, frame, index);
        return wanted - volume_of(solid, entry.pose, add_bulge(solid, movable, field).positions);
    };
    double low = 0, at_low = wanted - (whole - lost), high = 0.25;
    if (!(at_low > 0)) {
        entry.touches = scaled(compressions, 0);
        return;
    }
    double at_high = missing(high);
    const auto is_highest = [&](double factor) {
        return std::all_of(compressions.begin(), compressions.end(), [&](const auto& touch) {
            return factor * touch.height >= greatest_height || !(touch.height > 0);
        });
    };
    while (at_high > 0 && !is_highest(high)) {
        low = high;
        at_low = at_high;
        high *= 2;
        at_high = missing(high);
    }
    double factor = high;
    if (at_high < 0) {
        // Close enough is enough: each look at it moves all samples.
        for (int i = 0; i < 40; ++i) {
            factor =
                i % 3 == 2 ? 0.5 * (low + high) : low - at_low * (high - low) / (at_high - at_low);
            const double value = missing(factor);
            if (std::abs(value) <= volume_exactness * lost) break;
            (value > 0 ? low : high) = factor;
            (value > 0 ? at_low : at_high) = value;
        }
    }
    entry.touches = scaled(compressions, factor);
}

} // namespace

bool is_passing(const PassingPairs& passing, int a, int b) {
    return std::any_of(passing.begin(), passing.end(), [&](const auto& pair) {
        return (pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a);
    });
}

std::vector<SolidContact> find_contacts(std::span<const Solid> solids, const PassingPairs& passing,
                                        std::span<const SolidContact> earlier) {
    const std::vector<int> order = by_name(solids);
    std::vector<Box> boxes;
    for (const Solid& solid : solids) boxes.push_back(placed_box(solid.samples.box, solid.pose));
    std::vector<SolidContact> contacts;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = i + 1; j < order.size(); ++j) {
            const int a = order[i], b = order[j];
            if (!solids[a].moves() && !solids[b].moves() && solids[a].definition.rigid &&
                solids[b].definition.rigid)
                continue;
            if (!boxes[a].overlaps(boxes[b])) continue;
            if (is_passing(passing, a, b)) continue;
            SolidContact contact;
            contact.first = a;
            contact.second = b;
            contacts.push_back(contact);
        }
    parallel_for(contacts.size(), 1, [&](std::size_t c) {
        const int a = contacts[c].first, b = contacts[c].second;
        const SampledSolid first = solids[a].sampled(), second = solids[b].sampled();
        std::array<int, 2> deepest{-1, -1};
        for (const SolidContact& contact : earlier)
            if (contact.first == a && contact.second == b)
                deepest = {contact.sides[0].deepest, contact.sides[1].deepest};
        if (!interpenetrate(first, second, deepest)) return;
        contacts[c] = press(first, second);
        contacts[c].first = a;
        contacts[c].second = b;
    });
    std::erase_if(contacts, [](const SolidContact& contact) { return !contact.touches(); });
    return contacts;
}

SolidFrame frame_of(std::span<const Solid> solids, std::span<const SolidContact> contacts) {
    SolidFrame frame;
    frame.solids.resize(solids.size());
    for (std::size_t i = 0; i < solids.size(); ++i) frame.solids[i].pose = solids[i].pose;
    for (const SolidContact& contact : contacts) {
        // From the deepest sample up to the deepest place.
        double pressure = contact.pressure;
        for (int side = 0; side < 2; ++side) {
            const PressedSide& pressed = contact.sides[side];
            if (pressed.deepest < 0) continue;
            const Solid &self = solids[side == 0 ? contact.first : contact.second],
                        &other = solids[side == 0 ? contact.second : contact.first];
            const Vec3& start = pressed.find(pressed.deepest)->position;
            // Of a rigid solid's samples, it is the other that is pressed.
            pressure =
                std::max(pressure, self.definition.rigid
                                       ? largest_pressure(other.sampled(), self.sampled(), start)
                                       : largest_pressure(self.sampled(), other.sampled(), start));
        }
        for (int side = 0; side < 2; ++side) {
            const int self = side == 0 ? contact.first : contact.second,
                      other = side == 0 ? contact.second : contact.first;
            const SolidDefinition& definition = solids[self].definition;
            if (definition.rigid) continue;
            const double factor =
                definition.propagation.compressibility ? 1 : definition.propagation.attenuation;
            frame.solids[self].touches.push_back(
                {other, std::min(factor * pressure, greatest_height)});
        }
    }
    // Contacts come by the names of both, so the touches of each solid have to be sorted by that of
    // the other.
    for (SolidFrame::Entry& entry : frame.solids)
        std::sort(entry.touches.begin(), entry.touches.end(), [&](const auto& a, const auto& b) {
            return solids[a.other].definition.name < solids[b.other].definition.name;
        });
    for (std::size_t i = 0; i < solids.size(); ++i)
        if (solids[i].definition.propagation.compressibility && !frame.solids[i].touches.empty())
            keep_volume(solids, frame, static_cast<int>(i));
    return frame;
}

DeformedField deformed_field(std::span<const Solid> solids, const SolidFrame& frame, int solid) {
    std::vector<Neighbour> neighbours;
    for (const SolidFrame::Touch& touch : frame.solids[solid].touches)
        neighbours.push_back({{&solids[touch.other].field, frame.solids[touch.other].pose},
                              solids[touch.other].definition.rigid,
                              touch.height});
    return DeformedField({&solids[solid].field, frame.solids[solid].pose}, std::move(neighbours),
                         *solids[solid].definition.propagation.width);
}

SolidShape deformed_shape(std::span<const Solid> solids, const SolidFrame& frame, int index) {
    const Solid& solid = solids[index];
    const SolidFrame::Entry& entry = frame.solids[index];
    const MovableSamples movable = movable_samples(solids, frame, index);
    SolidShape shape;
    shape.volume_at_rest = rest_volume(solid);
    shape.pressures.assign(movable.positions.size(), 0);
    for (const MovableSamples::Sample& sample : movable.samples)
        shape.pressures[sample.index] = sample.pressure;
    Bulged bulged = add_bulge(solid, movable, deformed_field(solids, frame, index));
    for (const MovableSamples::Sample& sample : movable.samples)
        shape.moved += bulged.positions[sample.index] != sample.position ? 1 : 0;
    shape.volume_in_contact = volume_of(solid, entry.pose, movable.positions);
    shape.volume = volume_of(solid, entry.pose, bulged.positions);
    shape.truncated = bulged.truncated;
    shape.positions = std::move(bulged.positions);
    return shape;
}

std::vector<SolidShape> deformed_shapes(std::span<const Solid> solids,
                                        std::span<const SolidContact> contacts) {
    const SolidFrame frame = frame_of(solids, contacts);
    std::vector<SolidShape> shapes;
    for (std::size_t i = 0; i < solids.size(); ++i)
        shapes.push_back(deformed_shape(solids, frame, static_cast<int>(i)));
    return shapes;
}

std::vector<SolidShape> deform_solids(std::span<const SolidDefinition> definitions,
                                      const PassingPairs& passing) {
    const std::vector<Solid> solids = make_solids(definitions);
    return deformed_shapes(solids, find_contacts(solids, passing));
}

} // namespace knead
