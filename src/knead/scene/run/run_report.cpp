#include "knead/scene/run/run_report.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <sys/stat.h>

namespace knead {
namespace fs = std::filesystem;

namespace {

bool is_of_same_scene(const Report& a, const Report& b) {
    return a.scene == b.scene && a.scene_hash == b.scene_hash;
}

} // namespace

RunReport::RunReport(fs::path path, Report fresh)
    : path_(std::move(path)), all_(fresh), own_(std::move(fresh)) {
    if (!fs::exists(path_)) return;
    Report found = read_report(path_);
    replaced_hash_ = found.scene_hash;
    caches_found_ = found.caches;
    if (is_of_same_scene(found, own_))
        all_ = std::move(found);
    else
        replaced_ = std::move(found);
}

void RunReport::add(FrameReport frame) {
    add_frame(all_, frame);
    add_frame(own_, std::move(frame));
    has_news_ = true;
}

void RunReport::add_cache(const std::string& format, const FrameSequence& frames) {
    own_.caches[format] = all_.caches[format] = frames;
    has_news_ = true;
}

std::optional<RunReport::Version> RunReport::version_in_file() const {
    struct stat found {};
    std::error_code error;
    const fs::file_time_type written = fs::last_write_time(path_, error);
    if (error || stat(path_.c_str(), &found) != 0) return std::nullopt;
    return Version{found.st_ino, written};
}

std::optional<FrameSequence> RunReport::cache_found(const std::string& format) const {
    const auto found = caches_found_.find(format);
    return found != caches_found_.end() ? std::optional(found->second) : std::nullopt;
}

FileLock RunReport::lock() const {
    fs::path path = path_;
    path += ".lock";
    return FileLock(path);
}

void RunReport::forget_cache(const std::string& format) {
    own_.caches.erase(format);
    all_.caches.erase(format);
    const FileLock lock = this->lock();
    if (!fs::exists(path_)) return;
    Report found = read_report(path_);
    if (found.caches.erase(format) > 0) write_report(path_, found);
}

void RunReport::write() {
    const FileLock lock = this->lock();
    Report merged{own_.scene, own_.scene_hash};
    // Long reports take time to read: not when nobody else has written since.
    if (written_ && version_in_file() == written_) {
        merged = std::move(all_);
    } else if (fs::exists(path_)) {
        Report found = read_report(path_);
        if (is_of_same_scene(found, own_))
            merged = std::move(found);
        else if (found.scene_hash != replaced_hash_)
            throw InputError(fmt::format(
                "{}: another run has put its report of {} here meanwhile, which is not the scene "
                "of this run; each wants a folder of its own",
                path_.string(), single_quoted(found.scene)));
    }
    for (const auto& [format, frames] : own_.caches) merged.caches[format] = frames;
    for (const FrameReport& frame : own_.frames) add_frame(merged, frame);
    all_ = std::move(merged); // first: it may be all there is, and the writing may fail
    write_report(path_, all_);
    written_ = version_in_file();
    replaced_hash_ = all_.scene_hash;
    has_news_ = false;
}

} // namespace knead
