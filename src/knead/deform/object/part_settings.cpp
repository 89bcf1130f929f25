#include "knead/deform/object/part_settings.hpp"

namespace knead {

DeformSettings
part_settings(const DeformSettings& settings,
              const std::function<std::span<const double>(std::span<const double>)>& gathered) {
    DeformSettings part = settings;
    BulgeSettings& bulge = part.bulge;
    for (VertexNumber* number :
         {&part.stiffness, &part.softness, &part.envelope, &part.offset, &part.smooth_normals,
          &part.details, &bulge.bulge, &bulge.profile.bulge_at, &bulge.profile.end_at,
          &bulge.profile.wrinkles.amplitude, &bulge.profile.wrinkles.waves, &bulge.map.omega,
          &bulge.map.psi, part.extent ? &*part.extent : nullptr})
        if (number != nullptr && number->is_map()) *number = gathered(number->map());
    if (!bulge.map.painted.empty()) bulge.map.painted = gathered(bulge.map.painted);
    return part;
}

} // namespace knead
