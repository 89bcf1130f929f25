#include "knead/base/error.hpp"
#include "knead/scene/read/part_readers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knead {
namespace {

constexpr int max_cells = 100'000;

double positive(const SceneValue& value) {
    return value.number(bounds::positive);
}
double not_negative(const SceneValue& value) {
    return value.number(bounds::not_negative);
}
std::string name(const SceneValue& value) {
    return value.text("a name");
}

template <std::size_t count>
std::array<int, count> read_cells(const SceneValue& value) {
    const std::string what = fmt::format("a list of {} whole numbers", count);
    const std::vector<SceneValue> items = value.items(what);
    if (items.size() != count) value.expected(what);
    std::array<int, count> cells;
    for (std::size_t i = 0; i < count; ++i) cells[i] = items[i].integer(1, max_cells);
    return cells;
}

SphereShape read_sphere(const SceneValue& value) {
    value.expect_keys({"radius", "subdivisions"});
    SphereShape shape;
    read_member(value, "radius", shape.radius, positive);
    read_member(value, "subdivisions", shape.subdivisions,
                [](const SceneValue& v) { return v.integer(0, 9); });
    return shape;
}

CapsuleShape read_capsule(const SceneValue& value) {
    value.expect_keys({"radius", "length", "resolution"});
    CapsuleShape shape;
    read_member(value, "radius", shape.radius, positive);
    read_member(value, "length", shape.length, not_negative);
    read_member(value, "resolution", shape.resolution,
                [](const SceneValue& v) { return v.integer(3, max_cells); });
    return shape;
}

GridShape read_grid(const SceneValue& value) {
    value.expect_keys({"size", "cells"});
    GridShape shape;
    read_member(value, "size", shape.size,
                [](const SceneValue& v) { return v.vec2(bounds::positive); });
    read_member(value, "cells", shape.cells, read_cells<2>);
    return shape;
}

BoxShape read_box(const SceneValue& value) {
    value.expect_keys({"size", "cells"});
    BoxShape shape;
    read_member(value, "size", shape.size,
                [](const SceneValue& v) { return v.vec3(bounds::positive); });
    read_member(value, "cells", shape.cells, read_cells<3>);
    return shape;
}

TorusShape read_torus(const SceneValue& value) {
    value.expect_keys({"radii", "resolution"});
    TorusShape shape;
    if (const auto radii = value.find("radii")) {
        const Vec2 both = radii->vec2(bounds::positive);
        if (!(both[1] < both[0]))
            radii->fail(fmt::format("found a ring of radius {} and a tube of radius {}, expected "
                                    "[ring, tube] with a smaller tube",
                                    both[0], both[1]));
        shape.ring_radius = both[0];
        shape.tube_radius = both[1];
    }
    read_member(value, "resolution", shape.resolution,
                [](const SceneValue& v) { return v.integer(3, max_cells); });
    return shape;
}

LatheShape read_lathe(const SceneValue& value) {
    value.expect_keys({"profile", "resolution", "rows"});
    LatheShape shape;
    const SceneValue profile = value.require("profile", "a list of [radius, height]");
    for (const SceneValue& point : profile.items("a list of [radius, height]")) {
        const Vec2 both = point.vec2();
        point.item(0).number(bounds::not_negative);
        shape.profile.push_back(both);
    }
    if (shape.profile.size() < 2) profile.expected("two points [radius, height] or more");
    read_member(value, "resolution", shape.resolution,
                [](const SceneValue& v) { return v.integer(3, max_cells); });
    read_member(value, "rows", shape.rows,
                [](const SceneValue& v) { return v.integer(1, max_cells); });
    return shape;
}

BlobSegment read_segment(const SceneValue& value) {
    value.expect_keys({"from", "to", "radii", "group", "part", "carve"});
    BlobSegment segment;
    segment.from = value.require("from", "[x, y, z]").vec3();
    segment.to = segment.from;
    read_member(value, "to", segment.to, [](const SceneValue& v) { return v.vec3(); });
    const SceneValue radii = value.require("radii", "one or two radii");
    if (radii.is_list()) {
        const Vec2 both = radii.vec2(bounds::not_negative);
        segment.from_radius = both[0];
        segment.to_radius = both[1];
    } else {
        segment.from_radius = segment.to_radius = positive(radii);
    }
    read_member(value, "group", segment.group, name);
    read_member(value, "part", segment.part, name);
    read_member(value, "carve", segment.carve, [](const SceneValue& v) { return v.boolean(); });
    return segment;
}

BlobSettings read_blob(const SceneValue& value) {
    value.expect_keys({"segments", "blend", "part_blend", "edge"});
    BlobSettings blob;
    const SceneValue segments = value.require("segments", "a list of segments");
    for (const SceneValue& segment : segments.items("a list of segments"))
        blob.segments.push_back(read_segment(segment));
    if (blob.segments.empty()) segments.expected("a list of segments");
    read_member(value, "blend", blob.blend, not_negative);
    read_member(value, "part_blend", blob.part_blend, not_negative);
    read_member(value, "edge", blob.edge, positive);
    return blob;
}

BumpsSpec read_bumps(const SceneValue& value) {
    value.expect_keys({"amplitude", "wavelength"});
    BumpsSpec bumps;
    bumps.amplitude = value.require("amplitude", "a number").number();
    bumps.wavelength = positive(value.require("wavelength", "a positive number"));
    return bumps;
}

// A transform that does not move.
Affine3 read_at(const SceneValue& value) {
    const Transform transform = read_transform(value);
    if (!transform.is_constant()) value.expected("a transform without key frames");
    return transform.at(0);
}

MeshSource read_source(const SceneValue& value, const ObjectContext& context) {
    MeshSource source;
    source.where = value.where();
    if (value.is_text()) {
        source.shape = read_path(value, context);
        return source;
    }
    if (!value.is_object()) value.expected("a file, a shape or a list of these");
    value.expect_keys({"file", "sphere", "capsule", "grid", "box", "torus", "lathe", "blob", "at",
                       "group", "bumps"});
    int shapes = 0;
    const auto read_shape = [&](std::string_view key, const auto& read) {
        const auto shape = value.find(key);
        if (!shape) return;
        source.shape = read(*shape);
        ++shapes;
    };
    read_shape("file", [&](const SceneValue& v) { return read_path(v, context); });
    read_shape("sphere", read_sphere);
    read_shape("capsule", read_capsule);
    read_shape("grid", read_grid);
    read_shape("box", read_box);
    read_shape("torus", read_torus);
    read_shape("lathe", read_lathe);
    read_shape("blob", read_blob);
    if (shapes != 1)
        value.fail(fmt::format("found {} shapes, expected one of file, sphere, capsule, grid, box, "
                               "torus, lathe, blob",
                               shapes));
    read_member(value, "at", source.at, read_at);
    read_member(value, "group", source.group, name);
    read_member(value, "bumps", source.bumps, read_bumps);
    if (source.file() != nullptr && source.file()->is_sequence() && source.bumps)
        value.find("bumps")->fail("a sequence of files cannot have bumps");
    return source;
}

} // namespace

std::vector<MeshSource> read_mesh_sources(const SceneValue& value, const ObjectContext& context) {
    if (!value.is_list()) return {read_source(value, context)};
    std::vector<MeshSource> sources;
    for (const SceneValue& item : value.items("a list of files and shapes")) {
        sources.push_back(read_source(item, context));
        if (const SceneFile* file = sources.back().file(); file != nullptr && file->is_sequence())
            item.fail("a sequence of files cannot be part of a list");
    }
    if (sources.empty()) value.expected("a file, a shape or a list of these");
    return sources;
}

} // namespace knead
