#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/io/mesh_file.hpp"
#include "knead/mesh/check.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/scene/judge/measure.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/read/scene_file.hpp"
#include "knead/spatial/self_intersection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "inspect_jumps.hpp"

namespace knead::cli {
namespace {

// Pairs of faces that cross, above which they are not counted.
constexpr std::size_t most_overlaps = 100'000;

void line(const char* label, const std::string& text) {
    fmt::print("  {:<12}{}\n", label, text);
}

template <typename Map>
std::string names(const Map& map) {
    std::vector<std::string> keys;
    for (const auto& [name, value] : map) keys.push_back(name);
    return fmt::format("{}", fmt::join(keys, ", "));
}

void inspect_mesh(const std::string& path) {
    const MeshFile file = read_mesh(path);
    const TriangleMesh& mesh = file.mesh;
    const Topology topology = build_topology(mesh.faces, mesh.vertex_count());
    const Vec3 size = bounding_box(mesh.positions).size();
    const Vec3 center = bounding_box(mesh.positions).center();
    fmt::print("{}\n", path);
    line("mesh",
         fmt::format("{}, {}, {}, {}", counted(mesh.vertex_count(), "vertex", "vertices"),
                     counted(mesh.face_count(), "triangle", "triangles"),
                     counted(topology.edge_count(), "edge", "edges"),
                     counted(connected_components(topology).count, "component", "components")));
    if (file.file_vertex_count() != mesh.vertex_count())
        line("in the file", fmt::format("{}, joined where they are at the same place",
                                        counted(file.file_vertex_count(), "vertex", "vertices")));
    if (file.polygon_count() != mesh.face_count())
        line("in the file", counted(file.polygon_count(), "polygon", "polygons"));
    const Surface surface = make_surface(mesh);
    line("surface", surface.closed()
                        ? fmt::format("closed, volume {:.6g}, area {:.6g}",
                                      signed_volume(mesh.positions, mesh.faces, center),
                                      surface_area(mesh.positions, mesh.faces))
                        : fmt::format("open, {}, area {:.6g}",
                                      counted(static_cast<long long>(
                                                  boundary_loops(topology, mesh.faces).size()),
                                              "border", "borders"),
                                      surface_area(mesh.positions, mesh.faces)));
    line("size",
         fmt::format("{:.6g} x {:.6g} x {:.6g} around ({:.6g}, {:.6g}, {:.6g}), mean edge {:.6g}",
                     size.x(), size.y(), size.z(), center.x(), center.y(), center.z(),
                     mean_edge_length(mesh.positions, topology)));
    if (!mesh.groups.empty()) line("groups", names(mesh.groups));
    if (!mesh.attributes.empty()) line("attributes", names(mesh.attributes));
    if (file.rig) {
        std::size_t targets = 0;
        for (const MorphSet& morphs : file.rig->morphs) targets += morphs.targets.size();
        line("rig",
             fmt::format(
                 "{}, {}",
                 counted(static_cast<long long>(file.rig->skeleton.joints.size()), "node", "nodes"),
                 counted(static_cast<long long>(targets), "morph target", "morph targets")));
        for (int clip = 0; clip < std::ssize(file.rig->clips); ++clip)
            line("animation", fmt::format("{}, {:.4g} s", single_quoted(file.rig->clips[clip].name),
                                          duration(*file.rig, clip)));
    }
    const std::vector<MeshFinding> findings = check_mesh(mesh);
    for (const MeshFinding& finding : findings) line("note", finding.sentence);
    const std::vector<std::array<int, 2>> overlaps =
        find_self_intersections(surface, most_overlaps + 1);
    if (!overlaps.empty())
        line("note",
             fmt::format("the surface passes through itself: {}{}, the first of faces {} and {}",
                         overlaps.size() > most_overlaps ? "more than " : "",
                         counted(static_cast<long long>(std::min(overlaps.size(), most_overlaps)),
                                 "pair of faces", "pairs of faces"),
                         overlaps[0][0], overlaps[0][1]));
    if (findings.empty() && overlaps.empty()) line("note", "nothing is wrong with it");
}

void inspect_scene(const std::string& path) {
    const LoadedScene scene = load_scene(read_scene(path));
    fmt::print("{}\n", path);
    line("frames", fmt::format("{} to {}, {} a second", scene.scene.frames.first,
                               scene.scene.frames.last, scene.scene.fps));
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const TriangleMesh& mesh = scene.objects[i].source.mesh;
        line("object",
             fmt::format("{}: {}, {}, {}{}", scene.scene.objects[i].name,
                         counted(mesh.vertex_count(), "vertex", "vertices"),
                         counted(mesh.face_count(), "triangle", "triangles"),
                         is_closed(build_topology(mesh.faces, mesh.vertex_count())) ? "closed"
                                                                                    : "open",
                         scene.scene.objects[i].rigid ? ", rigid" : ""));
    }
    const SceneGauge gauge = make_gauge(scene);
    const double middle = 0.5 * (scene.scene.frames.first + scene.scene.frames.last);
    const GaugedFrame frame = gauge_frame(gauge, positions_at(scene, middle));
    for (int contact = 0; contact < static_cast<int>(gauge.contacts.size()); ++contact) {
        const Penetration found = measure_contact(gauge, frame, contact);
        const auto& sides = gauge.contacts[contact].between;
        line("contact",
             fmt::format("{} and {}: at frame {}, depth {:.4g}, {}",
                         side_name(scene.scene, sides[0]), side_name(scene.scene, sides[1]), middle,
                         found.depth, counted(found.crossings, "crossing edge", "crossing edges")));
    }
}

// One file that cannot be read does not hide the others.
void inspect(const std::vector<std::string>& paths, const JumpArguments& jumps) {
    std::string first_error;
    for (const std::string& path : paths) {
        try {
            if (jumps.wanted)
                inspect_jumps(path, jumps);
            else if (std::filesystem::path(path).extension() == ".json")
                inspect_scene(path);
            else
                inspect_mesh(path);
        } catch (const InputError& error) {
            if (paths.size() == 1) throw;
            fmt::print("{}\n", path);
            line("error", error.what());
            if (first_error.empty()) first_error = error.what();
        }
    }
    if (!first_error.empty()) throw InputError(first_error);
}

} // namespace

void add_inspect(CLI::App& app) {
    auto paths = std::make_shared<std::vector<std::string>>();
    auto jumps = std::make_shared<JumpArguments>();
    CLI::App* command =
        app.add_subcommand("inspect", "say what a mesh or a scene is, and what is wrong with it");
    command->footer("Example:\n  knead inspect hand.obj ball.ply\n"
                    "  knead inspect --jumps scenes/two-spheres-plane.json --frames 1:24");
    command->add_option("files", *paths, "meshes, or scenes (.json)")
        ->required()
        ->type_name("FILE");
    CLI::Option* wanted = command->add_flag(
        "--jumps", jumps->wanted, "search the resolved motion of a scene for jumps in time");
    command
        ->add_option("--frames", jumps->frames,
                     "first and last frame for --jumps [all of the scene]")
        ->type_name("A:B")
        ->needs(wanted);
    command->add_option("--step", jumps->step, "frames that --jumps walks at a time")
        ->capture_default_str()
        ->needs(wanted);
    command
        ->add_option("--set", jumps->overrides,
                     "change a value of the scene for --jumps, such as objects.ball.stiffness=2; "
                     "may be repeated")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->needs(wanted);
    command->add_option("--threads", jumps->threads, "threads for --jumps; 0 is all cores")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str()
        ->needs(wanted);
    command->callback([paths, jumps] { inspect(*paths, *jumps); });
}

} // namespace knead::cli
