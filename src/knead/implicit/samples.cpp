#include "knead/implicit/samples.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/implicit/piece_motion.hpp"
#include "knead/implicit/solid_definition.hpp"
#include "knead/implicit/surface_blocks.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/remesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

constexpr int patch_size = 32;
// Edges of the triangles, in radii: longer ones would cut through what they stand for.
constexpr double longest_edge = 0.75;

TriangleMesh surface_with_cells(const Field& field, double cell) {
    return surface_in_blocks(
        field.box(), cell,
        [&](const Vec3& center, double reach) {
            return std::abs(field.value(center) - 1) > field.steepest_around(center, reach) * reach;
        },
        [&](const Vec3& point) { return 1 - field.value(point); });
}

std::vector<Samples::Patch> make_patches(std::span<const Vec3> positions) {
    std::vector<Samples::Patch> patches;
    std::vector<int> order(positions.size());
    for (std::size_t v = 0; v < order.size(); ++v) order[v] = static_cast<int>(v);
    const auto divide = [&](const auto& self, std::span<int> part) -> void {
        Box box;
        for (const int v : part) box.include(positions[v]);
        if (part.size() <= patch_size) {
            Samples::Patch patch{box.center(), 0, {part.begin(), part.end()}};
            std::sort(patch.samples.begin(), patch.samples.end());
            for (const int v : part)
                patch.radius = std::max(patch.radius, (positions[v] - patch.center).norm());
            patches.push_back(std::move(patch));
            return;
        }
        int axis = 0;
        box.size().maxCoeff(&axis);
        const auto middle = static_cast<std::ptrdiff_t>(part.size() / 2);
        std::nth_element(part.begin(), part.begin() + middle, part.end(), [&](int a, int b) {
            return std::pair(positions[a][axis], a) < std::pair(positions[b][axis], b);
        });
        self(self, part.first(static_cast<std::size_t>(middle)));
        self(self, part.subspan(static_cast<std::size_t>(middle)));
    };
    if (!order.empty()) divide(divide, order);
    return patches;
}

// How far the field grows against the normal, in steps of an eighth of the radius.
double thickness_at(const Field& field, const Vec3& position, const Vec3& normal) {
    const double step = field.smallest_radius() / 8;
    double depth = 0, value = 1;
    for (int i = 1; i < 1000; ++i) {
        const double next = field.value(position - i * step * normal);
        if (!(next > value)) break;
        depth = i * step;
        value = next;
    }
    // The skeleton lies between the steps on both sides: the longest that is surely not behind it.
    return std::max(depth, step);
}

void finish(const Field& field, Samples& samples) {
    samples.normals.assign(samples.positions.size(), Vec3::UnitY());
    samples.thickness.assign(samples.positions.size(), 0);
    parallel_for(samples.positions.size(), 64, [&](std::size_t v) {
        const Vec3 gradient = field.at(samples.positions[v]).gradient;
        if (gradient.squaredNorm() > 0) samples.normals[v] = -gradient.normalized();
        if (samples.on_surface[v] != 0)
            samples.thickness[v] = thickness_at(field, samples.positions[v], samples.normals[v]);
    });
    samples.box = bounding_box(samples.positions);
    samples.patches = make_patches(samples.positions);
    if (!samples.topology)
        samples.topology =
            std::make_shared<const Topology>(build_topology(samples.faces, samples.count()));
    samples.spacing = mean_edge_length(samples.positions, *samples.topology);
}

} // namespace

TriangleMesh polygonize(const Field& field, int count) {
    // The area from a surface that is just fine enough, then triangles of the size that follows.
    const double radius = field.smallest_radius();
    const TriangleMesh coarse = surface_with_cells(field, 0.6 * radius);
    const double area = surface_area(coarse.positions, coarse.faces);
    if (!(area > 0)) throw GeometryError("the field has no surface");
    const double edge =
        std::min(std::sqrt(area * 2 / (std::sqrt(3.0) * count)), longest_edge * radius);
    const double cell = std::min(1.5 * edge, 0.6 * radius);
    TriangleMesh mesh = surface_with_cells(field, cell);
    const auto project = [&](const Vec3& p) { return field.project(p, 2 * cell).value_or(p); };
    parallel_for(mesh.positions.size(), 256,
                 [&](std::size_t v) { mesh.positions[v] = project(mesh.positions[v]); });
    remesh(mesh.positions, mesh.faces, {.edge = edge}, project);
    return mesh;
}

TriangleMesh polygonize(std::span<const FieldPiece> pieces, int count) {
    return polygonize(Field({pieces.begin(), pieces.end()}), count);
}

Samples make_samples(const Field& field, const TriangleMesh& mesh, double reach) {
    Samples samples;
    samples.positions = mesh.positions;
    samples.faces = mesh.faces;
    samples.on_surface.assign(mesh.positions.size(), 1);
    parallel_for(samples.positions.size(), 64, [&](std::size_t v) {
        if (const auto found = field.project(samples.positions[v], reach))
            samples.positions[v] = *found;
        else
            samples.on_surface[v] = 0;
    });
    finish(field, samples);
    return samples;
}

Samples moved_samples(const Samples& samples, const Field& from, const Field& to) {
    const std::vector<Affine3> motions = piece_motions(from, to);
    Samples moved;
    moved.positions = samples.positions;
    moved.faces = samples.faces;
    moved.on_surface = samples.on_surface;
    moved.topology = samples.topology;
    parallel_for(moved.positions.size(), 64, [&](std::size_t v) {
        const Vec3 carried = carried_point(from, motions, samples.positions[v]);
        moved.positions[v] = carried;
        if (samples.on_surface[v] == 0) return;
        if (const auto found = to.project(carried, 2 * to.smallest_radius()))
            moved.positions[v] = *found;
        else
            moved.on_surface[v] = 0;
    });
    finish(to, moved);
    return moved;
}

} // namespace knead
