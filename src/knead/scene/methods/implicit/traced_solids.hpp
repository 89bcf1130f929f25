#pragma once

#include "knead/implicit/solid_frame.hpp"
#include "knead/render/traced_surface.hpp"

#include <memory>

namespace knead {

/// The deformed surfaces of all solids of a frame, for pictures without triangles. They hold on to
/// copies of the fields, so the solids may move on. The field that they show is the pressure in
/// contact, and 0 elsewhere. `shapes` are those of the frame.
std::vector<std::shared_ptr<const TracedSurface>> traced_solids(std::span<const Solid> solids,
                                                                const SolidFrame& frame,
                                                                std::span<const SolidShape> shapes);

} // namespace knead
