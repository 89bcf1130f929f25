#include "kept_figures.hpp"

#include "knead/base/file.hpp"
#include "knead/base/hash.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace knead::quality {
namespace {

using Json = nlohmann::ordered_json;

// Every figure with its name, to be written or read.
template <class Quality, class Visit>
void each_figure(Quality& q, const Visit& visit) {
    visit("vertices", q.vertices);
    visit("depth_before", q.frame.depth_before);
    visit("depth", q.frame.depth);
    visit("crossings_before", q.frame.crossings_before);
    visit("crossings_after", q.frame.crossings_after);
    visit("areas", q.frame.areas);
    visit("apart", q.frame.apart);
    visit("volume", q.frame.volume);
    visit("move", q.frame.move);
    visit("finite", q.frame.finite);
    visit("motion_depth_before", q.motion.depth_before);
    visit("motion_crossings_before", q.motion.crossings_before);
    visit("motion_depth", q.motion.depth);
    visit("motion_depth_frame", q.motion.depth_frame);
    visit("flips", q.motion.flips);
    visit("flips_frame", q.motion.flips_frame);
    visit("crossings", q.motion.crossings);
    visit("crossings_frame", q.motion.crossings_frame);
    visit("other_crossings", q.motion.other_crossings);
    visit("other_frame", q.motion.other_frame);
    visit("why", q.motion.why);
    visit("swapped", q.swapped);
    visit("moved", q.moved);
    visit("same_alone", q.same_alone);
    visit("same_threads", q.same_threads);
    visit("border_angle_mean", q.border_angle_mean);
    visit("border_angle_high", q.border_angle_high);
    visit("threshold", q.threshold);
    visit("zone_area", q.zone_area);
    visit("milliseconds", q.milliseconds);
    visit("last_pass", q.last_pass);
    visit("jump", q.jump);
    visit("jump_frame", q.jump_frame);
    visit("jumps", q.jumps);
}

struct Put {
    Json& json;

    template <class T>
    void operator()(const char* name, const T& value) const {
        json[name] = value;
    }
    void operator()(const char* name, const Judged& judged) const {
        json[name] = {judged.value, judged.bound};
    }
    void operator()(const char* name, const std::optional<Judged>& judged) const {
        if (judged) (*this)(name, *judged);
    }
};

struct Take {
    const Json& json;

    template <class T>
    void operator()(const char* name, T& value) const {
        json.at(name).get_to(value);
    }
    void operator()(const char* name, Judged& judged) const {
        judged = {json.at(name).at(0).get<double>(), json.at(name).at(1).get<double>()};
    }
    void operator()(const char* name, std::optional<Judged>& judged) const {
        if (json.contains(name)) (*this)(name, judged.emplace());
    }
};

} // namespace

std::string key_of_figures(const Scene& scene, const MeasureSettings& settings, bool with_jumps) {
    Hash program;
    program.add(read_text_file("/proc/self/exe"));
    return fmt::format("{} {} {} {} {}", program.text(), scene.hash, settings.placements,
                       with_jumps, settings.jump_step);
}

std::optional<ResolutionQuality> read_kept_figures(const std::filesystem::path& file,
                                                   const std::string& key) {
    if (!std::filesystem::exists(file)) return std::nullopt;
    try {
        const Json json = Json::parse(read_text_file(file));
        if (json.at("of").get<std::string>() != key) return std::nullopt;
        ResolutionQuality quality;
        each_figure(quality, Take{json});
        return quality;
    } catch (const Json::exception&) {
        return std::nullopt; // then it is measured again, as are figures that are not finite
    }
}

void write_kept_figures(const std::filesystem::path& file, const std::string& key,
                        const ResolutionQuality& quality) {
    Json json = {{"of", key}};
    each_figure(quality, Put{json});
    write_file_atomically(file, json.dump(1) + "\n");
}

} // namespace knead::quality
