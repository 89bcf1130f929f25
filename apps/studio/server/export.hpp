#pragma once

#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/run/run.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "document.hpp"
#include "session.hpp"

namespace knead::studio {

/// What an export is to write, understood and checked.
struct ExportOrder {
    std::uint32_t id = 0;
    std::shared_ptr<const LoadedScene> scene;
    FrameSequence frames;
    OutputFormat format = OutputFormat::obj;
    std::optional<std::filesystem::path> folder; ///< nothing: for download
};

ExportOrder read_export(const SessionState& session, const Request& request);

/// Runs one export at a time beside what the session does else.
class Exporter {
public:
    Exporter() = default;
    ~Exporter();
    Exporter(const Exporter&) = delete;
    Exporter& operator=(const Exporter&) = delete;

    /// Answers when it is done. Throws InputError when another one is under way.
    void start(std::shared_ptr<Context> context, ExportOrder order, Outbox outbox);
    /// False when no export of that number is under way. May be called from any thread.
    bool cancel(std::uint32_t id);
    /// Stops what is under way.
    void cancel();
    /// The same, and waits until it has stopped.
    void finish();

private:
    std::mutex lock_;
    std::optional<std::uint32_t> under_way_; ///< under the lock
    std::stop_source stop_;                  ///< the same
    std::thread thread_;
};

} // namespace knead::studio
