#include "simulated_document.hpp"

#include <cmath>

namespace knead::studio {
namespace {

std::size_t bytes_of(const SolvedFrame& solved) {
    std::size_t bytes = 0;
    for (const auto* lists : {&solved.after, &solved.before})
        for (const std::vector<Vec3>& positions : *lists) bytes += positions.size() * sizeof(Vec3);
    for (const std::vector<double>& pressures : solved.pressures)
        bytes += pressures.size() * sizeof(double);
    for (const ObjectOutcome& object : solved.objects) bytes += object.zone.size() * sizeof(double);
    return bytes;
}

} // namespace

SimulatedDocument::SimulatedDocument(std::shared_ptr<const LoadedScene> scene,
                                     std::size_t most_bytes)
    : scene_(std::move(scene)), ahead_(*scene_, scene_->scene.method), most_bytes_(most_bytes) {}

ShownFrame SimulatedDocument::reach(double frame,
                                    const std::function<void(const ShownFrame&)>& passed,
                                    const Progress& progress) {
    // As frames are written: nothing is between the steps of finer ones.
    const double wanted = std::round(frame * 1000) / 1000;
    if (const auto found = frames_.find(wanted); found != frames_.end())
        return show(wanted, found->second);
    SceneSimulation& simulation = on_the_way_to(wanted);
    const double first = scene_->scene.frames.first;
    std::optional<ShownFrame> result;
    while (!result) {
        // Whole frames are kept, all of them, whatever is asked for.
        std::vector<double> next;
        if (simulation.is_before(first)) {
            if (wanted < first) next.push_back(wanted);
            next.push_back(first);
        }
        if (const double whole = simulation.frame() + 1; wanted > simulation.frame()) {
            if (wanted < whole) next.push_back(wanted);
            next.push_back(whole);
        }
        simulation.run(
            next,
            [&](SimulatedFrame simulated) {
                const double at = simulated.report.frame;
                const ShownFrame shown = show(at, keep(std::move(simulated)));
                if (at == wanted)
                    result = shown;
                else if (!result)
                    passed(shown);
            },
            {}, progress);
    }
    return *result;
}

std::vector<std::array<int, 2>> SimulatedDocument::ranges() const {
    std::vector<std::array<int, 2>> ranges;
    for (const auto& [frame, kept] : frames_) {
        if (frame != std::floor(frame)) continue;
        const int whole = static_cast<int>(frame);
        if (ranges.empty() || whole > ranges.back()[1] + 1)
            ranges.push_back({whole, whole});
        else
            ranges.back()[1] = whole;
    }
    return ranges;
}

SceneSimulation& SimulatedDocument::on_the_way_to(double frame) {
    if (ahead_.is_before(frame)) return ahead_;
    if (!behind_ || !behind_->is_before(frame)) behind_.emplace(*scene_, scene_->scene.method);
    return *behind_;
}

const SimulatedDocument::Kept& SimulatedDocument::keep(SimulatedFrame frame) {
    const double at = frame.report.frame;
    if (const auto found = frames_.find(at); found != frames_.end()) return found->second;
    Kept kept{std::move(frame.solved), std::make_shared<FrameReport>(std::move(frame.report)), 0};
    if (kept.solved.before_is_input) kept.solved.before.clear();
    kept.bytes = bytes_of(kept.solved);
    bytes_ += kept.bytes;
    while (bytes_ > most_bytes_ && !order_.empty()) {
        const auto oldest = frames_.find(order_.front());
        bytes_ -= oldest->second.bytes;
        frames_.erase(oldest);
        order_.pop_front();
    }
    order_.push_back(at);
    return frames_.emplace(at, std::move(kept)).first->second;
}

ShownFrame SimulatedDocument::show(double frame, const Kept& kept) const {
    const auto solved = std::make_shared<SolvedFrame>(kept.solved);
    if (solved->before_is_input) solved->before = positions_at(*scene_, frame);
    return {scene_, frame, solved, kept.report};
}

} // namespace knead::studio
