#pragma once

#include "knead/mesh/triangle_mesh.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <string>

namespace knead::quality {

/// What a mesh is pressed by.
enum class Press { floor, ball, ring, other };

constexpr std::array<const char*, 4> press_names = {"floor", "ball", "ring", "other"};

/// A mesh file with its mesh as it rests, and a name that is fit for files.
struct NamedMesh {
    std::string name;
    std::filesystem::path file; ///< what `mesh` of a scene says
    TriangleMesh mesh;
};

/// The text of a scene that presses the mesh from the first touch on, in nine frames:
/// a rigid floor that rises from below, a soft ball, three tenths of it high, that sinks in from
/// above, and the other mesh, made as large, which comes from the front, each by a tenth of the
/// mesh's size along the way; a rigid ring about the thinnest part that gets a fifth narrower than
/// that. Nothing where there is no touch, and no ring where there is no thinnest part.
std::optional<std::string> press_scene(const NamedMesh& mesh, Press press, const NamedMesh& other);

} // namespace knead::quality
