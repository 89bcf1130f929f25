#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

// What docs/architecture.md says by hand: the folders and files that it names, and who does what in
// them. Its tables and pictures of the plan are checked by cmake/KneadArchitecture.cmake.
namespace {

namespace fs = std::filesystem;

const fs::path project = KNEAD_PROJECT;

std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::vector<std::string> all_matches(const std::string& text, const std::regex& what) {
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), what), end; match != end; ++match)
        found.push_back((*match)[1]);
    return found;
}

TEST(Architecture, FilesAndFoldersAreThere) {
    const std::string page = text_of(project / "docs/architecture.md");
    int looked_at = 0;
    for (const std::string& path : all_matches(page, std::regex(R"(`([a-z_]+/[\w./-]*)`)"))) {
        ++looked_at;
        EXPECT_TRUE(fs::exists(project / path) || fs::exists(project / "src/knead" / path)) << path;
    }
    EXPECT_GT(looked_at, 80);
    for (const std::string& link : all_matches(page, std::regex(R"(\]\(([^)#]+))"))) {
        ++looked_at;
        EXPECT_TRUE(fs::exists(project / "docs" / link)) << link;
    }
}

TEST(Architecture, EveryStepIsInTheFileBesideIt) {
    const std::string page = text_of(project / "docs/architecture.md");
    const std::regex step(R"(^\| .*\| `(\w+)` \| `([\w/.]+)` \|$)");
    std::istringstream lines(page);
    int steps = 0;
    bool on_the_way = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("## ")) on_the_way = line == "## The way of one frame";
        std::smatch match;
        const bool is_row = on_the_way && line.starts_with("| ") && !line.starts_with("| ---") &&
                            line != "| what happens | by | in |";
        if (!is_row) continue;
        ASSERT_TRUE(std::regex_match(line, match, step)) << line;
        ++steps;
        // Defined or declared there: not only called, and not only in a longer name.
        const std::string name = match[1], text = text_of(project / match[2].str());
        const std::regex defined(
            fmt::format(R"((^|\n)((class|struct) {0}\b|\w[ \w:<>,*&]*[ :>]{0}\(|{0}::))", name));
        EXPECT_TRUE(std::regex_search(text, defined)) << line;
    }
    EXPECT_GT(steps, 40);
}

} // namespace
