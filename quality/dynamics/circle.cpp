// The same contact simulated and deformed [Bru21] fig. 7.11 and 7.12: how far apart the two results
// are.

#include "knead/base/file.hpp"
#include "knead/deform/deform.hpp"
#include "knead/deform/object/softness.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/render/render.hpp"
#include "knead/spatial/closest_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/simulated.hpp"
#include "figures.hpp"
#include "plot.hpp"
#include "pressed_ball.hpp"

namespace knead::quality {
namespace {

using testing_dynamics::go_on;
using testing_dynamics::keep_apart;

/// A ball before contact, and what became of it.
struct Ball {
    std::string name;
    double radius = 1;
    Vec3 center = Vec3::Zero(); ///< of the overlapping input
    TriangleMesh input;         ///< there
    std::vector<Vec3> simulated, deformed, directed, cut;
};

/// Balls that overlap each other, or the floor.
struct Contact {
    std::string name, file;
    std::vector<Ball> balls;
    bool floor = false;
    std::string directed; ///< which numbers are the best ones
};

BodyDefinition soft_body(const std::string& name, const Ball& ball, const Vec3& at) {
    TriangleMesh mesh = ball.input;
    for (Vec3& p : mesh.positions) p += at - ball.center;
    return soft_ball_body(name, std::move(mesh));
}

std::vector<Vec3> to_vector(std::span<const Vec3> points) {
    return {points.begin(), points.end()};
}

// As in the thesis, the input is where the far end of the ball is that of the simulation.
void place_input(Ball& ball, double side) {
    const Vec3 center(0, highest(ball.simulated, side) - side * ball.radius, 0);
    for (Vec3& p : ball.input.positions) p += center - ball.center;
    ball.center = center;
}

Contact heavy_on_floor(double young, const std::string& file) {
    Contact contact;
    contact.file = file;
    contact.floor = true;
    Ball ball;
    ball.name = "ball";
    ball.input = ball_mesh(1, Vec3::Zero(), 4);
    BodyDefinition body = soft_body("ball", ball, Vec3(0, 1.004, 0));
    body.material.young = young;
    Simulation simulation({body, soft_ball_ground()}, keep_apart(ball_tolerance));
    for (int i = 0; i < 40; ++i) simulation.step(go_on(0.1));
    ball.simulated = to_vector(simulation.positions(0));
    place_input(ball, 1);
    contact.name = fmt::format("A ball on a floor, {:.2f} lower than if it were hard ({:g} Pa)",
                               1 - ball.center.y(), young);
    contact.balls.push_back(std::move(ball));
    return contact;
}

// Weak springs to places beyond each other are nearly the opposite forces of the thesis, the same
// everywhere in a ball.
Contact two_balls() {
    constexpr double beyond = 2.5, acceleration = 8;
    Contact contact;
    contact.file = "circle-balls";
    Ball small, big;
    small.name = "small";
    small.input = ball_mesh(1, Vec3::Zero(), 4);
    big.name = "big";
    big.radius = 2;
    big.input = ball_mesh(2, Vec3::Zero(), 4);
    BodyDefinition above = soft_body("small", small, Vec3(0, 1.004, 0)),
                   below = soft_body("big", big, Vec3(0, -2, 0));
    above.target_stiffness = acceleration / beyond;
    below.target_stiffness = above.target_stiffness / 8; // it weighs eight times as much
    StepInput input = go_on(0.2, Vec3::Zero());
    input.targets = {above.positions, below.positions};
    for (Vec3& p : input.targets[0]) p.y() -= beyond;
    for (Vec3& p : input.targets[1]) p.y() += beyond;
    Simulation simulation({above, below}, keep_apart(ball_tolerance));
    for (int i = 0; i < 40; ++i) simulation.step(input);
    small.simulated = to_vector(simulation.positions(0));
    big.simulated = to_vector(simulation.positions(1));
    place_input(small, 1);
    place_input(big, -1);
    contact.name = fmt::format("Balls of radius 1 and 2 pressed {:.2f} into each other",
                               3 - (small.center.y() - big.center.y()));
    contact.balls = {std::move(small), std::move(big)};
    return contact;
}

// The deformer, with all objects of one softness and reach.
std::vector<std::vector<Vec3>> deform_all(const Contact& contact, double softness, double bulge) {
    const TriangleMesh floor_mesh = make_grid({6, 6}, {80, 80});
    std::array<DeformSettings, 2> settings;
    for (DeformSettings& object : settings) {
        object.softness = softness;
        object.bulge.bulge = bulge;
    }
    settings[1].rigid = contact.floor;
    const TriangleMesh& second = contact.floor ? floor_mesh : contact.balls[1].input;
    const auto result = deform(contact.balls[0].input, second, {}, settings);
    std::vector<std::vector<Vec3>> positions;
    for (std::size_t b = 0; b < contact.balls.size(); ++b) positions.push_back(result[b]);
    return positions;
}

struct Distance {
    double mean = 0, largest = 0;
};

// From the vertices of each to the other's surface, in parts of the radius.
Distance distance_of(const Ball& ball, std::span<const Vec3> other) {
    Distance result;
    const auto structure = make_structure(ball.input.positions, ball.input.faces);
    const Surface surfaces[] = {make_surface(structure, ball.simulated),
                                make_surface(structure, other)};
    for (int side = 0; side < 2; ++side)
        for (const Vec3& p : surfaces[side].positions) {
            const double d = std::sqrt(closest_point(surfaces[1 - side], p)->squared_distance);
            result.mean += d / (2 * static_cast<double>(other.size()) * ball.radius);
            result.largest = std::max(result.largest, d / ball.radius);
        }
    return result;
}

// The numbers that come nearest to the simulation.
void direct(Contact& contact) {
    double best = 1e300;
    for (const double bulge : {0.5, 0.75, 1.0})
        for (int i = 0; i <= 10; ++i) {
            const auto positions = deform_all(contact, 0.1 * i, bulge);
            double sum = 0;
            for (std::size_t b = 0; b < contact.balls.size(); ++b)
                sum += distance_of(contact.balls[b], positions[b]).mean;
            if (sum >= best) continue;
            best = sum;
            contact.directed = fmt::format("softness {:g}, bulge {:g}", 0.1 * i, bulge);
            for (std::size_t b = 0; b < contact.balls.size(); ++b)
                contact.balls[b].directed = positions[b];
        }
}

// What a plain cut would leave: everything beyond the plane of contact moved back to it.
void cut(Contact& contact) {
    double plane = 0;
    if (!contact.floor) {
        const Ball &a = contact.balls[0], &b = contact.balls[1];
        const double d = a.center.y() - b.center.y();
        plane = b.center.y() + (d * d + b.radius * b.radius - a.radius * a.radius) / (2 * d);
    }
    for (std::size_t b = 0; b < contact.balls.size(); ++b) {
        contact.balls[b].cut = contact.balls[b].input.positions;
        for (Vec3& p : contact.balls[b].cut)
            p.y() = b == 0 ? std::max(p.y(), plane) : std::min(p.y(), plane);
    }
}

// Of a disc with the area that touches.
double touching_radius(const Contact& contact, std::size_t b, std::vector<Vec3> Ball::*which) {
    const Ball& ball = contact.balls[b];
    const std::vector<Vec3>& positions = ball.*which;
    std::vector<double> gap(positions.size());
    if (contact.floor) {
        for (std::size_t v = 0; v < gap.size(); ++v) gap[v] = positions[v].y();
    } else {
        const Ball& other = contact.balls[1 - b];
        const Surface surface =
            make_surface(make_structure(other.input.positions, other.input.faces), other.*which);
        for (std::size_t v = 0; v < gap.size(); ++v)
            gap[v] = std::sqrt(closest_point(surface, positions[v])->squared_distance);
    }
    return contact_radius(positions, ball.input.faces, gap);
}

void draw(const Contact& contact, const FigureSettings& settings) {
    Plot plot;
    plot.equal_scale = true;
    plot.x_label = plot.y_label = "m";
    const std::pair<const char*, std::vector<Vec3> Ball::*> curves[] = {
        {"simulated", &Ball::simulated}, {"deformed", &Ball::deformed}, {"cut", &Ball::cut}};
    for (const auto& [name, which] : curves) {
        PlotSeries series;
        series.name = name;
        for (const Ball& ball : contact.balls)
            for (auto& piece : section(ball.*which, ball.input.faces))
                series.pieces.push_back(std::move(piece));
        plot.series.push_back(std::move(series));
    }
    write_file_atomically(settings.pictures / (contact.file + ".svg"), to_svg(plot));

    // Side by side, the nearer half taken away: left simulated, right deformed.
    double reach = 0;
    for (const Ball& ball : contact.balls)
        for (const auto* positions : {&ball.simulated, &ball.deformed})
            reach = std::max(reach, widest(*positions));
    std::vector<std::vector<Vec3>> moved;
    std::vector<RenderObject> objects;
    for (const int side : {-1, 1})
        for (const Ball& ball : contact.balls) {
            moved.push_back(side < 0 ? ball.simulated : ball.deformed);
            for (Vec3& p : moved.back()) p.x() += side * 1.08 * reach;
        }
    for (std::size_t i = 0; i < moved.size(); ++i) {
        const std::size_t b = i % contact.balls.size();
        RenderObject object;
        object.name = contact.balls[b].name;
        object.positions = moved[i];
        object.faces = contact.balls[b].input.faces;
        object.color = palette_color(static_cast<int>(b));
        object.wireframe = true;
        objects.push_back(object);
    }
    RenderSettings render_settings;
    render_settings.width = 960;
    render_settings.height = 440;
    render_settings.samples = 8;
    render_settings.clip = ClipPlane{Vec3::Zero(), Vec3::UnitZ()};
    Box box;
    for (const auto& positions : moved)
        for (const Vec3& p : positions) box.include(p);
    render_settings.camera = frame_camera(box, 0, 6, 960.0 / 440);
    write_png(settings.pictures / (contact.file + ".png"), render(objects, render_settings));
}

std::string describe(const Contact& contact, const FigureSettings& settings) {
    std::string rows;
    for (std::size_t b = 0; b < contact.balls.size(); ++b) {
        const Ball& ball = contact.balls[b];
        const double rest = signed_volume(ball.input.positions, ball.input.faces, ball.center);
        const std::pair<std::string, std::vector<Vec3> Ball::*> results[] = {
            {"simulated", &Ball::simulated},
            {"deformed, defaults", &Ball::deformed},
            {"deformed, " + contact.directed, &Ball::directed},
            {"cut", &Ball::cut}};
        for (const auto& [name, which] : results) {
            const Distance distance = distance_of(ball, ball.*which);
            const bool itself = which == &Ball::simulated;
            rows +=
                fmt::format("| {}{} | {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.1f} % |\n",
                            contact.balls.size() > 1 ? ball.name + ", " : "", name,
                            itself ? "" : fmt::format("{:.2f} %", 100 * distance.mean),
                            itself ? "" : fmt::format("{:.2f} %", 100 * distance.largest),
                            touching_radius(contact, b, which) / ball.radius,
                            bulge_height(ball.*which, ball.center, ball.radius) / ball.radius,
                            widest(ball.*which) / ball.radius,
                            100 * signed_volume(ball.*which, ball.input.faces, ball.center) / rest);
        }
    }
    return fmt::format(
        "### {}\n\n| | mean distance | largest | contact radius | bulge | half width | volume |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n{}\n"
        "| simulated (left), deformed with defaults (right) |\n| --- |\n| ![Both cut open]({}) "
        "|\n\n"
        "![Sections of all three, one over the other]({})\n",
        contact.name, rows, settings.link(contact.file + ".png"),
        settings.link(contact.file + ".svg"));
}

} // namespace

std::string circle_section(const FigureSettings& settings) {
    std::string text =
        "The contacts of figures 7.11 and 7.12 of [Bru21], simulated to rest (under gravity, or "
        "two "
        "balls by opposite forces with 1.5e5 Pa; Poisson's ratio 0.45, friction 0.1, lattices of "
        "14 "
        "cells) and deformed by the deformer from the same meshes, placed so that the far ends of "
        "the balls agree, as in the thesis. Distances go from the vertices of each to the surface "
        "of the other, both ways, over the whole ball; they and all lengths are in parts of the "
        "radius. The contact radius is that of a disc with the area that is nearer than 0.012 to "
        "the other side, the bulge is how far the surface comes out of the sphere. A cut only "
        "moves "
        "back what is beyond the plane of contact.\n";
    for (const int which : {0, 1, 2}) {
        settings.say(fmt::format("deformer beside simulation, {} of 3", which + 1));
        Contact contact = which == 0   ? heavy_on_floor(4e5, "circle-floor-light")
                          : which == 1 ? heavy_on_floor(1.5e5, "circle-floor")
                                       : two_balls();
        const auto positions = deform_all(contact, default_softness, 1);
        for (std::size_t b = 0; b < contact.balls.size(); ++b)
            contact.balls[b].deformed = positions[b];
        direct(contact);
        cut(contact);
        draw(contact, settings);
        text += "\n" + describe(contact, settings);
    }
    return text;
}

} // namespace knead::quality
