#include "knead/base/text.hpp"
#include "knead/scene/read/part_readers.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace knead {
namespace {

JointSpec read_joint(const SceneValue& value) {
    value.expect_keys({"name", "parent", "position", "translate", "rotate", "scale"});
    JointSpec joint;
    joint.name = value.require("name", "the joint's name").text("the joint's name");
    joint.position = value.require("position", "[x, y, z]").vec3();
    const auto vector = [](const SceneValue& v) { return v.keyed_vec3(); };
    read_member(value, "translate", joint.translate, vector);
    read_member(value, "rotate", joint.rotate, vector);
    read_member(value, "scale", joint.scale, [](const SceneValue& v) { return v.keyed_scale(); });
    return joint;
}

// Follows the parents up; each joint is visited once.
void expect_no_cycle(const SceneValue& list, const std::vector<JointSpec>& joints) {
    enum : char { unvisited, above, done };
    std::vector<char> state(joints.size(), unvisited);
    for (std::size_t j = 0; j < joints.size(); ++j) {
        int at = static_cast<int>(j);
        for (; at >= 0 && state[at] == unvisited; at = joints[at].parent) state[at] = above;
        if (at >= 0 && state[at] == above)
            list.item(static_cast<std::size_t>(at))
                .find("parent")
                ->fail(fmt::format("the joint {} is its own ancestor", in_quotes(joints[at].name)));
        for (at = static_cast<int>(j); at >= 0 && state[at] == above; at = joints[at].parent)
            state[at] = done;
    }
}

std::vector<JointSpec> read_joints(const SceneValue& list) {
    std::vector<JointSpec> joints;
    std::unordered_map<std::string, int> index_of;
    const std::vector<SceneValue> items = list.items("a glTF file or a list of joints");
    if (items.empty()) list.expected("a glTF file or a list of joints");
    for (const SceneValue& item : items) {
        joints.push_back(read_joint(item));
        if (!index_of.emplace(joints.back().name, static_cast<int>(joints.size()) - 1).second)
            item.find("name")->fail(
                fmt::format("found {} a second time, expected names that differ",
                            in_quotes(joints.back().name)));
    }
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const auto parent = items[j].find("parent");
        if (!parent) continue;
        const auto found = index_of.find(parent->text("the name of a joint"));
        if (found == index_of.end()) {
            std::vector<std::string_view> names;
            for (const JointSpec& joint : joints) names.push_back(joint.name);
            const auto nearest = nearest_word(*parent->json().text(), names);
            parent->expected("the name of a joint" +
                             (nearest ? fmt::format(", did you mean \"{}\"?", *nearest) : ""));
        }
        joints[j].parent = found->second;
    }
    expect_no_cycle(list, joints);
    return joints;
}

auto read_weights(const SceneValue& value, const ObjectContext& context)
    -> decltype(SkinSpec::weights) {
    constexpr std::string_view what =
        "\"smooth\", {\"smooth\": radius}, a CSV file or a list of vertex attributes";
    if (value.is_object()) {
        value.expect_keys({"smooth"});
        return SmoothWeights{value.require("smooth", "a radius").number(bounds::positive)};
    }
    if (value.is_list()) {
        AttributeWeights weights;
        for (const SceneValue& name : value.items(what))
            weights.names.push_back(context.name(name, NameReference::Kind::attribute,
                                                 "the name of a vertex attribute"));
        if (weights.names.empty()) value.expected(what);
        return weights;
    }
    if (value.text(what) == "smooth") return SmoothWeights{};
    return read_path(value, context);
}

} // namespace

SkinSpec read_skin(const SceneValue& value, const ObjectContext& context) {
    value.expect_keys({"skeleton", "weights", "method"});
    SkinSpec skin;
    skin.where = value.where();
    if (const auto skeleton = value.find("skeleton")) {
        if (skeleton->is_text())
            skin.skeleton = read_path(*skeleton, context);
        else
            skin.skeleton = read_joints(*skeleton);
    }
    read_member(value, "weights", skin.weights,
                [&](const SceneValue& v) { return read_weights(v, context); });
    read_member(value, "method", skin.method, [](const SceneValue& v) {
        return v.choice<SkinningMethod>({{"lbs", SkinningMethod::lbs},
                                         {"dqs", SkinningMethod::dqs},
                                         {"cor", SkinningMethod::cor}});
    });
    return skin;
}

} // namespace knead
