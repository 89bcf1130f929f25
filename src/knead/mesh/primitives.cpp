#include "knead/mesh/primitives.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace knead {
namespace {

using std::numbers::pi;
constexpr double max_primitive_vertices = 2e7;

void check_positive(const char* primitive, const char* name, double value) {
    if (!(value > 0) || !std::isfinite(value))
        throw InputError(
            fmt::format("{}: {} is {}, expected a positive number", primitive, name, value));
}

void check_count(const char* primitive, const char* name, int value, int low, int high) {
    if (value < low || value > high)
        throw InputError(
            fmt::format("{}: {} is {}, expected {} to {}", primitive, name, value, low, high));
}

void check_total(const char* primitive, double vertices) {
    if (vertices > max_primitive_vertices)
        throw InputError(fmt::format("{}: it would have {:.3g} vertices, expected at most {:.0g}",
                                     primitive, vertices, max_primitive_vertices));
}

// Two triangles for the quad a b c d; the diagonal alternates so that no direction is preferred.
void add_quad(TriangleMesh& mesh, int a, int b, int c, int d, bool flip) {
    if (flip) {
        mesh.faces.push_back({a, b, d});
        mesh.faces.push_back({b, c, d});
    } else {
        mesh.faces.push_back({a, b, c});
        mesh.faces.push_back({a, c, d});
    }
}

void check_profile(std::span<const Vec2> profile) {
    if (profile.size() < 2)
        throw InputError(
            fmt::format("lathe: the profile has {} points, expected two or more", profile.size()));
    const std::size_t last = profile.size() - 1;
    for (std::size_t i = 0; i <= last; ++i) {
        if (!profile[i].allFinite() || profile[i][0] < 0)
            throw InputError(fmt::format("lathe: point {} of the profile is [{}, {}], expected a "
                                         "radius of at least 0 and a height",
                                         i, profile[i][0], profile[i][1]));
        if (i > 0 && profile[i] == profile[i - 1])
            throw InputError(
                fmt::format("lathe: points {} and {} of the profile are the same", i - 1, i));
    }
    if (std::all_of(profile.begin(), profile.end(), [](const Vec2& p) { return p[0] == 0; }))
        throw InputError("lathe: all points of the profile are on the axis");
    // Anywhere else the surface would be pinched to a point there.
    for (std::size_t i = 1; i < last; ++i)
        if (profile[i][0] == 0)
            throw InputError(fmt::format("lathe: point {} of the profile is on the axis, expected "
                                         "only the first and the last there",
                                         i));
}

// Points at equal distances along a polyline, with its ends.
std::vector<Vec2> resample(std::span<const Vec2> line, int pieces) {
    std::vector<double> length(1, 0.0);
    for (std::size_t i = 1; i < line.size(); ++i)
        length.push_back(length.back() + (line[i] - line[i - 1]).norm());
    std::vector<Vec2> points(1, line.front());
    std::size_t end = 1;
    for (int k = 1; k < pieces; ++k) {
        const double at = length.back() * k / pieces;
        while (end + 1 < line.size() && length[end] < at) ++end;
        const double t = (at - length[end - 1]) / (length[end] - length[end - 1]);
        points.emplace_back(line[end - 1] + t * (line[end] - line[end - 1]));
    }
    points.push_back(line.back());
    return points;
}

} // namespace

TriangleMesh make_sphere(double radius, int subdivisions) {
    check_positive("sphere", "radius", radius);
    check_count("sphere", "subdivisions", subdivisions, 0, 9);
    TriangleMesh mesh;
    const double phi = std::numbers::phi;
    for (const double s : {1.0, -1.0})
        for (const double t : {phi, -phi}) {
            mesh.positions.emplace_back(0, s, t);
            mesh.positions.emplace_back(s, t, 0);
            mesh.positions.emplace_back(t, 0, s);
        }
    // The twenty triples of mutual neighbours, turned outwards.
    const auto adjacent = [&](int i, int j) {
        return std::abs((mesh.positions[i] - mesh.positions[j]).norm() - 2) < 1e-9;
    };
    for (int i = 0; i < 12; ++i)
        for (int j = i + 1; j < 12; ++j)
            for (int k = j + 1; k < 12; ++k) {
                if (!adjacent(i, j) || !adjacent(j, k) || !adjacent(i, k)) continue;
                const double turn =
                    mesh.positions[i].dot(mesh.positions[j].cross(mesh.positions[k]));
                mesh.faces.push_back(turn > 0 ? Triangle{i, j, k} : Triangle{i, k, j});
            }
    for (Vec3& position : mesh.positions) position.normalize();
    for (int level = 0; level < subdivisions; ++level) {
        // No vertex has more than six neighbours: each keeps the middles of its edges to larger
        // ones.
        struct Middle {
            int other = -1, vertex = -1;
        };
        std::vector<std::array<Middle, 6>> middles(mesh.positions.size());
        mesh.positions.reserve(mesh.positions.size() + mesh.faces.size() * 3 / 2);
        const auto middle = [&](int a, int b) {
            auto& known = middles[std::min(a, b)];
            auto slot = known.begin();
            while (slot->other != -1 && slot->other != std::max(a, b)) ++slot;
            if (slot->other == -1) {
                *slot = {std::max(a, b), mesh.vertex_count()};
                mesh.positions.push_back((mesh.positions[a] + mesh.positions[b]).normalized());
            }
            return slot->vertex;
        };
        std::vector<Triangle> finer;
        finer.reserve(mesh.faces.size() * 4);
        for (const auto& [a, b, c] : mesh.faces) {
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        mesh.faces = std::move(finer);
    }
    for (Vec3& position : mesh.positions) position *= radius;
    return mesh;
}

TriangleMesh make_capsule(double radius, double length, int resolution) {
    check_positive("capsule", "radius", radius);
    if (!(length >= 0) || !std::isfinite(length))
        throw InputError(fmt::format("capsule: length is {}, expected zero or more", length));
    check_count("capsule", "resolution", resolution, 3, 10000);
    // Rings from the lower pole to the upper: caps and side in steps of about the edge around.
    const double edge = 2 * pi * radius / resolution;
    const int cap_rings = std::max(1, static_cast<int>(std::lround(0.5 * pi * radius / edge)));
    const double side_exact = length / (edge * std::sqrt(3.0) / 2);
    check_total("capsule", (side_exact + 2 * cap_rings) * resolution);
    const int side_steps = length > 0 ? std::max(1, static_cast<int>(std::lround(side_exact))) : 0;
    std::vector<Vec2> rings; // distance from the axis, height
    for (int i = 1; i <= cap_rings; ++i) {
        const double angle = 0.5 * pi * i / cap_rings;
        rings.emplace_back(radius * std::sin(angle), -0.5 * length - radius * std::cos(angle));
    }
    for (int i = 1; i <= side_steps; ++i)
        rings.emplace_back(radius, -0.5 * length + length * i / side_steps);
    for (int i = cap_rings - 1; i >= 1; --i) {
        const double angle = 0.5 * pi * i / cap_rings;
        rings.emplace_back(radius * std::sin(angle), 0.5 * length + radius * std::cos(angle));
    }
    TriangleMesh mesh;
    const int ring_count = static_cast<int>(rings.size());
    mesh.positions.emplace_back(0, -0.5 * length - radius, 0);
    // Every second ring is turned by half a segment: the triangles come out nearly equilateral.
    for (int r = 0; r < ring_count; ++r)
        for (int i = 0; i < resolution; ++i) {
            const double angle = 2 * pi * (i + 0.5 * (r % 2)) / resolution;
            mesh.positions.emplace_back(rings[r][0] * std::cos(angle), rings[r][1],
                                        rings[r][0] * std::sin(angle));
        }
    mesh.positions.emplace_back(0, 0.5 * length + radius, 0);
    const auto at = [&](int r, int i) { return 1 + r * resolution + i % resolution; };
    const int top = mesh.vertex_count() - 1;
    for (int i = 0; i < resolution; ++i) mesh.faces.push_back({0, at(0, i), at(0, i + 1)});
    for (int r = 0; r + 1 < ring_count; ++r)
        for (int i = 0; i < resolution; ++i) {
            if (r % 2 == 0) {
                mesh.faces.push_back({at(r, i), at(r + 1, i), at(r, i + 1)});
                mesh.faces.push_back({at(r + 1, i), at(r + 1, i + 1), at(r, i + 1)});
            } else {
                mesh.faces.push_back({at(r, i), at(r + 1, i), at(r + 1, i + 1)});
                mesh.faces.push_back({at(r, i), at(r + 1, i + 1), at(r, i + 1)});
            }
        }
    for (int i = 0; i < resolution; ++i)
        mesh.faces.push_back({at(ring_count - 1, i), top, at(ring_count - 1, i + 1)});
    return mesh;
}

TriangleMesh make_grid(const Vec2& size, const std::array<int, 2>& cells) {
    check_positive("grid", "size x", size[0]);
    check_positive("grid", "size z", size[1]);
    check_count("grid", "cells x", cells[0], 1, 100000);
    check_count("grid", "cells z", cells[1], 1, 100000);
    check_total("grid", (cells[0] + 1.0) * (cells[1] + 1.0));
    TriangleMesh mesh;
    for (int j = 0; j <= cells[1]; ++j)
        for (int i = 0; i <= cells[0]; ++i)
            mesh.positions.emplace_back(size[0] * (double(i) / cells[0] - 0.5), 0,
                                        size[1] * (double(j) / cells[1] - 0.5));
    const int stride = cells[0] + 1;
    for (int j = 0; j < cells[1]; ++j)
        for (int i = 0; i < cells[0]; ++i) {
            const int corner = j * stride + i;
            add_quad(mesh, corner, corner + stride, corner + stride + 1, corner + 1,
                     (i + j) % 2 == 1);
        }
    return mesh;
}

TriangleMesh make_box(const Vec3& size, const std::array<int, 3>& cells) {
    const char* const names[] = {"x", "y", "z"};
    for (int axis = 0; axis < 3; ++axis) {
        check_positive("box", fmt::format("size {}", names[axis]).c_str(), size[axis]);
        check_count("box", fmt::format("cells {}", names[axis]).c_str(), cells[axis], 1, 100000);
    }
    check_total("box", 2.0 * (double(cells[0]) * cells[1] + double(cells[1]) * cells[2] +
                              double(cells[2]) * cells[0]));
    TriangleMesh mesh;
    // Vertices are shared along the box's edges by their lattice coordinates.
    std::map<std::array<int, 3>, int> vertex_of;
    const auto vertex = [&](const std::array<int, 3>& lattice) {
        const auto [found, added] = vertex_of.try_emplace(lattice, mesh.vertex_count());
        if (added)
            mesh.positions.emplace_back(size[0] * (double(lattice[0]) / cells[0] - 0.5),
                                        size[1] * (double(lattice[1]) / cells[1] - 0.5),
                                        size[2] * (double(lattice[2]) / cells[2] - 0.5));
        return found->second;
    };
    for (int axis = 0; axis < 3; ++axis)
        for (const int side : {0, 1}) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            for (int j = 0; j < cells[v]; ++j)
                for (int i = 0; i < cells[u]; ++i) {
                    const auto corner = [&](int di, int dj) {
                        std::array<int, 3> lattice{};
                        lattice[axis] = side * cells[axis];
                        lattice[u] = i + di;
                        lattice[v] = j + dj;
                        return vertex(lattice);
                    };
                    const int a = corner(0, 0), b = corner(1, 0), c = corner(1, 1),
                              d = corner(0, 1);
                    if (side == 1)
                        add_quad(mesh, a, b, c, d, (i + j) % 2 == 1);
                    else
                        add_quad(mesh, a, d, c, b, (i + j) % 2 == 1);
                }
        }
    return mesh;
}

TriangleMesh make_torus(double ring_radius, double tube_radius, int resolution) {
    check_positive("torus", "radii ring", ring_radius);
    check_positive("torus", "radii tube", tube_radius);
    if (tube_radius >= ring_radius)
        throw InputError(
            fmt::format("torus: the tube's radius {} is not smaller than the ring's {}",
                        tube_radius, ring_radius));
    check_count("torus", "resolution", resolution, 3, 100000);
    const double around_exact = resolution * tube_radius / ring_radius;
    check_total("torus", (around_exact + 3) * resolution);
    const int around = std::max(3, static_cast<int>(std::lround(around_exact)));
    TriangleMesh mesh;
    for (int i = 0; i < resolution; ++i)
        for (int j = 0; j < around; ++j) {
            const double u = 2 * pi * i / resolution, v = 2 * pi * j / around;
            const double r = ring_radius + tube_radius * std::cos(v);
            mesh.positions.emplace_back(r * std::cos(u), tube_radius * std::sin(v),
                                        r * std::sin(u));
        }
    const auto at = [&](int i, int j) { return (i % resolution) * around + j % around; };
    for (int i = 0; i < resolution; ++i)
        for (int j = 0; j < around; ++j)
            add_quad(mesh, at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j),
                     (i + j) % 2 == 1);
    return mesh;
}

TriangleMesh make_lathe(std::span<const Vec2> profile, int resolution, int rows) {
    check_profile(profile);
    check_count("lathe", "resolution", resolution, 3, 100000);
    check_count("lathe", "rows", rows, 0, 100000);
    check_total("lathe",
                static_cast<double>(rows > 0 ? rows + 1.0 : double(profile.size())) * resolution);
    std::vector<Vec2> rings =
        rows > 0 ? resample(profile, rows) : std::vector<Vec2>(profile.begin(), profile.end());
    const int levels = static_cast<int>(rings.size());
    // Three points at least are needed to come back to the first.
    const bool ring = levels > 3 && rings.front() == rings.back() && rings.front()[0] > 0;
    if (!ring && rings.front() == rings.back())
        throw InputError("lathe: the profile ends where it begins, expected a ring of three rows "
                         "or more that keeps off the axis");
    if (ring) rings.pop_back();
    TriangleMesh mesh;
    std::vector<int> begin; // first vertex of a ring; one on the axis has no others
    for (const Vec2& p : rings) {
        begin.push_back(mesh.vertex_count());
        for (int i = 0; i < (p[0] > 0 ? resolution : 1); ++i) {
            const double angle = 2 * pi * i / resolution;
            mesh.positions.emplace_back(p[0] * std::cos(angle), p[1], p[0] * std::sin(angle));
        }
    }
    const auto at = [&](int r, int i) {
        const int level = r % static_cast<int>(rings.size());
        return rings[level][0] > 0 ? begin[level] + i % resolution : begin[level];
    };
    for (int r = 0; r + 1 < levels; ++r)
        for (int i = 0; i < resolution; ++i) {
            const int a = at(r, i), b = at(r + 1, i), c = at(r + 1, i + 1), d = at(r, i + 1);
            if (a == d)
                mesh.faces.push_back({a, b, c});
            else if (b == c)
                mesh.faces.push_back({a, b, d});
            else
                add_quad(mesh, a, b, c, d, (i + r) % 2 == 1);
        }
    return mesh;
}

} // namespace knead
