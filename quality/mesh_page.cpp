#include "mesh_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "page_rows.hpp"

namespace knead::quality {
namespace {

std::string row(const PressedMesh& pressed) {
    const ResolutionQuality& quality = pressed.quality;
    const MotionQuality& motion = quality.motion;
    const std::string against = press_names[static_cast<std::size_t>(pressed.press)];
    const int crossings = std::max(motion.crossings, motion.other_crossings);
    std::string text = fmt::format(
        "| `{}` | {} | {} | {:.3g} | {} | {}, {}{} | {} |", pressed.mesh, quality.vertices,
        pressed.press == Press::other ? fmt::format("`{}`", pressed.other) : against,
        motion.depth_before,
        emphasized(fmt::format("{:.3g}", 100 * motion.depth.value), motion.depth.met()),
        motion.crossings_before, emphasized(fmt::format("{}", crossings), motion.crossings == 0),
        motion.why.empty() ? "" : ", " + motion.why,
        emphasized(fmt::format("{}", motion.flips), motion.flips == 0));
    text += quality.jump
                ? fmt::format(" {} |", emphasized(fmt::format("{:.2g}", quality.jump->value),
                                                  quality.jump->met()))
                : " - |";
    return text + fmt::format(" {:.1f} | {:.2f} |\n", quality.milliseconds, quality.last_pass);
}

} // namespace

std::string mesh_page(std::span<const PressedMesh> pressed) {
    std::string page = R"(# Meshes from anywhere

`scripts/try-meshes FOLDER --page docs/real-meshes.md` writes this page: what the deformer does, with its defaults, to meshes that nobody made
for it. Skinned ones are taken at rest. Each is pressed in nine frames from the first touch on

- by a rigid floor that rises from below, by a tenth of its height;
- by a soft ball, three tenths of its height in radius, that sinks in from above by a tenth of its height;
- by a rigid ring about its thinnest part: the shortest section that leaves a twentieth of the surface on both sides. The ring is the section's
  ellipse, and gets narrower from where it touches to four fifths of it;
- by the next one of the meshes, made as large, soft as well, that comes from the front, by a tenth of its depth.

Depth is the largest before; what is left of it in %, crossing edges (before, and after with why there are any), and flips are the largest of all
frames, as in [quality.md](quality.md); the largest jump of the motion is in edges, and the milliseconds, with those of the last pass, are of one core. **Bold** is
what is above 5 % of the depth, a crossing of closed meshes, a flip, a jump above 0.002.

| mesh | vertices | by | depth | left, % | crossings | flips | jump | ms | last pass |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
)";
    for (const PressedMesh& mesh : pressed) page += row(mesh);
    return page;
}

} // namespace knead::quality
