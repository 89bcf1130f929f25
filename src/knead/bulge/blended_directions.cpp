#include "knead/bulge/blended_directions.hpp"

namespace knead {

Vec3 blended_direction(const Vec3& outward, double outward_length, const Vec3& normal, double u) {
    const double s = 1 - u * u;
    const double of_zone = s * s * s * s * s * s;
    return of_zone * outward + (1 - of_zone * outward_length) * normal;
}

} // namespace knead
