#pragma once

#include "knead/base/progress.hpp"
#include "knead/scene/judge/report.hpp"
#include "knead/scene/read/scene_options.hpp"
#include "knead/scene/spec/frame_sequence.hpp"
#include "knead/scene/spec/method.hpp"

#include <filesystem>
#include <optional>
#include <string_view>

namespace knead {

enum class OutputFormat {
    obj,  ///< a file an object and frame; text that reads back to the same doubles
    ply,  ///< the same, with vertex attributes
    pc2,  ///< one point cache an object
    glb,  ///< one file an object, animated by morph targets
    usda, ///< one file an object, with time-sampled points
};

/// "obj", "ply", ...; nothing when the name is of no format.
std::optional<OutputFormat> output_format(std::string_view name);

struct RunSettings {
    std::optional<FrameSequence> frames = {}; ///< default: all frames of the scene
    std::filesystem::path out = "out";
    /// What a person does when `out` cannot be written to, in words.
    std::string another_out = "choose another folder with --out";
    OutputFormat format = OutputFormat::obj;
    std::optional<Method> method = {};                ///< default: the scene's
    std::optional<std::filesystem::path> report = {}; ///< default: report.json in `out`
    /// A folder with frames of implicit solids that an earlier run described: they are shown again,
    /// with the samples that the scene has now, instead of simulated.
    std::optional<std::filesystem::path> from = {};
    bool resume = false; ///< skip frames whose files and report entry are there
    /// When a run into caches is interrupted, its frames stay in a folder of their own in `out`,
    /// for `resume`; otherwise nothing does.
    bool resumable = false;
};

struct RunSummary {
    int frames_done = 0;
    int frames_skipped = 0;
    Method method = Method::deform;
    std::filesystem::path report_path = {};
    Report report = {}; ///< everything that stands in the file now
};

/// Reads a scene file, loads what it names, walks its frames, writes every object at every frame,
/// and the report.
///
/// The deformer's frames are independent and computed in parallel: any range in any order with any
/// number of threads gives the same bytes. A simulation starts from the scene's first frame
/// whatever the range, and leaves its state in `out` after every whole frame, from which `resume`
/// goes on as if there had been no break. A report of the same scene and method that is there
/// already is added to, by several runs at the same time, too. Caches are one piece: one run at a
/// time writes them, and with all the frames that they have already. On a stop request, frames that
/// are finished stay, are in the report, and `Cancelled` is thrown. Throws InputError before
/// anything is written when a file would be that the scene reads (see `InputFiles`).
RunSummary run_scene_file(const std::filesystem::path& path, const RunSettings& settings,
                          const SceneOptions& options = {}, const Progress& progress = {});

} // namespace knead
