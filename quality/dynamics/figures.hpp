#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace knead::quality {

/// Where pictures go, and how to say what is being measured.
struct FigureSettings {
    std::filesystem::path pictures; ///< a folder next to the page
    std::function<void(const std::string&)> say;

    /// As the page names it.
    std::string link(const std::string& file) const {
        return pictures.filename().string() + "/" + file;
    }
};

// One section of the page each: text in Markdown, pictures written on the way.
std::string cantilever_section(const FigureSettings& settings);
std::string slope_section(const FigureSettings& settings);
std::string step_section(const FigureSettings& settings);
std::string rounds_section(const FigureSettings& settings);
std::string solver_section(const FigureSettings& settings);
std::string circle_section(const FigureSettings& settings);

} // namespace knead::quality
