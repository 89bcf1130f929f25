#pragma once

#include "knead/base/box.hpp"
#include "knead/contact/pair_contact.hpp"
#include "knead/deform/bodies.hpp"
#include "knead/deform/separate/separate_pairs.hpp"
#include "knead/deform/settle/settle_pairs.hpp"
#include "knead/deform/settle/settled_bulge.hpp"

namespace knead {

/// What a frame has come to, stage by stage.
struct Frame {
    // As it is asked for.
    std::span<const DeformObject> objects;
    std::span<const DeformContact> contacts;
    std::span<const double> kept; ///< one a contact: of a given direction, 0 to 1
    const Progress* progress = nullptr;

    std::vector<Box> boxes;                                   ///< one an object
    std::vector<std::vector<PairDisplacement>> displacements; ///< a list an object
    std::vector<ResolvedPair> pairs;
    std::vector<char> touched; ///< one an object: moves in this frame
    std::vector<CombinedDisplacement> combined;
    DeformResult* result = nullptr;
};

/// What a deformer keeps from frame to frame beside its bodies: memory alone.
struct FrameWorkspace {
    ContactWorkspace contacting;
    PairContact contact; ///< at hand
    Settling settling;
    Separation separation;
    std::vector<CombinedWorkspace> combining; ///< one an object
    SettledBulgeWorkspace settled_bulge;
    std::vector<char> held;   ///< one a vertex
    std::vector<double> kept; ///< of the frame
    // What goes into a frame and comes back.
    std::vector<PairDisplacement> spare_displacements;
    std::vector<CombinedDisplacement> spare_combined; ///< one an object

    /// An empty displacement, in the memory of an earlier one.
    PairDisplacement take_displacement();
    void take_back(Frame& frame);
};

/// A frame that is asked for, its objects posed and nothing resolved. Throws InputError when
/// objects do not fit.
Frame begin_frame(Bodies& bodies, std::span<const DeformObject> objects,
                  std::span<const DeformContact> contacts, std::span<const double> kept,
                  const Progress& progress, DeformResult& result);

} // namespace knead
