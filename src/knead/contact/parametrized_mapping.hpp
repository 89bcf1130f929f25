#pragma once

#include "knead/contact/mapping.hpp"

#include <string>

namespace knead {

/// Maps the parts of two meshes that are inside each other onto each other through a shared
/// parametrisation ([Bru21] ch. 4 sec. 2.1, [BBGB20]): one to one, border to border, every point in
/// its own direction. Nothing outside the parts is mapped, and nothing that their common border,
/// the curve in which the meshes intersect, does not reach.
///
/// The parameters are the texture coordinates that the sides bring, or computed; see
/// `shared_parameters`. Returns why texture coordinates were not used, else nothing.
///
/// The meshes must intersect. The sides' `inward` is what is left as the direction where a point
/// has next to no way to go.
std::string map_by_parametrization(const std::array<PairSide, 2>& sides,
                                   const Intersection& intersection,
                                   std::array<Mapping, 2>& mappings);

} // namespace knead
