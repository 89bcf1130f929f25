#include "knead/scene/run/scene_simulation.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/scene/methods/dynamics/dynamics_method.hpp"
#include "knead/scene/methods/implicit/implicit_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <istream>
#include <ostream>

namespace knead {
namespace {

// Frames have three decimals; what is nearer to a step than this is at it.
constexpr double same_frame = 1e-6;

std::unique_ptr<TimeMethod> make_time_method(const LoadedScene& scene, Method method) {
    switch (method) {
    case Method::dynamics:
        return make_dynamics(scene);
    case Method::implicit:
        return make_implicit(scene);
    case Method::deform:
        break;
    }
    throw InputError(fmt::format("{}: method: found {}, expected one that depends on time",
                                 scene.scene.path, method_name(method)));
}

} // namespace

SceneSimulation::SceneSimulation(const LoadedScene& scene, Method method)
    : first_(scene.scene.frames.first), method_(make_time_method(scene, method)), frame_(first_) {}

double SceneSimulation::at_step(int step) const {
    const int all = method_->steps_a_frame();
    return step == all ? frame_ + 1.0 : frame_ + static_cast<double>(step) / all;
}

bool SceneSimulation::is_before(double frame) const {
    return is_at_start() || frame > at_step(step_) + same_frame;
}

void SceneSimulation::run(std::span<const double> wanted,
                          const std::function<void(SimulatedFrame)>& each,
                          const std::function<void()>& at_whole_frame, const Progress& progress) {
    const int steps = method_->steps_a_frame();
    std::size_t next = 0;
    if (is_at_start()) {
        method_->begin_frame();
        for (; next < wanted.size() && wanted[next] <= frame_ + same_frame; ++next)
            each(method_->show(wanted[next], 1));
        if (at_whole_frame) at_whole_frame();
    }
    while (next < wanted.size() && wanted[next] <= at_step(step_) + same_frame) ++next;
    if (next == wanted.size()) return;
    const double start = at_step(step_);
    const double all = std::ceil(wanted.back() - same_frame) - start;
    while (next < wanted.size()) {
        if (step_ == 0) method_->begin_frame();
        while (step_ < steps) {
            progress.check();
            const double before = at_step(step_), at = at_step(step_ + 1);
            if (next < wanted.size() && wanted[next] < at - same_frame) method_->remember();
            method_->step(at, progress.stop);
            ++step_;
            for (; next < wanted.size() && wanted[next] <= at + same_frame; ++next) {
                const double t =
                    wanted[next] < at - same_frame ? (wanted[next] - before) / (at - before) : 1;
                each(method_->show(wanted[next], t));
            }
            progress.at((at - start) / all);
        }
        ++frame_;
        step_ = 0;
        if (at_whole_frame) at_whole_frame();
    }
}

void SceneSimulation::save(std::ostream& out) const {
    const std::int64_t frame = frame_;
    out.write(reinterpret_cast<const char*>(&frame), sizeof frame);
    method_->save(out);
}

void SceneSimulation::load(std::istream& in) {
    std::int64_t frame = 0;
    in.read(reinterpret_cast<char*>(&frame), sizeof frame);
    if (!in || frame < first_ || frame > 1'000'000'000)
        throw InputError("a state of a simulation: found no frame of the scene");
    method_->load(in);
    frame_ = static_cast<int>(frame);
    step_ = 0;
}

void SimulatedFrames::keep(double frame, SolvedFrame solved) {
    if (solved.before_is_input) solved.before.clear();
    frames_[frame] = std::move(solved);
}

SolvedFrame SimulatedFrames::solve(double frame) const {
    const auto found = frames_.find(frame);
    if (found == frames_.end())
        throw InputError(fmt::format("frame {} was not simulated", shortest(frame)));
    SolvedFrame solved = found->second;
    if (solved.before_is_input) solved.before = positions_at(scene_, frame);
    return solved;
}

SimulatedFrames simulate_frames(const LoadedScene& scene, Method method,
                                std::span<const double> frames, const Progress& progress) {
    SceneSimulation simulation(scene, method);
    SimulatedFrames kept(scene);
    kept.set_followed(simulation.followed());
    std::vector<double> wanted(frames.begin(), frames.end());
    std::sort(wanted.begin(), wanted.end());
    simulation.run(
        wanted,
        [&](SimulatedFrame frame) { kept.keep(frame.report.frame, std::move(frame.solved)); }, {},
        progress);
    return kept;
}

} // namespace knead
