#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace knead {

/// How contacts are resolved.
enum class Method { deform, dynamics, implicit };

/// All of them, in the order that people are shown.
std::span<const Method> methods();

/// "deform", "dynamics", "implicit".
std::string_view method_name(Method method);
/// Nothing when the name is of no method.
std::optional<Method> method_of(std::string_view name);

/// Whether a frame follows from those before it, see `TimeMethod`; otherwise each is on its own.
bool depends_on_time(Method method);

} // namespace knead
