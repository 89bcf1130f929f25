#pragma once

#include "knead/contact/pair_contact.hpp"
#include "knead/deform/fold/crease.hpp"
#include "knead/deform/object/deform_surface.hpp"

#include <optional>

namespace knead {

/// The mapping direction of a fold from three joints in a row: in the plane of the two bones,
/// orthogonal to the bisector of the angle between them, from the first bone's side to the second's
/// ([Bru21] ch. 6 sec. 1.2, whose formula lacks that the bones count with unit length). Nothing
/// when joints lie on each other or the bones do.
std::optional<Vec3> fold_direction(const Vec3& first, const Vec3& middle, const Vec3& last);

/// A fold at one frame: its working region, and the two parts it falls into at the crease.
struct FoldSurfaces {
    std::shared_ptr<const FoldRegion> region;
    std::unique_ptr<SpdSolver> crease_solver;
    DeformSurface working;
    std::array<DeformSurface, 2> parts; ///< open surfaces that have the crease in common
    FoldVariant variant = FoldVariant::unified;
    std::array<DeformSurface, 2> regions; ///< which overlap; for two regions only
    /// One a working vertex: 0 next to the crease, 1 a few edges away.
    std::vector<double> clear;

    explicit FoldSurfaces(int object, std::shared_ptr<const FoldRegion> fold);
};

/// Poses the working region and cuts it at its crease.
void pose_fold(FoldSurfaces& fold, DeformSurface& object, const Vec3& direction,
               CreaseMethod method, FoldVariant variant);

/// Gap and extent of both parts as one: each part counts as much as it has of the zone, so that one
/// whose zone has just appeared changes nothing yet.
void join_extents(PairContact& contact);

/// The zones of both parts as one of the working region, in which every point keeps the outward
/// direction of its part: fields that are diffused from it pass through the crease.
ContactZone join_zones(const FoldSurfaces& fold, const PairContact& contact);

} // namespace knead
