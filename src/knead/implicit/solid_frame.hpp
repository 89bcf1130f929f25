#pragma once

#include "knead/implicit/solid.hpp"

namespace knead {

/// Pairs of solids, by index, that pass through each other.
using PassingPairs = std::vector<std::array<int, 2>>;

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

struct SolidShape {
    std::vector<Vec3> positions;   ///< of the samples, in the world
    std::vector<double> pressures; ///< force per area at each; 0 outside contact
    double volume_at_rest = 0;     ///< of the samples' surface, as the others
    double volume_in_contact = 0;  ///< with contact, but no bulge
    double volume = 0;
    bool truncated = false; ///< a bulge ends at the surface between two solids
    int moved = 0;          ///< samples that are not at rest
};

/// The samples on the deformed surface, each moved along the normal it has at rest, so that it
/// comes back to its place after any deformation.
SolidShape deformed_shape(std::span<const Solid> solids, const SolidFrame& frame, int solid);

} // namespace knead
