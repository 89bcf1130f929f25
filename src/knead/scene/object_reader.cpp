#include "knead/scene/scene_parts.hpp"

#include <algorithm>
#include <cctype>

namespace knead {
namespace {

// `run` writes <name>.<frame>.obj.
std::string read_name(const SceneValue& value) {
    constexpr std::string_view what =
        "a name of letters, digits, '_', '-' and '.', not beginning with '.'";
    const std::string& name = value.text(what);
    const bool fit =
        name.size() <= 100 && name.front() != '.' &&
        std::all_of(name.begin(), name.end(), [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
        });
    if (!fit) value.expected(what);
    return name;
}

PaintedNumber read_painted(const SceneValue& value, const Bounds& bounds) {
    PaintedNumber result;
    const auto map = value.find("map");
    if (!map) {
        result.value = value.keyed_number(bounds);
        return result;
    }
    value.expect_keys({"map", "low", "high"});
    result.map = map->text("the name of a vertex attribute");
    const auto number = [&](const SceneValue& v) { return v.keyed_number(bounds); };
    read_member(value, "low", result.low, number);
    read_member(value, "high", result.high, number);
    return result;
}

auto painted(const Bounds& bounds) {
    return [&bounds](const SceneValue& value) { return read_painted(value, bounds); };
}

std::optional<PaintedNumber> read_extent(const SceneValue& value) {
    if (!value.is_text()) return read_painted(value, bounds::positive);
    if (*value.json().text() != "auto") value.expected("a positive number or \"auto\"");
    return std::nullopt;
}

BulgeMap read_bulge_map(const SceneValue& value) {
    using enum BulgeMap::Kind;
    const std::string& name =
        value.text("\"isotropic\", \"anisotropic\" or the name of a vertex attribute");
    if (name == "isotropic") return {isotropic, {}};
    if (name == "anisotropic") return {anisotropic, {}};
    return {attribute, name};
}

Anisotropy read_anisotropy(const SceneValue& value) {
    value.expect_keys({"omega", "psi"});
    Anisotropy result;
    read_member(value, "omega", result.omega, painted(bounds::not_negative));
    read_member(value, "psi", result.psi, painted(bounds::any));
    return result;
}

Wrinkles read_wrinkles(const SceneValue& value) {
    value.expect_keys({"amplitude", "waves"});
    Wrinkles result;
    read_member(value, "amplitude", result.amplitude, painted(bounds::any));
    read_member(value, "waves", result.waves, painted(bounds::not_negative));
    return result;
}

ProfileSpec read_profile(const SceneValue& value) {
    value.expect_keys({"bulge_at", "end_at", "wrinkles"});
    ProfileSpec result;
    read_member(value, "bulge_at", result.bulge_at, painted(bounds::zero_to_one));
    read_member(value, "end_at", result.end_at, painted(bounds::zero_to_one));
    read_member(value, "wrinkles", result.wrinkles, read_wrinkles);
    return result;
}

std::map<std::string, SceneFile> read_attributes(const SceneValue& value,
                                                 const SceneContext& context) {
    if (!value.is_object()) value.expected("an object {\"name\": \"values.csv\"}");
    std::map<std::string, SceneFile> result;
    for (const auto& [name, json] : *value.json().object())
        result.emplace(name, read_path(*value.find(name), context));
    return result;
}

} // namespace

SceneObject read_object(const SceneValue& value, const SceneContext& context) {
    value.expect_keys(
        {"name",   "mesh",        "animation", "transform", "attributes", "skin",       "proxy",
         "rigid",  "stiffness",   "extent",    "bulge",     "bulge_map",  "anisotropy", "profile",
         "region", "envelope",    "offset",    "softness",  "preset",     "body",       "skeleton",
         "field",  "propagation", "density",   "drag",      "friction"});
    const auto text = [](std::string_view what) {
        return [what](const SceneValue& v) { return v.text(what); };
    };
    SceneObject object;
    object.name = read_name(value.require("name", "the object's name"));
    object.implicit = read_implicit(value);
    if (object.implicit.skeleton.empty() || value.find("mesh"))
        object.mesh = read_mesh_sources(value.require("mesh", "a file or a shape"), context);

    read_member(value, "animation", object.animation, text("the name of an animation"));
    read_member(value, "transform", object.transform, read_transform);
    read_member(value, "attributes", object.attributes,
                [&](const SceneValue& v) { return read_attributes(v, context); });
    read_member(value, "skin", object.skin,
                [&](const SceneValue& v) { return read_skin(v, context); });
    read_member(value, "proxy", object.proxy,
                [&](const SceneValue& v) { return read_path(v, context); });

    read_member(value, "rigid", object.rigid, [](const SceneValue& v) { return v.boolean(); });
    read_member(value, "stiffness", object.stiffness, painted(bounds::not_negative));
    read_member(value, "extent", object.extent, read_extent);
    read_member(value, "bulge", object.bulge, painted(bounds::not_negative));
    read_member(value, "bulge_map", object.bulge_map, read_bulge_map);
    read_member(value, "anisotropy", object.anisotropy, read_anisotropy);
    read_member(value, "profile", object.profile, read_profile);
    read_member(value, "region", object.region, text("the name of a vertex group"));
    read_member(value, "envelope", object.envelope, painted(bounds::zero_to_one));
    read_member(value, "offset", object.offset, painted(bounds::any));
    read_member(value, "softness", object.softness, painted(bounds::zero_to_one));
    read_member(value, "preset", object.preset, text("the name of a preset"));
    read_member(value, "body", object.body,
                [&](const SceneValue& v) { return read_body(v, context); });
    return object;
}

Transform read_transform(const SceneValue& value) {
    value.expect_keys({"translate", "rotate", "scale"});
    Transform result;
    const auto vector = [](const SceneValue& v) { return v.keyed_vec3(); };
    read_member(value, "translate", result.translate, vector);
    read_member(value, "rotate", result.rotate, vector);
    read_member(value, "scale", result.scale, [](const SceneValue& v) { return v.keyed_scale(); });
    return result;
}

} // namespace knead
