#pragma once

#include "knead/scene/spec/scene.hpp"

#include <span>
#include <string>
#include <vector>

namespace knead::quality {

/// How a criterion of the contact zone does over the frames of a scene.
struct CriterionQuality {
    std::string scene;
    std::string criterion;
    int contacts = 0;        ///< connected parts of one object in the other, over all frames
    int missed = 0;          ///< of them, those without a vertex in the zone
    double missed_depth = 0; ///< the deepest of these, relative to the largest D
    double depth_after = 0;  ///< the largest, relative to the largest D
};

/// For a scene with two objects: the threshold of all depths of a pair ([BBG21] eq. 4), the one
/// about a place, and, where one object is rigid, the ball test with a large and a small ball,
/// and method A with the last two.
std::vector<CriterionQuality> compare_criteria(const Scene& scene, const std::string& name);

/// docs/criteria.md.
std::string criteria_page(std::span<const CriterionQuality> criteria);

} // namespace knead::quality
