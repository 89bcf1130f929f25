#pragma once

#include "knead/base/progress.hpp"
#include "knead/scene/judge/measure.hpp"
#include "knead/scene/judge/solved_frame.hpp"

namespace knead {

/// What happened to an object in a frame: volumes, displacements and counts.
ObjectReport object_report(const LoadedScene& scene, const SolvedFrame& solved, int object);

/// What happened in every contact of a frame, with depth and crossings before and after, and why
/// there was no response where there was none. Looks for a stop request from contact to contact.
std::vector<ContactReport> contact_reports(const LoadedScene& scene, const SceneGauge& gauge,
                                           const SolvedFrame& solved,
                                           const Progress& progress = {});

} // namespace knead
