#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "measure_scene.hpp"

namespace knead::quality {

// Figures of scenes that were measured, each resolution in a file, so that a run of hours can be
// stopped and goes on where it was.

/// What the figures come from: this very program, the scene, and what is measured of it.
std::string key_of_figures(const Scene& scene, const MeasureSettings& settings, bool with_jumps);

/// The figures in the file, if they come from the same; else nothing.
std::optional<ResolutionQuality> read_kept_figures(const std::filesystem::path& file,
                                                   const std::string& key);

void write_kept_figures(const std::filesystem::path& file, const std::string& key,
                        const ResolutionQuality& quality);

} // namespace knead::quality
