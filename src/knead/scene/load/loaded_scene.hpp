#pragma once

#include "knead/io/mesh_file.hpp"
#include "knead/io/sequence.hpp"
#include "knead/scene/load/load_workspace.hpp"
#include "knead/scene/load/object_skin.hpp"
#include "knead/scene/spec/scene.hpp"

namespace knead {

/// An object whose mesh has been read.
struct LoadedObject {
    /// The mesh as it rests in object space, with all its attributes and groups; the first frame
    /// of a sequence. Without vertices when the object has no mesh.
    MeshFile source;
    std::optional<MeshFile> proxy; ///< what stands in for the mesh, in object space
    /// Of the mesh's vertices (see `vertex_texture_coordinates`), for a mapping by parametrisation.
    std::vector<Vec2> texture_coordinates;
    /// What is wrong with the mesh and may show in results; for the report.
    std::vector<std::string> notes;

    // What moves the mesh within object space; see `positions_at`.
    Affine3 at = Affine3::Identity(); ///< from the space of an animated file
    std::optional<MeshSequence> sequence;
    int clip = -1; ///< of `source.rig`
    std::optional<ObjectSkin> skin;
};

/// A scene whose meshes have been read, once. Nothing in it changes any more, so any number of
/// threads may ask it for any frames.
struct LoadedScene {
    Scene scene;
    std::vector<LoadedObject> objects; ///< in the order of the scene's
};

/// Reads every mesh, skeleton and map of a scene, and checks that what the scene names is there. An
/// InputError begins with the key that asked for it.
LoadedScene load_scene(Scene scene);

/// The same for a scene that is edited again and again: what the workspace has of the last version
/// that could be loaded is not read or made anew. The result is the same.
LoadedScene load_scene(Scene scene, LoadWorkspace& workspace);

/// Where the vertices of an object are in the world at a frame, which may be fractional: the mesh
/// (between two files of a sequence linearly, in a glTF animation at the frame's time), its skin,
/// its transform, and Y up. A pure function of the frame.
std::vector<Vec3> positions_at(const LoadedScene& loaded, int object, double frame);

/// The same for all objects.
std::vector<std::vector<Vec3>> positions_at(const LoadedScene& loaded, double frame);

/// Where joints of the object's skeleton are in the world at a frame. The names must be there.
std::vector<Vec3> joint_positions_at(const LoadedScene& loaded, int object,
                                     std::span<const std::string> names, double frame);

/// The faces of the object's mesh, counter-clockwise seen from the side that others touch.
std::vector<Triangle> touched_faces(const LoadedScene& loaded, int object);

/// Whether the object looks different at different frames.
bool is_animated(const LoadedScene& loaded, int object);

/// One of the object's numbers at each vertex of its mesh.
std::vector<double> values_at(const LoadedScene& loaded, int object, const PaintedNumber& number,
                              double frame);

} // namespace knead
