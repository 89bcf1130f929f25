#include "knead/implicit/contact.hpp"

#include "knead/base/parallel.hpp"
#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Sides whose samples are so much coarser that they add nothing are not looked at.
constexpr double least_weight = 0.02;
constexpr int energy_cells = 40;

struct Both {
    FieldSample self, other;
};

Both both_at(const SampledSolid& self, const SampledSolid& other, const Vec3& point) {
    return {self.placed.at(point), other.placed.at(point)};
}

// What is 0 on the contact surface and grows inwards from a sample of `self`.
FieldSample surface_function(const Both& at, bool other_is_rigid) {
    FieldSample result{1 - at.other.value, -at.other.gradient};
    if (!other_is_rigid) {
        result.value += at.self.value - 1;
        result.gradient += at.self.gradient;
    }
    return result;
}

// Two springs behind each other give way together.
double pair_stiffness(const Both& at, bool other_is_rigid) {
    const double k = at.self.gradient.norm(), l = at.other.gradient.norm();
    if (other_is_rigid) return k;
    return k + l > 0 ? k * l / (k + l) : 0;
}

// Beside the contact, the surface and its pressure go on as they are at the sample.
ContactPoint rim_point(const SampledSolid& self, const SampledSolid& other, int sample,
                       const Vec3& position, const Vec3& normal) {
    const Both at = both_at(self, other, position);
    const FieldSample here = surface_function(at, other.rigid);
    const double slope = -here.gradient.dot(normal);
    const double furthest = self.samples->spacing;
    double s = slope > 0 ? -here.value / slope : -furthest;
    s = std::clamp(s, -furthest, 0.0);
    const double pressure =
        std::min(at.self.value - 1 - s * at.self.gradient.dot(normal), -1e-300);
    return {sample, position - s * normal, pressure, s, pair_stiffness(at, other.rigid), true};
}

// A corner of a triangle of the contact surface.
struct Corner {
    Vec3 position;
    double pressure, stiffness;
};

Corner between(const Corner& a, const Corner& b) {
    const double t = a.pressure / (a.pressure - b.pressure);
    return {a.position + t * (b.position - a.position), 0,
            a.stiffness + t * (b.stiffness - a.stiffness)};
}

// Of the part of a triangle where the pressure is positive; linear in between. `sign` turns the
// triangle's normal into the way in which the first solid is pushed.
void add_element(const std::array<Corner, 3>& corners, double sign, double weight,
                 PairContact& contact) {
    std::array<Corner, 4> polygon;
    int count = 0;
    for (int i = 0; i < 3; ++i) {
        const Corner &a = corners[i], &b = corners[(i + 1) % 3];
        if (a.pressure > 0) polygon[count++] = a;
        if ((a.pressure > 0) != (b.pressure > 0)) polygon[count++] = between(a, b);
    }
    Vec3 area = Vec3::Zero(), first = Vec3::Zero();
    double size = 0, load = 0, stiffness = 0;
    for (int i = 1; i + 1 < count; ++i) {
        const Corner &a = polygon[0], &b = polygon[i], &c = polygon[i + 1];
        const Vec3 twice = area_vector(a.position, b.position, c.position);
        const double part = 0.5 * twice.norm(), sum = a.pressure + b.pressure + c.pressure;
        area += 0.5 * twice;
        size += part;
        load += part / 3 * sum;
        stiffness += part / 3 * (a.stiffness + b.stiffness + c.stiffness);
        // The integral of two linear functions over a triangle.
        first += part / 12 *
                 ((a.pressure + sum) * a.position + (b.pressure + sum) * b.position +
                  (c.pressure + sum) * c.position);
    }
    const double flat = area.norm();
    if (!(load > 0) || !(flat > 0)) return;
    ContactElement element;
    element.point = first / load;
    element.normal = sign / flat * area;
    element.area = weight * size;
    element.pressure = load / size;
    element.stiffness = stiffness / size;
    contact.area += element.area;
    contact.force += element.area * element.pressure * element.normal;
    contact.elements.push_back(element);
}

void add_elements(const SampledSolid& self, const PressedSide& side, double sign, double weight,
                  PairContact& contact) {
    const Samples& samples = *self.samples;
    std::vector<int> faces;
    for (const ContactPoint& point : side.points)
        if (point.pressure > 0)
            for (const int face : samples.topology->vertex_faces[point.sample])
                faces.push_back(face);
    std::sort(faces.begin(), faces.end());
    faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
    for (const int face : faces) {
        std::array<Corner, 3> corners;
        bool known = true;
        for (int i = 0; i < 3 && known; ++i) {
            const ContactPoint* point = side.find(samples.faces[face][i]);
            known = point != nullptr;
            if (known) corners[i] = {point->position, point->pressure, point->stiffness};
        }
        if (known) add_element(corners, sign, weight, contact);
    }
}

// From one solid's own coordinates to another's.
struct Passage {
    Mat3 turn;
    Vec3 at;

    Passage(const Pose& from, const Pose& to)
        : turn(to.turn.transpose() * from.turn), at(to.turn.transpose() * (from.at - to.at)) {}
    Vec3 operator()(const Vec3& point) const { return turn * point + at; }
};

template <typename Visit>
void for_each_sample_near(const SampledSolid& self, const SampledSolid& other, const Visit& visit) {
    const Passage to_other(self.placed.pose, other.placed.pose);
    const Field& field = *other.placed.field;
    for (const Samples::Patch& patch : self.samples->patches) {
        const Vec3 center = to_other(patch.center);
        if (!grown(field.box(), patch.radius).contains(center)) continue;
        const double value = field.value(center);
        if (value < 1 && value + field.steepest_around(center, patch.radius) * patch.radius < 1)
            continue;
        for (const int sample : patch.samples)
            if (!visit(sample, to_other(self.samples->positions[sample]))) return;
    }
}

} // namespace

ContactPoint contact_point(const SampledSolid& self, const SampledSolid& other, int sample,
                           const Vec3& position, const Vec3& normal) {
    const double thickness = self.samples->thickness[sample];
    ContactPoint point{sample, position, 0, 0, 0, true};
    Both at;
    // Newton's method between a place that is too far out and one that is too far in.
    double outer = 0, inner = thickness, s = 0;
    bool found_inner = false;
    for (int i = 0; i < 60; ++i) {
        at = both_at(self, other, position - s * normal);
        const FieldSample here = surface_function(at, other.rigid);
        if (here.value < 0) {
            outer = s;
        } else {
            inner = s;
            found_inner = true;
        }
        if (std::abs(here.value) <= 1e-13) break;
        const double slope = -here.gradient.dot(normal);
        double next = slope > 0 ? s - here.value / slope : inner;
        if (!(next > outer)) next = 0.5 * (outer + inner);
        if (next >= inner) next = found_inner ? 0.5 * (outer + inner) : inner;
        if (outer == inner) {
            point.resolved = found_inner;
            break;
        }
        if (next == s) break;
        s = next;
    }
    point.position = position - s * normal;
    point.depth = s;
    point.pressure = at.self.value - 1;
    point.stiffness = pair_stiffness(at, other.rigid);
    return point;
}

const ContactPoint* PressedSide::find(int sample) const {
    const auto place =
        std::lower_bound(points.begin(), points.end(), sample,
                         [](const ContactPoint& point, int s) { return point.sample < s; });
    return place != points.end() && place->sample == sample ? &*place : nullptr;
}

PressedSide press_side(const SampledSolid& self, const SampledSolid& other, bool around) {
    PressedSide side;
    const Samples& samples = *self.samples;
    const Pose& pose = self.placed.pose;
    std::vector<int> inside;
    for_each_sample_near(self, other, [&](int sample, const Vec3& in_other) {
        if (samples.on_surface[sample] != 0 && other.placed.field->value(in_other) > 1)
            inside.push_back(sample);
        return true;
    });
    if (inside.empty()) return side;
    std::sort(inside.begin(), inside.end());
    side.in_contact = static_cast<int>(inside.size());
    std::vector<int> rim;
    if (around) {
        for (const int sample : inside)
            for (const int next : samples.topology->vertex_vertices[sample])
                if (samples.on_surface[next] != 0 &&
                    !std::binary_search(inside.begin(), inside.end(), next))
                    rim.push_back(next);
        std::sort(rim.begin(), rim.end());
        rim.erase(std::unique(rim.begin(), rim.end()), rim.end());
    }
    side.points.resize(inside.size() + rim.size());
    parallel_for(side.points.size(), 64, [&](std::size_t i) {
        const bool is_inside = i < inside.size();
        const int sample = is_inside ? inside[i] : rim[i - inside.size()];
        const Vec3 position = pose.to_world(samples.positions[sample]);
        const Vec3 normal = pose.turn * samples.normals[sample];
        side.points[i] = is_inside ? contact_point(self, other, sample, position, normal)
                                   : rim_point(self, other, sample, position, normal);
    });
    std::sort(side.points.begin(), side.points.end(),
              [](const ContactPoint& a, const ContactPoint& b) { return a.sample < b.sample; });
    for (const ContactPoint& point : side.points)
        if (point.pressure > side.pressure) {
            side.pressure = point.pressure;
            side.deepest = point.sample;
        }
    return side;
}

bool interpenetrate(const SampledSolid& a, const SampledSolid& b,
                    const std::array<int, 2>& deepest) {
    bool found = false;
    for (int i = 0; i < 2 && !found; ++i) {
        const SampledSolid &self = i == 0 ? a : b, &other = i == 0 ? b : a;
        if (deepest[i] < 0) continue;
        const Vec3 at = self.placed.pose.to_world(self.samples->positions[deepest[i]]);
        found = other.placed.value(at) > 1;
    }
    for (int i = 0; i < 2 && !found; ++i) {
        const SampledSolid &self = i == 0 ? a : b, &other = i == 0 ? b : a;
        for_each_sample_near(self, other, [&](int sample, const Vec3& in_other) {
            found = self.samples->on_surface[sample] != 0 &&
                    other.placed.field->value(in_other) > 1;
            return !found;
        });
    }
    return found;
}

PairContact press(const SampledSolid& first, const SampledSolid& second) {
    PairContact contact;
    if (first.rigid && second.rigid) return contact;
    // The error of the integral goes with the square of the spacing.
    const auto fineness = [](const SampledSolid& solid) {
        return solid.rigid ? 0 : std::pow(solid.samples->spacing, -4);
    };
    const double a = fineness(first), b = fineness(second);
    std::array<double, 2> weights{a / (a + b), b / (a + b)};
    for (double& weight : weights)
        if (weight < least_weight)
            weight = 0;
        else if (weight > 1 - least_weight)
            weight = 1;
    for (int i = 0; i < 2; ++i) {
        const SampledSolid &self = i == 0 ? first : second, &other = i == 0 ? second : first;
        if (weights[i] == 0) continue;
        PressedSide& side = contact.sides[i];
        side = press_side(self, other);
        add_elements(self, side, i == 0 ? -1 : 1, weights[i], contact);
        contact.pressure = std::max(contact.pressure, side.pressure);
        for (const ContactPoint& point : side.points) contact.unresolved += point.resolved ? 0 : 1;
    }
    contact.crushed = {contact.pressure / (first.placed.field->peak() - 1),
                       contact.pressure / (second.placed.field->peak() - 1)};
    for (int i = 0; i < 2; ++i)
        if ((i == 0 ? first : second).rigid) contact.crushed[i] = 0;
    return contact;
}

double largest_pressure(const SampledSolid& self, const SampledSolid& other, const Vec3& start) {
    Vec3 at = start;
    Both here = both_at(self, other, at);
    double step = self.samples->spacing;
    // Back to the contact surface, along its normal.
    const auto settled = [&](Vec3 point) {
        for (int i = 0; i < 8; ++i) {
            const FieldSample f = surface_function(both_at(self, other, point), other.rigid);
            const double squared = f.gradient.squaredNorm();
            if (!(squared > 0) || std::abs(f.value) < 1e-13) break;
            point -= f.value / squared * f.gradient;
        }
        return point;
    };
    for (int i = 0; i < 60 && step > 1e-9 * self.samples->spacing; ++i) {
        const Vec3 normal = surface_function(here, other.rigid).gradient.stableNormalized();
        const Vec3 uphill = here.self.gradient - here.self.gradient.dot(normal) * normal;
        const double length = uphill.norm();
        if (!(length > 1e-12 * here.self.gradient.norm())) break;
        const Vec3 next = settled(at + step / length * uphill);
        const Both there = both_at(self, other, next);
        if (there.self.value > here.self.value) {
            at = next;
            here = there;
        } else {
            step *= 0.5;
        }
    }
    return std::max(0.0, here.self.value - 1);
}

double contact_energy(const SampledSolid& first, const SampledSolid& second,
                      const PairContact& contact) {
    if (!contact.touches()) return 0;
    // The zone lies between the rest places of the samples in it and the contact surface; samples
    // just outside are taken along, so that nothing of it is missed.
    Box box;
    for (int i = 0; i < 2; ++i) {
        const SampledSolid& self = i == 0 ? first : second;
        for (const ContactPoint& point : contact.sides[i].points) {
            box.include(point.position);
            box.include(self.placed.pose.to_world(self.samples->positions[point.sample]));
        }
    }
    // The side that was not looked at ends where the other's contact surface goes on to.
    for (int i = 0; i < 2; ++i)
        for (const ContactPoint& point : contact.sides[i].points) {
            const SampledSolid& self = i == 0 ? first : second;
            const Vec3 normal = self.placed.pose.turn * self.samples->normals[point.sample];
            if (contact.sides[1 - i].points.empty() && !(i == 0 ? second : first).rigid)
                box.include(point.position - std::max(0.0, point.depth) * normal);
        }
    const Vec3 cell = box.size() / energy_cells;
    const double sum = parallel_sum(
        static_cast<std::size_t>(energy_cells) * energy_cells * energy_cells, 0.0,
        [&](std::size_t i) {
            const auto index = static_cast<int>(i);
            const Vec3 at(index % energy_cells + 0.5, index / energy_cells % energy_cells + 0.5,
                          index / (energy_cells * energy_cells) + 0.5);
            const Vec3 point = box.lower + at.cwiseProduct(cell);
            const double a = first.placed.value(point);
            if (!(a > 1)) return 0.0;
            const double b = second.placed.value(point);
            if (!(b > 1)) return 0.0;
            return (first.rigid ? b : second.rigid ? a : std::min(a, b)) - 1;
        });
    return sum * cell.prod();
}

} // namespace knead
