#pragma once

#include "knead/bulge/bulge_settings.hpp"

namespace knead {

/// How directions get from the zone to the rest of the mesh.
enum class DirectionMethod {
    blended,    ///< the zone's, going over to the normals quickly ([BBG21] eq. 6)
    transported ///< each border point's own, along the surface, evenly ([BBGB20])
};

struct FieldMethods {
    DirectionMethod directions = DirectionMethod::blended;
    DistanceMethod distance = DistanceMethod::heat;
};

} // namespace knead
