#pragma once

#include <string_view>

namespace knead {

enum class LogLevel { debug, info, warning, error, off };

/// Messages go to standard error. The library itself only warns; it never prints results.
void set_log_level(LogLevel level);
void log_debug(std::string_view message);
void log_info(std::string_view message);
void log_warning(std::string_view message);
void log_error(std::string_view message);

} // namespace knead
