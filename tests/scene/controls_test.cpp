#include "knead/deform/deform.hpp"
#include "knead/deform/object/named_settings.hpp"
#include "knead/dynamics/simulation.hpp"
#include "knead/implicit/solid.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/scene/spec/controls.hpp"

#include <cmath>
#include <map>
#include <set>

#include "scene/scene_text.hpp"

namespace knead {
namespace {

// The control's path with a value, as JSON: {"profile": {"bulge_at": 0.4}}.
std::string member(std::string_view path, const std::string& value) {
    const std::size_t dot = path.find('.');
    if (dot == std::string_view::npos) return fmt::format("\"{}\": {}", path, value);
    return fmt::format("\"{}\": {{{}}}", path.substr(0, dot), member(path.substr(dot + 1), value));
}

// What the reader says to a scene in which the control has that value; empty: fine.
std::string said_to(const Control& control, const std::string& value) {
    // A ball radius is only for a ball test, a bulge only before its end, and a fold needs an arm.
    const std::string more = control.path == "ball_radius" ? "\"zone\": \"ball\"," : "";
    if (control.path == "zone" && value == "\"ball\"") return "";
    const bool fold = control.path.starts_with("fold.");
    // A body says of what kind it is.
    const std::string key =
        control.path.starts_with("body.") && control.path != "body.type"
            ? fmt::format("\"body\": {{\"type\": \"volume\", {}}}",
                          member(control.path.substr(std::string_view("body.").size()), value))
            : member(control.path, value);
    const std::string of_object = control.of == ControlOf::object ? fmt::format(",{}", key) : "";
    const std::string of_scene = control.of == ControlOf::scene ? fmt::format("{},", key) : "";
    std::string contact = fmt::format("\"between\": [\"a\", \"b\"], {} {}", more, key);
    if (fold)
        contact = fmt::format("\"between\": [\"b:x\", \"b:y\"], \"direction\": [1, 0, 0], {}", key);
    const std::string contacts =
        control.of == ControlOf::contact ? fmt::format("\"contacts\": [{{{}}}],", contact) : "";
    const std::string text = fmt::format(
        "{{\"knead\": 1, {} {} \"objects\": [{{\"name\": \"a\", \"mesh\": {{\"sphere\": {{}}}}, "
        "\"rigid\": true}}, {{\"name\": \"b\", \"mesh\": {{\"sphere\": {{}}}} {}}}]}}",
        of_scene, contacts, of_object);
    try {
        parse_scene(text, "x.json");
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(Controls, HaveTheBoundsOfTheReader) {
    for (const Control& control : controls()) {
        if (!control.bounds) continue;
        const Bounds& bounds = *control.bounds;
        // A bulge must come before its end, wherever that is.
        if (control.path.starts_with("profile.") && control.path.ends_with("_at")) {
            for (const char* outside : {"0", "1", "-0.1", "1.1"})
                EXPECT_NE(said_to(control, outside), "") << control.path;
            continue;
        }
        const double little = control.whole ? 1 : 0.001;
        EXPECT_TRUE(!control.whole ||
                    !said_to(control, fmt::format("{}", control.low + 0.5)).empty());
        for (const double value : {bounds.low, bounds.high, bounds.low - 1, bounds.high + 1,
                                   bounds.low + little, bounds.high - little}) {
            if (!std::isfinite(value)) continue;
            const std::string said = said_to(control, fmt::format("{}", value));
            EXPECT_EQ(said.empty(), bounds.contain(value)) << control.path << " " << value << said;
            EXPECT_TRUE(said.empty() || said.find(bounds.words) != std::string::npos) << said;
        }
    }
}

// What the library says to a number; empty: fine.
std::string said_by_library(std::string_view path, double value) {
    const TriangleMesh ball = make_sphere(1, 0);
    std::array<DeformSettings, 2> settings;
    find_named_setting(path)->of(settings[1]) = value;
    try {
        deform(ball, ball, {}, settings);
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

// A host may say what a scene may say, and gets the same answer to what it may not.
TEST(Controls, HaveTheBoundsAndDefaultsOfTheLibrary) {
    int compared = 0;
    for (const Control& control : controls()) {
        const NamedSetting* const named = find_named_setting(control.path);
        if (named == nullptr) continue;
        ++compared;
        DeformSettings fresh;
        EXPECT_TRUE(control.path == "extent" || std::stod(control.otherwise) == named->of(fresh)[0])
            << control.path;
        for (const double value : {-1e99, -1.0, -1e-9, 0.0, 1e-9, 0.3, 1.0, 1 + 1e-9, 2.0}) {
            const std::string by_reader = said_to(control, fmt::format("{}", value));
            const std::string by_library = said_by_library(control.path, value);
            EXPECT_EQ(by_library.empty(), by_reader.empty())
                << control.path << " " << value << ": " << by_library << "; " << by_reader;
        }
        for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL})
            EXPECT_NE(said_by_library(control.path, value), "") << control.path;
    }
    EXPECT_EQ(compared, 14);
}

TEST(Controls, OfferWhatIsAllowed) {
    std::set<std::string_view> groups;
    for (const Control& control : controls()) {
        groups.insert(control.group);
        EXPECT_FALSE(control.hint.empty()) << control.path;
        EXPECT_TRUE(control.otherwise == "null" || said_to(control, control.otherwise).empty())
            << control.path;
        for (const std::string_view word : control.choices)
            EXPECT_EQ(said_to(control, fmt::format("\"{}\"", word)), "") << control.path;
        EXPECT_TRUE(control.kind != ControlKind::choice ||
                    !said_to(control, "\"nonsense\"").empty())
            << control.path;
        if (!control.bounds) continue;
        EXPECT_TRUE(control.bounds->contain(control.low)) << control.path;
        EXPECT_TRUE(control.bounds->contain(control.high)) << control.path;
        EXPECT_GT(control.step, 0);
        EXPECT_LT(control.low, control.high);
    }
    EXPECT_EQ(groups, (std::set<std::string_view>{"deform", "bulge", "profile", "surface",
                                                  "implicit", "contact", "dynamics"}));
}

TEST(Controls, SayWhatMayHaveKeysAndWhatMayBePainted) {
    for (const Control& control : controls()) {
        if (control.kind != ControlKind::number || control.path.ends_with("_at")) continue;
        const std::string keys =
            fmt::format("{{\"keys\": [[1, {}], [2, {}]]}}", control.low, control.high);
        EXPECT_EQ(said_to(control, keys).empty(), control.keyable) << control.path;
        const std::string map = fmt::format("{{\"map\": \"firm\", \"low\": {}, \"high\": {}}}",
                                            control.low, control.high);
        EXPECT_EQ(said_to(control, map).empty(), control.paintable) << control.path;
    }
}

TEST(Controls, KnowTheDefaultsOfTheScene) {
    const SceneObject object = ball("");
    const auto otherwise = [](std::string_view path) {
        for (const Control& control : controls())
            if (control.path == path) return std::stod(control.otherwise);
        return std::nan("");
    };
    EXPECT_EQ(otherwise("stiffness"), object.stiffness.at(1));
    EXPECT_EQ(otherwise("softness"), object.softness.at(1));
    EXPECT_EQ(otherwise("envelope"), object.envelope.at(1));
    EXPECT_EQ(otherwise("offset"), object.offset.at(1));
    EXPECT_EQ(otherwise("bulge"), object.bulge.at(1));
    EXPECT_EQ(otherwise("anisotropy.omega"), object.anisotropy.omega.at(1));
    EXPECT_EQ(otherwise("anisotropy.psi"), object.anisotropy.psi.at(1));
    EXPECT_EQ(otherwise("profile.bulge_at"), object.profile.bulge_at.at(1));
    EXPECT_EQ(otherwise("profile.end_at"), object.profile.end_at.at(1));
    EXPECT_EQ(otherwise("profile.wrinkles.amplitude"), object.profile.wrinkles.amplitude.at(1));
    EXPECT_EQ(otherwise("profile.wrinkles.waves"), object.profile.wrinkles.waves.at(1));
    EXPECT_EQ(otherwise("smooth_normals"), object.smooth_normals.at(1));
    EXPECT_EQ(otherwise("details"), object.details.at(1));
    const SolidDefinition solid;
    EXPECT_EQ(otherwise("density"), solid.density);
    EXPECT_EQ(otherwise("drag"), solid.drag);
    EXPECT_EQ(otherwise("friction"), solid.friction);
    EXPECT_EQ(otherwise("propagation.attenuation"), solid.propagation.attenuation);
}

// The word of a choice by its place: words are in the order of the enumerators.
template <typename Enum>
std::string word_of(std::string_view path, Enum value) {
    for (const Control& control : controls())
        if (control.path == path)
            return fmt::format("\"{}\"", control.choices.at(static_cast<std::size_t>(value)));
    return "";
}

TEST(Controls, KnowTheWordsAndSwitchesThatHoldWithoutThem) {
    const SceneObject object = ball("");
    const Scene scene;
    const ContactSpec contact;
    const FoldSpec fold;
    const DeformContact of_deformer;
    const FieldPiece piece;
    const auto on = [](bool value) { return std::string(value ? "true" : "false"); };
    const std::map<std::string_view, std::set<std::string>> defaults{
        {"rigid", {on(object.rigid), on(DeformSettings{}.rigid), on(SolidDefinition{}.rigid)}},
        {"side", {word_of("side", object.side)}},
        {"preset", {"null"}},
        {"field.law", {word_of("field.law", piece.function.law)}},
        {"field.kind", {word_of("field.kind", piece.kind)}},
        {"mapping", {word_of("mapping", contact.mapping), word_of("mapping", of_deformer.mapping)}},
        {"distance",
         {word_of("distance", contact.distance), word_of("distance", of_deformer.distance)}},
        {"zone", {word_of("zone", contact.zone), word_of("zone", of_deformer.zone.threshold)}},
        {"crossing_free", {on(contact.crossing_free), on(of_deformer.crossing_free)}},
        {"fold.crease",
         {word_of("fold.crease", fold.crease), word_of("fold.crease", of_deformer.crease)}},
        {"fold.variant",
         {word_of("fold.variant", fold.variant), word_of("fold.variant", of_deformer.variant)}},
        {"contact_order", {word_of("contact_order", scene.contact_order)}},
        {"body.type", {"null"}},
        {"separate", {on(scene.separate), on(SimulationSettings{}.separate_start)}},
    };
    int compared = 0;
    for (const Control& control : controls()) {
        if (control.kind != ControlKind::choice && control.kind != ControlKind::flag) continue;
        ASSERT_TRUE(defaults.contains(control.path)) << control.path;
        EXPECT_EQ(defaults.at(control.path), std::set<std::string>{control.otherwise})
            << control.path;
        ++compared;
    }
    EXPECT_EQ(compared, static_cast<int>(defaults.size()));
}

} // namespace
} // namespace knead
