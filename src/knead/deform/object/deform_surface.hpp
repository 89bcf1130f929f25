#pragma once

#include "knead/bulge/bulge_mesh.hpp"
#include "knead/bulge/bulge_patch.hpp"
#include "knead/deform/object/deform_settings.hpp"
#include "knead/mesh/region.hpp"
#include "knead/spatial/surface.hpp"

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
    std::unique_ptr<BulgePatches> patches;   ///< made when first needed
    std::optional<BulgeWorkspace> smoothing; ///< of the whole surface; the same

    // The object's, as this part sees them.
    DeformSettings settings; ///< rigid is infinitely stiff
    std::span<const Vec2> texture_coordinates;
    std::optional<double> given_edge;
    std::span<const Vec3> object_positions; ///< of an object; a part has its own below
    bool is_posed = false;
    std::vector<Vec3> part_positions, normals;
    double edge = 0;                 ///< mean length
    std::vector<Vec3> guide_normals; ///< smoothed, made when first needed
    std::vector<std::vector<double>> part_maps;
    std::vector<Vec2> part_texture;
    std::vector<double> softness_map; ///< as apparent stiffness
    Surface surface;

    BulgeMesh mesh() const {
        return {surface.positions,
                guide_normals.empty() ? normals : guide_normals,
                structure->faces,
                &structure->topology,
                border,
                {},
                edge};
    }
    /// Values of the object, seen from here.
    template <typename T>
    std::vector<T> gather_values(std::span<const T> of_object) const {
        std::vector<T> values;
        gather_values(of_object, values);
        return values;
    }
    /// The same in the memory of `values`.
    template <typename T>
    void gather_values(std::span<const T> of_object, std::vector<T>& values) const {
        if (!region) return values.assign(of_object.begin(), of_object.end());
        values.clear();
        values.reserve(region->vertices.size() + crease.size());
        for (const int v : region->vertices) values.push_back(of_object[v]);
        for (const EdgeBlend& point : crease)
            values.push_back((1 - point.t) * of_object[point.a] + point.t * of_object[point.b]);
    }
    /// tau, as softness has it.
    VertexNumber apparent_stiffness() const;
    /// The extent that was given, where the zone's border is; infinite when none was.
    double shortest_extent(const ContactZone& zone) const;
    /// Makes what displacements need, where it is not there yet.
    void prepare_bulge();
    BulgeWorkspace& smoothing_workspace();
};

/// The object's settings as its part, which has its region and crease already, sees them.
void take_settings(DeformSurface& part, const DeformSurface& object);

/// Brings a surface, and its object, to the pose of the object.
void pose(DeformSurface& surface, DeformSurface& object);

} // namespace knead
