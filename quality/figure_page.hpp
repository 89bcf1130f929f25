#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace knead::quality {

/// Where pictures go, and how to say what is being measured.
struct FigureSettings {
    std::filesystem::path pictures; ///< a folder next to the page
    std::filesystem::path scenes;   ///< of the demos, where the page needs them
    std::function<void(const std::string&)> say;

    /// As the page names it.
    std::string link(const std::string& file) const {
        return pictures.filename().string() + "/" + file;
    }
};

/// Text in Markdown below a title; pictures are written on the way.
struct FigureSection {
    std::string name, title;
    std::string (*measure)(const FigureSettings&);
};

/// A page of measured sections.
struct FigurePage {
    std::string program; ///< as messages begin
    std::string about;   ///< for the help
    std::string head;    ///< title and first lines
    std::vector<FigureSection> sections;
    bool needs_scenes = false; ///< the folder of the demos is an argument, too
};

/// The whole program: reads its arguments, measures, writes the page. Sections that are not asked
/// for are kept from an earlier page.
int make_figure_page(const FigurePage& page, int argc, char** argv);

} // namespace knead::quality
