#include "knead/base/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace knead {
namespace {

spdlog::logger& logger() {
    static spdlog::logger instance = [] {
        spdlog::logger made("knead", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
        made.set_pattern("knead: %^%l%$: %v");
        made.set_level(spdlog::level::warn);
        return made;
    }();
    return instance;
}

} // namespace

void log_warning(std::string_view message) {
    logger().warn(message);
}

void set_warnings(bool enabled) {
    logger().set_level(enabled ? spdlog::level::warn : spdlog::level::off);
}

} // namespace knead
