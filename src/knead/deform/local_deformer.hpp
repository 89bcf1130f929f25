#pragma once

#include "knead/deform/deform.hpp"

namespace knead {

/// A mesh, and where its vertices are in its own space.
struct LocalBody {
    std::shared_ptr<const SurfaceStructure> structure;
    std::vector<Vec3> rest;
};

/// A body at one frame, where the host keeps its vertices.
struct LocalObject {
    /// Of the frame, in the world. Without any the body stands still or moves as a whole, by `at`.
    std::span<const Vec3> pose = {};
    DeformSettings settings = {};
    std::span<const Vec2> texture_coordinates = {}; ///< as of a `DeformObject`
    Affine3 at = Affine3::Identity();               ///< from the body's own space
    /// One a vertex, written in place: in the world, or in the body's own space if it moves as a
    /// whole. There they must be at rest before the first frame.
    std::span<Vec3> positions = {};
};

struct LocalResult {
    std::vector<std::vector<int>> moved; ///< one list an object: vertices that are not where they
                                         ///< would be without contact, ascending
    std::vector<ContactOutcome> contacts;
    DeformTimes milliseconds;
};

/// The deformer for bodies that are large against their contacts: of one that moves as a whole only
/// a working region about its contacts is looked at, found anew in every frame and sized by the
/// extent. A frame costs what the region costs, however large the body. Results are those of
/// `Deformer` but for rounding, where a region is not as large as the whole body: what is inside a
/// closed body is then seen from its nearest face. One call at a time, as with `Deformer`.
/// Its regions are open surfaces: the last pass (`crossing_free`) promises nothing beside their
/// borders.
class LocalDeformer {
public:
    /// Throws InputError when a body has no structure, faces with an index out of range, or
    /// positions at rest that do not fit.
    explicit LocalDeformer(std::vector<LocalBody> bodies);
    ~LocalDeformer();
    LocalDeformer(LocalDeformer&&) noexcept;
    LocalDeformer& operator=(LocalDeformer&&) noexcept;

    /// One object a body. Throws InputError when they do not fit the bodies.
    LocalResult deform(std::span<const LocalObject> objects,
                       std::span<const DeformContact> contacts,
                       ContactOrder order = ContactOrder::together);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace knead
