#include "knead/base/text.hpp"
#include "knead/scene/read/part_readers.hpp"
#include "knead/scene/read/preset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

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

PaintedNumber read_painted(const SceneValue& value, const Bounds& bounds,
                           const ObjectContext& context) {
    PaintedNumber result;
    const auto map = value.find("map");
    if (!map) {
        result.value = value.keyed_number(bounds);
        return result;
    }
    value.expect_keys({"map", "low", "high"});
    result.map =
        context.name(*map, NameReference::Kind::attribute, "the name of a vertex attribute");
    const auto number = [&](const SceneValue& v) { return v.keyed_number(bounds); };
    read_member(value, "low", result.low, number);
    read_member(value, "high", result.high, number);
    context.references.back().paints = {result, bounds};
    return result;
}

auto painted(const Setting& setting, const ObjectContext& context) {
    return [&](const SceneValue& value) { return read_painted(value, setting.bounds, context); };
}

std::optional<PaintedNumber> read_extent(const SceneValue& value, const ObjectContext& context) {
    if (!value.is_text()) return read_painted(value, settings::extent.bounds, context);
    if (*value.json().text() != "auto") value.expected("a positive number or \"auto\"");
    return std::nullopt;
}

BulgeMap read_bulge_map(const SceneValue& value, const ObjectContext& context) {
    using enum BulgeMap::Kind;
    constexpr std::string_view what =
        "\"isotropic\", \"anisotropic\" or the name of a vertex attribute";
    if (value.text(what) == "isotropic") return {isotropic, {}};
    if (value.text(what) == "anisotropic") return {anisotropic, {}};
    return {attribute, context.name(value, NameReference::Kind::attribute, what)};
}

Anisotropy read_anisotropy(const SceneValue& value, const ObjectContext& context) {
    value.expect_keys({"omega", "psi"});
    Anisotropy result;
    read_member(value, "omega", result.omega, painted(settings::omega, context));
    read_member(value, "psi", result.psi, painted(settings::psi, context));
    return result;
}

Wrinkles read_wrinkles(const SceneValue& value, const ObjectContext& context) {
    value.expect_keys({"amplitude", "waves"});
    Wrinkles result;
    read_member(value, "amplitude", result.amplitude,
                painted(settings::wrinkle_amplitude, context));
    read_member(value, "waves", result.waves, painted(settings::wrinkle_waves, context));
    return result;
}

// Adds the frames at which a value may be furthest out: its keys, and where a step is about to end.
void add_telling_frames(const Keyed<double>& value, std::vector<double>& frames) {
    for (const double frame : value.frames) {
        if (value.interpolation == Interpolation::step)
            frames.push_back(std::nextafter(frame, -std::numeric_limits<double>::infinity()));
        frames.push_back(frame);
    }
}

// The bulge comes before the level end. What is painted is known only with the mesh, and checked by
// the deformer.
void check_bulge_before_end(const SceneValue& value, const ProfileSpec& profile) {
    const PaintedNumber &bulge_at = profile.bulge_at, &end_at = profile.end_at;
    if (bulge_at.is_painted() || end_at.is_painted()) return;
    const bool constant = bulge_at.value.is_constant() && end_at.value.is_constant();
    std::vector<double> frames;
    add_telling_frames(bulge_at.value, frames);
    add_telling_frames(end_at.value, frames);
    if (frames.empty()) frames.push_back(0);
    for (const double frame : frames) {
        const double bulge = bulge_at.at(frame), end = end_at.at(frame);
        if (bulge <= end) continue;
        const std::string when = constant ? "" : fmt::format(" at frame {}", shortest(frame));
        if (const auto given = value.find("bulge_at"))
            given->fail(fmt::format("found {}{}, expected at most end_at, {}", shortest(bulge),
                                    when, shortest(end)));
        value.find("end_at")->fail(fmt::format("found {}{}, expected at least bulge_at, {}",
                                               shortest(end), when, shortest(bulge)));
    }
}

ProfileSpec read_profile(const SceneValue& value, const ProfileSpec& otherwise,
                         const ObjectContext& context) {
    value.expect_keys({"bulge_at", "end_at", "wrinkles"});
    ProfileSpec result = otherwise;
    read_member(value, "bulge_at", result.bulge_at, painted(settings::bulge_at, context));
    read_member(value, "end_at", result.end_at, painted(settings::end_at, context));
    check_bulge_before_end(value, result);
    read_member(value, "wrinkles", result.wrinkles,
                [&](const SceneValue& v) { return read_wrinkles(v, context); });
    return result;
}

std::vector<MeshSource> read_proxy(const SceneValue& value, const ObjectContext& context) {
    std::vector<MeshSource> sources = read_mesh_sources(value, context);
    for (const MeshSource& source : sources)
        if (source.file() != nullptr && source.file()->is_sequence())
            value.fail("a sequence of files cannot be a proxy");
    return sources;
}

std::map<std::string, AttributeSource> read_attributes(const SceneValue& value,
                                                       const ObjectContext& context) {
    if (!value.is_object()) value.expected("an object {\"name\": \"values.csv\"}");
    std::map<std::string, AttributeSource> result;
    for (const auto& [name, json] : *value.json().object()) {
        const SceneValue source = *value.find(name);
        if (source.is_object())
            result.emplace(name, read_painting(source, context));
        else if (source.is_text())
            result.emplace(name, read_path(source, context));
        else
            source.expected("a CSV file or an object with strokes");
    }
    return result;
}

} // namespace

std::string ObjectContext::name(const SceneValue& value, NameReference::Kind kind,
                                std::string_view what) const {
    references.push_back({kind, value.text(what), value.where()});
    return references.back().name;
}

SceneObject read_object(const SceneValue& value, const ScenePaths& paths, UpAxis up) {
    value.expect_keys(
        {"name",      "color",       "mesh",     "animation", "transform",      "attributes",
         "skin",      "proxy",       "rigid",    "stiffness", "extent",         "bulge",
         "bulge_map", "anisotropy",  "profile",  "region",    "smooth_normals", "details",
         "envelope",  "offset",      "softness", "preset",    "body",           "skeleton",
         "field",     "propagation", "density",  "drag",      "friction",       "samples",
         "copies",    "side"});
    SceneObject object;
    std::vector<NameReference> references;
    const ObjectContext context{paths, up, references};
    // Readers that are told what else the scene says.
    const auto with_context = [&](auto* read) {
        return [&context, read](const SceneValue& v) { return read(v, context); };
    };
    const auto name_of = [&](NameReference::Kind kind, std::string_view what) {
        return [&context, kind, what](const SceneValue& v) { return context.name(v, kind, what); };
    };

    object.name = read_name(value.require("name", "the object's name"));
    object.implicit = read_implicit(value, context);
    if (object.implicit.skeleton.empty() || value.find("mesh"))
        object.mesh = read_mesh_sources(value.require("mesh", "a file or a shape"), context);
    read_member(value, "animation", object.animation,
                name_of(NameReference::Kind::animation, "the name of an animation"));
    read_member(value, "transform", object.transform, read_transform);
    read_member(value, "color", object.color,
                [](const SceneValue& v) { return v.vec3(bounds::zero_to_one); });
    read_member(value, "attributes", object.attributes, with_context(read_attributes));
    read_member(value, "skin", object.skin, with_context(read_skin));
    read_member(value, "proxy", object.proxy, with_context(read_proxy));

    if (const auto preset = value.find("preset")) read_preset(*preset, object);
    const auto number = [&](const Setting& setting) { return painted(setting, context); };
    read_member(value, "rigid", object.rigid, [](const SceneValue& v) { return v.boolean(); });
    read_member(value, "side", object.side, [&](const SceneValue& v) {
        object.side_where = v.where();
        return v.choice<SheetSide>({{"front", SheetSide::front}, {"back", SheetSide::back}});
    });
    read_member(value, "stiffness", object.stiffness, number(settings::stiffness));
    read_member(value, "extent", object.extent, with_context(read_extent));
    read_member(value, "bulge", object.bulge, number(settings::bulge));
    read_member(value, "bulge_map", object.bulge_map, with_context(read_bulge_map));
    read_member(value, "anisotropy", object.anisotropy, with_context(read_anisotropy));
    read_member(value, "profile", object.profile,
                [&](const SceneValue& v) { return read_profile(v, object.profile, context); });
    read_member(value, "region", object.region,
                name_of(NameReference::Kind::group, "the name of a vertex group"));
    read_member(value, "smooth_normals", object.smooth_normals, number(settings::smooth_normals));
    read_member(value, "details", object.details, number(settings::details));
    read_member(value, "envelope", object.envelope, number(settings::envelope));
    read_member(value, "offset", object.offset, number(settings::offset));
    read_member(value, "softness", object.softness, number(settings::softness));
    read_member(value, "body", object.body, with_context(read_body));
    const auto words = [&](std::string_view key) {
        const std::optional<SceneValue> member = value.find(key);
        return member ? json_text(member->json()) : std::string();
    };
    object.mesh_text = object.mesh.empty() ? object.implicit.text : words("mesh");
    object.skin_text = words("skin");
    object.proxy_text = words("proxy");
    object.references = std::move(references);
    return object;
}

Transform read_transform(const SceneValue& value) {
    value.expect_keys({"translate", "rotate", "scale"});
    Transform result;
    const auto vector = [](const SceneValue& v) { return v.keyed_vec3(); };
    read_member(value, "translate", result.translate, vector);
    read_member(value, "rotate", result.rotate, vector);
    read_member(value, "scale", result.scale,
                [](const SceneValue& v) { return v.keyed_scale(bounds::positive); });
    return result;
}

} // namespace knead
