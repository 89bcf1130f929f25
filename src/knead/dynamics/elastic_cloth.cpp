#include "knead/dynamics/elastic_cloth.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/dynamics/check_material.hpp"
#include "knead/mesh/check.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

using Spring = ElasticCloth::Spring;
using Hinge = ElasticCloth::Hinge;

// Relative to the longest side squared.
constexpr double flattest_face = 1e-12;
// Longest second diagonal of what still counts as a square, relative to the first.
constexpr double longest_brace = 1.3;
// A square with both diagonals has four springs where two triangles have three. With this part of
// their stiffness it is as stiff as they should be, and the same in every direction.
constexpr double braced_part = 0.75;
// Squares whose diagonals alternate bend as a plate does, in every direction, with two thirds of
// the stiffness at their diagonals and four thirds at their sides: every second vertex gives way by
// an eighth of the bend, which takes a quarter of the energy. Those whose diagonals all run the
// same way twist instead, with about the same effect.
constexpr double braced_diagonal = 2.0 / 3;
constexpr double braced_side = 4.0 / 3;
// Of a flat plate across the stream.
constexpr double drag_coefficient = 1.2;

void check_cloth(std::span<const Vec3> positions, std::span<const Triangle> faces,
                 const std::string& name) {
    const std::string body = "body " + single_quoted(name);
    if (faces.empty()) throw InputError(body + " has no faces, expected at least one");
    TriangleMesh mesh;
    mesh.positions.assign(positions.begin(), positions.end());
    mesh.faces.assign(faces.begin(), faces.end());
    check_indices(mesh, body);
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (!positions[v].allFinite())
            throw InputError(fmt::format("{}: vertex {} is at ({}, {}, {}), expected finite "
                                         "numbers",
                                         body, v, positions[v].x(), positions[v].y(),
                                         positions[v].z()));
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const Triangle& face = faces[f];
        double longest = 0;
        for (int i = 0; i < 3; ++i) {
            const int a = face[i], b = face[(i + 1) % 3];
            const double squared = (positions[b] - positions[a]).squaredNorm();
            if (!(squared > 0))
                throw InputError(fmt::format("{}: edge {}-{} of face {} has no length", body,
                                             std::min(a, b), std::max(a, b), f));
            longest = std::max(longest, squared);
        }
        const double area =
            area_vector(positions[face[0]], positions[face[1]], positions[face[2]]).norm();
        if (!(area > flattest_face * longest))
            throw InputError(fmt::format("{}: face {} has no area", body, f));
    }
}

int opposite_corner(const Triangle& face, const Edge& edge) {
    for (const int v : face)
        if (v != edge[0] && v != edge[1]) return v;
    return -1;
}

struct HingeShape {
    double angle = 0;
    std::array<Vec3, 4> gradient;
};

struct HingeNormals {
    Vec3 edge, left, right; // areas doubled
};
HingeNormals hinge_normals(std::span<const Vec3> positions, const std::array<int, 4>& nodes) {
    const Vec3& origin = positions[nodes[0]];
    const Vec3 edge = positions[nodes[1]] - origin;
    return {edge, edge.cross(positions[nodes[2]] - origin),
            (positions[nodes[3]] - origin).cross(edge)};
}

double hinge_angle(const HingeNormals& n) {
    // Normals are not unit vectors: both arguments have the same factor.
    const double length = n.edge.norm();
    if (!(length > 0)) return 0;
    return std::atan2(n.edge.dot(n.left.cross(n.right)) / length, n.left.dot(n.right));
}

// The shorter way around, in case the hinge has passed a half turn.
double bent_by(double angle, double rest) {
    constexpr double pi = std::numbers::pi;
    double bend = angle - rest;
    if (bend > pi) bend -= 2 * pi;
    if (bend < -pi) bend += 2 * pi;
    return bend;
}

HingeShape hinge_shape(std::span<const Vec3> positions, const Hinge& hinge) {
    const HingeNormals n = hinge_normals(positions, hinge.nodes);
    HingeShape shape;
    shape.angle = hinge_angle(n);
    const double length = n.edge.norm();
    const double left = n.left.squaredNorm(), right = n.right.squaredNorm();
    if (!(length > 0 && left > 0 && right > 0)) {
        shape.gradient.fill(Vec3::Zero());
        return shape;
    }
    // Both sides get the same factor, so that a hinge does not turn itself as a whole.
    const double soft = std::min({1.0, left / (hinge.least_area[0] * hinge.least_area[0]),
                                  right / (hinge.least_area[1] * hinge.least_area[1])});
    const Vec3 by_left = n.left * (soft / left), by_right = n.right * (soft / right);
    const Vec3 along = n.edge / length;
    const Vec3 &a = positions[hinge.nodes[0]], &b = positions[hinge.nodes[1]],
               &c = positions[hinge.nodes[2]], &d = positions[hinge.nodes[3]];
    shape.gradient[0] = (b - c).dot(along) * by_left + (b - d).dot(along) * by_right;
    shape.gradient[1] = (c - a).dot(along) * by_left + (d - a).dot(along) * by_right;
    shape.gradient[2] = -length * by_left;
    shape.gradient[3] = -length * by_right;
    return shape;
}

} // namespace

ElasticCloth make_elastic_cloth(std::span<const Vec3> positions, std::span<const Triangle> faces,
                                const BodyMaterial& material, const std::string& name) {
    check_material(material, name);
    check_cloth(positions, faces, name);
    const Topology topology = build_topology(faces, static_cast<int>(positions.size()));
    ElasticCloth model;
    model.faces.assign(faces.begin(), faces.end());

    const std::vector<double> areas = face_areas(positions, faces);
    model.mass.assign(positions.size(), 0);
    for (std::size_t f = 0; f < faces.size(); ++f)
        for (const int v : faces[f])
            model.mass[v] += material.density * material.thickness * areas[f] / 3;
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (!(model.mass[v] > 0) || !std::isfinite(model.mass[v]))
            throw InputError(fmt::format("body {}: vertex {} has a mass of {}, expected it to "
                                         "belong to a face with a mass",
                                         single_quoted(name), v, model.mass[v]));

    std::vector<double> lengths(topology.edges.size());
    for (std::size_t e = 0; e < lengths.size(); ++e)
        lengths[e] = (positions[topology.edges[e][1]] - positions[topology.edges[e][0]]).norm();
    const auto is_longest = [&](int face, int edge) {
        const auto& sides = topology.face_edges[face];
        return std::all_of(sides.begin(), sides.end(),
                           [&](int side) { return lengths[side] <= (1 + 1e-9) * lengths[edge]; });
    };

    // Squares, each triangle in one at most.
    struct Brace {
        int edge;
        std::array<int, 2> ends;
        double length;
    };
    std::vector<Brace> braces;
    std::vector<char> braced_face(faces.size(), 0), braced_edge(lengths.size(), 0);
    for (int e = 0; e < topology.edge_count(); ++e) {
        const auto sharing = topology.edge_faces[e];
        if (sharing.size() != 2) continue;
        const Edge& edge = topology.edges[e];
        const int a = opposite_corner(faces[sharing[0]], edge),
                  b = opposite_corner(faces[sharing[1]], edge);
        if (a == b || braced_face[sharing[0]] != 0 || braced_face[sharing[1]] != 0 ||
            !is_longest(sharing[0], e) || !is_longest(sharing[1], e))
            continue;
        const double length = (positions[b] - positions[a]).norm();
        if (!(length > 0 && length <= longest_brace * lengths[e]) || topology.find_edge(a, b) >= 0)
            continue;
        braces.push_back({e, {std::min(a, b), std::max(a, b)}, length});
        braced_face[sharing[0]] = braced_face[sharing[1]] = 1;
        braced_edge[e] = 1;
    }

    const double tension = material.young * material.thickness;
    const auto counted_area = [&](int e) {
        double area = 0;
        for (const int f : topology.edge_faces[e])
            area += (braced_face[f] != 0 ? braced_part : 1) * areas[f];
        return area;
    };
    for (int e = 0; e < topology.edge_count(); ++e)
        model.springs.push_back(
            {topology.edges[e], lengths[e], tension * counted_area(e) / (lengths[e] * lengths[e])});
    for (const Brace& brace : braces)
        model.springs.push_back(
            {brace.ends, brace.length,
             tension * counted_area(brace.edge) / (brace.length * brace.length)});

    // An edge takes the bending of the area beside it: |e|^2 / (A_1 + A_2) D makes a strip as stiff
    // as a plate, both in squares and in equilateral triangles. (Discrete shells have three times
    // as much, in units of their own.)
    const double plate = material.young * std::pow(material.thickness, 3) /
                         (12 * (1 - material.poisson * material.poisson));
    for (int e = 0; e < topology.edge_count(); ++e) {
        const auto sharing = topology.edge_faces[e];
        if (sharing.size() != 2) continue;
        const Edge& edge = topology.edges[e];
        Hinge hinge;
        hinge.nodes = {edge[0], edge[1], opposite_corner(faces[sharing[0]], edge),
                       opposite_corner(faces[sharing[1]], edge)};
        if (hinge.nodes[2] == hinge.nodes[3]) continue;
        const HingeNormals normals = hinge_normals(positions, hinge.nodes);
        hinge.angle = hinge_angle(normals);
        hinge.least_area = {0.1 * normals.left.norm(), 0.1 * normals.right.norm()};
        double part = braced_diagonal;
        if (braced_edge[e] == 0) {
            const int braced = braced_face[sharing[0]] + braced_face[sharing[1]];
            part = 1 + 0.5 * braced * (braced_side - 1);
        }
        hinge.stiffness =
            part * plate * lengths[e] * lengths[e] / (areas[sharing[0]] + areas[sharing[1]]);
        model.hinges.push_back(hinge);
    }
    return model;
}

double elastic_energy(const ElasticCloth& model, std::span<const Vec3> positions) {
    const double stretching = parallel_sum(model.springs.size(), 0.0, [&](std::size_t s) {
        const Spring& spring = model.springs[s];
        const double change =
            (positions[spring.nodes[1]] - positions[spring.nodes[0]]).norm() - spring.length;
        return 0.5 * spring.stiffness * change * change;
    });
    return stretching + parallel_sum(model.hinges.size(), 0.0, [&](std::size_t h) {
               const Hinge& hinge = model.hinges[h];
               const double bend =
                   bent_by(hinge_angle(hinge_normals(positions, hinge.nodes)), hinge.angle);
               return 0.5 * hinge.stiffness * bend * bend;
           });
}

std::vector<std::array<int, 2>> couplings(const ElasticCloth& model) {
    std::vector<std::array<int, 2>> pairs;
    pairs.reserve(model.springs.size() + model.hinges.size());
    for (const Spring& spring : model.springs) pairs.push_back(spring.nodes);
    for (const Hinge& hinge : model.hinges)
        pairs.push_back(
            {std::min(hinge.nodes[2], hinge.nodes[3]), std::max(hinge.nodes[2], hinge.nodes[3])});
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

void find_places(ElasticCloth& model, const BlockMatrix& matrix, int first_row) {
    const auto note = [&](const auto& nodes, auto& places) {
        for (std::size_t i = 0; i < nodes.size(); ++i)
            for (std::size_t j = 0; j < nodes.size(); ++j)
                places[nodes.size() * i + j] =
                    find_block(matrix, first_row + nodes[i], first_row + nodes[j]);
    };
    model.spring_places.resize(model.springs.size());
    for (std::size_t s = 0; s < model.springs.size(); ++s)
        note(model.springs[s].nodes, model.spring_places[s]);
    model.hinge_places.resize(model.hinges.size());
    for (std::size_t h = 0; h < model.hinges.size(); ++h)
        note(model.hinges[h].nodes, model.hinge_places[h]);
    model.face_places.resize(model.faces.size());
    for (std::size_t f = 0; f < model.faces.size(); ++f) note(model.faces[f], model.face_places[f]);
}

void linearise(const ElasticCloth& model, std::span<const Vec3> positions, double factor,
               std::span<Vec3> forces, BlockMatrix& matrix) {
    for (std::size_t s = 0; s < model.springs.size(); ++s) {
        const Spring& spring = model.springs[s];
        const Vec3 way = positions[spring.nodes[1]] - positions[spring.nodes[0]];
        const double length = way.norm();
        // A spring without length does not know where to push.
        const bool gone = !(length > 1e-12 * spring.length);
        const Vec3 direction = gone ? Vec3(Vec3::Zero()) : Vec3(way / length);
        const Vec3 pull = spring.stiffness * (length - spring.length) * direction;
        forces[spring.nodes[0]] += pull;
        forces[spring.nodes[1]] -= pull;

        const double along = factor * spring.stiffness;
        const double across = gone ? along : along * std::max(0.0, 1 - spring.length / length);
        Mat3 block = (along - across) * direction * direction.transpose();
        block.diagonal().array() += across;
        const std::array<int, 4>& places = model.spring_places[s];
        matrix.values[places[0]] += block;
        matrix.values[places[1]] -= block;
        matrix.values[places[2]] -= block;
        matrix.values[places[3]] += block;
    }
    for (std::size_t h = 0; h < model.hinges.size(); ++h) {
        const Hinge& hinge = model.hinges[h];
        const HingeShape shape = hinge_shape(positions, hinge);
        const double torque = hinge.stiffness * bent_by(shape.angle, hinge.angle);
        for (int i = 0; i < 4; ++i) forces[hinge.nodes[i]] -= torque * shape.gradient[i];

        const std::array<int, 16>& places = model.hinge_places[h];
        for (int i = 0; i < 4; ++i) {
            const Vec3 scaled = factor * hinge.stiffness * shape.gradient[i];
            for (int j = 0; j < 4; ++j)
                matrix.values[places[4 * i + j]] += scaled * shape.gradient[j].transpose();
        }
    }
}

void add_wind(const ElasticCloth& model, std::span<const Vec3> positions,
              std::span<const Vec3> velocities, const Vec3& wind, double air_density,
              std::span<Vec3> forces, double factor, BlockMatrix& matrix) {
    for (std::size_t f = 0; f < model.faces.size(); ++f) {
        const Triangle& face = model.faces[f];
        const Vec3 doubled =
            area_vector(positions[face[0]], positions[face[1]], positions[face[2]]);
        const double length = doubled.norm();
        if (!(length > 0)) continue;
        const Vec3 normal = doubled / length;
        const Vec3 velocity = (velocities[face[0]] + velocities[face[1]] + velocities[face[2]]) / 3;
        const double speed = (wind - velocity).dot(normal);
        const double scale = 0.5 * air_density * drag_coefficient * (0.5 * length);
        const Vec3 share = scale * std::abs(speed) * speed / 3 * normal;
        for (const int v : face) forces[v] += share;
        const Vec3 scaled = factor * 2 * scale * std::abs(speed) / 9 * normal;
        const Mat3 block = scaled * normal.transpose();
        for (const int place : model.face_places[f]) matrix.values[place] += block;
    }
}

} // namespace knead
