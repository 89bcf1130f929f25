#pragma once

#include "knead/deform/object/deform_settings.hpp"
#include "knead/rig/transform.hpp"
#include "knead/scene/spec/body_spec.hpp"
#include "knead/scene/spec/implicit_spec.hpp"
#include "knead/scene/spec/mesh_source.hpp"
#include "knead/scene/spec/painting.hpp"
#include "knead/scene/spec/skin_spec.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace knead {

/// A number that an object has everywhere, or that is painted on its vertices:
/// `low + (high - low) * attribute`.
struct PaintedNumber {
    Keyed<double> value = 0.0; ///< without a map
    std::string map;           ///< name of a vertex attribute; empty: not painted
    Keyed<double> low = 0.0;
    Keyed<double> high = 1.0;

    PaintedNumber(double constant = 0) : value(constant) {}

    bool is_painted() const { return !map.empty(); }
    /// At one vertex, `painted` being the attribute's value there.
    double at(double frame, double painted = 0) const;
};

/// The side of an open sheet that others touch.
enum class SheetSide { front, back };

struct BulgeMap {
    enum class Kind { isotropic, anisotropic, attribute };
    Kind kind = Kind::isotropic;
    std::string attribute; ///< for Kind::attribute
};

struct Anisotropy {
    PaintedNumber omega = settings::omega.otherwise;
    PaintedNumber psi = settings::psi.otherwise;
};

struct Wrinkles {
    PaintedNumber amplitude = settings::wrinkle_amplitude.otherwise;
    PaintedNumber waves = settings::wrinkle_waves.otherwise;
};

/// The profile curve's control points along the way out of the contact (v2 and v3; v4 is half-way
/// from v3 to 1).
struct ProfileSpec {
    PaintedNumber bulge_at = settings::bulge_at.otherwise;
    PaintedNumber end_at = settings::end_at.otherwise;
    Wrinkles wrinkles;
};

/// What the numbers that an attribute paints may be.
struct PaintedBounds {
    PaintedNumber number;
    Bounds bounds;
};

/// A name (or the number of a vertex) that the object's mesh or skeleton must know; checked when
/// they are read.
struct NameReference {
    enum class Kind { attribute, group, joint, animation, vertex };
    Kind kind;
    std::string name;
    std::string where; ///< the key in the scene file, to begin messages with
    std::optional<PaintedBounds> paints = std::nullopt; ///< for an attribute that paints a number
    /// For a joint: what to complain about when the object has none at all.
    const char* without_joints = "the object has no skeleton; expected a direction instead";
};

/// Where a vertex attribute comes from: a CSV file with one value a vertex, or strokes of a brush.
using AttributeSource = std::variant<SceneFile, Painting>;

/// An entry of the scene's `objects`: one field a key of the file, with its default.
struct SceneObject {
    std::string name; ///< unique, and fit for a file name
    /// Appended into one mesh. Empty only when `implicit.skeleton` is given.
    std::vector<MeshSource> mesh;
    std::string animation; ///< of a glTF file; empty: the first
    Transform transform;
    std::optional<Vec3> color; ///< for pictures: sRGB, 0 to 1
    std::map<std::string, AttributeSource> attributes;
    std::optional<SkinSpec> skin;
    std::vector<MeshSource> proxy; ///< a mesh that stands in; empty: none

    // For the deformer.
    bool rigid = false;
    SheetSide side = SheetSide::front;
    std::string side_where; ///< the key in the scene file, to begin messages with
    PaintedNumber stiffness = settings::stiffness.otherwise;
    std::optional<PaintedNumber> extent; ///< a length; nothing for "auto"
    PaintedNumber bulge = settings::bulge.otherwise;
    BulgeMap bulge_map;
    Anisotropy anisotropy;
    ProfileSpec profile;
    std::string region; ///< a vertex group; empty: the whole mesh
    PaintedNumber smooth_normals = settings::smooth_normals.otherwise; ///< lengths
    PaintedNumber details = settings::details.otherwise;
    PaintedNumber envelope = settings::envelope.otherwise;
    PaintedNumber offset = settings::offset.otherwise;
    PaintedNumber softness = settings::softness.otherwise;
    std::string preset; ///< whose numbers are the defaults of those above; empty: none

    std::optional<BodySpec> body; ///< for dynamics
    ImplicitSpec implicit;

    // The file's own words for what is loaded, to tell whether it is the same as in another scene.
    std::string mesh_text, skin_text, proxy_text;

    /// Everything above and in the scene's contacts that names a part of this object.
    std::vector<NameReference> references;

    /// Something about it changes from frame to frame, as far as the file tells (a glTF file may
    /// hold an animation).
    bool is_animated() const;
};

} // namespace knead
