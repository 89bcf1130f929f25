#include "knead/implicit/convolution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace knead {
namespace {

using std::numbers::pi;

// -F'(q) = c[0] + c[1] q + c[2] q^2.
std::array<double, 3> descent(const std::array<double, 4>& f) {
    return {-f[1], -2 * f[2], -3 * f[3]};
}

struct HalfLine {
    double value = 0;
    double by_distance = 0; ///< derivative with the distance from the line
    double by_length = 0;   ///< derivative with the length: the kernel at its end
};

// The integral of the kernel over a piece of length t >= 0 of a line at distance r, that begins at
// the point of the line nearest to the query. Exchanging both integrals leaves
//
//     1/pi  integral from r to R of -F'(q) asin(min(1, t / sqrt(q^2 - r^2))) dq,
//
// where the sine is 1 up to q = m = sqrt(r^2 + t^2). Below, u = sqrt(q^2 - m^2).
HalfLine half_line(const FieldPolynomial& function, double r, double t) {
    const double R = function.influence;
    HalfLine result;
    result.value = 0.5 * function.value(r);
    result.by_distance = 0.5 * function.slope(r);
    if (t <= 0) return {};
    const double m = std::hypot(r, t);
    if (m >= R) return result;
    result.value -= 0.5 * function.value(m);

    double value = 0, by_distance = 0, by_length = 0;
    const auto add = [&](const std::array<double, 3>& c, double q, double sign) {
        const double u = std::sqrt(std::max(0.0, (q - m) * (q + m)));
        const double alpha = std::atan2(t, u), rest = std::atan2(u, t);
        const double beta = std::atan2(r * u, t * q);
        // A constant in the logarithm cancels between both ends; this one keeps it harmless.
        const double log = std::log((q + u) / R);
        const double square = 0.5 * (q * u + m * m * log); // of the integral of q^2 / u
        value +=
            sign * (c[0] * (q * alpha + t * log + r * beta) +
                    c[1] / 2 * (q * q * alpha + t * u + r * r * rest) +
                    c[2] / 3 * (q * q * q * alpha + t * (square + r * r * log) + r * r * r * beta));
        by_distance += sign * (c[0] * beta + c[1] * r * rest + c[2] * r * (t * log + r * beta));
        by_length += sign * (c[0] * log + c[1] * u + c[2] * square);
    };
    if (m < function.radius) {
        const std::array<double, 3> inner = descent(function.inner);
        add(inner, function.radius, 1);
        add(inner, m, -1);
    }
    const std::array<double, 3> outer = descent(function.outer);
    add(outer, R, 1);
    add(outer, std::max(m, function.radius), -1);
    result.value += value / pi;
    result.by_distance += by_distance / pi;
    result.by_length = by_length / pi;
    return result;
}

// What an edge of a face takes part in, integrated along it.
struct EdgeIntegral {
    double angle = 0;       ///< under which it is seen from the foot of the query
    double value = 0;       ///< of F(q) by the angle
    double by_distance = 0; ///< of F'(q) r / q by the angle
    double by_offset = 0;   ///< of the kernel by the length
};

// The foot of the query is `c` from the edge's line, positive on the inside; the edge goes from
// `from` to `to` along it, and the query is `r` above the face.
EdgeIntegral edge_integral(const FieldPolynomial& function, double r, double c, double from,
                           double to) {
    EdgeIntegral result;
    // On the line itself there is none: there the integrand, F(r) - F(q), vanishes where it counts.
    if (c != 0) result.angle = std::atan2(c * (to - from), c * c + from * to);
    const double R = function.influence, m = std::max(std::hypot(r, c), 1e-12 * R);
    if (m >= R) return result;
    const double sign = c < 0 ? -1 : 1, side = std::abs(c);
    const auto add = [&](const std::array<double, 4>& f, double t, double weight) {
        const double q = std::hypot(m, t), log = std::asinh(t / m);
        const double turn = side > 0 ? sign * std::atan2(t, side) : 0;
        const double slant = side > 0 ? sign * std::atan2(r * t, side * q) : 0;
        const double first = c * log + r * slant; // of q c / (c^2 + t^2), and so on
        const double length = 0.5 * (t * q + m * m * log);
        result.value += weight * (f[0] * turn + f[1] * first + f[2] * (c * t + r * r * turn) +
                                  f[3] * (c * length + r * r * first));
        result.by_distance += weight * (f[1] * slant + r * (2 * f[2] * turn + 3 * f[3] * first));
        result.by_offset -= weight * (f[1] * log + 2 * f[2] * t + 3 * f[3] * length);
    };
    const auto add_between = [&](const std::array<double, 4>& f, double low, double high) {
        low = std::max(low, from);
        high = std::min(high, to);
        if (low >= high) return;
        add(f, high, 1);
        add(f, low, -1);
    };
    const double reach = std::sqrt((R - m) * (R + m));
    const double core =
        m < function.radius ? std::sqrt((function.radius - m) * (function.radius + m)) : 0;
    add_between(function.outer, -reach, -core);
    if (core > 0) add_between(function.inner, -core, core);
    add_between(function.outer, core, reach);
    return result;
}

} // namespace

FieldSample segment_convolution(const FieldPolynomial& function, const Vec3& from, const Vec3& to,
                                const Vec3& point) {
    const Vec3 along = to - from;
    const double length = along.norm(), R = function.influence;
    FieldSample result;
    if (!(length > 0)) return result;
    const Vec3 axis = along / length;
    const double begin = (from - point).dot(axis), end = begin + length;
    const Vec3 away = point - from + begin * axis;
    const double r = away.norm();
    if (r >= R) return result;
    const double reach = std::sqrt((R - r) * (R + r));
    if (begin >= reach || end <= -reach) return result;
    const Vec3 outward = r > 0 ? Vec3(away / r) : Vec3(Vec3::Zero());
    if (begin <= -reach && end >= reach) {
        result.value = function.value(r);
        result.gradient = function.slope(r) * outward;
        return result;
    }
    const HalfLine before = half_line(function, r, std::abs(begin));
    const HalfLine behind = half_line(function, r, std::abs(end));
    const double first = begin < 0 ? -1 : 1, second = end < 0 ? -1 : 1;
    result.value = second * behind.value - first * before.value;
    result.gradient = (second * behind.by_distance - first * before.by_distance) * outward -
                      (behind.by_length - before.by_length) * axis;
    return result;
}

FieldSample triangle_convolution(const FieldPolynomial& function,
                                 const std::array<Vec3, 3>& corners, const Vec3& point) {
    const double R = function.influence;
    FieldSample result;
    const Vec3 area = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    const double twice = area.norm();
    if (!(twice > 0)) return result;
    const Vec3 normal = area / twice;
    const double height = (point - corners[0]).dot(normal), r = std::abs(height);
    if (r >= R) return result;

    std::array<Vec3, 3> along, inward;
    std::array<double, 3> length{}, offset{};
    bool all_beyond = true;
    for (int i = 0; i < 3; ++i) {
        const Vec3 edge = corners[(i + 1) % 3] - corners[i];
        length[i] = edge.norm();
        along[i] = edge / length[i];
        inward[i] = normal.cross(along[i]);
        offset[i] = (point - corners[i]).dot(inward[i]);
        if (offset[i] <= -R) return result;
        all_beyond = all_beyond && offset[i] >= R;
    }
    const Vec3 up = height < 0 ? Vec3(-normal) : normal;
    if (all_beyond) {
        result.value = function.value(r);
        result.gradient = function.slope(r) * up;
        return result;
    }
    double angle = 0, value = 0, by_distance = 0;
    for (int i = 0; i < 3; ++i) {
        const double from = (corners[i] - point).dot(along[i]);
        const EdgeIntegral edge = edge_integral(function, r, offset[i], from, from + length[i]);
        angle += edge.angle;
        value += edge.value;
        by_distance += edge.by_distance;
        result.gradient += edge.by_offset / (2 * pi) * inward[i];
    }
    result.value = (function.value(r) * angle - value) / (2 * pi);
    result.gradient += (function.slope(r) * angle - by_distance) / (2 * pi) * up;
    return result;
}

double end_slope(const FieldPolynomial& function, double nearest) {
    if (nearest >= function.influence) return 0;
    if (!(nearest > 0)) return std::numeric_limits<double>::infinity();
    return half_line(function, 0, nearest).by_length;
}

} // namespace knead
