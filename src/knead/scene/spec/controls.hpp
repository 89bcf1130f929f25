#pragma once

#include "knead/base/setting.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knead {

enum class ControlOf { object, contact, scene };
enum class ControlKind { number, choice, flag, vector, text };

/// A key of the scene file that directs the deformer or shapes an implicit solid, for programs that
/// offer it to a person.
struct Control {
    std::string_view path; ///< below its object, contact or scene: "profile.bulge_at"
    ControlOf of = ControlOf::object;
    ControlKind kind = ControlKind::number;
    std::string_view group; ///< "deform", "bulge", "profile", "surface", "implicit" or "contact"
    std::string_view unit;  ///< empty, "length" or "degrees"
    std::string otherwise;  ///< what holds without it, as JSON
    std::string_view hint;  ///< one line for a person
    // Of a number: what it may be, and what a slider sensibly offers. Lengths are for objects of
    // about 2 across.
    std::optional<Bounds> bounds = std::nullopt;
    double low = 0, high = 1, step = 0.01;
    bool keyable = false, paintable = false;
    std::vector<std::string_view> choices = {}; ///< words; for a number, instead of one
};

/// All of them, in the order in which a person looks for them.
std::span<const Control> controls();

} // namespace knead
