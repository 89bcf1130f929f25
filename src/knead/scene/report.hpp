#pragma once

#include "knead/base/types.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace knead {

/// What happened to one object in one frame.
struct ObjectReport {
    std::string name;
    int vertices = 0;
    double volume_before = 0; ///< signed; of an open surface against the centre of its input's box
    double volume_after = 0;
    double max_displacement = 0;
    int contact_vertices = 0;
    int deformed_vertices = 0;
    std::vector<std::string> notes; ///< what is wrong with the mesh
};

/// What happened between two objects in one frame.
struct ContactReport {
    std::array<std::string, 2> between;
    Vec3 direction = Vec3::Zero(); ///< the mapping direction; zero when there was none
    std::array<double, 2> zone_area{};
    double depth_before = 0, depth_after = 0;
    int crossings_before = 0, crossings_after = 0;
    std::string note; ///< why there was no response; empty when there was one, or no contact
};

struct FrameReport {
    double frame = 0;
    std::vector<ObjectReport> objects;   ///< in the order of the scene
    std::vector<ContactReport> contacts; ///< in the order of the scene
    std::vector<std::pair<std::string, double>> milliseconds;
};

/// The report of the contract: what `knead run` did, frame by frame.
struct Report {
    std::string scene;      ///< file name of the scene
    std::string scene_hash; ///< of the scene's text with its overrides: is it still the same?
    std::vector<FrameReport> frames; ///< in frame order, one entry a frame
};

/// Adds the frame, or takes the place of the entry it has already.
void add_frame(Report& report, FrameReport frame);
const FrameReport* find_frame(const Report& report, double frame);

void write_report(const std::filesystem::path& path, const Report& report);

/// Throws InputError when the file is not a report.
Report read_report(const std::filesystem::path& path);

} // namespace knead
