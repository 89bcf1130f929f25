#include "page_rows.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace knead::quality {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

std::string_view scene_of_row(std::string_view row) {
    return row.substr(0, row.find('|', 1));
}

// The rows of all tables, below the lines that rule off their heads.
std::vector<std::vector<std::string_view>> tables_of(std::string_view page) {
    std::vector<std::vector<std::string_view>> tables;
    bool inside = false;
    for (const std::string_view line : lines_of(page)) {
        if (line.starts_with("| ---")) {
            tables.emplace_back();
            inside = true;
        } else if (inside && line.starts_with("|")) {
            tables.back().push_back(line);
        } else {
            inside = false;
        }
    }
    return tables;
}

} // namespace

std::string emphasized(const std::string& text, bool met) {
    return met ? text : "**" + text + "**";
}

std::string with_rows_of(const std::string& page, const std::string& older) {
    const auto old_tables = tables_of(older);
    auto tables = tables_of(page);
    if (old_tables.size() != tables.size()) return page;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        const std::vector<std::string_view> own = tables[t];
        for (const std::string_view row : old_tables[t])
            if (std::none_of(own.begin(), own.end(), [&](std::string_view other) {
                    return scene_of_row(other) == scene_of_row(row);
                }))
                tables[t].push_back(row);
        std::stable_sort(tables[t].begin(), tables[t].end(),
                         [](std::string_view a, std::string_view b) {
                             return scene_of_row(a) < scene_of_row(b);
                         });
    }
    std::string merged;
    bool inside = false;
    std::size_t table = 0;
    for (const std::string_view line : lines_of(page)) {
        inside = inside && line.starts_with("|");
        if (!inside) merged += line;
        if (!line.starts_with("| ---")) continue;
        inside = true;
        for (const std::string_view row : tables[table++]) merged += row;
    }
    return merged;
}

} // namespace knead::quality
