#include "knead/deform/given_direction.hpp"

#include "knead/contact/fades.hpp"
#include "knead/spatial/depth.hpp"

#include <algorithm>
#include <limits>

namespace knead {

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
    double harm = size > 0 ? fades::given_throws(farthest / size) : 0;
    if (before > 0) harm = std::max(harm, fades::given_leaves_deep(left / before));
    return 1 - (1 - pair.way.fits) * harm;
}

} // namespace knead
