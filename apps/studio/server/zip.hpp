#pragma once

#include <filesystem>
#include <span>

namespace knead::studio {

/// Puts files, under their own names, into a ZIP archive, not compressed: caches and meshes in
/// binary hardly shrink, and it only has to come as one. Throws InputError for more than the
/// format holds, 65535 files or 4 GiB.
void write_zip(const std::filesystem::path& archive, std::span<const std::filesystem::path> files);

} // namespace knead::studio
