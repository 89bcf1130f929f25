#pragma once

#include "knead/bulge/pair_displacement.hpp"
#include "knead/contact/mapping.hpp"
#include "knead/deform/deform.hpp"
#include "knead/deform/object/deform_surface.hpp"

namespace knead {

/// As of an object that nothing touches, in the memory of what became of it before.
void reset(ObjectOutcome& outcome, std::span<const Vec3> positions);

/// The fields for looking at, from all of an object's contacts.
void fill_fields(std::span<const PairDisplacement> pairs, std::span<const Vec3> normals,
                 ObjectOutcome& outcome);

/// How far the vertices of a side are from the other along the mapping direction.
void fill_gap(const Mapping& mapping, const DeformSurface& side, ObjectOutcome& outcome);

void apply_envelope(const DeformObject& object, std::span<Vec3> positions);

} // namespace knead
