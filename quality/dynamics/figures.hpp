#pragma once

#include "figure_page.hpp"

namespace knead::quality {

// One section of the page each.
std::string cantilever_section(const FigureSettings& settings);
std::string slope_section(const FigureSettings& settings);
std::string step_section(const FigureSettings& settings);
std::string rounds_section(const FigureSettings& settings);
std::string solver_section(const FigureSettings& settings);
std::string circle_section(const FigureSettings& settings);

} // namespace knead::quality
