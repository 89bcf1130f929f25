#pragma once

#include "knead/deform/sequence.hpp"
#include "knead/dynamics/body_settings.hpp"
#include "knead/scene/spec/contact_spec.hpp"
#include "knead/scene/spec/method.hpp"
#include "knead/scene/spec/scene_object.hpp"

#include <span>
#include <string_view>

namespace knead {

struct FrameRange {
    int first = 1;
    int last = 1;

    int count() const { return last - first + 1; }
    friend bool operator==(const FrameRange&, const FrameRange&) = default;
};

enum class UpAxis { y, z };

/// How pictures of the scene are taken, unless the caller says otherwise.
struct ViewSpec {
    double azimuth = 30;   ///< degrees around +Y
    double elevation = 20; ///< degrees above the horizon
    double zoom = 1;       ///< larger is nearer
};

/// A scene file, understood and checked, but with no mesh read yet (see `load_scene`). World-space
/// vectors are already +Y up, whatever `up` says.
struct Scene {
    std::string path;  ///< as given; begins every message about the scene
    std::string hash;  ///< of the text with its overrides: two runs of the same scene have the same
    std::string about; ///< one line for a person
    ScenePaths paths;  ///< where files may be read from
    FrameRange frames;
    double fps = 24;
    UpAxis up = UpAxis::y;
    ViewSpec view;
    Method method = Method::deform; ///< unless the caller asks for another
    std::vector<SceneObject> objects;
    /// Nothing when the file does not say: then every pair may touch, see `contacts_of`.
    std::optional<std::vector<ContactSpec>> contacts;
    ContactOrder contact_order = ContactOrder::together;
    std::vector<std::array<int, 2>> exclude; ///< pairs of objects

    // For dynamics.
    Keyed<Vec3> gravity = default_gravity();
    std::optional<double> step;      ///< seconds
    std::optional<double> tolerance; ///< contact distance
    Keyed<Vec3> wind = Vec3(0, 0, 0);
    Keyed<double> air_density = settings::air_density.otherwise;
    bool separate = false; ///< moves bodies apart that start in each other

    /// Seconds of a glTF animation that belong to a frame.
    double seconds_at(double frame) const { return (frame - frames.first) / fps; }
    /// Index of the object, or -1.
    int find_object(std::string_view name) const;
};

/// The contacts of the file; or, when it has none, every pair of objects of which at least one is
/// not rigid, less the excluded pairs.
std::vector<ContactSpec> contacts_of(const Scene& scene);

/// "hand" or "hand:palm", as in the file.
std::string side_name(const Scene& scene, const ContactSide& side);

/// Pairs of objects that pass through each other, the lower index first: those of `exclude`, and
/// all that `contacts`, when it is given, does not name.
std::vector<std::array<int, 2>> passing_pairs(const Scene& scene);

/// What turns the file's world space into ours: the identity, or Z up into Y up.
Affine3 up_rotation(UpAxis up);

/// Object space -> world at a frame: the object's transform, then `up_rotation`.
Affine3 placement_at(const Scene& scene, const SceneObject& object, double frame);

} // namespace knead
