#pragma once

#include "knead/bulge/bulge_settings.hpp"
#include "knead/contact/contact_settings.hpp"

#include <optional>

namespace knead {
namespace settings {

constexpr Setting stiffness{"stiffness", 1, bounds::not_negative};
constexpr Setting softness{"softness", 0.5, bounds::zero_to_one};
/// phi_max; without it, from the size of the contact.
constexpr Setting extent{"extent", worked_out, bounds::positive};
constexpr Setting smooth_normals{"smooth_normals", 0, bounds::not_negative};
constexpr Setting details{"details", 0, bounds::not_negative};
constexpr Setting envelope{"envelope", 1, bounds::zero_to_one};
constexpr Setting offset{"offset", 0, bounds::any};

} // namespace settings

/// How several contacts of an object go together.
enum class ContactOrder {
    together,      ///< each is resolved on the input alone, and gives way where others are
    deepest_first, ///< each is resolved on what those before it have left
};

/// How a fold is displaced when its zones are known.
enum class FoldVariant {
    unified,     ///< one mesh with one zone and one set of fields
    two_regions, ///< a set of fields for each part, blended about the crease
};

/// How the crease of a fold is found.
enum class CreaseMethod {
    /// How likely a walk over the edges, which avoids the silhouette, ends in the first part before
    /// it ends in the second ([Bru21] ch. 6 sec. 3). The crease is where both are as likely. It may
    /// cut an edge anywhere, and moves smoothly over the mesh.
    random_walker,
    /// Minimum cut ([Bru21] ch. 6 sec. 1.3): every vertex is on one side or the other, so that the
    /// crease jumps from edge to edge.
    minimum_cut,
};

/// How an object takes part in contact.
struct DeformSettings {
    bool rigid = false; ///< never moves
    /// Relative to the other object: larger moves less. Painted, it counts where the two meet.
    VertexNumber stiffness = settings::stiffness.otherwise;
    /// 0 to 1, one knob for how large a zone is and how far around it the deformation reaches,
    /// where neither the contact nor `extent` says so.
    VertexNumber softness = settings::softness.otherwise;
    /// phi_max, a length over the surface; nothing: from the contact's size, and softness.
    std::optional<VertexNumber> extent = {};
    BulgeSettings bulge = {};
    /// A length: normals that guide the displacement are smoothed over it, so that relief is moved
    /// as a whole. 0: not at all.
    VertexNumber smooth_normals = settings::smooth_normals.otherwise;
    /// A length: relief shorter than this turns with the surface instead of swelling. 0: none does.
    VertexNumber details = settings::details.otherwise;
    /// 0 to 1: how much of the result is applied.
    VertexNumber envelope = settings::envelope.otherwise;
    /// A gap, or the thickness of a skin, that is kept to the contact surface.
    VertexNumber offset = settings::offset.otherwise;
};

} // namespace knead
