#pragma once

#include <string>

namespace knead {

/// A report without its `milliseconds`, the only part that differs from run to run.
inline std::string without_timings(std::string report) {
    const std::string begin = "\"milliseconds\":{";
    for (std::size_t at = report.find(begin); at != std::string::npos;
         at = report.find(begin, at)) {
        const std::size_t end = report.find('}', at);
        report.erase(at, end == std::string::npos ? end : end + 1 - at);
    }
    return report;
}

} // namespace knead
