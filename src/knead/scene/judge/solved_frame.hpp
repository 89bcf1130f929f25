#pragma once

#include "knead/deform/deform.hpp"
#include "knead/render/traced_surface.hpp"
#include "knead/spatial/surface.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace knead {

/// A proxy in one frame: what touched in the place of an object.
struct SolvedProxy {
    std::shared_ptr<const SurfaceStructure> structure;
    std::vector<Vec3> before, after;
    std::vector<double> zone; ///< as of an object
};

/// One frame before and after its contacts were resolved.
struct SolvedFrame {
    std::vector<std::vector<Vec3>> before; ///< one list an object
    /// `before` is where the scene puts the objects, which can be asked for again; otherwise a
    /// method has moved them there.
    bool before_is_input = true;
    std::vector<std::vector<Vec3>> after;
    std::vector<ObjectOutcome> objects;              ///< their positions have moved to `after`
    std::vector<std::optional<SolvedProxy>> proxies; ///< one an object
    std::vector<ContactOutcome> contacts;            ///< in the order of `contacts_of`
    /// Force per area at each vertex, one list an object; none at all where a method knows none.
    std::vector<std::vector<double>> pressures;
    /// The surfaces themselves, one an object, which the meshes only sample; null where there is
    /// nothing but the mesh. None at all where a method knows none.
    std::vector<std::shared_ptr<const TracedSurface>> surfaces;
    std::vector<std::pair<std::string, double>> milliseconds; ///< by stage
    double deform_milliseconds = 0;                           ///< of the deformer alone
};

} // namespace knead
