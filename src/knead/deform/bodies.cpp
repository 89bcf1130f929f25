#include "knead/deform/bodies.hpp"

#include "knead/base/error.hpp"
#include "knead/deform/check_frame.hpp"

#include <fmt/format.h>

#include <limits>

namespace knead {

Bodies::Bodies(std::vector<std::shared_ptr<const SurfaceStructure>> objects,
               std::span<const DeformPart> parts, std::span<const DeformFold> folds_of_objects)
    : object_count(static_cast<int>(objects.size())), surfaces(objects.size() + parts.size()) {
    for (int i = 0; i < object_count; ++i) {
        check_structure(objects[i].get(), fmt::format("deform: object {}", i));
        surfaces[i].object = i;
        surfaces[i].structure = std::move(objects[i]);
    }
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const DeformPart& part = parts[p];
        if (part.object < 0 || part.object >= object_count)
            throw InputError(fmt::format("deform: part {} is of object {}, expected 0 to {}", p,
                                         part.object, object_count - 1));
        const SurfaceStructure& whole = *surfaces[part.object].structure;
        for (const int vertex : part.vertices)
            if (vertex < 0 || vertex >= whole.topology.vertex_count)
                throw InputError(fmt::format("deform: part {} has vertex {}, expected 0 to {}", p,
                                             vertex, whole.topology.vertex_count - 1));
        TriangleMesh mesh;
        mesh.positions.assign(whole.topology.vertex_count, Vec3::Zero());
        mesh.faces = whole.faces;
        DeformSurface& surface = surfaces[objects.size() + p];
        surface.object = part.object;
        surface.region = region_of_vertices(mesh, part.vertices);
    }
    for (std::size_t f = 0; f < folds_of_objects.size(); ++f) {
        const DeformFold& fold = folds_of_objects[f];
        if (fold.object < 0 || fold.object >= object_count)
            throw InputError(fmt::format("deform: fold {} is of object {}, expected 0 to {}", f,
                                         fold.object, object_count - 1));
        if (!fold.region)
            throw InputError(
                fmt::format("deform: fold {} has no region, expected one of make_fold_region", f));
        const int count = surfaces[fold.object].structure->topology.vertex_count;
        const int made_for = static_cast<int>(fold.region->working.of_mesh_vertex.size());
        if (made_for != count)
            throw InputError(fmt::format("deform: fold {} is of a mesh with {} vertices, expected "
                                         "{}",
                                         f, made_for, count));
        folds.emplace_back(fold.object, fold.region);
    }
}

void Bodies::replace(int object, std::shared_ptr<const SurfaceStructure> structure) {
    if (object < 0 || object >= object_count)
        throw InputError(fmt::format("deform: object {} is to be replaced, expected 0 to {}",
                                     object, object_count - 1));
    check_structure(structure.get(), fmt::format("deform: object {}", object));
    DeformSurface& surface = surfaces[object];
    surface = {};
    surface.object = object;
    surface.structure = std::move(structure);
}

void Bodies::take(std::span<const DeformObject> objects) {
    for (int i = 0; i < object_count; ++i) {
        surfaces[i].settings = objects[i].settings;
        surfaces[i].texture_coordinates = objects[i].texture_coordinates;
        surfaces[i].given_edge = objects[i].edge;
        surfaces[i].object_positions = objects[i].positions;
        if (objects[i].settings.rigid)
            surfaces[i].settings.stiffness = std::numeric_limits<double>::infinity();
    }
    for (DeformSurface& surface : surfaces) surface.is_posed = false;
    for (FoldSurfaces& fold : folds) fold.working.is_posed = false;
}

void Bodies::pose_fold_of(const DeformContact& asked, FoldSurfaces& fold) {
    pose_fold(fold, surfaces[asked.first], asked.direction->normalized(), asked.crease,
              asked.variant);
}

DeformSurface& Bodies::side(std::size_t contact_index, int object, const std::optional<int>& part) {
    if (object < 0 || object >= object_count)
        throw InputError(fmt::format("deform: contact {} names object {}, expected 0 to {}",
                                     contact_index, object, object_count - 1));
    if (!part) return surfaces[object];
    const int parts = static_cast<int>(surfaces.size()) - object_count;
    if (*part < 0 || *part >= parts || surfaces[object_count + *part].object != object)
        throw InputError(fmt::format("deform: contact {} names part {}, expected one of object {}",
                                     contact_index, *part, object));
    return surfaces[object_count + *part];
}

FoldSurfaces* Bodies::find_fold(std::size_t contact_index, const DeformContact& asked) {
    if (!asked.fold) return nullptr;
    if (*asked.fold < 0 || *asked.fold >= static_cast<int>(folds.size()) ||
        folds[*asked.fold].working.object != asked.first || asked.first != asked.second)
        throw InputError(fmt::format("deform: contact {} names fold {}, expected one of object {}",
                                     contact_index, *asked.fold, asked.first));
    if (!asked.direction)
        throw InputError(fmt::format(
            "deform: contact {} is a fold without a direction, expected one", contact_index));
    return &folds[*asked.fold];
}

} // namespace knead
