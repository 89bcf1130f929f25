// What a run reads besides scenes and meshes. The first byte picks: a state that a simulation goes
// on from, with one more step to see whether it can; a frame of solids; a painting.
#include "knead/base/error.hpp"
#include "knead/io/csv.hpp"
#include "knead/scene/methods/implicit/scene_solids.hpp"
#include "knead/scene/methods/implicit/solid_description.hpp"
#include "knead/scene/read/scene_file.hpp"
#include "knead/scene/run/scene_simulation.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <sstream>

namespace {

using namespace knead;

constexpr const char* bodies = R"({"knead": 1, "method": "dynamics", "fps": 100, "step": 0.01,
  "frames": [1, 4], "objects": [
  {"name": "cloth", "mesh": {"grid": {"size": [1, 1], "cells": [1, 1]}}, "body": {"type": "cloth"},
   "transform": {"translate": [0, 0.3, 0]}},
  {"name": "box", "mesh": {"box": {"size": [0.4, 0.4, 0.4], "cells": [1, 1, 1]}},
   "body": {"type": "rigid"}, "transform": {"translate": [0, 0.7, 0], "rotate": [20, 30, 0]}},
  {"name": "soft", "mesh": {"box": {"size": [0.4, 0.4, 0.4], "cells": [1, 1, 1]}},
   "body": {"type": "volume", "cells": 1}, "transform": {"translate": [2, 0.22, 0]}},
  {"name": "floor", "mesh": {"grid": {"size": [6, 6], "cells": [1, 1]}}, "rigid": true}]})";

constexpr const char* solids = R"({"knead": 1, "method": "implicit", "fps": 100, "step": 0.01,
  "frames": [1, 4], "objects": [
  {"name": "ball", "skeleton": [{"point": [0, 0, 0]}], "field": {"radius": 0.5, "influence": 0.8},
   "samples": 50, "transform": {"translate": [0, 0.9, 0]}},
  {"name": "bar", "skeleton": [{"segment": [[-1, 0, 0], [1, 0, 0]]}],
   "field": {"radius": 0.3, "influence": 0.6}, "samples": 50, "rigid": true}]})";

LoadedScene loaded(const char* text) {
    return load_scene(parse_scene(text, "fuzz.json", {}));
}

void go_on_from(const LoadedScene& scene, std::string_view state) {
    SceneSimulation simulation(scene, scene.scene.method);
    std::istringstream in{std::string(state)};
    simulation.load(in);
    const double next = simulation.frame() + 1.0;
    simulation.run({&next, 1}, [](const SimulatedFrame& frame) {
        for (const std::vector<Vec3>& positions : frame.solved.after)
            for (const Vec3& position : positions)
                if (!position.allFinite()) std::abort();
    });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const LoadedScene scene_of_bodies = loaded(bodies), scene_of_solids = loaded(solids);
    if (size == 0) return 0;
    const std::string_view content(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        switch (data[0] % 4) {
        case 0:
            go_on_from(scene_of_bodies, content);
            break;
        case 1:
            go_on_from(scene_of_solids, content);
            break;
        case 2:
            parse_solids(make_scene_solids(scene_of_solids), std::string(content), "fuzz");
            break;
        default:
            for (const double value : read_csv_attribute_from_memory(content, "fuzz", 4).values)
                if (!std::isfinite(value)) std::abort();
        }
    } catch (const InputError&) {
    } catch (const GeometryError&) {
    } catch (const SolveError&) {
    }
    return 0;
}
