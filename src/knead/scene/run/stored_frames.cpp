#include "knead/base/file.hpp"
#include "knead/scene/methods/implicit/solid_frames.hpp"
#include "knead/scene/run/scene_simulation.hpp"
#include "knead/scene/spec/frame_sequence.hpp"

#include <fmt/format.h>

#include <cmath>

namespace knead {
namespace fs = std::filesystem;

fs::path description_path(const fs::path& folder, double frame) {
    const bool fractional = frame != std::round(frame);
    return folder / fmt::format("implicit.{}.json", frame_label(frame, fractional));
}

void show_stored_frames(const LoadedScene& scene, const fs::path& folder,
                        std::span<const double> wanted,
                        const std::function<void(SimulatedFrame)>& each, const Progress& progress) {
    StoredSolids stored(scene);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        progress.check();
        const fs::path file = description_path(folder, wanted[i]);
        each(stored.show(wanted[i], read_text_file(file), file.string()));
        progress.at(static_cast<double>(i + 1) / static_cast<double>(wanted.size()));
    }
}

SimulatedFrames stored_frames(const LoadedScene& scene, const fs::path& folder,
                              std::span<const double> frames, const Progress& progress) {
    SimulatedFrames kept(scene);
    kept.set_followed(followed_solids(SolidStage(scene)));
    show_stored_frames(
        scene, folder, frames,
        [&](SimulatedFrame frame) { kept.keep(frame.report.frame, std::move(frame.solved)); },
        progress);
    return kept;
}

} // namespace knead
