#include "knead/base/text.hpp"
#include "knead/scene/read/part_readers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knead {
namespace {

int read_object_name(const SceneValue& value, std::string_view name, const Scene& scene) {
    const int object = scene.find_object(name);
    if (object >= 0) return object;
    std::vector<std::string_view> names;
    for (const SceneObject& known : scene.objects) names.push_back(known.name);
    const auto nearest = nearest_word(name, names);
    value.expected("the name of an object" +
                   (nearest ? fmt::format(", did you mean \"{}\"?", *nearest) : ""));
}

ContactSide read_side(const SceneValue& value, Scene& scene) {
    const std::string_view text = value.text("an object or \"object:group\"");
    const std::size_t colon = text.find(':');
    ContactSide side;
    side.object = read_object_name(value, text.substr(0, colon), scene);
    if (colon != std::string_view::npos) {
        side.group = text.substr(colon + 1);
        if (side.group.empty()) value.expected("an object or \"object:group\"");
        scene.objects[side.object].references.push_back(
            {NameReference::Kind::group, side.group, value.where()});
    }
    return side;
}

std::vector<std::string> read_fold_joints(const SceneValue& value, SceneObject& object) {
    const std::vector<SceneValue> items = value.items("the names of three joints");
    if (items.size() != 3) value.expected("the names of three joints");
    std::vector<std::string> names;
    for (const SceneValue& item : items) {
        const std::string& name = item.text("the name of a joint");
        if (std::find(names.begin(), names.end(), name) != names.end())
            item.fail(
                fmt::format("found {} twice, expected three joints in a row", in_quotes(name)));
        names.push_back(name);
        object.references.push_back({NameReference::Kind::joint, name, item.where()});
    }
    return names;
}

FoldSpec read_fold(const SceneValue& value, bool has_direction, SceneObject& object) {
    value.expect_keys({"joints", "crease", "variant"});
    FoldSpec fold;
    fold.where = value.where();
    read_member(value, "joints", fold.joints,
                [&](const SceneValue& v) { return read_fold_joints(v, object); });
    if (fold.joints.empty() && !has_direction)
        value.fail("expected joints, the names of three, or a direction of the contact");
    read_member(value, "crease", fold.crease, [](const SceneValue& v) {
        return v.choice<CreaseMethod>({{"random_walker", CreaseMethod::random_walker},
                                       {"minimum_cut", CreaseMethod::minimum_cut}});
    });
    read_member(value, "variant", fold.variant, [](const SceneValue& v) {
        return v.choice<FoldVariant>(
            {{"unified", FoldVariant::unified}, {"two_regions", FoldVariant::two_regions}});
    });
    return fold;
}

std::optional<Keyed<Vec3>> read_direction(const SceneValue& value, UpAxis up) {
    if (value.is_text()) {
        if (*value.json().text() != "auto") value.expected("\"auto\" or [x, y, z]");
        return std::nullopt;
    }
    Keyed<Vec3> direction = read_world_vector(value, up);
    for (std::size_t i = 0; i < direction.values.size(); ++i)
        if (direction.values[i].isZero(0))
            value.fail(direction.is_constant()
                           ? "found [0, 0, 0], expected a vector that points somewhere"
                           : fmt::format("key {} is [0, 0, 0], expected a vector that points "
                                         "somewhere",
                                         i));
    return direction;
}

} // namespace

ContactSpec read_contact(const SceneValue& value, Scene& scene) {
    value.expect_keys({"between", "fold", "apparent_stiffness", "direction", "mapping", "distance",
                       "zone", "ball_radius", "crossing_free"});
    ContactSpec contact;
    const SceneValue between = value.require("between", "two objects");
    const std::vector<SceneValue> sides = between.items("two objects");
    if (sides.size() != 2) between.expected("two objects");
    contact.between = {read_side(sides[0], scene), read_side(sides[1], scene)};
    const ContactSide &a = contact.between[0], &b = contact.between[1];
    read_member(value, "apparent_stiffness", contact.apparent_stiffness, [](const SceneValue& v) {
        return v.keyed_number(settings::apparent_stiffness.bounds);
    });
    read_member(value, "direction", contact.direction,
                [&](const SceneValue& v) { return read_direction(v, scene.up); });
    read_member(value, "fold", contact.fold, [&](const SceneValue& v) {
        if (a.object != b.object) v.fail("a fold is between two groups of one object");
        if (scene.objects[a.object].rigid)
            v.fail("found a fold of a rigid object, expected one that is not rigid");
        return read_fold(v, contact.direction.has_value(), scene.objects[a.object]);
    });
    // A fold at a joint finds its groups by itself.
    const bool at_joint = contact.fold && !contact.fold->joints.empty();
    const bool two_groups = !a.group.empty() && !b.group.empty() && a.group != b.group;
    const bool no_group = a.group.empty() && b.group.empty();
    if (a.object == b.object && !two_groups && !(no_group && at_joint))
        between.fail(fmt::format("found {} and {}, expected two objects or two groups of one",
                                 in_quotes(*sides[0].json().text()),
                                 in_quotes(*sides[1].json().text())));
    read_member(value, "mapping", contact.mapping, [](const SceneValue& v) {
        return v.choice<MappingMethod>({{"direction", MappingMethod::direction},
                                        {"parametrization", MappingMethod::parametrization}});
    });
    if (contact.mapping == MappingMethod::parametrization) {
        const SceneValue mapping = value.require("mapping", "");
        if (contact.fold)
            mapping.fail("found \"parametrization\", expected \"direction\": the two sides of a "
                         "fold are both elastic");
        if (scene.objects[a.object].rigid == scene.objects[b.object].rigid)
            mapping.fail("found \"parametrization\", expected \"direction\": the shared "
                         "parametrization is for one rigid and one elastic object");
    }
    read_member(value, "distance", contact.distance, [](const SceneValue& v) {
        return v.choice<DistanceMethod>(
            {{"heat", DistanceMethod::heat}, {"steady_state", DistanceMethod::steady_state}});
    });
    read_member(value, "zone", contact.zone, [](const SceneValue& v) {
        return v.choice<ZoneKind>({{"symmetric", ZoneKind::symmetric},
                                   {"global", ZoneKind::global},
                                   {"ball", ZoneKind::ball}});
    });
    read_member(value, "ball_radius", contact.ball_radius,
                [](const SceneValue& v) { return v.keyed_number(settings::ball_radius.bounds); });
    if (contact.ball_radius && contact.zone != ZoneKind::ball)
        value.require("ball_radius", "").fail("expected it only with zone \"ball\"");
    if (contact.zone == ZoneKind::ball) {
        value.require("ball_radius", "a positive number, since zone is \"ball\"");
        if (scene.objects[a.object].rigid == scene.objects[b.object].rigid)
            value.require("zone", "")
                .fail("found \"ball\", expected \"symmetric\": the ball test is for one rigid and "
                      "one elastic object");
    }
    read_member(value, "crossing_free", contact.crossing_free,
                [](const SceneValue& v) { return v.boolean(); });
    return contact;
}

std::vector<std::array<int, 2>> read_exclude(const SceneValue& value, const Scene& scene) {
    std::vector<std::array<int, 2>> pairs;
    for (const SceneValue& pair : value.items("a list of pairs of objects")) {
        const std::vector<SceneValue> names = pair.items("two objects");
        if (names.size() != 2) pair.expected("two objects");
        std::array<int, 2> objects;
        for (std::size_t i = 0; i < 2; ++i)
            objects[i] = read_object_name(names[i], names[i].text("the name of an object"), scene);
        pairs.push_back(objects);
    }
    return pairs;
}

} // namespace knead
