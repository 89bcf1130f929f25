#pragma once

#include "knead/base/types.hpp"
#include "knead/mesh/blob.hpp"
#include "knead/scene/format/scene_paths.hpp"

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace knead {

struct SphereShape {
    double radius = 1;
    int subdivisions = 4;
};
struct CapsuleShape {
    double radius = 0.5;
    double length = 2;
    int resolution = 32;
};
struct GridShape {
    Vec2 size = Vec2(2, 2);
    std::array<int, 2> cells = {32, 32};
};
struct BoxShape {
    Vec3 size = Vec3(2, 2, 2);
    std::array<int, 3> cells = {16, 16, 16};
};
struct TorusShape {
    double ring_radius = 1;
    double tube_radius = 0.25;
    int resolution = 64;
};

/// See `make_lathe`.
struct LatheShape {
    std::vector<Vec2> profile; ///< [distance from the axis, height]
    int resolution = 48;
    int rows = 0; ///< 0: the points of the profile
};

/// See `add_bumps`.
struct BumpsSpec {
    double amplitude = 0;
    double wavelength = 1;
};

/// Where a mesh comes from: a file (or a numbered sequence of files), or a shape.
///
/// In the scene file a source is a path or an object with one of the keys `file`, `sphere`,
/// `capsule`, `grid`, `box`, `torus`, `lathe` and `blob`. The object may also have `at`, a constant
/// transform; `group`, a name for the vertices of this source; and `bumps`, a static deformation.
/// `mesh` is one source, or a list of sources that are appended into one mesh:
///
///     "mesh": [ {"box": {"size": [4, 1, 1]}, "group": "back"},
///               {"capsule": {"radius": 0.1}, "at": {"translate": [0, -1, 0]}, "group": "teeth"} ]
struct MeshSource {
    std::variant<SceneFile, SphereShape, CapsuleShape, GridShape, BoxShape, TorusShape, LatheShape,
                 BlobSettings>
        shape;
    Affine3 at = Affine3::Identity();
    std::string group;
    std::optional<BumpsSpec> bumps;
    std::string where; ///< the source's key in the scene file, to begin messages with

    const SceneFile* file() const { return std::get_if<SceneFile>(&shape); }
};

} // namespace knead
