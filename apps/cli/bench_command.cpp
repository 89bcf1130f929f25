#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

#include "bench.hpp"
#include "commands.hpp"

namespace knead::cli {
namespace {

struct BenchArguments {
    std::vector<std::string> scenes;
    int frames = 24;
    std::optional<int> threads;
    bool growth = false;
    bool sequence = false;
    bool body = false;
    bool json = false;
};

std::vector<BenchScene> chosen(const BenchArguments& arguments) {
    if (arguments.scenes.empty()) return bench_scenes();
    std::vector<BenchScene> result;
    for (const std::string& name : arguments.scenes) {
        const auto found =
            std::find_if(bench_scenes().begin(), bench_scenes().end(),
                         [&](const BenchScene& scene) { return scene.name == name; });
        if (found == bench_scenes().end()) {
            std::vector<std::string> names;
            for (const BenchScene& scene : bench_scenes()) names.push_back(scene.name);
            throw UsageError(fmt::format("there is no scene {} to measure, expected one of {}",
                                         single_quoted(name), fmt::join(names, ", ")));
        }
        result.push_back(*found);
    }
    return result;
}

void print_row(const BenchResult& result) {
    std::vector<std::string> stages;
    for (const auto& [stage, share] : result.stages)
        if (share >= 0.005) stages.push_back(fmt::format("{} {:.0f}", stage, 100 * share));
    fmt::print("{:<15}{:>30}{:>22}{:>9.2f}{:>11.2f}{:>7.2f}  "
               "{:.2f}-{:.2f}{:>9.2f}{:>9.2f}{:>8.0f}{:>8.1f}  {}\n",
               result.name, fmt::format("{}", fmt::join(result.working, "+")),
               fmt::format("{}", fmt::join(result.deformable, "+")), result.milliseconds,
               result.reference_milliseconds, result.ratio, result.low_ratio, result.high_ratio,
               result.last_pass_milliseconds, result.ratio_without, result.allocations,
               result.bytes_a_vertex / 1024, fmt::join(stages, " "));
    std::fflush(stdout);
}

std::string as_json(const BenchResult& result, int threads) {
    std::vector<std::string> stages;
    for (const auto& [stage, share] : result.stages)
        stages.push_back(fmt::format("\"{}\": {:.4f}", stage, share));
    return fmt::format(
        "{{\"name\": \"{}\", \"working\": [{}], \"deformable\": [{}], "
        "\"milliseconds\": {:.4f}, \"baseline_milliseconds\": {:.4f}, \"ratio\": {:.4f}, "
        "\"low_ratio\": {:.4f}, \"high_ratio\": {:.4f}, \"last_pass_milliseconds\": {:.4f}, "
        "\"ratio_without_last_pass\": {:.4f}, \"threads\": {}, "
        "\"allocations\": {:.0f}, \"bytes_a_vertex\": {:.0f}, \"stages\": {{{}}}}}",
        result.name, fmt::join(result.working, ", "), fmt::join(result.deformable, ", "),
        result.milliseconds, result.reference_milliseconds, result.ratio, result.low_ratio,
        result.high_ratio, result.last_pass_milliseconds, result.ratio_without, threads,
        result.allocations, result.bytes_a_vertex, fmt::join(stages, ", "));
}

// The processor, where the system tells, and how many cores there are.
std::string machine() {
    std::string processor = "unknown processor";
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
            processor = line.substr(line.find(": ") + 2);
            break;
        }
    std::erase_if(processor, [](char c) { return c == '"' || c == '\\'; });
    return fmt::format("{}, {} cores", processor, std::thread::hardware_concurrency());
}

void run_growth(const BenchArguments& arguments) {
    const std::vector<GrowthResult> results = bench_growth(arguments.frames);
    const double exponent = growth_exponent(results);
    std::vector<std::string> rows;
    for (const GrowthResult& result : results)
        rows.push_back(arguments.json
                           ? fmt::format("{{\"vertices\": {}, \"milliseconds\": {:.4f}}}",
                                         result.vertices, result.milliseconds)
                           : fmt::format("{:>10} vertices {:>10.2f} ms", result.vertices,
                                         result.milliseconds));
    if (arguments.json)
        fmt::print("{{\"knead\": 1, \"growth\": [\n  {}\n], \"exponent\": {:.4f}}}\n",
                   fmt::join(rows, ",\n  "), exponent);
    else
        fmt::print("{}\ntime grows with the power {:.2f} of the vertices\n", fmt::join(rows, "\n"),
                   exponent);
}

void run_body(const BenchArguments& arguments) {
    const BodyResult result = bench_body(arguments.frames);
    const double ratio = result.body_milliseconds / result.region_milliseconds;
    if (arguments.json)
        fmt::print("{{\"knead\": 1, \"body_vertices\": {}, \"region_vertices\": {}, "
                   "\"moved_vertices\": {}, "
                   "\"body_milliseconds\": {:.4f}, \"region_milliseconds\": {:.4f}, "
                   "\"ratio\": {:.4f}, \"largest_difference\": {:.3g}}}\n",
                   result.body_vertices, result.region_vertices, result.moved_vertices,
                   result.body_milliseconds, result.region_milliseconds, ratio,
                   result.largest_difference);
    else
        fmt::print("on a body of {} vertices {:.2f} ms, on {} of them alone {:.2f} ms: {:.2f} "
                   "times that; {} vertices move; results differ by {:.2g}\n",
                   result.body_vertices, result.body_milliseconds, result.region_vertices,
                   result.region_milliseconds, ratio, result.moved_vertices,
                   result.largest_difference);
}

void run_sequence(const BenchArguments& arguments) {
    std::vector<std::string> rows;
    for (const BenchScene& scene : chosen(arguments)) {
        const SequenceResult result =
            bench_sequence(scene, arguments.frames, arguments.threads.value_or(0));
        const double speed_up = result.one_milliseconds / result.all_milliseconds;
        if (arguments.json)
            rows.push_back(fmt::format("{{\"name\": \"{}\", \"frames\": {}, \"threads\": {}, "
                                       "\"one_milliseconds\": {:.4f}, "
                                       "\"all_milliseconds\": {:.4f}, \"speed_up\": {:.4f}}}",
                                       result.name, result.frames, result.threads,
                                       result.one_milliseconds, result.all_milliseconds, speed_up));
        else
            fmt::print("{:<15}{:>4} frames {:>10.2f} ms on one thread {:>10.2f} ms on {}: {:.2f} "
                       "times as fast\n",
                       result.name, result.frames, result.one_milliseconds, result.all_milliseconds,
                       result.threads, speed_up);
    }
    if (arguments.json)
        fmt::print("{{\"knead\": 1, \"machine\": \"{}\", \"sequences\": [\n  {}\n]}}\n", machine(),
                   fmt::join(rows, ",\n  "));
}

void run_bench(const BenchArguments& arguments) {
    if (arguments.growth + arguments.body + arguments.sequence > 1)
        throw UsageError("--growth, --body and --sequence are three measurements, expected one");
    if (arguments.sequence) return run_sequence(arguments);
    const ThreadLimit limit(arguments.threads.value_or(1));
    if (arguments.growth || arguments.body) {
        const char* const flag = arguments.growth ? "--growth" : "--body";
        if (!arguments.scenes.empty())
            throw UsageError(fmt::format("{} has a scene of its own, found {}", flag,
                                         single_quoted(arguments.scenes[0])));
        return arguments.growth ? run_growth(arguments) : run_body(arguments);
    }
    const std::vector<BenchScene> scenes = chosen(arguments);
    if (!arguments.json)
        fmt::print("{:<15}{:>30}{:>22}{:>9}{:>11}{:>7}  {:<9}{:>9}{:>9}{:>8}{:>8}  {}\n", "scene",
                   "working", "deformable", "ms", "reference", "ratio", "quartiles", "last, ms",
                   "without", "allocs", "kB/vert", "stages, %");
    std::vector<std::string> json;
    double logarithms = 0, logarithms_without = 0;
    int measured = 0;
    for (const BenchScene& scene : scenes) {
        const BenchResult result = bench(scene, arguments.frames);
        if (result.ratio > 0) {
            logarithms += std::log(result.ratio);
            logarithms_without += std::log(result.ratio_without);
            ++measured;
        }
        if (arguments.json)
            json.push_back(as_json(result, thread_count()));
        else
            print_row(result);
    }
    const double mean = measured > 0 ? std::exp(logarithms / measured) : 0;
    const double mean_without = measured > 0 ? std::exp(logarithms_without / measured) : 0;
    if (arguments.json)
        fmt::print("{{\"knead\": 1, \"machine\": \"{}\", \"scenes\": [\n  {}\n], "
                   "\"geometric_mean\": {:.4f}, \"geometric_mean_without_last_pass\": {:.4f}}}\n",
                   machine(), fmt::join(json, ",\n  "), mean, mean_without);
    else
        fmt::print("geometric mean {:.3f}, without the last pass {:.3f}\n", mean, mean_without);
}

} // namespace

void add_bench(CLI::App& app) {
    auto arguments = std::make_shared<BenchArguments>();
    CLI::App* command = app.add_subcommand(
        "bench", "measure the deformer against the factorisations it would take to do it plainly");
    command->footer("Example:\n  knead bench walk --frames 8");
    command->add_option("scenes", arguments->scenes, "which; all when none is named");
    command->add_option("--frames", arguments->frames, "how many of each animation")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command
        ->add_option("--threads", arguments->threads,
                     "threads to use; 0 is all cores (default 1; of --sequence 0)")
        ->check(CLI::Range(0, 1024));
    command->add_flag("--growth", arguments->growth,
                      "measure how the time grows with the number of vertices instead");
    command->add_flag(
        "--sequence", arguments->sequence,
        "measure how much faster the frames of an animation are side by side instead");
    command->add_flag("--body", arguments->body,
                      "measure a contact on a body of a million vertices that moves as a whole");
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments] { run_bench(*arguments); });
}

} // namespace knead::cli
