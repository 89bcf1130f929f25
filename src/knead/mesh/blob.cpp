#include "knead/mesh/blob.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/mesh/blob_field.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/remesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

using std::numbers::pi;
constexpr std::size_t max_segments = 10000;
constexpr double max_blob_vertices = 2e6;
constexpr double max_length = 5e4; // in edges; the finest lattice has to span it
// Cells of the lattice in edges: the first is fine enough for what is two edges thick, and most of
// what it finds survives the remeshing; the others are for narrower things.
constexpr std::array<double, 3> cell_sizes{1.5, 0.75, 0.375};
// Sine of a triangle's smallest angle, and cosine of the angle between its normal and the field's
// gradient. Meshes that follow their field stay far above both.
constexpr double least_sine = 0.3, least_agreement = 0.3;
constexpr int max_vertices_tried_again = 100000;

void check_radius(std::size_t segment, const char* name, double value) {
    if (!(value > 0) || !std::isfinite(value))
        throw InputError(fmt::format("blob: segment {}: {} is {}, expected a positive number",
                                     segment, name, value));
}

void check_point(std::size_t segment, const char* name, const Vec3& value) {
    if (!value.allFinite())
        throw InputError(
            fmt::format("blob: segment {}: {} is ({}, {}, {}), expected finite numbers", segment,
                        name, value.x(), value.y(), value.z()));
}

void check_blend(const char* name, double value) {
    if (!(value >= 0) || !std::isfinite(value))
        throw InputError(fmt::format("blob: {} is {}, expected zero or more", name, value));
}

TriangleMesh mesh_field(const BlobField& field, double edge) {
    TriangleMesh mesh =
        extract_isosurface(field.grid(), [&](const Vec3& p) { return field.at(p).value; });
    const auto project = [&](const Vec3& p) { return field.project(p); };
    parallel_for(mesh.positions.size(), 256,
                 [&](std::size_t v) { mesh.positions[v] = project(mesh.positions[v]); });
    remesh(mesh.positions, mesh.faces, {.edge = edge}, project);
    return mesh;
}

// A lattice too coarse for a narrow gap bridges it: such bridges have thin triangles, or triangles
// that lie across the surface they stand for.
bool follows_field(const TriangleMesh& mesh, const BlobField& field) {
    for (const Triangle& face : mesh.faces) {
        const Vec3 &a = mesh.positions[face[0]], &b = mesh.positions[face[1]],
                   &c = mesh.positions[face[2]];
        const Vec3 area = area_vector(a, b, c);
        const Vec3 sides((c - b).norm(), (a - c).norm(), (b - a).norm());
        // The smallest angle lies between the two longer sides.
        if (area.norm() * sides.minCoeff() < least_sine * sides.prod()) return false;
        const Vec3 gradient = field.at((a + b + c) / 3).gradient;
        if (area.dot(gradient) < least_agreement * area.norm() * gradient.norm()) return false;
    }
    return !mesh.faces.empty();
}

void add_groups(const BlobField& field, const BlobSettings& settings, TriangleMesh& mesh) {
    std::vector<int> nearest(mesh.positions.size());
    parallel_for(nearest.size(), 256,
                 [&](std::size_t v) { nearest[v] = field.nearest_segment(mesh.positions[v]); });
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        const std::string& group = settings.segments[nearest[v]].group;
        if (!group.empty()) mesh.groups[group].push_back(v);
    }
}

} // namespace

void check_blob(const BlobSettings& settings) {
    if (!(settings.edge > 0) || !std::isfinite(settings.edge))
        throw InputError(
            fmt::format("blob: edge is {}, expected a positive number", settings.edge));
    check_blend("blend", settings.blend);
    check_blend("part_blend", settings.part_blend);
    const auto& segments = settings.segments;
    if (segments.size() > max_segments)
        throw InputError(fmt::format("blob: it has {} segments, expected at most {}",
                                     segments.size(), max_segments));
    Box box;
    double area = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const BlobSegment& segment = segments[i];
        check_point(i, "from", segment.from);
        check_point(i, "to", segment.to);
        check_radius(i, "from_radius", segment.from_radius);
        check_radius(i, "to_radius", segment.to_radius);
        if (segment.carve) continue;
        const double largest = std::max(segment.from_radius, segment.to_radius);
        if (largest < 0.5 * settings.edge)
            throw InputError(fmt::format(
                "blob: segment {}: its radius is {}, expected at least half the edge, {}", i,
                shortest(largest), shortest(0.5 * settings.edge)));
        const Vec3 reach = Vec3::Constant(largest + settings.blend + settings.part_blend);
        for (const Vec3& end : {segment.from, segment.to})
            box.include(Box{end - reach, end + reach});
        area += 2 * pi * largest * (2 * largest + (segment.to - segment.from).norm());
    }
    if (box.empty()) throw InputError("blob: it has no segments, expected one that does not carve");
    const double edges = box.size().maxCoeff() / settings.edge;
    if (!(edges <= max_length))
        throw InputError(fmt::format("blob: it would be {:.3g} edges long, expected at most {:.0g}",
                                     edges, max_length));
    const double vertices = area * 2 / std::sqrt(3.0) / (settings.edge * settings.edge);
    if (!(vertices <= max_blob_vertices))
        throw InputError(fmt::format("blob: it would have {:.3g} vertices, expected at most {:.0g}",
                                     vertices, max_blob_vertices));
}

TriangleMesh make_blob(const BlobSettings& settings) {
    check_blob(settings);
    for (const double cell : cell_sizes) {
        const BlobField field(settings, cell * settings.edge);
        TriangleMesh mesh = mesh_field(field, settings.edge);
        if (cell > cell_sizes.back() && mesh.vertex_count() < max_vertices_tried_again &&
            !follows_field(mesh, field))
            continue;
        if (mesh.faces.empty()) break;
        add_groups(field, settings, mesh);
        return mesh;
    }
    throw InputError("blob: carving leaves nothing of it");
}

} // namespace knead
