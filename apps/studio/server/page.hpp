#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace knead::studio {

/// A file of the page.
struct PageFile {
    std::string_view content;
    std::string_view type; ///< for Content-Type
};

/// The files of the page by their path: "/index.html", "/assets/...".
struct Page {
    std::map<std::string, PageFile, std::less<>> files;
    std::map<std::string, std::string> contents; ///< of files that were read from a folder
};

/// The page that is carried inside the program; empty when it was built without one.
const Page& embedded_page();

/// The page in a folder, for who works on it.
Page read_page(const std::filesystem::path& folder);

/// By the ending of a file's name.
std::string_view content_type(std::string_view name);

} // namespace knead::studio
