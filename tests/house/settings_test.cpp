#include "knead/scene/spec/controls.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// A number that a person can set has its default and bounds in one place: a Setting in a
// *_settings.hpp. These tests read sources and pages as text and look for a second one.
namespace knead {
namespace {

namespace fs = std::filesystem;

const fs::path project = KNEAD_PROJECT;

struct File {
    std::string name; ///< from the project's folder
    std::string text;
};

std::vector<File> files_in(std::initializer_list<const char*> folders,
                           const std::set<std::string>& extensions) {
    std::vector<File> files;
    for (const char* folder : folders)
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(project / folder))
            if (extensions.contains(entry.path().extension().string()) &&
                entry.path().string().find("node_modules") == std::string::npos) {
                std::ostringstream text;
                text << std::ifstream(entry.path()).rdbuf();
                files.push_back({fs::relative(entry.path(), project).string(), text.str()});
            }
    std::sort(files.begin(), files.end(),
              [](const File& a, const File& b) { return a.name < b.name; });
    return files;
}

std::vector<File> sources() {
    return files_in({"src/knead", "apps/cli", "apps/studio/server", "apps/studio/web/src", "capi"},
                    {".hpp", ".cpp", ".h", ".ts"});
}

bool holds_settings(const std::string& file) {
    return file.ends_with("_settings.hpp") || file == "src/knead/base/setting.hpp";
}

// With line numbers from 1, and without comments.
std::vector<std::string> lines_of(const std::string& text) {
    static const std::regex comment(R"((^|[^:])//.*|^ *\*.*|/\*.*)");
    std::vector<std::string> lines{""};
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(std::regex_replace(line, comment, "$1"));
    return lines;
}

// "body.density" -> "density"
std::string last_part(std::string_view path) {
    return std::string(path.substr(path.rfind('.') + 1));
}

// As the sources define them: the path by the name in C++.
std::map<std::string, std::string> defined_settings(const std::vector<File>& files) {
    static const std::regex definition(R"(\bSetting (\w+)\{\s*\"([\w.]+)\")");
    std::map<std::string, std::string> found;
    for (const File& file : files)
        for (std::sregex_iterator match(file.text.begin(), file.text.end(), definition), end;
             match != end; ++match)
            EXPECT_TRUE(found.emplace((*match)[1], (*match)[2]).second) << (*match)[1];
    return found;
}

TEST(Settings, AreDefinedInSettingsAndOnceInTheTable) {
    const std::vector<File> files = sources();
    ASSERT_GT(files.size(), 300u);
    static const std::regex made(R"(\b(Setting|Bounds)(\(| *\w*\{\s*[\w"-]))");
    std::string table;
    for (const File& file : files) {
        if (file.name == "src/knead/scene/spec/controls.cpp") table = file.text;
        if (holds_settings(file.name) || file.name.ends_with(".ts")) continue;
        EXPECT_FALSE(std::regex_search(file.text, made)) << file.name;
    }
    const std::map<std::string, std::string> defined = defined_settings(files);
    EXPECT_GT(defined.size(), 35u);
    std::set<std::string> paths;
    for (const auto& [name, path] : defined) {
        EXPECT_TRUE(paths.insert(path).second) << path << " is defined twice";
        const std::regex use(fmt::format(R"(settings::{}\b)", name));
        EXPECT_EQ(std::distance(std::sregex_iterator(table.begin(), table.end(), use), {}), 1)
            << "settings::" << name << " in controls.cpp";
    }
    for (const Control& control : controls())
        EXPECT_TRUE(control.kind != ControlKind::number ||
                    paths.contains(std::string(control.path)))
            << control.path;
}

// Numbers that are called like a setting and are none: what a stage hands on, or a key of
// something else.
const std::set<std::string> other_numbers{
    "src/knead/bulge/profile_curve.hpp: bulge",   // a part of the displacement
    "src/knead/contact/mapped_point.hpp: offset", // of a stage, which is always given both
    "src/knead/contact/pair_side.hpp: offset",
    "src/knead/contact/pair_side.hpp: stiffness",
    "src/knead/contact/pair_direction.hpp: offset",
    "src/knead/contact/pair_direction.hpp: stiffness",
    "src/knead/deform/separate/separate.hpp: offset",
    "src/knead/deform/separate/separate.hpp: stiffness",
    "src/knead/deform/separate/separate_pairs.hpp: bulge",
    "src/knead/deform/settle/settle.hpp: offset",
    "src/knead/deform/settle/settle.hpp: stiffness",
    "src/knead/dynamics/elastic_cloth.hpp: stiffness",             // of a spring
    "src/knead/implicit/contact.hpp: stiffness",                   // measured at a contact
    "src/knead/render/render.hpp: samples",                        // of a picture
    "src/knead/scene/methods/implicit/scene_solids.hpp: drag",     // filled in for a frame
    "src/knead/scene/methods/implicit/scene_solids.hpp: friction", //
    "src/knead/scene/picture/picture.hpp: samples",                // of a picture
    "src/knead/scene/spec/controls.hpp: step",                     // of a slider
    "src/knead/scene/spec/frame_sequence.hpp: step",               // in frames
    "src/knead/scene/spec/implicit_spec.hpp: samples",             // of a curve
    "src/knead/scene/spec/mesh_source.hpp: amplitude",             // of bumps
    "src/knead/scene/spec/mesh_source.hpp: cells",                 // of a grid
};

// Fields and arguments with a number of their own: "file: name".
std::set<std::string> fields_with_numbers(const std::vector<File>& files,
                                          const std::set<std::string>& names) {
    static const std::regex field(R"(\b(\w+) = (-?[\d.{][^;,)]*))");
    std::set<std::string> found;
    for (const File& file : files)
        for (const std::string& line : lines_of(file.text))
            for (std::sregex_iterator match(line.begin(), line.end(), field), end; match != end;
                 ++match) {
                const std::string value = (*match)[2];
                if (names.contains((*match)[1]) &&
                    value.find_first_of("0123456789") != std::string::npos)
                    found.insert(fmt::format("{}: {}", file.name, (*match)[1].str()));
            }
    return found;
}

TEST(Settings, FieldsTakeTheirDefaultsFromThem) {
    std::set<std::string> names;
    for (const auto& [name, path] : defined_settings(sources())) {
        names.insert(name);
        names.insert(last_part(path));
    }
    for (const Control& control : controls())
        if (control.kind == ControlKind::number && !std::isdigit(control.otherwise.front()))
            names.erase(last_part(control.path)); // it has no number that could be there twice
    names.insert("stiffness");                    // of a field it has none, of an object it does
    names.insert("influence");                    // worked out everywhere
    EXPECT_EQ(fields_with_numbers({{"x.hpp", "    double drag = 0, friction = 0.5; // = 1\n"
                                             "    VertexNumber psi = settings::psi.otherwise;\n"}},
                                  names),
              (std::set<std::string>{"x.hpp: drag", "x.hpp: friction"}));
    EXPECT_EQ(fields_with_numbers(files_in({"src/knead"}, {".hpp"}), names), other_numbers);
}

// Controls that are named in a line with a number: "file: path".
std::set<std::string> named_beside_numbers(const std::vector<File>& files) {
    std::set<std::string> paths;
    for (const Control& control : controls())
        if (control.kind == ControlKind::number) paths.insert(std::string(control.path));
    static const std::regex word(R"((["'])([\w.]+)\1)"), number(R"((^|[^\w.#"'\[])\d+(\.\d+)?\b)");
    std::set<std::string> found;
    for (const File& file : files)
        for (const std::string& line : lines_of(file.text)) {
            if (line.find_first_of("\"'") == std::string::npos) continue;
            for (std::sregex_iterator match(line.begin(), line.end(), word), end; match != end;
                 ++match)
                if (paths.contains((*match)[2]) && std::regex_search(line, number))
                    found.insert(fmt::format("{}: {}", file.name, (*match)[2].str()));
        }
    return found;
}

TEST(Settings, ReadersProgramsAndThePageDoNotHaveThemAgain) {
    const std::set<std::string> one{"x.ts: profile.bulge_at"};
    EXPECT_EQ(named_beside_numbers({{"x.ts", "  at: number('profile.bulge_at', 0.4),\n"}}), one);
    EXPECT_TRUE(
        named_beside_numbers({{"x.ts", "  at: number('profile.bulge_at'), // 0.4\n"}}).empty());
    std::vector<File> files = sources();
    // What the table adds to a setting is the range of its slider.
    std::erase_if(files, [](const File& file) {
        return holds_settings(file.name) || file.name == "src/knead/scene/spec/controls.cpp";
    });
    const std::set<std::string> of_pictures{"src/knead/render/check.cpp: samples"};
    EXPECT_EQ(named_beside_numbers(files), of_pictures);
}

// Where control keys are read, bounds without a setting are for other keys.
TEST(Settings, ReadersTakeTheirBoundsFromThem) {
    std::set<std::string> keys;
    for (const Control& control : controls())
        if (control.kind == ControlKind::number) keys.insert(last_part(control.path));
    static const std::regex key(R"(\"(\w+)\")");
    int looked_at = 0;
    for (const File& file : files_in({"src/knead/scene/read"}, {".cpp"})) {
        if (file.text.find("settings::") == std::string::npos) continue;
        std::istringstream statements(file.text);
        for (std::string text; std::getline(statements, text, ';');) {
            if (text.find(" bounds::") == std::string::npos &&
                text.find("(bounds::") == std::string::npos)
                continue;
            std::smatch of;
            ++looked_at;
            EXPECT_TRUE(std::regex_search(text, of, key) && !keys.contains(of[1]))
                << file.name << ": " << text;
        }
    }
    EXPECT_GE(looked_at, 5);
}

double default_of(std::string_view key) {
    for (const Control& control : controls())
        if (control.kind == ControlKind::number &&
            (control.path == key || last_part(control.path) == key))
            return control.otherwise == "null" || control.otherwise.starts_with("\"")
                       ? std::nan("")
                       : std::stod(control.otherwise);
    return std::nan("");
}

// "5/6"
double number_of(const std::string& text) {
    const std::size_t slash = text.find('/');
    return slash == std::string::npos
               ? std::stod(text)
               : std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

// What a page says about a default, and of which key: the last in bold, or in ticks for what is in
// brackets.
struct Said {
    std::string key;
    double number;
};

std::vector<Said> said_on(const std::string& page) {
    static const std::regex what(
        R"((\*\*)?`([\w.]+)`|(-?\d[\d.]*(?:/\d+)?)(?: \(default\)|, the default| by default)|\(default (-?\d[\d.]*))");
    std::vector<Said> said;
    std::string bold, key;
    for (std::sregex_iterator match(page.begin(), page.end(), what), end; match != end; ++match)
        if ((*match)[2].matched) {
            key = (*match)[2];
            if ((*match)[1].matched) bold = key;
        } else if ((*match)[3].matched) {
            said.push_back({bold, number_of((*match)[3])});
        } else {
            said.push_back({key, number_of((*match)[4])});
        }
    return said;
}

TEST(Settings, PagesSayTheSame) {
    // Of a brush's map, of a curve; and what follows from the default softness.
    const std::set<std::string> others{"docs/scene.md: base 0", "docs/implicit.md: samples 8",
                                       "docs/deformer.md: apparent_stiffness 0"};
    int compared = 0;
    for (const File& page : files_in({"docs"}, {".md"})) {
        for (const Said& said : said_on(page.text)) {
            const std::string words = fmt::format("{}: {} {}", page.name, said.key, said.number);
            if (others.contains(words)) continue;
            ++compared;
            EXPECT_NEAR(said.number, default_of(said.key), 1e-9) << words;
        }
        // The table is docs/controls.md; no other page has a column of their defaults.
        if (page.name == "docs/controls.md") continue;
        static const std::regex row(R"(^\| `([\w.]+)` \| ([^|]*) \|)");
        bool has_defaults = false;
        for (const std::string& line : lines_of(page.text)) {
            if (!line.starts_with("|")) has_defaults = false;
            if (line.find("| default |") != std::string::npos) has_defaults = true;
            std::smatch match;
            const bool is_row = has_defaults && std::regex_search(line, match, row);
            EXPECT_TRUE(!is_row || std::isnan(default_of(match[1].str())))
                << page.name << ": " << line;
        }
    }
    EXPECT_GT(compared, 12);
}

} // namespace
} // namespace knead
