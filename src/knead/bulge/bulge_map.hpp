#pragma once

#include "knead/bulge/bulge_settings.hpp"
#include "knead/contact/contact_zone.hpp"
#include "knead/mesh/vertex_number.hpp"

#include <span>
#include <vector>

namespace knead {

/// Where the volume goes: a weight a vertex, eta, that multiplies the bulge. Only its proportions
/// matter.
struct BulgeMapSettings {
    std::span<const double> painted; ///< one a vertex, may be negative; empty: the same everywhere
    /// Bulge in front of the contact rather than at its sides ([BBG21] sec. 7, [Bru21] eq. 5.6).
    bool anisotropic = false;
    /// How much direction counts against distance.
    VertexNumber omega = settings::omega.otherwise;
    /// Positive: some bulge behind the contact, too.
    VertexNumber psi = settings::psi.otherwise;
};

/// The map's weight at each vertex, 0 where `raise` says that there is no bulge. The anisotropic
/// weights are scaled to a mean of 1.
void bulge_weights(const BulgeMapSettings& map, const ContactZone& zone,
                   std::span<const Vec3> positions, std::span<const Triangle> faces,
                   std::span<const Vec3> raise, std::vector<double>& eta);

} // namespace knead
