#include "downloads.hpp"

#include <algorithm>

namespace knead::studio {
namespace fs = std::filesystem;

std::string offer(Context& context, const fs::path& file, const std::string& name) {
    const std::string key = random_name();
    const fs::path kept = context.scratch / "downloads" / key;
    fs::create_directories(kept.parent_path());
    fs::rename(file, kept);
    const std::lock_guard guard(context.lock);
    context.downloads.push_back({key, kept, name});
    while (context.downloads.size() > context.settings.limits.downloads) {
        std::error_code ignored;
        fs::remove(context.downloads.front().path, ignored);
        context.downloads.pop_front();
    }
    return "/files/" + key;
}

std::optional<Download> find_download(Context& context, std::string_view key) {
    const std::lock_guard guard(context.lock);
    const auto found = std::find_if(context.downloads.begin(), context.downloads.end(),
                                    [&](const Download& known) { return known.key == key; });
    if (found == context.downloads.end()) return std::nullopt;
    return *found;
}

} // namespace knead::studio
