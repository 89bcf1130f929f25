#pragma once

#include <span>
#include <string_view>

namespace knead::studio {

struct EmbeddedFile {
    std::string_view path; ///< from the page's folder, with a slash in front
    std::string_view content;
};

/// Written at build time from what lies in the page's folder; see embed_page.cmake.
std::span<const EmbeddedFile> embedded_files();

} // namespace knead::studio
