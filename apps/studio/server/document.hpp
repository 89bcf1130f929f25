#pragma once

#include "knead/scene/frame_solver.hpp"

#include <memory>

#include "context.hpp"
#include "messages.hpp"

namespace knead::studio {

/// What follows from a document: the loaded scene and its solver.
struct LoadedDocument {
    std::shared_ptr<const LoadedScene> scene;
    std::unique_ptr<FrameSolver> solver;
    /// One an object; another when its triangles, rest positions or attributes are others.
    std::vector<std::uint32_t> mesh_versions;
};

/// What the server holds for one connection.
struct SessionState {
    std::shared_ptr<Context> context;
    std::filesystem::path assets;           ///< the folder of files that the page sent
    std::filesystem::path scene_path;       ///< where the document's file is, or would be
    std::optional<LoadedDocument> document; ///< the last good one
};

/// Reads a document and makes it the session's. On an InputError the last one stays.
void load_document(SessionState& session, const JsonValue& document);

/// The session's document; throws InputError when there is none yet.
const LoadedDocument& document_of(const SessionState& session);

/// Index of an object of the document, by a member of a request.
int object_of(const LoadedDocument& document, const SceneValue& name);

/// What the page is told of a document: frames, objects and contacts.
Json document_summary(const LoadedDocument& document);

/// Triangles, rest positions and attributes of an object.
std::string mesh_message(const LoadedDocument& document, int object, std::uint32_t id);

/// A solved frame, with the fields that were asked for; `json` is what else the page is told.
std::string frame_message(const LoadedDocument& document, const SolvedFrame& solved, double frame,
                          std::span<const std::string> fields, std::uint32_t id, Json json);

} // namespace knead::studio
