#include "knead/scene/read/part_readers.hpp"

namespace knead {
namespace {

PaintingStroke read_stroke(const SceneValue& value) {
    value.expect_keys({"at", "radius", "falloff", "distance", "operation", "value", "strength"});
    PaintingStroke result;
    result.where = value.where();
    result.at = value.require("at", "[x, y, z]").vec3();
    result.brush.radius = value.require("radius", "a positive number").number(bounds::positive);
    const auto part = [](const SceneValue& v) { return v.number(bounds::zero_to_one); };
    read_member(value, "falloff", result.brush.falloff, part);
    read_member(value, "distance", result.brush.distance, [](const SceneValue& v) {
        return v.choice<BrushDistance>(
            {{"geodesic", BrushDistance::geodesic}, {"euclidean", BrushDistance::euclidean}});
    });
    read_member(value, "operation", result.stroke.operation, [](const SceneValue& v) {
        return v.choice<BrushOperation>({{"set", BrushOperation::set},
                                         {"add", BrushOperation::add},
                                         {"subtract", BrushOperation::subtract},
                                         {"smooth", BrushOperation::smooth}});
    });
    const auto amount = value.find("value");
    if (amount && result.stroke.operation == BrushOperation::smooth)
        amount->fail("a stroke that smooths has no value");
    if (amount) result.stroke.value = amount->number();
    read_member(value, "strength", result.stroke.strength, part);
    return result;
}

} // namespace

Painting read_painting(const SceneValue& value, const ObjectContext& context) {
    value.expect_keys({"base", "strokes"});
    Painting result;
    if (const auto base = value.find("base")) {
        if (base->is_text())
            result.base_file = read_path(*base, context);
        else if (base->json().number() != nullptr)
            result.base = base->number();
        else
            base->expected("a number or a CSV file");
    }
    constexpr std::string_view what = "a list of strokes";
    for (const SceneValue& stroke : value.require("strokes", what).items(what))
        result.strokes.push_back(read_stroke(stroke));
    return result;
}

} // namespace knead
