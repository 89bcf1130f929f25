#include "knead/spatial/predicates.hpp"

#include "knead/spatial/expansion.hpp"

#include <cmath>

namespace knead {
namespace {

// Half a unit in the last place, and Shewchuk's bounds on the error of the plain formulas relative
// to the sum of the absolute values of their terms (op. cit. in expansion.hpp, sec. 4.2 and 4.3).
constexpr double epsilon = 0x1p-53;
constexpr double orient3d_bound = (7 + 56 * epsilon) * epsilon;
constexpr double orient2d_bound = (3 + 16 * epsilon) * epsilon;
// Of the first-order term below, generously: three rounded differences, two products and at most 20
// sums on the way of each of its 18 terms, and as much again in the magnitude.
constexpr double first_order_bound = 64 * epsilon;
// Of the formula in pairs of doubles, far more than its ninety or so roundings of at most 2^-104
// each in proportion to a term's magnitude.
constexpr double pairs_bound = 0x1p-96;
// Below this products of three differences might lose digits to underflow.
constexpr double least_magnitude = 1e-200;
// Where the plain formula keeps fewer than about ten digits, values come from the exact one.
constexpr double ten_digits = 0x1p34;

struct Estimate {
    double value;
    double magnitude;
};

// The plane of a triangle, for the plain formula: the terms of its area vector.
struct Plane {
    Vec3 origin, positive, negative, magnitude;

    Plane(const Vec3& a, const Vec3& b, const Vec3& c) : origin(a) {
        const Vec3 ab = b - a, ac = c - a;
        positive = {ab.y() * ac.z(), ab.z() * ac.x(), ab.x() * ac.y()};
        negative = {ab.z() * ac.y(), ab.x() * ac.z(), ab.y() * ac.x()};
        magnitude = positive.cwiseAbs() + negative.cwiseAbs();
    }
    Estimate orient(const Vec3& point) const {
        const Vec3 offset = point - origin;
        return {offset.dot(positive - negative), offset.cwiseAbs().dot(magnitude)};
    }
};

int sign_if_clear(const Estimate& plain) {
    const double bound = orient3d_bound * plain.magnitude;
    return plain.value > bound ? 1 : -plain.value > bound ? -1 : 0;
}

// Saves the exact formula in the commonest cases: axis-aligned contact (differences vanish only
// when they do so exactly) and faces that share a vertex.
bool obviously_coplanar(const Estimate& plain, const Vec3& a, const Vec3& b, const Vec3& c,
                        const Vec3& d) {
    return plain.magnitude == 0 || a == b || a == c || a == d || b == c || b == d || c == d;
}

// A number as a sum of two doubles, the second below half of the last place of the first: twice the
// digits for a fiftieth of what an exact sum takes (Dekker, "A floating-point technique for
// extending the available precision", Numerische Mathematik 18, 1971).
struct Pair {
    double high = 0, low = 0;
};

Pair normalized(double high, double low) {
    const double sum = high + low;
    return {sum, low - (sum - high)};
}

Pair pair_difference(double a, double b) {
    Pair result;
    result.high = exact::two_sum(a, -b, result.low);
    return result;
}

Pair operator*(const Pair& a, const Pair& b) {
    double tail;
    const double product = exact::two_product(a.high, b.high, tail);
    return normalized(product, tail + (a.high * b.low + a.low * b.high));
}

Pair operator+(const Pair& a, const Pair& b) {
    double tail, low_tail;
    const double sum = exact::two_sum(a.high, b.high, tail);
    const double low = exact::two_sum(a.low, b.low, low_tail);
    const Pair first = normalized(sum, tail + low);
    return normalized(first.high, first.low + low_tail);
}

Pair operator-(const Pair& a, const Pair& b) {
    return a + Pair{-b.high, -b.low};
}

// The sign of the volume in twice the digits, if that is enough; else 0.
int sign_in_pairs(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double magnitude) {
    if (!(magnitude > least_magnitude)) return 0;
    const auto from_a = [&](const Vec3& p) {
        return std::array<Pair, 3>{pair_difference(p.x(), a.x()), pair_difference(p.y(), a.y()),
                                   pair_difference(p.z(), a.z())};
    };
    const std::array<Pair, 3> x = from_a(b), y = from_a(c), z = from_a(d);
    const auto minor = [&](int i, int j) { return x[i] * y[j] - x[j] * y[i]; };
    const Pair volume = minor(1, 2) * z[0] + minor(2, 0) * z[1] + minor(0, 1) * z[2];
    const double bound = pairs_bound * magnitude;
    return volume.high > bound ? 1 : -volume.high > bound ? -1 : 0;
}

using ExactVec3 = std::array<Expansion<2>, 3>;

ExactVec3 difference(const Vec3& a, const Vec3& b) {
    return {exact::difference(a.x(), b.x()), exact::difference(a.y(), b.y()),
            exact::difference(a.z(), b.z())};
}

Expansion<192> determinant(const ExactVec3& a, const ExactVec3& b, const ExactVec3& c) {
    const auto minor = [&](int i, int j) { return a[i] * b[j] - a[j] * b[i]; };
    return minor(1, 2) * c[0] + minor(2, 0) * c[1] + minor(0, 1) * c[2];
}

Expansion<192> exact_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return determinant(difference(b, a), difference(c, a), difference(d, a));
}

} // namespace

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Estimate plain = Plane(a, b, c).orient(d);
    if (const int sign = sign_if_clear(plain); sign != 0) return sign;
    if (obviously_coplanar(plain, a, b, c, d)) return 0;
    if (const int sign = sign_in_pairs(a, b, c, d, plain.magnitude); sign != 0) return sign;
    return exact_orient3d(a, b, c, d).sign();
}

double orient3d_value(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Estimate plain = Plane(a, b, c).orient(d);
    if (std::abs(plain.value) > ten_digits * orient3d_bound * plain.magnitude) return plain.value;
    if (obviously_coplanar(plain, a, b, c, d)) return 0;
    return exact_orient3d(a, b, c, d).estimate();
}

std::array<int, 3> clear_sides(const std::array<Vec3, 3>& triangle,
                               const std::array<Vec3, 3>& points) {
    const Plane plane(triangle[0], triangle[1], triangle[2]);
    return {sign_if_clear(plane.orient(points[0])), sign_if_clear(plane.orient(points[1])),
            sign_if_clear(plane.orient(points[2]))};
}

int orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
    const double left = (b.x() - a.x()) * (c.y() - a.y());
    const double right = (b.y() - a.y()) * (c.x() - a.x());
    const double bound = orient2d_bound * (std::abs(left) + std::abs(right));
    if (left - right > bound) return 1;
    if (right - left > bound) return -1;
    return (exact::difference(b.x(), a.x()) * exact::difference(c.y(), a.y()) -
            exact::difference(b.y(), a.y()) * exact::difference(c.x(), a.x()))
        .sign();
}

LeadingTerm orient3d_perturbed(const std::array<Vec3, 4>& points,
                               const std::array<Vec3, 4>& directions) {
    // Rows x + epsilon u, y + epsilon v, z + epsilon w; the determinant is linear in each.
    const ExactVec3 x = difference(points[1], points[0]),
                    u = difference(directions[1], directions[0]);
    const ExactVec3 y = difference(points[2], points[0]),
                    v = difference(directions[2], directions[0]);
    const ExactVec3 z = difference(points[3], points[0]),
                    w = difference(directions[3], directions[0]);
    const auto first = determinant(u, y, z) + determinant(x, v, z) + determinant(x, y, w);
    if (first.sign() != 0) return {first.estimate(), 1};
    const auto second = determinant(u, v, z) + determinant(u, y, w) + determinant(x, v, w);
    if (second.sign() != 0) return {second.estimate(), 2};
    return {determinant(u, v, w).estimate(), 3};
}

int orient3d_perturbed_sign(const std::array<Vec3, 4>& points,
                            const std::array<Vec3, 4>& directions) {
    // Surfaces that lie in each other ask this of every corner, mostly with a clear answer.
    std::array<Vec3, 3> at, way;
    for (int i = 0; i < 3; ++i) {
        at[i] = points[i + 1] - points[0];
        way[i] = directions[i + 1] - directions[0];
    }
    Estimate first{0, 0};
    for (int i = 0; i < 3; ++i) {
        const Vec3 &b = at[(i + 1) % 3], &c = at[(i + 2) % 3];
        const Vec3 positive(b.y() * c.z(), b.z() * c.x(), b.x() * c.y());
        const Vec3 negative(b.z() * c.y(), b.x() * c.z(), b.y() * c.x());
        first.value += way[i].dot(positive - negative);
        first.magnitude += way[i].cwiseAbs().dot(positive.cwiseAbs() + negative.cwiseAbs());
    }
    if (std::abs(first.value) > first_order_bound * first.magnitude)
        return first.value > 0 ? 1 : -1;
    return orient3d_perturbed(points, directions).value > 0 ? 1 : -1;
}

} // namespace knead
