#pragma once

#include "knead/bulge/pair_displacement.hpp"
#include "knead/contact/pair_contact.hpp"
#include "knead/deform/deform.hpp"
#include "knead/deform/object/deform_surface.hpp"

namespace knead {

/// What a pair does to one of its sides, in vertices of the side's object. Looks no further than
/// the contact reaches; `edge` is that of the mesh there.
void displace_side(const PairContact& contact, int side, double edge, DeformSurface& surface,
                   const FieldMethods& methods, DeformTimes& milliseconds,
                   PairDisplacement& displacement);

} // namespace knead
