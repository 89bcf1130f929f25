#include "knead/implicit/deformed_field.hpp"

#include "knead/base/smoothstep.hpp"
#include "knead/implicit/attenuation.hpp"
#include "knead/implicit/surface_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace knead {
namespace {

constexpr double no_bound = std::numeric_limits<double>::infinity();

// By all neighbours together, see DeformedField. Of one it is exactly its term.
struct TakenAway {
    int count = 0;
    double largest = 0, squares = 0;

    /// Terms of contact are negative. Returns what this one takes away.
    double add(double term) {
        const double part = std::max(0.0, -term);
        if (part > 0) ++count;
        largest = std::max(largest, part);
        squares += part * part;
        return part;
    }
    double sum() const { return count > 1 ? std::sqrt(squares) : largest; }
};

} // namespace

Box placed_box(const Box& box, const Pose& pose) {
    const Vec3 half = pose.turn.cwiseAbs() * (0.5 * box.size());
    const Vec3 center = pose.to_world(box.center());
    return {center - half, center + half};
}

Pose blended(const Pose& from, const Pose& to, double t) {
    if (t == 1) return to;
    const Quat turn = Quat(from.turn).slerp(t, Quat(to.turn)).normalized();
    return {turn.toRotationMatrix(), (1 - t) * from.at + t * to.at};
}

FieldSample contact_term(const FieldSample& self, const FieldSample& other, bool other_is_rigid) {
    FieldSample term{1 - other.value, -other.gradient};
    if (other_is_rigid) {
        term.value += 1 - self.value;
        term.gradient -= self.gradient;
    }
    return term;
}

DeformedField::DeformedField(const PlacedField& self, std::vector<Neighbour> neighbours,
                             double width)
    : self_(self), neighbours_(std::move(neighbours)), width_(width) {}

// Against a solid that gives way, the bulge depends on the distance to its surface, where the term
// of contact is 0, and leaves that with the slope of the term: with the same gradient on both
// sides, the deformed surface has no crease where contact ends. Against a rigid one the term is
// 2 - f_i - f_j, and so it is the distance to where that is 0. ([Gas93] sec. 3.5 replaces only the
// slope and keeps the distance to the neighbour, whose gradient has another direction: a crease.)
// That place goes on inside the solid, far from the neighbour, so there the bulge also fades with
// the distance from the neighbour.
DeformedField::Bulge DeformedField::bulge_against(const Neighbour& neighbour, const Vec3& point,
                                                  const FieldSample& term) const {
    if (!(neighbour.height > 0) || !(width_ > 0)) return {};
    const Field& field = *neighbour.field.field;
    const double fading = 3 * neighbour.height / width_; // the steepest of the second half
    const Vec3 local = neighbour.field.pose.to_local(point);
    if (field.clearance(local) >= width_) return {};
    const auto foot = field.foot(local, width_);
    if (!foot) return {};
    if (!neighbour.rigid)
        return {Attenuation(foot->slope, neighbour.height, width_).value(foot->distance),
                std::max(foot->slope, fading)};

    const double slope = term.gradient.norm();
    if (!(slope > 0)) return {};
    const Vec3 way = -term.gradient / slope;
    // Newton's method along the way to where the term is 0, kept between a place where it is
    // positive and one where it is negative.
    const double step = 0.25 * std::min(self_.field->smallest_radius(), field.smallest_radius());
    double outside = 0, inside = no_bound, s = 0;
    FieldSample here = term;
    for (int i = 0; i < 50; ++i) {
        const double fall = -here.gradient.dot(way);
        if (here.value > 0)
            outside = s;
        else
            inside = s;
        if (outside >= width_) return {};
        double next = fall > 0 ? s + here.value / fall : no_bound;
        if (!(next > outside) || !(next < inside) || next > outside + step)
            next = inside < no_bound ? 0.5 * (outside + inside) : outside + step;
        if (std::abs(next - s) <= 1e-13 * step) break;
        s = next;
        const Vec3 at = point + s * way;
        here = contact_term(self_.at(at), neighbour.field.at(at), true);
    }
    if (s >= width_) return {};
    // Where the neighbour's field nears its end, the term is 0 on a surface of the solid's own
    // field, to which its bulge has no relation.
    const double belongs = smoothstep(neighbour.field.value(point + s * way));
    const double fade = belongs * belongs * (1 - smoothstep(foot->distance / width_));
    const double zero_slope = here.gradient.norm();
    return {fade * Attenuation(zero_slope, neighbour.height, width_).value(s),
            std::max(zero_slope, fading) + 0.75 * neighbour.height / width_};
}

DeformedField::Value DeformedField::at(const Vec3& point) const {
    const FieldSample self = self_.at(point);
    Value result{self.value, false, false};
    double bulge = 0, most = no_bound;
    TakenAway taken;
    for (const Neighbour& neighbour : neighbours_) {
        const FieldSample other = neighbour.field.at(point);
        const FieldSample term = contact_term(self, other, neighbour.rigid);
        if (other.value >= 1) {
            if (self.value >= 1) taken.add(term.value);
            result.in_contact = true;
            continue;
        }
        if (result.in_contact) continue;
        const double part = bulge_against(neighbour, point, term).value;
        bulge += part;
        // Never further than to the surface between both, where the term alone would lead.
        most = std::min(most, std::max(0.0, term.value));
    }
    if (result.in_contact) {
        result.value -= taken.sum();
    } else {
        result.value += std::min(bulge, most);
        result.truncated = bulge > most + 1e-6;
    }
    return result;
}

Vec3 DeformedField::normal(const Vec3& point) const {
    const FieldSample self = self_.at(point);
    Vec3 gradient = self.gradient, weighted = Vec3::Zero();
    bool in_contact = false;
    TakenAway taken;
    for (const Neighbour& neighbour : neighbours_) {
        const FieldSample other = neighbour.field.at(point);
        // On the surface of a rigid neighbour the solid ends from one side to the other.
        if (other.value < 1 - (neighbour.rigid ? 1e-7 : 0)) continue;
        const FieldSample term = contact_term(self, other, neighbour.rigid);
        const double part = taken.add(term.value);
        weighted += part * term.gradient;
        // Of a single one, also where it takes nothing away yet.
        gradient = self.gradient + term.gradient;
        in_contact = true;
    }
    if (taken.count > 1) gradient = self.gradient + weighted / taken.sum();
    if (!in_contact && !neighbours_.empty() && value(point) > self.value) {
        // The bulge by differences. Both terms are continued into the contact, smoothly.
        const double step = 1e-5 * self_.field->smallest_radius();
        const auto extended = [&](const Vec3& p) {
            const FieldSample here = self_.at(p);
            double sum = 0, most = no_bound;
            for (const Neighbour& neighbour : neighbours_) {
                const FieldSample other = neighbour.field.at(p);
                const FieldSample term = contact_term(here, other, neighbour.rigid);
                if (other.value >= 1) return term.value;
                sum += bulge_against(neighbour, p, term).value;
                most = std::min(most, std::max(0.0, term.value));
            }
            return std::min(sum, most);
        };
        for (int axis = 0; axis < 3; ++axis)
            gradient[axis] += (extended(point + step * Vec3::Unit(axis)) -
                               extended(point - step * Vec3::Unit(axis))) /
                              (2 * step);
    }
    return -gradient.stableNormalized();
}

bool DeformedField::contains(const Vec3& point) const {
    const double own = self_.value(point);
    double heights = 0;
    for (const Neighbour& neighbour : neighbours_) heights += neighbour.height;
    if (own + heights < 1) return false;
    bool in_contact = false;
    TakenAway taken;
    for (const Neighbour& neighbour : neighbours_) {
        const double other = neighbour.field.value(point);
        if (other < 1) continue;
        in_contact = true;
        if (own >= 1) taken.add(1 - other + (neighbour.rigid ? 1 - own : 0));
    }
    if (in_contact) return own >= 1 && own - taken.sum() >= 1;
    return own >= 1 || value(point) >= 1;
}

bool DeformedField::is_empty_around(const Vec3& point, double reach) const {
    const Vec3 local = self_.pose.to_local(point);
    if (!grown(self_.field->box(), reach).contains(local)) return true;
    const double own = self_.field->value(local);
    const double slope = self_.field->steepest_around(local, reach);
    const double own_most = own + slope * reach;
    double heights = 0;
    for (const Neighbour& neighbour : neighbours_) heights += neighbour.height;
    if (own_most + heights < 1) return true;

    // Near neighbours: contact takes away, bulges add.
    double most = own, rise = slope;
    bool near_bulge = false;
    FieldSample self;
    for (const Neighbour& neighbour : neighbours_) {
        const Field& field = *neighbour.field.field;
        const Vec3 other = neighbour.field.pose.to_local(point);
        if (!grown(field.box(), width_ + reach).contains(other)) continue;
        const double value = field.value(other), change = field.steepest_around(other, reach);
        // Wholly inside the neighbour, contact takes away at least this.
        if (value - change * reach >= 1) {
            const double after = neighbour.rigid ? 2 - value : own + 1 - value;
            return after + ((neighbour.rigid ? 0 : slope) + change) * reach < 1;
        }
        if (own_most >= 1) continue;
        if (value < 1 && field.clearance(other) >= width_ + reach) continue;
        if (!near_bulge) self = self_.at(point);
        near_bulge = true;
        if (value >= 1) {
            // Beside a rigid neighbour the bulge does not begin at 0 everywhere.
            if (neighbour.rigid) most += neighbour.height;
            rise += 2 * std::max(change, 3 * neighbour.height / width_);
            continue;
        }
        const FieldSample term = contact_term(self, neighbour.field.at(point), neighbour.rigid);
        const Bulge bulge = bulge_against(neighbour, point, term);
        most += std::min(bulge.value, std::max(0.0, term.value));
        const double steepest =
            bulge.slope > 0 ? bulge.slope : std::max(change, 3 * neighbour.height / width_);
        rise += std::max(2 * steepest, change + (neighbour.rigid ? slope : 0));
    }
    if (own_most >= 1) return false;
    // Over a large part of a bulge its slope at the middle tells too little.
    return !near_bulge || (reach <= 0.25 * width_ && most + rise * reach < 1);
}

bool DeformedField::is_full_around(const Vec3& point, double reach) const {
    const Vec3 local = self_.pose.to_local(point);
    if (!(self_.field->value(local) - self_.field->steepest_around(local, reach) * reach > 1))
        return false;
    return std::all_of(neighbours_.begin(), neighbours_.end(), [&](const Neighbour& neighbour) {
        const Field& field = *neighbour.field.field;
        const Vec3 other = neighbour.field.pose.to_local(point);
        return !grown(field.box(), reach).contains(other) ||
               field.value(other) + field.steepest_around(other, reach) * reach < 1;
    });
}

TriangleMesh polygonize(const DeformedField& field, double cell) {
    return surface_in_blocks(
        field.box(), cell,
        [&](const Vec3& center, double reach) {
            return field.is_empty_around(center, reach) || field.is_full_around(center, reach);
        },
        [&](const Vec3& point) { return 1 - field.value(point); });
}

Box DeformedField::box() const {
    return placed_box(self_.field->box(), self_.pose);
}

std::optional<double> first_crossing(const DeformedField& field, const Vec3& origin,
                                     const Vec3& direction, double near, double far,
                                     double thinnest) {
    const auto inside = [&](double t) { return field.contains(origin + t * direction); };
    // Between two places of which one is inside: where it changes. The first that is on the other
    // side is returned, so that it is clear on which.
    const auto refined = [&](double before, double behind, bool start) {
        const auto excess = [&](double t) { return field.value(origin + t * direction) - 1; };
        double at_before = excess(before), at_behind = excess(behind);
        for (int i = 0; i < 100 && behind - before > 1e-9 * thinnest; ++i) {
            // False position, and every third time the middle, against jumps.
            double t = before - at_before * (behind - before) / (at_behind - at_before);
            if (i % 3 == 2 || !(t > before) || !(t < behind)) t = 0.5 * (before + behind);
            if (t <= before || t >= behind) break;
            const double value = excess(t);
            const bool is_before = (value >= 0) == start;
            (is_before ? before : behind) = t;
            (is_before ? at_before : at_behind) = value;
        }
        return behind;
    };
    if (!(near < far)) return std::nullopt;
    if (inside(near)) {
        // The way out: the solid is not thinner than this there, or it does not matter.
        const double step = std::max(thinnest, (far - near) / 64);
        double t = near;
        while (t < far) {
            const double next = std::min(t + step, far);
            if (!inside(next)) return refined(t, next, true);
            t += step;
        }
        return std::nullopt;
    }
    // Pieces that are still to be looked at, the nearest on top.
    struct Piece {
        double from, to;
    };
    std::vector<Piece> pieces{{near, far}};
    while (!pieces.empty()) {
        const auto [from, to] = pieces.back();
        pieces.pop_back();
        const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
        if (field.is_empty_around(origin + middle * direction, half)) continue;
        if (half > thinnest) {
            pieces.push_back({middle, to});
            pieces.push_back({from, middle});
        } else if (inside(middle)) {
            return refined(from, middle, false);
        } else if (inside(to)) {
            return refined(middle, to, false);
        }
    }
    return std::nullopt;
}

} // namespace knead
