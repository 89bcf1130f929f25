#pragma once

#include "knead/bulge/displacement.hpp"
#include "knead/mesh/region.hpp"
#include "knead/spatial/surface.hpp"

#include <memory>
#include <optional>

namespace knead {

/// A point on an edge of an object: (1 - t) a + t b.
struct EdgeBlend {
    int a = 0, b = 0;
    double t = 0;
};

/// An object, or a part of it, on which contacts are looked for: what follows from the faces alone,
/// and what belongs to the frame at hand.
struct DeformSurface {
    int object = 0;
    std::optional<Region> region; ///< nothing: the whole object
    /// Further vertices, after those of the region, where a crease cuts the object's edges. They
    /// follow the object and are never moved themselves.
    std::vector<EdgeBlend> crease;
    std::shared_ptr<const SurfaceStructure> structure; ///< a part's is made when first needed
    std::vector<char> border;
    std::optional<BulgeWorkspace> bulge; ///< made when first needed

    bool is_posed = false;
    std::vector<Vec3> part_positions, normals;
    Surface surface;

    BulgeMesh mesh() const {
        return {surface.positions, normals, structure->faces, &structure->topology, border};
    }
    /// Positions of the object, seen from here.
    std::vector<Vec3> gather_positions(std::span<const Vec3> of_object) const;
};

/// Brings a surface to the pose of its object, whose structure is `whole`.
void pose(DeformSurface& surface, const SurfaceStructure& whole, std::span<const Vec3> positions);

/// A displacement of a part, seen from its object; the rest stays, and is displaced along
/// `normals`.
void spread(const Region& region, std::span<const Vec3> normals, PairDisplacement& displacement);

} // namespace knead
