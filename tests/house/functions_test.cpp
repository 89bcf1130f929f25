#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

// A function that only tests call is kept for the tests' sake: it goes, or becomes a door with its
// place in docs/library.md. The sources are read as text, so one is overlooked where something else
// has its name.
namespace {

namespace fs = std::filesystem;

struct Functions {
    std::map<std::string, std::string> declared; ///< in headers: where
    std::set<std::string> called;                ///< or named in any other way
};

void read(const std::string& text, const std::string& file, Functions& functions) {
    static const std::regex left_out(R"(//.*|"(\\.|[^"\\])*"|\bstd::\w+)");
    static const std::regex declaration(
        R"(^\s*(?!(?:return|else|throw|if|for|while)\b)(?:\[\[nodiscard\]\] )?[A-Za-z_][\w:<>,*& ]*[ *&]([a-z_]\w*)\()");
    static const std::regex word(R"([A-Za-z_]\w*)");
    std::istringstream lines(text);
    for (std::string whole; std::getline(lines, whole);) {
        if (whole.starts_with("#include")) continue;
        const std::string line = std::regex_replace(whole, left_out, "");
        std::smatch match;
        std::ptrdiff_t declared_at = -1;
        if (file.ends_with(".hpp") && std::regex_search(line, match, declaration)) {
            declared_at = match.position(1);
            functions.declared.emplace(match[1], file);
        }
        const bool may_define = !file.ends_with(".hpp") && !line.starts_with(" ");
        for (std::sregex_iterator found(line.begin(), line.end(), word), end; found != end;
             ++found) {
            const bool is_definition =
                may_define && found->suffix().length() > 0 && *found->suffix().first == '(';
            if (found->position() != declared_at && !is_definition)
                functions.called.insert(found->str());
        }
    }
}

// A line for each that nothing calls.
std::string uncalled(const Functions& functions, const std::string& doors) {
    std::string result;
    for (const auto& [name, file] : functions.declared)
        if (!functions.called.contains(name) &&
            !std::regex_search(doors, std::regex(fmt::format(R"(\b{}\b)", name))))
            result += fmt::format("{}: {}\n", file, name);
    return result;
}

TEST(Functions, OneThatNothingCallsIsFound) {
    Functions functions;
    read("/// Like `alone`.\ndouble area(const Mesh& mesh);\nint alone(int a);\nint door();\n"
         "struct Tree {\n    bool empty() const { return size() == 0; }\n    int size() "
         "const;\n};\n",
         "a.hpp", functions);
    read("#include \"alone.hpp\"\ndouble area(const Mesh& mesh) {\n    return 0; // alone(1)\n}\n"
         "int alone(int a) {\n    say(\"alone(2)\");\n    return std::alone(area(mesh));\n}\n",
         "a.cpp", functions);
    EXPECT_EQ(uncalled(functions, "begin with `door`."), "a.hpp: alone\na.hpp: empty\n");
}

TEST(Functions, OfTheLibraryAreCalledByMoreThanTests) {
    const fs::path project = KNEAD_PROJECT;
    const auto text_of = [](const fs::path& path) {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    };
    Functions functions;
    for (const char* folder :
         {"src/knead", "apps/cli", "apps/studio/server", "capi", "quality", "bench"})
        for (const fs::directory_entry& entry :
             fs::recursive_directory_iterator(project / folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension == ".hpp" || extension == ".cpp" || extension == ".c")
                read(text_of(entry.path()), fs::relative(entry.path(), project).string(),
                     functions);
        }
    EXPECT_GT(functions.declared.size(), 800u);
    EXPECT_EQ(uncalled(functions, text_of(project / "docs/library.md")), "");
}

} // namespace
