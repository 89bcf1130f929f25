#include "knead/contact/fades.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

// Every fade against jumps has a name, and a row in docs/continuity.md that names a test or says
// that there is none.
namespace knead {
namespace {

namespace fs = std::filesystem;

const fs::path knead_folder = KNEAD_PROJECT;
constexpr const char* header_of_fades = "src/knead/contact/fades.hpp";

std::string whole_text(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::multiset<std::string> names_matching(const std::string& text, const std::regex& what) {
    std::multiset<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), what), end; match != end; ++match)
        found.insert((*match)[1]);
    return found;
}

// Text of the sources of a folder by file, but for the fades themselves.
std::map<std::string, std::string> sources_in(const char* folder) {
    std::map<std::string, std::string> sources;
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(knead_folder / folder)) {
        const std::string name = fs::relative(entry.path(), knead_folder).string();
        if (name != header_of_fades && (name.ends_with(".hpp") || name.ends_with(".cpp")))
            sources[name] = whole_text(entry.path());
    }
    return sources;
}

std::multiset<std::string> names_in_header() {
    return names_matching(whole_text(knead_folder / header_of_fades),
                          std::regex(R"(constexpr Fade (\w+)[ {])"));
}

TEST(Continuity, NothingFadesWithoutAName) {
    const std::multiset<std::string> known = names_in_header();
    EXPECT_GT(known.size(), 40u);
    std::set<std::string> used;
    for (const char* room : {"src/knead/contact", "src/knead/bulge", "src/knead/deform"})
        for (const auto& [file, text] : sources_in(room)) {
            EXPECT_EQ(text.find("smoothstep"), std::string::npos)
                << file << ": expected a fade of contact/fades.hpp";
            for (const std::string& name : names_matching(text, std::regex(R"(fades::(\w+))"))) {
                EXPECT_TRUE(known.contains(name)) << file << ": fades::" << name;
                used.insert(name);
            }
        }
    for (const std::string& name : known) EXPECT_TRUE(used.contains(name)) << name << " is unused";
}

TEST(Continuity, EveryFadeHasARow) {
    const std::string page = whole_text(knead_folder / "docs/continuity.md");
    const std::multiset<std::string> rows = names_matching(
        page, std::regex(R"(\n\| `(\w+)` \| [^|]+ \| [^|]+ \| (?:`[\w.]+`|none) \|)"));
    EXPECT_EQ(rows, names_in_header());
    EXPECT_NE(page.find(fmt::format("There are {} such fades.", rows.size())), std::string::npos)
        << rows.size();
}

TEST(Continuity, TheTestsThatAreNamedAreThere) {
    const std::regex test(R"(TEST\((\w+), (\w+)\))");
    std::set<std::string> tests;
    for (const auto& [file, text] : sources_in("tests"))
        for (std::sregex_iterator match(text.begin(), text.end(), test), end; match != end; ++match)
            tests.insert(fmt::format("{}.{}", (*match)[1].str(), (*match)[2].str()));
    for (const std::string& name : names_matching(whole_text(knead_folder / "docs/continuity.md"),
                                                  std::regex(R"(\| `(\w+\.\w+)` \|)")))
        EXPECT_TRUE(tests.contains(name)) << name;
}

TEST(Continuity, AFadeIsLevelAtBothEnds) {
    for (const Fade& fade : {fades::within_reach, fades::flat_contact, fades::given_steep}) {
        const double to = fade.from + fade.width, little = 1e-4 * fade.width;
        EXPECT_EQ(fade(fade.from - little), 0);
        EXPECT_EQ(fade(to + little), 1);
        EXPECT_NEAR(fade(fade.from + little), 0, 1e-7);
        EXPECT_NEAR(fade(to - little), 1, 1e-7);
        EXPECT_NEAR(fade(fade.from + fade.width / 2), 0.5, 1e-12);
    }
}

} // namespace
} // namespace knead
