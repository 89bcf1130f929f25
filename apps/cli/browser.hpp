#pragma once

#include <string>

namespace knead::cli {

/// Whether somebody sits in front of this: output goes to a terminal, and there is a desktop.
bool has_desktop();

/// Shows an address in the browser of the desktop. Whether that works is the desktop's business:
/// nothing is said, and nothing waits for it.
void open_in_browser(const std::string& url);

} // namespace knead::cli
