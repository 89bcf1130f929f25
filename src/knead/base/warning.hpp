#pragma once

#include <functional>
#include <string_view>

namespace knead {

/// Hears of what is no reason to stop but may not be what was meant: a face that was left out, a
/// report that will be replaced.
using WarningHandler = std::function<void(std::string_view)>;

/// From now on `handler` hears the warnings of the whole process, one at a time, whatever thread
/// they come from; it must not warn itself. Nothing: nobody does, as at the start. Returns the one
/// before.
WarningHandler set_warning_handler(WarningHandler handler);

void warn(std::string_view message);

} // namespace knead
