#pragma once

#include "knead/base/types.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace knead {

/// Fails when an object of a demo is not where known_results.txt says it was: a change that should
/// change no result has done so, or one that should has, and `make known-results` writes the file
/// anew. `tolerance` is a length.
void expect_known_result(const std::string& demo, double frame,
                         const std::vector<std::vector<Vec3>>& objects, double tolerance);

/// The objects of one frame of a run, from its OBJ or PLY files, in the order of their names.
std::vector<std::vector<Vec3>> positions_of_frame(const std::filesystem::path& folder,
                                                  const std::string& frame_and_extension);

/// The same of the last frame of all PC2 caches.
std::vector<std::vector<Vec3>> last_positions_of_caches(const std::filesystem::path& folder);

} // namespace knead
