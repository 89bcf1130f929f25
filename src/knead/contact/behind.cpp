#include "knead/contact/behind.hpp"

#include <algorithm>

namespace knead {

bool reaches_mostly_behind(const Intersection& intersection, const Surface& other,
                           const Vec3& inward) {
    double sum = 0;
    std::size_t count = 0;
    for (const auto* crossings : {&intersection.crossings.of_a, &intersection.crossings.of_b})
        for (const Crossing& crossing : *crossings) {
            sum += inward.dot(crossing.position);
            ++count;
        }
    if (count == 0) return false;
    const double middle = sum / static_cast<double>(count);
    double behind = 0, in_front = 0;
    for (const Vec3& position : other.positions) {
        const double along = inward.dot(position) - middle;
        behind = std::max(behind, along);
        in_front = std::max(in_front, -along);
    }
    return behind > in_front;
}

} // namespace knead
