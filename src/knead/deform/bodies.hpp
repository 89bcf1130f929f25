#pragma once

#include "knead/deform/deform.hpp"
#include "knead/deform/fold/fold.hpp"

namespace knead {

/// The objects of a deformer, their parts and folds: what follows from their faces, and where they
/// are at the frame at hand.
struct Bodies {
    int object_count = 0;
    std::vector<DeformSurface> surfaces; ///< the objects, then the parts
    std::vector<FoldSurfaces> folds;

    /// Throws InputError as `Deformer` says.
    Bodies(std::vector<std::shared_ptr<const SurfaceStructure>> objects,
           std::span<const DeformPart> parts, std::span<const DeformFold> folds_of_objects);
    void replace(int object, std::shared_ptr<const SurfaceStructure> structure);

    /// From here on surfaces are asked for these objects.
    void take(std::span<const DeformObject> objects);
    /// Brings a surface to the pose of its object.
    void pose(DeformSurface& surface) { knead::pose(surface, surfaces[surface.object]); }
    void pose_fold_of(const DeformContact& asked, FoldSurfaces& fold);

    /// One side of a contact. Throws InputError when there is none of that number.
    DeformSurface& side(std::size_t contact_index, int object, const std::optional<int>& part);
    /// The fold that a contact names, or null. Throws InputError when there is none of that number.
    FoldSurfaces* find_fold(std::size_t contact_index, const DeformContact& asked);
};

} // namespace knead
