#include "knead/implicit/contact.hpp"

#include "knead/base/parallel.hpp"
#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Sides whose samples are so much coarser that they add nothing are not looked at.
constexpr double least_weight = 0.02;

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

// How the pressure changes along the contact surface.
Vec3 pressure_slope(const Both& at, bool other_is_rigid) {
    const Vec3 normal = surface_function(at, other_is_rigid).gradient.stableNormalized();
    return at.self.gradient - at.self.gradient.dot(normal) * normal;
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
    const double pressure = std::min(at.self.value - 1 - s * at.self.gradient.dot(normal), -1e-300);
    return {sample, position - s * normal,           pressure, pressure_slope(at, other.rigid),
            s,      pair_stiffness(at, other.rigid), true};
}

// The pressure over a triangle of the contact surface: a quadratic that has the values at its
// corners and follows their slopes in between. A linear one would cut off the top of every arch,
// several per cent where a contact is only a few samples wide.
class PressurePatch {
public:
    explicit PressurePatch(const std::array<const ContactPoint*, 3>& corners) : corners_(corners) {
        for (int i = 0; i < 3; ++i) {
            const ContactPoint &a = *corners[i], &b = *corners[(i + 1) % 3];
            arch_[i] = (a.slope - b.slope).dot(b.position - a.position) / 2;
        }
    }
    using Place = Vec3; ///< barycentric

    double pressure(const Place& at) const {
        double sum = 0;
        for (int i = 0; i < 3; ++i)
            sum += at[i] * corners_[i]->pressure + arch_[i] * at[i] * at[(i + 1) % 3];
        return sum;
    }
    double stiffness(const Place& at) const {
        double sum = 0;
        for (int i = 0; i < 3; ++i) sum += at[i] * corners_[i]->stiffness;
        return sum;
    }
    Vec3 position(const Place& at) const {
        Vec3 sum = Vec3::Zero();
        for (int i = 0; i < 3; ++i) sum += at[i] * corners_[i]->position;
        return sum;
    }
    /// Where the pressure ends on the way from corner i to the next.
    Place end_on_side(int i) const {
        const double a = corners_[i]->pressure, b = corners_[(i + 1) % 3]->pressure;
        double low = 0, high = 1; // the pressure is positive at the end where a or b is
        for (int step = 0; step < 40; ++step) {
            const double t = 0.5 * (low + high);
            const double here = a + t * (b - a) + arch_[i] * t * (1 - t);
            ((here > 0) == (a > 0) ? low : high) = t;
        }
        Place place = Place::Zero();
        place[i] = 1 - low;
        place[(i + 1) % 3] = low;
        return place;
    }

private:
    std::array<const ContactPoint*, 3> corners_;
    std::array<double, 3> arch_{}; ///< of each side, from corner i to the next
};

// Of the part of a triangle where the pressure is positive. `sign` turns the triangle's normal into
// the way in which the first solid is pushed.
void add_element(const std::array<const ContactPoint*, 3>& corners, double sign, double weight,
                 SolidContact& contact) {
    const PressurePatch patch(corners);
    std::array<Vec3, 6> polygon;
    int count = 0;
    for (int i = 0; i < 3; ++i) {
        const bool here = corners[i]->pressure > 0, next = corners[(i + 1) % 3]->pressure > 0;
        if (here) polygon[count++] = Vec3::Unit(i);
        if (here != next) polygon[count++] = patch.end_on_side(i);
    }
    Vec3 area = Vec3::Zero(), first = Vec3::Zero();
    double size = 0, load = 0, stiffness = 0;
    for (int i = 1; i + 1 < count; ++i) {
        const std::array<Vec3, 3> part{polygon[0], polygon[i], polygon[i + 1]};
        const Vec3 half = 0.5 * area_vector(patch.position(part[0]), patch.position(part[1]),
                                            patch.position(part[2]));
        const double third = half.norm() / 3;
        area += half;
        size += 3 * third;
        // Middles of the sides: exact for quadratics.
        for (int side = 0; side < 3; ++side) {
            const Vec3 middle = 0.5 * (part[side] + part[(side + 1) % 3]);
            const double pressure = std::max(0.0, patch.pressure(middle));
            load += third * pressure;
            first += third * pressure * patch.position(middle);
            stiffness += third * patch.stiffness(middle);
        }
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

// The faces that are in contact at least in part.
std::vector<int> touching_faces(const Samples& samples, const PressedSide& side) {
    std::vector<int> faces;
    for (const ContactPoint& point : side.points)
        if (point.pressure > 0)
            for (const int face : samples.topology->vertex_faces[point.sample])
                faces.push_back(face);
    std::sort(faces.begin(), faces.end());
    faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
    return faces;
}

// The integral of f_i - 1 over what a solid gave way by: from each face of its samples, as it is in
// contact, to where it is at rest.
double compression_energy(const SampledSolid& self, const PressedSide& side) {
    constexpr std::array<double, 3> places{0.11270166537925831, 0.5, 0.88729833462074169};
    constexpr std::array<double, 3> weights{5.0 / 18, 8.0 / 18, 5.0 / 18};
    const Samples& samples = *self.samples;
    double sum = 0;
    for (const int face : touching_faces(samples, side)) {
        std::array<Vec3, 3> low, way; // on the contact surface, and from there to the place at rest
        bool known = true;
        for (int i = 0; i < 3; ++i) {
            const int sample = samples.faces[face][i];
            const ContactPoint* point = side.find(sample);
            known = known && point != nullptr;
            if (point == nullptr) continue;
            low[i] = point->position;
            way[i] = self.placed.pose.to_world(samples.positions[sample]) - point->position;
        }
        if (!known) continue;
        for (int level = 0; level < 3; ++level) {
            const double t = places[level];
            const Vec3 a = low[0] + t * way[0], b = low[1] + t * way[1], c = low[2] + t * way[2];
            const Vec3 half = 0.5 * area_vector(a, b, c);
            const std::array<Vec3, 3> middles{0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)};
            for (int i = 0; i < 3; ++i) {
                const double thickness = 0.5 * half.dot(way[i] + way[(i + 1) % 3]);
                sum += weights[level] / 3 * std::max(0.0, thickness) *
                       std::max(0.0, self.placed.value(middles[i]) - 1);
            }
        }
    }
    return sum;
}

void add_elements(const SampledSolid& self, const PressedSide& side, double sign, double weight,
                  SolidContact& contact) {
    const Samples& samples = *self.samples;
    for (const int face : touching_faces(samples, side)) {
        std::array<const ContactPoint*, 3> corners;
        for (int i = 0; i < 3; ++i) corners[i] = side.find(samples.faces[face][i]);
        if (corners[0] != nullptr && corners[1] != nullptr && corners[2] != nullptr)
            add_element(corners, sign, weight, contact);
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
    ContactPoint point;
    point.sample = sample;
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
    point.slope = pressure_slope(at, other.rigid);
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
            found =
                self.samples->on_surface[sample] != 0 && other.placed.field->value(in_other) > 1;
            return !found;
        });
    }
    return found;
}

SolidContact press(const SampledSolid& first, const SampledSolid& second) {
    SolidContact contact;
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
                      const SolidContact& contact) {
    if (!contact.touches()) return 0;
    double sum = 0;
    for (int i = 0; i < 2; ++i) {
        const SampledSolid &self = i == 0 ? first : second, &other = i == 0 ? second : first;
        if (self.rigid) continue;
        const PressedSide& side = contact.sides[i];
        // Of much coarser samples nothing is known yet.
        sum += side.points.empty() ? compression_energy(self, press_side(self, other))
                                   : compression_energy(self, side);
    }
    return sum;
}

} // namespace knead
