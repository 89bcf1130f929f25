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

/// A key of the scene file that directs a method, for programs that offer it to a person. Numbers
/// have their defaults and bounds from the settings of the library.
struct Control {
    std::string_view path; ///< below its object, contact or scene: "profile.bulge_at"
    ControlOf of = ControlOf::object;
    ControlKind kind = ControlKind::number;
    /// "deform", "bulge", "profile", "surface", "contact", "implicit" or "dynamics".
    std::string_view group;
    std::string_view unit; ///< empty, "length", or a unit such as "kg/m3"
    std::string otherwise; ///< what holds without it, as JSON
    std::string_view hint; ///< one line for a person
    // Of a number: what it may be, and what a slider sensibly offers. Lengths are for objects of
    // about 2 across.
    std::optional<Bounds> bounds = std::nullopt;
    double low = 0, high = 1, step = 0.01;
    bool whole = false; ///< of a number: no fractions
    bool keyable = false, paintable = false;
    std::vector<std::string_view> choices = {}; ///< words; for a number, instead of one
};

/// All of them, in the order in which a person looks for them.
std::span<const Control> controls();

/// "object", "number"
std::string_view word_for(ControlOf of);
std::string_view word_for(ControlKind kind);

/// As a list of JSON objects, and as a page of tables.
std::string controls_as_json(std::span<const Control> some);
std::string controls_as_markdown();

} // namespace knead
