#include "knead/deform/given_direction.hpp"

#include "knead/base/smoothstep.hpp"
#include "knead/spatial/depth.hpp"

#include <algorithm>
#include <limits>

namespace knead {
namespace {

// Of the depth before: what is left where a direction begins to be doubted, and where it is not
// believed any more.
constexpr double doubted_depth = 0.4, refused_depth = 0.8;
// The same of how far a vertex goes, in sizes of the smaller side.
constexpr double doubted_way = 0.5, refused_way = 1;

double rise(double value, double from, double to) {
    return smoothstep((value - from) / (to - from));
}

} // namespace

double kept_of_given(const ResolvedPair& pair, std::span<const ObjectOutcome> after) {
    if (!(pair.way.fits < 1)) return 1;
    std::array<Surface, 2> moved;
    std::array<std::vector<Vec3>, 2> positions;
    double farthest = 0, size = std::numeric_limits<double>::infinity();
    for (int s = 0; s < 2; ++s) {
        const DeformSurface& side = *pair.sides[s];
        side.gather_values<Vec3>(after[side.object].positions, positions[s]);
        for (std::size_t v = 0; v < positions[s].size(); ++v)
            farthest = std::max(farthest, (positions[s][v] - side.surface.positions[v]).norm());
        size = std::min(size, side.surface.box().diagonal());
        moved[s].structure = side.structure;
        move(moved[s], positions[s]);
    }
    const double before = measure_penetration(pair.sides[0]->surface, pair.sides[1]->surface).depth;
    const double left = measure_penetration(moved[0], moved[1]).depth;
    double harm = size > 0 ? rise(farthest / size, doubted_way, refused_way) : 0;
    if (before > 0) harm = std::max(harm, rise(left / before, doubted_depth, refused_depth));
    return 1 - (1 - pair.way.fits) * harm;
}

} // namespace knead
