#include "knead/bulge/swept_volume.hpp"

#include "knead/base/lanes.hpp"
#include "knead/solve/cubic.hpp"

#include <array>
#include <cmath>

namespace knead {
namespace {

// A vector of each of two faces.
struct Lanes3 {
    Lanes x, y, z;
};

Lanes3 both(const Vec3& a, const Vec3& b) {
    return {Lanes{a.x(), b.x()}, Lanes{a.y(), b.y()}, Lanes{a.z(), b.z()}};
}
Lanes3 operator+(const Lanes3& a, const Lanes3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Lanes3 operator-(const Lanes3& a, const Lanes3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Lanes3 operator*(double s, const Lanes3& a) {
    return {s * a.x, s * a.y, s * a.z};
}
Lanes3 cross(const Lanes3& a, const Lanes3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Lanes dot(const Lanes3& a, const Lanes3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// What faces sweep, six times, as a polynomial in the height.
class SweptVolume {
public:
    SweptVolume(std::span<const Vec3> positions, std::span<const Vec3> ways,
                std::span<const Vec3> raise)
        : positions_(positions), ways_(ways), raise_(raise) {}

    // A face's corners' ways times twice its mean area vector. No origin is needed, which would
    // matter where the border of an open mesh moves, and nothing is lost by rounding for ways as
    // short as those of a contact that has just appeared. With edges half-way, m, there are seven
    // products of two vectors; the nine that come from multiplying out, one face after the other,
    // took twice as long.
    void add(const Triangle& f, const Triangle& g) {
        const auto at = [&](std::span<const Vec3> field, int i) {
            return both(field[f[i]], field[g[i]]);
        };
        const Lanes3 d0 = at(ways_, 0), d1 = at(ways_, 1), d2 = at(ways_, 2);
        const Lanes3 b0 = at(raise_, 0), b1 = at(raise_, 1), b2 = at(raise_, 2);
        const Lanes3 p0 = at(positions_, 0);
        const Lanes3 d = d0 + d1 + d2, g1 = d1 - d0, g2 = d2 - d0;
        const Lanes3 b = b0 + b1 + b2, h1 = b1 - b0, h2 = b2 - b0;
        const Lanes3 m1 = at(positions_, 1) - p0 + 0.5 * g1, m2 = at(positions_, 2) - p0 + 0.5 * g2;
        const Lanes3 q0 = cross(m1, m2) + (1.0 / 12) * cross(g1, g2);
        const Lanes3 q1 =
            0.5 * (cross(m1, h2) + cross(h1, m2)) + (1.0 / 12) * (cross(g1, h2) + cross(h1, g2));
        const Lanes3 q2 = (1.0 / 3) * cross(h1, h2);
        sums_[0] += dot(d, q0);
        sums_[1] += dot(b, q0) + dot(d, q1);
        sums_[2] += dot(b, q1) + dot(d, q2);
        sums_[3] += dot(b, q2);
    }
    void add_last(const Triangle& f) {
        std::array<Lanes, 4> before = sums_;
        add(f, f);
        for (int i = 0; i < 4; ++i) sums_[i][1] = before[i][1];
    }

    std::optional<double> height(double change) const {
        double c[4];
        for (int i = 0; i < 4; ++i) c[i] = sums_[i][0] + sums_[i][1];
        c[0] -= 6 * change;
        const CubicRoots roots = cubic_roots(c[3], c[2], c[1], c[0]);
        const bool lower = c[0] > 0 && c[1] > 0;
        std::optional<double> nearest;
        for (const double root : roots.span())
            if (lower ? root < 0 : root > 0)
                if (!nearest || std::abs(root) < std::abs(*nearest)) nearest = root;
        return nearest;
    }

private:
    std::span<const Vec3> positions_, ways_, raise_;
    std::array<Lanes, 4> sums_{};
};

// Six times what a face sweeps.
double swept_by(const Triangle& f, std::span<const Vec3> before, std::span<const Vec3> after) {
    const Vec3 d0 = after[f[0]] - before[f[0]], d1 = after[f[1]] - before[f[1]],
               d2 = after[f[2]] - before[f[2]];
    const Vec3 e1 = before[f[1]] - before[f[0]], e2 = before[f[2]] - before[f[0]];
    const Vec3 g1 = d1 - d0, g2 = d2 - d0;
    return (d0 + d1 + d2).dot(e1.cross(e2) + (e1.cross(g2) + g1.cross(e2)) / 2 + g1.cross(g2) / 3);
}

} // namespace

double volume_between(std::span<const Vec3> before, std::span<const Vec3> after,
                      std::span<const Triangle> faces) {
    double volume = 0;
    for (const Triangle& face : faces) volume += swept_by(face, before, after);
    return volume / 6;
}

double volume_between(std::span<const Vec3> before, std::span<const Vec3> after,
                      std::span<const Triangle> faces, std::span<const int> moving) {
    double volume = 0;
    for (const int face : moving) volume += swept_by(faces[face], before, after);
    return volume / 6;
}

std::optional<double> volume_keeping_height(std::span<const Vec3> positions,
                                            std::span<const Vec3> ways, std::span<const Vec3> raise,
                                            std::span<const Triangle> faces, double change) {
    const auto still = [&](int v) { return ways[v].isZero(0) && raise[v].isZero(0); };
    SweptVolume volume(positions, ways, raise);
    const Triangle* odd = nullptr;
    for (const Triangle& face : faces) {
        if (still(face[0]) && still(face[1]) && still(face[2])) continue;
        if (odd) volume.add(*odd, face);
        odd = odd ? nullptr : &face;
    }
    if (odd) volume.add_last(*odd);
    return volume.height(change);
}

std::optional<double> volume_keeping_height(std::span<const Vec3> positions,
                                            std::span<const Vec3> ways, std::span<const Vec3> raise,
                                            std::span<const Triangle> faces,
                                            std::span<const int> moving, double change) {
    SweptVolume volume(positions, ways, raise);
    std::size_t i = 0;
    for (; i + 2 <= moving.size(); i += 2) volume.add(faces[moving[i]], faces[moving[i + 1]]);
    if (i < moving.size()) volume.add_last(faces[moving[i]]);
    return volume.height(change);
}

} // namespace knead
