#include "export.hpp"

#include "knead/base/parallel.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/scene/run/run_scene.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "downloads.hpp"
#include "scene_files.hpp"
#include "zip.hpp"

namespace knead::studio {
namespace fs = std::filesystem;

namespace {

FrameSequence read_frames(const RequestReader& reader, const Scene& scene) {
    FrameSequence frames{double(scene.frames.first), double(scene.frames.last), 1};
    if (const auto range = reader.find("frames")) {
        const Vec2 ends = range->vec2();
        frames.first = ends[0];
        frames.last = ends[1];
    }
    if (const auto step = reader.find("step")) frames.step = step->number(bounds::positive);
    check_frame_sequence(frames, "frames");
    return frames;
}

// What an export has left there, and an earlier one of the same format.
std::vector<fs::path> files_in(const fs::path& folder, OutputFormat format) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string ending = entry.path().extension().string();
        const bool is_result = ending.size() > 1 && output_format(ending.substr(1)) == format;
        if (entry.is_regular_file() && (is_result || entry.path().filename() == "report.json"))
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

Json names_of(const std::vector<fs::path>& files) {
    Json names = Json::array();
    for (const fs::path& file : files) names.push_back(file.filename().string());
    return names;
}

Progress progress_of(const ExportOrder& order, const Outbox& outbox, std::stop_token stop) {
    // More than twenty a second nobody can see.
    constexpr double milliseconds = 50;
    const int count = order.frames.count();
    return {[=, watch = Stopwatch(), last = -milliseconds](double fraction) mutable {
                if (watch.milliseconds() - last < milliseconds && fraction < 1) return;
                last = watch.milliseconds();
                const int done = static_cast<int>(std::lround(fraction * count));
                outbox.text(Json{{"id", order.id},
                                 {"progress", fraction},
                                 {"frame", order.frames.frame(std::max(0, done - 1))}}
                                .dump());
            },
            std::move(stop)};
}

// One file goes as it is, several in an archive.
Json offer_download(Context& context, const ExportOrder& order, const fs::path& folder) {
    const std::vector<fs::path> files = files_in(folder, order.format);
    std::vector<fs::path> results;
    std::copy_if(files.begin(), files.end(), std::back_inserter(results),
                 [](const fs::path& file) { return file.filename() != "report.json"; });
    if (results.size() == 1)
        return {{"url", offer(context, results[0], results[0].filename().string())},
                {"files", names_of(results)}};
    const fs::path archive = folder / "all.zip";
    write_zip(archive, files);
    const std::string name = fs::path(order.scene->scene.path).stem().string() + ".zip";
    return {{"url", offer(context, archive, name)}, {"files", names_of(files)}};
}

Json run_export(Context& context, const ExportOrder& order, const Outbox& outbox,
                std::stop_token stop) {
    RunSettings settings;
    settings.frames = order.frames;
    settings.format = order.format;
    const Progress progress = progress_of(order, outbox, std::move(stop));
    if (order.folder) {
        settings.out = *order.folder;
        settings.another_out = "choose another folder";
        run_scene(*order.scene, settings, progress);
        return {{"path", relative_name(context, *order.folder)},
                {"files", names_of(files_in(*order.folder, order.format))}};
    }
    settings.out = context.scratch / random_name();
    try {
        run_scene(*order.scene, settings, progress);
        Json answer = offer_download(context, order, settings.out);
        fs::remove_all(settings.out);
        return answer;
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(settings.out, ignored);
        throw;
    }
}

std::string answer_export(Context& context, const ExportOrder& order, const Outbox& outbox,
                          std::stop_token stop) {
    const auto complain = [&](const char* what) {
        Complaint result = complaint(what, order.scene->scene.path);
        leave_out_folder(context.folder, result.sentence);
        return result;
    };
    try {
        Request request;
        request.id = order.id;
        return done(request, run_export(context, order, outbox, std::move(stop)));
    } catch (const Cancelled& error) {
        return failed(order.id, complain(error.what()), "cancelled");
    } catch (const std::bad_alloc&) {
        return failed(order.id, complain("not enough memory for this"));
    } catch (const std::exception& error) {
        return failed(order.id, complain(error.what()));
    }
}

} // namespace

ExportOrder read_export(const SessionState& session, const Request& request) {
    const RequestReader reader(request);
    ExportOrder order;
    order.id = request.id;
    order.scene = document_of(session).scene;
    order.frames = read_frames(reader, order.scene->scene);
    order.format = reader.require("format", "a format")
                       .choice<OutputFormat>({{"obj", OutputFormat::obj},
                                              {"ply", OutputFormat::ply},
                                              {"pc2", OutputFormat::pc2},
                                              {"glb", OutputFormat::glb},
                                              {"usda", OutputFormat::usda}});
    const bool to_folder = reader.require("to", "\"folder\" or \"download\"")
                               .choice<bool>({{"folder", true}, {"download", false}});
    if (to_folder)
        order.folder = below_folder(*session.context,
                                    reader.require("path", "a folder").text("a folder"), "path");
    return order;
}

Exporter::~Exporter() {
    finish();
}

void Exporter::start(std::shared_ptr<Context> context, ExportOrder order, Outbox outbox) {
    std::unique_lock guard(lock_);
    if (under_way_)
        throw InputError("an export is under way already, expected it to end or to be cancelled");
    under_way_ = order.id;
    stop_ = std::stop_source();
    guard.unlock();
    if (thread_.joinable()) thread_.join();
    thread_ = std::thread([this, context = std::move(context), order = std::move(order),
                           outbox = std::move(outbox), stop = stop_.get_token()] {
        const ThreadLimit limit(context->settings.threads);
        const std::string answer = answer_export(*context, order, outbox, stop);
        // Before the answer, so that who hears it can start the next.
        {
            const std::lock_guard done(lock_);
            under_way_.reset();
        }
        outbox.text(answer);
    });
}

bool Exporter::cancel(std::uint32_t id) {
    const std::lock_guard guard(lock_);
    if (under_way_ != id) return false;
    stop_.request_stop();
    return true;
}

void Exporter::cancel() {
    const std::lock_guard guard(lock_);
    stop_.request_stop();
}

void Exporter::finish() {
    cancel();
    if (thread_.joinable()) thread_.join();
}

} // namespace knead::studio
