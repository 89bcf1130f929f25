#pragma once

#include "knead/contact/mapping.hpp"

namespace knead {

/// Maps the parts of two meshes that are inside each other onto each other through a shared
/// parametrisation ([Bru21] ch. 4 sec. 2.1, [BBGB20]): one to one, border to border, every point in
/// its own direction. Nothing outside the parts is mapped, and nothing that their common border,
/// the curve in which the meshes intersect, does not reach.
///
/// No texture coordinates are asked for: the parameters are computed, by stretching each part out
/// harmonically in the curve like a soap film. Both films have the same border, so that the affine
/// fit and the refinement of the thesis, which bring the borders of two given parametrisations
/// together, have nothing left to do; and a flat part is its own film.
///
/// The meshes must intersect. The sides' `inward` is what is left as the direction where a point
/// has next to no way to go.
void map_by_parametrization(const std::array<PairSide, 2>& sides, const Intersection& intersection,
                            std::array<Mapping, 2>& mappings);

} // namespace knead
