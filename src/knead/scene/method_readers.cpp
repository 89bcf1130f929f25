// The object keys of the methods that depend on time: `body` of dynamics, and those of implicit
// solids.

#include "knead/scene/scene_parts.hpp"

#include <fmt/format.h>

#include <limits>

namespace knead {
namespace {

const Bounds below_half{-1, 0.5, false, false, "a number between -1 and 0.5"};

auto number(const Bounds& bounds) {
    return [&bounds](const SceneValue& value) { return value.keyed_number(bounds); };
}

void read_pins(const SceneValue& value, const ObjectContext& context, BodySpec& body) {
    if (value.is_text()) {
        body.pin_group =
            context.name(value, NameReference::Kind::group, "the name of a vertex group");
        return;
    }
    if (!value.is_list()) value.expected("the name of a vertex group or a list of vertices");
    std::size_t largest = 0;
    for (const SceneValue& vertex : value.items("a list of vertices")) {
        body.pin_vertices.push_back(vertex.integer(0, std::numeric_limits<int>::max()));
        if (body.pin_vertices.back() > body.pin_vertices[largest])
            largest = body.pin_vertices.size() - 1;
    }
    if (!body.pin_vertices.empty())
        context.references.push_back({NameReference::Kind::vertex,
                                      fmt::format("{}", body.pin_vertices[largest]),
                                      value.item(largest).where()});
}

SkeletonPiece read_piece(const SceneValue& value) {
    using enum SkeletonPiece::Kind;
    value.expect_keys({"point", "segment", "polyline", "triangle"});
    if (value.json().object()->size() != 1)
        value.expected("one of the keys point, segment, polyline and triangle");
    SkeletonPiece piece;
    if (const auto single = value.find("point")) {
        piece.points.push_back(single->keyed_vec3());
        return piece;
    }
    const auto read_points = [&](std::string_view key, SkeletonPiece::Kind kind, std::size_t fewest,
                                 std::size_t most, std::string_view what) {
        const auto points = value.find(key);
        if (!points) return;
        const std::vector<SceneValue> items = points->items(what);
        if (items.size() < fewest || items.size() > most) points->expected(what);
        piece.kind = kind;
        for (const SceneValue& item : items) piece.points.push_back(item.keyed_vec3());
    };
    read_points("segment", segment, 2, 2, "a list of two points");
    read_points("polyline", polyline, 2, std::numeric_limits<std::size_t>::max(),
                "a list of two points or more");
    read_points("triangle", triangle, 3, 3, "a list of three points");
    return piece;
}

FieldSpec read_field(const SceneValue& value) {
    value.expect_keys({"radius", "influence", "stiffness", "law", "kind"});
    FieldSpec field;
    read_member(value, "radius", field.radius, number(bounds::positive));
    read_member(value, "influence", field.influence, number(bounds::positive));
    read_member(value, "stiffness", field.stiffness, number(bounds::positive));
    read_member(value, "law", field.law, [](const SceneValue& v) {
        return v.choice<FieldSpec::Law>(
            {{"linear", FieldSpec::Law::linear}, {"nonlinear", FieldSpec::Law::nonlinear}});
    });
    read_member(value, "kind", field.kind, [](const SceneValue& v) {
        return v.choice<FieldSpec::Kind>({{"distance", FieldSpec::Kind::distance},
                                          {"convolution", FieldSpec::Kind::convolution}});
    });
    return field;
}

PropagationSpec read_propagation(const SceneValue& value) {
    value.expect_keys({"width", "attenuation"});
    PropagationSpec propagation;
    read_member(value, "width", propagation.width, number(bounds::not_negative));
    read_member(value, "attenuation", propagation.attenuation, number(bounds::not_negative));
    return propagation;
}

} // namespace

BodySpec read_body(const SceneValue& value, const ObjectContext& context) {
    value.expect_keys({"type", "density", "young", "poisson", "damping", "friction", "thickness",
                       "cells", "pins", "velocity", "angular_velocity", "targets"});
    BodySpec body;
    body.where = value.where();
    using enum BodySpec::Type;
    body.type =
        value.require("type", "\"volume\", \"cloth\", \"rigid\" or \"kinematic\"")
            .choice<BodySpec::Type>(
                {{"volume", volume}, {"cloth", cloth}, {"rigid", rigid}, {"kinematic", kinematic}});
    read_member(value, "density", body.density, number(bounds::positive));
    read_member(value, "young", body.young, number(bounds::positive));
    read_member(value, "poisson", body.poisson, number(below_half));
    read_member(value, "damping", body.damping, number(bounds::not_negative));
    read_member(value, "friction", body.friction, number(bounds::not_negative));
    read_member(value, "thickness", body.thickness, number(bounds::positive));
    read_member(value, "cells", body.cells, [](const SceneValue& v) { return v.integer(1, 1000); });
    const bool soft = body.type == volume || body.type == cloth;
    if (const auto pins = value.find("pins")) {
        if (!soft)
            pins->fail("found pins of a body that is not soft, expected \"volume\" or \"cloth\"");
        read_pins(*pins, context, body);
        body.pins_where = pins->where();
    }
    const auto world_vector = [&](const SceneValue& v) { return read_world_vector(v, context.up); };
    read_member(value, "velocity", body.velocity, world_vector);
    read_member(value, "angular_velocity", body.angular_velocity, world_vector);
    if (const auto targets = value.find("targets")) {
        if (!soft)
            targets->fail(
                "found targets of a body that is not soft, expected \"volume\" or \"cloth\"");
        body.targets = targets->keyed_number(bounds::not_negative);
    }
    return body;
}

ImplicitSpec read_implicit(const SceneValue& object) {
    ImplicitSpec implicit;
    if (const auto skeleton = object.find("skeleton")) {
        for (const SceneValue& piece :
             skeleton->items("a list of points, segments, polylines and triangles"))
            implicit.skeleton.push_back(read_piece(piece));
        if (implicit.skeleton.empty())
            skeleton->expected("a list of points, segments, polylines and triangles");
    }
    read_member(object, "field", implicit.field, read_field);
    read_member(object, "propagation", implicit.propagation, read_propagation);
    read_member(object, "density", implicit.density, number(bounds::positive));
    read_member(object, "drag", implicit.drag, number(bounds::not_negative));
    read_member(object, "friction", implicit.friction, number(bounds::not_negative));
    return implicit;
}

} // namespace knead
