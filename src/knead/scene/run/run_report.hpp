#pragma once

#include "knead/base/file_lock.hpp"
#include "knead/scene/judge/report.hpp"

namespace knead {

/// The report of a run on its way into its file, where other runs of the same scene may put their
/// frames at the same time.
class RunReport {
public:
    /// Goes on with what is in the file when that is of the same scene as `fresh`, which has no
    /// frames. Throws InputError when it is no report.
    RunReport(std::filesystem::path path, Report fresh);

    const std::filesystem::path& path() const { return path_; }
    /// What was in the file when it was last looked at, and what this run has added.
    const Report& all() const { return all_; }
    /// What was in the file, where that is of another scene, of this one before it was changed, or
    /// of another method.
    const std::optional<Report>& replaced() const { return replaced_; }

    void add(FrameReport frame);
    void add_cache(const std::string& format, const FrameSequence& frames);
    /// Which frames caches of a format had when this was made, also if another scene's; nothing
    /// where that is not known.
    std::optional<FrameSequence> cache_found(const std::string& format) const;
    /// Takes a cache out of the report in the file, whose ever it is: it is about to be replaced.
    void forget_cache(const std::string& format);
    /// There is something that is not in the file.
    bool has_news() const { return has_news_; }
    /// Adds to what is in the file by now. Throws InputError when that is a report of another scene
    /// and was not there before.
    void write();

private:
    /// Tells one version of the file from another: each is a file of its own, see `PartFile`.
    struct Version {
        std::uintmax_t number = 0;
        std::filesystem::file_time_type written;
        friend bool operator==(const Version&, const Version&) = default;
    };
    std::optional<Version> version_in_file() const;
    FileLock lock() const;

    std::filesystem::path path_;
    Report all_;
    Report own_; ///< of this run alone
    std::map<std::string, FrameSequence> caches_found_;
    std::optional<Report> replaced_;
    std::optional<std::string> replaced_hash_; ///< of what is in the file
    std::optional<Version> written_;           ///< by this run
    bool has_news_ = false;
};

} // namespace knead
