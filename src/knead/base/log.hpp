#pragma once

#include <string_view>

namespace knead {

/// Warnings go to standard error, one line each. The library prints nothing else.
void log_warning(std::string_view message);

/// Silences warnings, or lets them through again.
void set_warnings(bool enabled);

} // namespace knead
