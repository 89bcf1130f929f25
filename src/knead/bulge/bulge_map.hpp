#pragma once

#include "knead/bulge/bulge_settings.hpp"
#include "knead/contact/contact_zone.hpp"
#include "knead/mesh/vertex_number.hpp"

#include <span>
#include <vector>

namespace knead {

/// The map's weight at each vertex, 0 where `raise` says that there is no bulge. The anisotropic
/// weights are scaled to a mean of 1.
void bulge_weights(const BulgeMapSettings& map, const ContactZone& zone,
                   std::span<const Vec3> positions, std::span<const Triangle> faces,
                   std::span<const Vec3> raise, std::vector<double>& eta);

} // namespace knead
