#pragma once

#include "knead/implicit/solid.hpp"
#include "knead/implicit/solid_shape.hpp"

#include <array>
#include <span>
#include <vector>

namespace knead {

bool is_passing(const PassingPairs& passing, int a, int b);

/// All contacts, in the order of the names of both. `first` is the one whose name comes first.
/// Pairs whose boxes overlap are looked at from the samples on that were deepest in `earlier`
/// contacts, which only saves time.
std::vector<SolidContact> find_contacts(std::span<const Solid> solids,
                                        const PassingPairs& passing = {},
                                        std::span<const SolidContact> earlier = {});

/// Everything that makes the deformed fields of a moment, besides the solids themselves: from it,
/// shapes of any resolution can be made.
struct SolidFrame {
    struct Touch {
        int other = -1;
        double height = 0; ///< a0 of the bulge against it
    };
    struct Entry {
        Pose pose;
        std::vector<Touch> touches; ///< by name of the other
    };
    std::vector<Entry> solids;
};

/// The frame of these contacts. Where a compressibility is given, heights are those with which the
/// volume is as asked for.
SolidFrame frame_of(std::span<const Solid> solids, std::span<const SolidContact> contacts);

/// What became of a solid in a frame.
DeformedField deformed_field(std::span<const Solid> solids, const SolidFrame& frame, int solid);

/// The samples on the deformed surface, each moved along the normal it has at rest, so that it
/// comes back to its place after any deformation.
SolidShape deformed_shape(std::span<const Solid> solids, const SolidFrame& frame, int solid);
/// Of all solids, with contacts between them that `frame_of` takes.
std::vector<SolidShape> deformed_shapes(std::span<const Solid> solids,
                                        std::span<const SolidContact> contacts);

} // namespace knead
