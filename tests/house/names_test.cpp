#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

// Two types of one name in one namespace are undefined behaviour as soon as both are linked, and no
// compiler says so when no file includes both. So the sources are read as text: clang-format puts
// what stands in a namespace at the beginning of its line.
namespace {

namespace fs = std::filesystem;

struct Definition {
    std::string name; ///< with its namespaces
    std::string place;
};

// Types, and in headers their other names and constants, that are defined outside of unnamed
// namespaces. Those of sources stay in their files.
std::vector<Definition> definitions(const std::string& text, const std::string& file) {
    static const std::regex opening(R"(^(?:inline )?namespace ?([\w:]*) \{$)");
    static const std::regex closing(R"(^\}(?: // namespace.*)?$)");
    static const std::regex type(
        R"(^(?:struct|class|union|enum class|enum)(?: alignas\(.*\)| \[\[.*\]\]| __attribute__\(\(.*\)\))* ([\w:]+)(?: final)?(?: :.*| \{.*|)$)");
    static const std::regex alias(R"(^using (\w+) =)");
    static const std::regex constant(R"(^(?:inline )?constexpr [\w:<>, \*]+ (\w+)(?: = |\{|\[))");
    std::vector<Definition> found;
    std::vector<std::string> namespaces;
    bool in_namespace_scope = true; // not in a body that ends with a brace of its own
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::smatch match;
        if (std::regex_match(line, match, opening)) {
            namespaces.push_back(match[1]);
            in_namespace_scope = true;
        } else if (std::regex_match(line, closing)) {
            if (in_namespace_scope && !namespaces.empty()) namespaces.pop_back();
            in_namespace_scope = true;
        } else if (!line.empty() && line[0] != ' ' && line[0] != '}' && line[0] != '#' &&
                   line.back() == '{') {
            in_namespace_scope = false;
        } else if (line == "};") {
            in_namespace_scope = true;
        }
        bool named = true;
        std::string path;
        for (const std::string& part : namespaces) {
            named = named && !part.empty();
            path += part + "::";
        }
        if (!named) continue;
        for (const std::regex* what : {&type, &alias, &constant})
            if ((what == &type || file.ends_with(".hpp")) && std::regex_search(line, match, *what))
                found.push_back({path + match[1].str(), fmt::format("{}:{}", file, number)});
    }
    return found;
}

// A line for each name that has a second definition.
std::string defined_twice(const std::vector<Definition>& all) {
    std::map<std::string, std::string> first;
    std::string twice;
    for (const Definition& definition : all) {
        const auto [known, is_new] = first.emplace(definition.name, definition.place);
        if (!is_new)
            twice +=
                fmt::format("{}: {} and {}\n", definition.name, known->second, definition.place);
    }
    return twice;
}

TEST(Names, ASecondDefinitionInTheSameNamespaceIsFound) {
    const std::string one = "namespace knead {\n\nstruct Later;\nstruct Both {\n    int a;\n};\n"
                            "namespace detail {\nusing Index = int;\n} // namespace detail\n"
                            "void f() {\n}\n\nenum class Kind { a, b };\n} // namespace knead\n";
    const std::string other =
        "namespace knead {\nnamespace {\nstruct Kind {};\n}\nnamespace detail {\nstruct Both {};\n"
        "struct Index {\n};\n} // namespace detail\n"
        "class Both final : public Base {\n};\nstruct Later {};\n"
        "enum class [[nodiscard]] Kind {\n};\n} // namespace knead\n"
        "struct [[gnu::packed]] __attribute__((aligned(8))) outside {\n};\n"
        "struct alignas(8) outside {\n};\n";
    std::vector<Definition> all = definitions(one, "one.hpp");
    for (const Definition& more : definitions(other, "other.hpp")) all.push_back(more);
    EXPECT_EQ(defined_twice(all), "knead::detail::Index: one.hpp:8 and other.hpp:7\n"
                                  "knead::Both: one.hpp:4 and other.hpp:10\n"
                                  "knead::Kind: one.hpp:13 and other.hpp:13\n"
                                  "outside: other.hpp:16 and other.hpp:18\n");
}

TEST(Names, AreDefinedOnceInTheLibraryAndItsPrograms) {
    std::vector<Definition> all;
    std::vector<fs::path> files;
    for (const char* folder :
         {"src/knead", "apps/cli", "apps/studio/server", "quality", "capi", "bench"})
        for (const fs::directory_entry& entry :
             fs::recursive_directory_iterator(fs::path(KNEAD_PROJECT) / folder))
            if (std::regex_search(entry.path().string(), std::regex(R"(\.(hpp|cpp|h)$)")))
                files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    ASSERT_GT(files.size(), 300u);
    for (const fs::path& file : files) {
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        for (const Definition& definition :
             definitions(text.str(), fs::relative(file, KNEAD_PROJECT).string()))
            all.push_back(definition);
    }
    EXPECT_GT(all.size(), 400u);
    EXPECT_EQ(defined_twice(all), "");
}

} // namespace
