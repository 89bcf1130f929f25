#include "page.hpp"

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "embedded_files.hpp"

namespace knead::studio {
namespace fs = std::filesystem;

const Page& embedded_page() {
    static const Page page = [] {
        Page result;
        for (const EmbeddedFile& file : embedded_files())
            result.files[std::string(file.path)] = {file.content, content_type(file.path)};
        return result;
    }();
    return page;
}

Page read_page(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error))
        throw InputError(fmt::format("--page {}: no such folder", folder.string()));
    Page page;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        const std::string path =
            (fs::path("/") / entry.path().lexically_relative(folder)).generic_string();
        page.contents[path] = read_text_file(entry.path());
    }
    for (const auto& [path, content] : page.contents)
        page.files[path] = {content, content_type(path)};
    return page;
}

std::string_view content_type(std::string_view name) {
    constexpr std::pair<std::string_view, std::string_view> types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".ico", "image/vnd.microsoft.icon"},
        {".woff2", "font/woff2"},
        {".wasm", "application/wasm"},
        {".zip", "application/zip"},
        {".glb", "model/gltf-binary"},
        {".txt", "text/plain; charset=utf-8"},
    };
    for (const auto& [ending, type] : types)
        if (name.ends_with(ending)) return type;
    return "application/octet-stream";
}

} // namespace knead::studio
