#pragma once

#include "knead/deform/deform_surface.hpp"

namespace knead {

// The fields of an outcome that are for looking at.

/// Those that follow from what the contacts do to the object, `pairs`; `normals` are its own.
void fill_fields(std::span<const PairDisplacement> pairs, std::span<const Vec3> normals,
                 ObjectOutcome& outcome);

/// How far the vertices of a side are from the other along the mapping direction.
void fill_gap(const Mapping& mapping, const DeformSurface& side, ObjectOutcome& outcome);

} // namespace knead
