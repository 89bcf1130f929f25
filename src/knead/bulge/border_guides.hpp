#pragma once

#include "knead/bulge/bulge_mesh.hpp"
#include "knead/bulge/field_methods.hpp"
#include "knead/bulge/fields.hpp"
#include "knead/contact/contact_zone.hpp"
#include "knead/mesh/vertex_number.hpp"

namespace knead {

/// Amplitude and slope at the zone's border points: the way to the contact surface, and how fast it
/// must shrink for the deformed surface to leave the contact surface tangentially ([BBG21] sec.
/// 5.2). Slopes come from the geometry at the border, never from neighbouring values of u, so that
/// nothing jumps when the border passes a vertex. Directions that turn as soon as they leave the
/// border, as transported ones do, change the slope. Where `guides` has outward directions, they
/// are the border points' own. `edge` is that of the mesh.
void border_guides(const ContactZone& zone, const BulgeMesh& mesh, const VertexNumber& extent,
                   double edge, DirectionMethod directions, Guides guides);

} // namespace knead
