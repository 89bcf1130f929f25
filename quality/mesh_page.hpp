#pragma once

#include <span>
#include <string>
#include <vector>

#include "measure_scene.hpp"
#include "press_mesh.hpp"

namespace knead::quality {

/// What became of a mesh that was pressed.
struct PressedMesh {
    std::string mesh;
    Press press = Press::floor;
    std::string other;         ///< the other mesh's name, where it is pressed by that
    ResolutionQuality quality; ///< as far as it is taken: the motion, its jumps and its time
};

std::string mesh_page(std::span<const PressedMesh> pressed);

} // namespace knead::quality
