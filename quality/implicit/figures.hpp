#pragma once

#include "figure_page.hpp"

namespace knead::quality {

// One section of the page each.
std::string field_section(const FigureSettings& settings);
std::string attenuation_section(const FigureSettings& settings);
std::string rod_section(const FigureSettings& settings);
std::string press_section(const FigureSettings& settings);
std::string contact_section(const FigureSettings& settings);
std::string force_section(const FigureSettings& settings);
std::string crease_section(const FigureSettings& settings);
std::string volume_section(const FigureSettings& settings);
std::string speed_section(const FigureSettings& settings);
std::string energy_section(const FigureSettings& settings);
std::string method_section(const FigureSettings& settings);

} // namespace knead::quality
