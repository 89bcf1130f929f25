#include "knead/scene/spec/controls.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

using Json = nlohmann::ordered_json;

Json finite(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

Json as_json(const Control& control) {
    Json entry = {{"path", control.path},           {"of", word_for(control.of)},
                  {"kind", word_for(control.kind)}, {"group", control.group},
                  {"unit", control.unit},           {"default", Json::parse(control.otherwise)},
                  {"hint", control.hint},           {"keyable", control.keyable},
                  {"paintable", control.paintable}, {"choices", control.choices}};
    if (control.bounds)
        entry.update({{"whole", control.whole},
                      {"low", control.low},
                      {"high", control.high},
                      {"step", control.step},
                      {"least", finite(control.bounds->low)},
                      {"least_included", control.bounds->low_included},
                      {"most", finite(control.bounds->high)},
                      {"most_included", control.bounds->high_included}});
    return entry;
}

// "0 or more", "above 0", "0 to 1"
std::string range_of(const Control& control) {
    std::string words;
    for (const std::string_view word : control.choices)
        words += fmt::format("{}`\"{}\"`", words.empty() ? "" : ", ", word);
    if (!control.bounds) return words;
    const Bounds& b = *control.bounds;
    const bool from = std::isfinite(b.low), to = std::isfinite(b.high);
    std::string range = "any number";
    if (from && to)
        range = fmt::format("{}{} {} {}", b.low_included ? "" : "between ", b.low,
                            b.low_included ? "to" : "and", b.high);
    else if (from)
        range = b.low_included ? fmt::format("{} or more", b.low) : fmt::format("above {}", b.low);
    return words.empty() ? range : fmt::format("{}, {}", range, words);
}

// All digits of 5/6 are for programs.
std::string default_of(const Control& control) {
    if (control.otherwise == "null") return "";
    const bool is_long = control.kind == ControlKind::number && control.otherwise.size() > 8;
    return is_long ? fmt::format("`{:.4g}`", std::stod(control.otherwise))
                   : fmt::format("`{}`", control.otherwise);
}

} // namespace

std::string controls_as_json(std::span<const Control> some) {
    Json list = Json::array();
    for (const Control& control : some) list.push_back(as_json(control));
    return list.dump(1);
}

std::string controls_as_markdown() {
    std::string page =
        "# Controls\n\nEvery number, word and switch that directs a method, as a scene file has "
        "it. "
        "`knead controls` prints this page, `knead controls --json` the same for programs. k: may "
        "have keys; p: may be painted. A default that is not here follows from the scene.\n";
    std::string_view group;
    for (const Control& control : controls()) {
        if (control.group != group) {
            group = control.group;
            page += fmt::format("\n## {}\n\n| of | key | default | range | unit | | |\n"
                                "| --- | --- | --- | --- | --- | --- | --- |\n",
                                group);
        }
        page += fmt::format("| {} | `{}` | {} | {} | {} | {}{} | {} |\n", word_for(control.of),
                            control.path, default_of(control), range_of(control), control.unit,
                            control.keyable ? "k" : "", control.paintable ? "p" : "", control.hint);
    }
    return page;
}

} // namespace knead
