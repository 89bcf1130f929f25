#pragma once

#include "knead/base/progress.hpp"
#include "knead/scene/judge/measure.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"

#include <functional>
#include <memory>
#include <optional>

#include "context.hpp"
#include "messages.hpp"
#include "simulated_document.hpp"

namespace knead::studio {

/// What follows from a document: the loaded scene and what shows its frames.
struct LoadedDocument {
    std::shared_ptr<const LoadedScene> scene;
    std::unique_ptr<FrameSolver> solver;           ///< where frames are on their own
    std::unique_ptr<SimulatedDocument> simulation; ///< else; made when first needed

    bool depends_on_time() const { return knead::depends_on_time(scene->scene.method); }
    /// One an object; another when its triangles, rest positions or attributes are others.
    std::vector<std::uint32_t> mesh_versions;
};

/// What measures a scene, and the scene that it was made for.
struct DocumentGauge {
    std::shared_ptr<const LoadedScene> scene;
    SceneGauge gauge;
};

/// The last frame that was solved, while its depth and crossings have not been told yet.
struct UnmeasuredFrame {
    std::uint32_t id = 0; ///< of the request
    ShownFrame shown;
};

/// The mesh of an object at rest, that brushes go over.
struct RestSurface {
    std::uint32_t version = 0; ///< of the mesh
    std::shared_ptr<const LoadedScene> scene;
    Surface surface; ///< looks at the scene's positions
};

/// The file that the document came from, as the page knows it.
struct WatchedFile {
    std::filesystem::path path;
    std::optional<std::string> revision;
    /// When it was written, the last time somebody looked.
    std::optional<std::filesystem::file_time_type> written = std::nullopt;
};

class Exporter;

/// What the server holds for one connection.
struct SessionState {
    std::shared_ptr<Context> context;
    std::filesystem::path assets;     ///< the folder of files that the page sent
    std::filesystem::path scene_path; ///< where the document's file is, or would be
    std::filesystem::path read_as;    ///< what messages call the document that was read last
    std::optional<WatchedFile> watched;
    std::shared_ptr<LoadedDocument> document; ///< the last good one
    LoadWorkspace workspace;                  ///< of loading
    std::optional<DocumentGauge> gauge;       ///< made when first needed
    std::optional<ShownFrame> last;           ///< of those that are on their own
    std::optional<UnmeasuredFrame> unmeasured;
    std::optional<RestSurface> painted; ///< the mesh that was painted on last
    std::shared_ptr<Exporter> exporter;
    /// Of the request that is being done: stopped when nobody waits for its answer any more.
    Progress progress;
    std::function<bool()> others_wait; ///< other requests than the one that is being done
};

/// Reads a document and makes it the session's. On an InputError the last one stays.
void load_document(SessionState& session, const JsonValue& document);

/// The session's document; throws InputError when there is none yet.
const LoadedDocument& document_of(const SessionState& session);

/// Index of an object of the document, by a member of a request.
int object_of(const LoadedDocument& document, const SceneValue& name);

/// A frame of a document whose frames are on their own; the last one is not solved again.
ShownFrame solved_frame(SessionState& session, double frame);

/// The simulation of a document that depends on time. Throws when it cannot be simulated.
SimulatedDocument& simulation_of(const SessionState& session);

/// What the page is told of a document: frames, objects and contacts.
Json document_summary(const LoadedDocument& document);

/// Triangles, rest positions and attributes of an object.
std::string mesh_message(const LoadedDocument& document, int object, std::uint32_t id);

/// What measures frames of a scene; that of the last one asked for is kept.
const SceneGauge& gauge_of(SessionState& session, const std::shared_ptr<const LoadedScene>& scene);

/// A frame with the fields that were asked for; `json` is what else the page is told.
std::string frame_message(SessionState& session, const ShownFrame& shown,
                          std::span<const std::string> fields, std::uint32_t id, Json json);

} // namespace knead::studio
