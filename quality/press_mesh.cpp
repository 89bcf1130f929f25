#include "press_mesh.hpp"

#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/rig/transform.hpp"
#include "knead/spatial/crossings.hpp"
#include "knead/spatial/surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "thin_section.hpp"

namespace knead::quality {
namespace {

constexpr int frames = 9;
constexpr double pressed = 0.1; // of the size along the way
// A little before the first touch, as a part of how far it is pressed, there is none.
constexpr double run_up = 0.1;
// Of the ring against the ellipse of the section: at first, and at last.
constexpr double ring_wide = 1.6, ring_tight = 0.8;
constexpr double ring_tube = 0.26; // its radius, of that of the ring

// Where what presses is: its transform goes from one to the other evenly.
struct Placed {
    Vec3 translate = Vec3::Zero(), rotate = Vec3::Zero(), scale = Vec3::Ones();

    Affine3 placement() const {
        return Eigen::Translation3d(translate) * rotation_from_degrees(rotate) *
               Eigen::Scaling(scale);
    }
};

struct Presser {
    TriangleMesh mesh;
    std::string source; ///< in the scene
    bool rigid = false;
    Placed from, to;
    double press = 0; ///< how far it goes on after the first touch, of the way; 0: to its end

    Placed at(double t) const {
        return {(1 - t) * from.translate + t * to.translate, from.rotate,
                (1 - t) * from.scale + t * to.scale};
    }
};

std::string list_of(const Vec3& v) {
    return fmt::format("[{:.9g}, {:.9g}, {:.9g}]", v.x(), v.y(), v.z());
}

// It comes along an axis from where it is surely outside, as far as the middle.
void come_along(Presser& presser, const Box& box, const Vec3& way) {
    const Vec3 start = box.center() - way;
    presser.from.translate = start;
    presser.to = presser.from;
    presser.to.translate = box.center();
    presser.press = pressed * way.normalized().cwiseAbs().dot(box.size()) / way.norm();
}

Presser floor_below(const Box& box) {
    const Vec3 size = box.size();
    const double side = 3 * std::max(size.x(), size.z());
    constexpr int cells = 60;
    Presser floor{make_grid({side, side}, {cells, cells}),
                  fmt::format(R"({{"grid": {{"size": [{0:.9g}, {0:.9g}], "cells": [{1}, {1}]}}}})",
                              side, cells),
                  true,
                  {},
                  {}};
    come_along(floor, box, Vec3(0, 0.55 * size.y(), 0));
    return floor;
}

Presser ball_above(const Box& box) {
    const double height = box.size().y(), radius = 0.3 * height;
    constexpr int subdivisions = 4;
    Presser ball{make_sphere(radius, subdivisions),
                 fmt::format(R"({{"sphere": {{"radius": {:.9g}, "subdivisions": {}}}}})", radius,
                             subdivisions),
                 false,
                 {},
                 {}};
    come_along(ball, box, Vec3(0, -(0.55 * height + radius), 0));
    return ball;
}

Presser other_in_front(const Box& box, const NamedMesh& other) {
    const Box of_other = bounding_box(other.mesh.positions);
    const double scale = box.size().maxCoeff() / of_other.size().maxCoeff();
    Presser presser{other.mesh, fmt::format("\"{}\"", other.file.string()), false, {}, {}};
    const Vec3 way(0, 0, -0.55 * (box.size().z() + scale * of_other.size().z()));
    come_along(presser, box, way);
    for (Placed* placed : {&presser.from, &presser.to}) {
        placed->scale = Vec3::Constant(scale);
        placed->translate -= scale * of_other.center();
    }
    return presser;
}

std::optional<Presser> ring_around(const TriangleMesh& mesh) {
    const std::optional<Section> section = thinnest_section(mesh);
    if (!section) return std::nullopt;
    constexpr int resolution = 64;
    Presser ring{make_torus(1, ring_tube, resolution),
                 fmt::format(R"({{"torus": {{"radii": [1, {}], "resolution": {}}}}})", ring_tube,
                             resolution),
                 true,
                 {},
                 {}};
    const Vec3 angles = section->axes.eulerAngles(2, 1, 0).reverse();
    ring.from.translate = section->center;
    ring.from.rotate = angles * (180 / std::numbers::pi);
    const auto& [a, b] = section->half_axes;
    ring.from.scale = Vec3(a, 0.5 * (a + b), b) / (1 - ring_tube);
    ring.to = ring.from;
    ring.from.scale *= ring_wide;
    ring.to.scale *= ring_tight;
    return ring;
}

bool touches(const Surface& surface, const Presser& presser,
             const std::shared_ptr<const SurfaceStructure>& structure, double t) {
    TriangleMesh placed = presser.mesh;
    transform(placed, presser.at(t).placement());
    const Surface other = make_surface(structure, placed.positions);
    return count_crossing_edges(find_crossings(surface, other)) > 0;
}

// The part of the way where they touch first; nothing when they never do.
std::optional<double> first_touch(const TriangleMesh& mesh, const Presser& presser) {
    const Surface surface = make_surface(mesh);
    const auto structure = make_structure(presser.mesh.positions, presser.mesh.faces);
    constexpr int steps = 100;
    int step = 0;
    while (step <= steps && !touches(surface, presser, structure, double(step) / steps)) ++step;
    if (step > steps) return std::nullopt;
    if (step == 0) return 0;
    double low = double(step - 1) / steps, high = double(step) / steps;
    for (int i = 0; i < 20; ++i) {
        const double middle = 0.5 * (low + high);
        (touches(surface, presser, structure, middle) ? high : low) = middle;
    }
    return high;
}

std::string keyed(const Vec3& from, const Vec3& to) {
    if (from == to) return list_of(from);
    return fmt::format(R"({{"keys": [[1, {}], [{}, {}]], "interpolation": "linear"}})",
                       list_of(from), frames, list_of(to));
}

} // namespace

std::optional<std::string> press_scene(const NamedMesh& mesh, Press press, const NamedMesh& other) {
    const Box box = bounding_box(mesh.mesh.positions);
    std::optional<Presser> presser;
    switch (press) {
    case Press::floor:
        presser = floor_below(box);
        break;
    case Press::ball:
        presser = ball_above(box);
        break;
    case Press::ring:
        presser = ring_around(mesh.mesh);
        break;
    case Press::other:
        presser = other_in_front(box, other);
        break;
    }
    if (!presser) return std::nullopt;
    const std::optional<double> touch = first_touch(mesh.mesh, *presser);
    if (!touch) return std::nullopt;
    const double end = presser->press > 0 ? *touch + presser->press : 1;
    const Placed from = presser->at(*touch - run_up * (end - *touch)), to = presser->at(end);
    return fmt::format(R"({{
  "knead": 1,
  "frames": [1, {}],
  "objects": [
    {{"name": "mesh", "mesh": "{}"}},
    {{"name": "{}", "mesh": {}, {}
     "transform": {{"translate": {}, "rotate": {}, "scale": {}}}}}
  ]
}}
)",
                       frames, mesh.file.string(), press_names[static_cast<std::size_t>(press)],
                       presser->source, presser->rigid ? "\"rigid\": true," : "",
                       keyed(from.translate, to.translate), list_of(from.rotate),
                       keyed(from.scale, to.scale));
}

} // namespace knead::quality
