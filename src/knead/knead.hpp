#pragma once

// What the components `core` and `simulate` offer. Files, pictures and scenes need more libraries,
// so each has a header of its own: docs/library.md has them all.

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/warning.hpp"
#include "knead/deform/deform.hpp"
#include "knead/dynamics/simulation.hpp"
#include "knead/implicit/solid_simulation.hpp"
#include "knead/mesh/check.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/mesh/triangle_mesh.hpp"
#include "knead/rig/skinning.hpp"
#include "knead/spatial/penetration.hpp"
