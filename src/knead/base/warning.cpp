#include "knead/base/warning.hpp"

#include <mutex>
#include <utility>

namespace knead {
namespace {

// Of the process: readers deep in a call warn, and whoever made it hears them.
std::mutex lock;
WarningHandler current;

} // namespace

WarningHandler set_warning_handler(WarningHandler handler) {
    const std::lock_guard guard(lock);
    return std::exchange(current, std::move(handler));
}

void warn(std::string_view message) {
    const std::lock_guard guard(lock);
    if (current) current(message);
}

} // namespace knead
