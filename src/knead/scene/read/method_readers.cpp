// The object keys of the methods that depend on time: `body` of dynamics, and those of implicit
// solids.

#include "knead/dynamics/body_settings.hpp"
#include "knead/implicit/solid_settings.hpp"
#include "knead/scene/read/part_readers.hpp"

#include <fmt/format.h>

#include <limits>

namespace knead {
namespace {

auto number(const Setting& setting) {
    return [&setting](const SceneValue& value) { return value.keyed_number(setting.bounds); };
}

auto count(const Setting& setting) {
    return [&setting](const SceneValue& value) {
        return value.integer(static_cast<int>(setting.bounds.low),
                             static_cast<int>(setting.bounds.high));
    };
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

FieldSpec read_field(const SceneValue& value) {
    value.expect_keys({"radius", "influence", "stiffness", "law", "kind"});
    FieldSpec field;
    read_member(value, "radius", field.radius, number(settings::field_radius));
    read_member(value, "influence", field.influence, number(settings::field_influence));
    read_member(value, "stiffness", field.stiffness, number(settings::field_stiffness));
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

constexpr std::string_view piece_keys = "point, segment, polyline, curve, triangle and triangles";

void read_points(const SceneValue& value, SkeletonPiece& piece) {
    using enum SkeletonPiece::Kind;
    const std::size_t any = std::numeric_limits<std::size_t>::max();
    const auto read = [&](std::string_view key, SkeletonPiece::Kind kind, std::size_t fewest,
                          std::size_t most, std::string_view what) {
        const auto points = value.find(key);
        if (!points) return;
        const std::vector<SceneValue> items = points->items(what);
        if (items.size() < fewest || items.size() > most) points->expected(what);
        piece.kind = kind;
        for (const SceneValue& item : items) piece.points.push_back(item.keyed_vec3());
    };
    if (const auto single = value.find("point")) piece.points.push_back(single->keyed_vec3());
    read("segment", segment, 2, 2, "a list of two points");
    read("polyline", polyline, 2, any, "a list of two points or more");
    read("curve", curve, 2, any, "a list of two points or more");
    read("triangle", triangle, 3, 3, "a list of three points");
    if (const auto faces = value.find("triangles")) {
        constexpr std::string_view what = "a list of triangles of three points each";
        piece.kind = triangles;
        const std::vector<SceneValue> items = faces->items(what);
        if (items.empty()) faces->expected(what);
        for (const SceneValue& face : items) {
            const std::vector<SceneValue> corners = face.items("a list of three points");
            if (corners.size() != 3) face.expected("a list of three points");
            for (const SceneValue& corner : corners) piece.points.push_back(corner.keyed_vec3());
        }
    }
}

SkeletonPiece read_piece(const SceneValue& value, const ObjectContext& context) {
    value.expect_keys({"point", "segment", "polyline", "curve", "triangle", "triangles", "samples",
                       "field", "joint", "joints"});
    int shapes = 0;
    for (const char* key : {"point", "segment", "polyline", "curve", "triangle", "triangles"})
        shapes += value.find(key) ? 1 : 0;
    if (shapes != 1) value.expected(fmt::format("one of the keys {}", piece_keys));
    SkeletonPiece piece;
    piece.where = value.where();
    read_points(value, piece);
    if (const auto samples = value.find("samples")) {
        if (piece.kind != SkeletonPiece::Kind::curve)
            samples->fail("only a curve is sampled, expected the key curve beside it");
        piece.samples = samples->integer(1, 1000);
    }
    read_member(value, "field", piece.field, read_field);
    const auto add_joint = [&](const SceneValue& joint) {
        piece.joints.push_back(
            context.name(joint, NameReference::Kind::joint, "the name of a joint"));
        context.references.back().without_joints =
            "the object has no skin; expected the key skin beside its skeleton";
    };
    if (const auto joint = value.find("joint")) add_joint(*joint);
    if (const auto joints = value.find("joints")) {
        if (!piece.joints.empty()) joints->fail("found joint as well, expected one of both");
        for (const SceneValue& joint : joints->items("a list of joints")) add_joint(joint);
        if (piece.joints.size() != piece.points.size())
            joints->fail(fmt::format("found {} joints, expected one a point, {}",
                                     piece.joints.size(), piece.points.size()));
    }
    return piece;
}

PropagationSpec read_propagation(const SceneValue& value) {
    value.expect_keys({"width", "attenuation", "compressibility"});
    PropagationSpec propagation;
    read_member(value, "width", propagation.width, number(settings::propagation_width));
    read_member(value, "attenuation", propagation.attenuation, number(settings::attenuation));
    read_member(value, "compressibility", propagation.compressibility,
                number(settings::compressibility));
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
    read_member(value, "density", body.density, number(settings::body_density));
    read_member(value, "young", body.young, number(settings::young));
    read_member(value, "poisson", body.poisson, number(settings::poisson));
    read_member(value, "damping", body.damping, number(settings::damping));
    read_member(value, "friction", body.friction, number(settings::body_friction));
    read_member(value, "thickness", body.thickness, number(settings::thickness));
    read_member(value, "cells", body.cells, count(settings::cells));
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
        body.targets = targets->keyed_number(settings::targets.bounds);
    }
    return body;
}

ImplicitSpec read_implicit(const SceneValue& object, const ObjectContext& context) {
    ImplicitSpec implicit;
    if (const auto skeleton = object.find("skeleton")) {
        constexpr std::string_view what = "a list of points, segments, polylines and triangles";
        for (const SceneValue& piece : skeleton->items(what))
            implicit.skeleton.push_back(read_piece(piece, context));
        if (implicit.skeleton.empty()) skeleton->expected(what);
        implicit.where = skeleton->where();
    }
    read_member(object, "field", implicit.field, read_field);
    read_member(object, "propagation", implicit.propagation, read_propagation);
    read_member(object, "density", implicit.density, number(settings::solid_density));
    read_member(object, "drag", implicit.drag, number(settings::drag));
    read_member(object, "friction", implicit.friction, number(settings::solid_friction));
    read_member(object, "samples", implicit.samples, count(settings::samples));
    for (const char* key : {"skeleton", "field", "samples"})
        if (const auto member = object.find(key)) implicit.text += json_text(member->json()) + "\n";
    return implicit;
}

} // namespace knead
