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

void set_log_level(LogLevel level) {
    switch (level) {
    case LogLevel::debug:
        logger().set_level(spdlog::level::debug);
        break;
    case LogLevel::info:
        logger().set_level(spdlog::level::info);
        break;
    case LogLevel::warning:
        logger().set_level(spdlog::level::warn);
        break;
    case LogLevel::error:
        logger().set_level(spdlog::level::err);
        break;
    case LogLevel::off:
        logger().set_level(spdlog::level::off);
        break;
    }
}

void log_debug(std::string_view message) {
    logger().debug(message);
}
void log_info(std::string_view message) {
    logger().info(message);
}
void log_warning(std::string_view message) {
    logger().warn(message);
}
void log_error(std::string_view message) {
    logger().error(message);
}

} // namespace knead
