#pragma once

#include "knead/base/types.hpp"

#include <array>
#include <optional>

namespace knead {

/// A point that moves over a step, along a straight line and at constant speed. Time is 0 at the
/// start and 1 at the end.
struct LinearMotion {
    Vec3 start = Vec3::Zero(), end = Vec3::Zero();
};

/// The time in [0, 1] at which a vertex and a face first are no further apart than `distance`;
/// nothing if they stay further apart throughout.
///
/// Rounding never hides a contact: "nothing" is certain, and until the time given they are
/// certainly further apart than `distance`. The time may be early, and a contact may be reported
/// that just does not happen, by about 1e-9 of the step or of a sliver's length; by more only where
/// a pair hardly closes and turns so fast that 200 directions do not suffice.
///
/// Faces without area and edges without length are taken for the segments or points they are. A
/// pair that shares a vertex, or starts within `distance`, is in contact at 0, even if it parts. A
/// negative `distance` counts as 0. Numbers that are not finite, or positions further apart than
/// 1e70, cannot be vouched for: contact at 0.
std::optional<double> vertex_face_impact(const LinearMotion& vertex,
                                         const std::array<LinearMotion, 3>& face,
                                         double distance = 0);

/// The same for two edges.
std::optional<double> edge_edge_impact(const std::array<LinearMotion, 2>& a,
                                       const std::array<LinearMotion, 2>& b, double distance = 0);

} // namespace knead
