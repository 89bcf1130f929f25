#include "idle.hpp"

#include "knead/scene/judge/frame_report.hpp"

#include <nlohmann/json.hpp>

#include "answers.hpp"
#include "scene_files.hpp"

namespace knead::studio {
namespace fs = std::filesystem;

void tell_measures(SessionState& session, const Outbox& outbox, std::stop_token stop) {
    if (!session.unmeasured) return;
    UnmeasuredFrame frame = std::move(*session.unmeasured);
    session.unmeasured.reset();
    Json contacts = Json::array();
    try {
        const Progress progress{{}, std::move(stop)};
        for (const ContactReport& contact :
             contact_reports(*frame.shown.scene, gauge_of(session, frame.shown.scene),
                             *frame.shown.solved, progress))
            contacts.push_back({{"between", contact.between},
                                {"depth_before", contact.depth_before},
                                {"depth_after", contact.depth_after},
                                {"crossings_before", contact.crossings_before},
                                {"crossings_after", contact.crossings_after},
                                {"note", contact.note}});
    } catch (const Cancelled&) {
        // A message has come in. Unless it is about another frame, this one is measured after it.
        session.unmeasured = std::move(frame);
        return;
    } catch (const std::exception&) {
        return; // nothing to measure: the frame itself has been answered
    }
    outbox.text(event("measures", {{"id", frame.id}, {"contacts", std::move(contacts)}}));
}

void watch_file(SessionState& session, const fs::path& path, std::optional<std::string> revision) {
    std::error_code error;
    session.watched = {path, std::move(revision), {}};
    const fs::file_time_type written = fs::last_write_time(path, error);
    if (!error) session.watched->written = written;
}

void look_at_file(SessionState& session, const Outbox& outbox) {
    if (!session.watched) return;
    WatchedFile& file = *session.watched;
    std::error_code error;
    const fs::file_time_type written = fs::last_write_time(file.path, error);
    if (error || written == file.written) return;
    file.written = written;
    std::optional<std::string> revision;
    try {
        revision = revision_of(file.path);
    } catch (const InputError&) {
        return; // gone between two looks
    }
    if (!revision || revision == file.revision) return;
    file.revision = revision;
    outbox.text(event("file_changed", {{"path", relative_name(*session.context, file.path)},
                                       {"revision", *revision}}));
}

} // namespace knead::studio
