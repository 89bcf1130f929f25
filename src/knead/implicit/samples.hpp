#pragma once

#include "knead/implicit/field.hpp"
#include "knead/mesh/topology.hpp"
#include "knead/mesh/triangle_mesh.hpp"

#include <memory>
#include <vector>

namespace knead {

/// Points on the surface of a solid at rest, in its own coordinates: what finds contacts, carries
/// forces and is shown.
struct Samples {
    std::vector<Vec3> positions;
    std::vector<Vec3> normals; ///< unit, outwards
    std::vector<Triangle> faces;
    /// How far inwards, against the normal, the field still grows: to the skeleton.
    std::vector<double> thickness;
    std::vector<char> on_surface; ///< 0 for vertices of a given mesh that are far from the surface
    double spacing = 0;           ///< mean length of an edge
    std::shared_ptr<const Topology> topology; ///< of the faces
    Box box;

    /// A few dozen samples that are close together, so that most can be ruled out at once.
    struct Patch {
        Vec3 center;
        double radius;
        std::vector<int> samples;
    };
    std::vector<Patch> patches;

    int count() const { return static_cast<int>(positions.size()); }
};

/// The surface of a field as nearly equilateral triangles with about `count` vertices; more when
/// the solid is so thin that they would be larger than it. Throws GeometryError when that takes
/// millions.
TriangleMesh polygonize(const Field& field, int count);

/// Samples at the vertices of a mesh, each moved to the field's surface along its gradient. Those
/// for which there is none within `reach` stay where they are and take no part in contacts.
Samples make_samples(const Field& field, const TriangleMesh& mesh, double reach);

/// The same samples for a field whose skeletons have moved, with the pieces in the same order: each
/// follows the skeletons that make its field, and goes on to the new surface.
Samples moved_samples(const Samples& samples, const Field& from, const Field& to);

} // namespace knead
