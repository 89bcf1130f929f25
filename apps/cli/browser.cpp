#include "browser.hpp"

#include <cstdlib>
#include <unistd.h>

#include "spawn.hpp"

namespace knead::cli {

bool has_desktop() {
    const auto is_set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return ::isatty(STDOUT_FILENO) == 1 && (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"));
}

void open_in_browser(const std::string& url) {
    spawn({"xdg-open", url}, true);
}

} // namespace knead::cli
