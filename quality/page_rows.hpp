#pragma once

#include <string>

namespace knead::quality {

/// **Bold** what does not keep its bound.
std::string emphasized(const std::string& text, bool met);

/// The page with those rows of an older one of the same tables whose scene, the first cell, it does
/// not have: what a run over some of the scenes leaves as it was. By scene, in alphabetical order.
std::string with_rows_of(const std::string& page, const std::string& older);

} // namespace knead::quality
