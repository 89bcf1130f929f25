#include "knead/scene/picture/picture.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/render/check.hpp"
#include "knead/scene/judge/measure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace knead {
namespace {

// What the picture shows: the objects as they come, or resolved.
const std::vector<std::vector<Vec3>>& shown(const SolvedFrame& solved,
                                            const PictureSettings& settings) {
    return settings.input ? solved.before : solved.after;
}

void check_field(const LoadedScene& scene, const std::string& field) {
    std::set<std::string> known;
    for (const FieldName& always : field_names()) known.emplace(always.name);
    for (const LoadedObject& object : scene.objects)
        for (const auto& [name, attribute] : object.source.mesh.attributes) known.insert(name);
    if (!field.empty() && !known.contains(field))
        throw InputError(fmt::format("{}: there is no field {}, expected one of {}",
                                     scene.scene.path, single_quoted(field),
                                     fmt::join(known, ", ")));
}

// What of a picture's settings is the renderer's own.
RenderSettings render_settings_of(const PictureSettings& settings) {
    RenderSettings result;
    result.width = settings.width;
    result.height = settings.height;
    result.samples = settings.samples;
    result.clip = settings.clip;
    return result;
}

// Degrees between the displacement and the normal, 0 where there is none.
std::vector<double> direction_angles(const ObjectOutcome& outcome, const std::vector<Vec3>& before,
                                     const std::vector<Triangle>& faces) {
    std::vector<double> angles(before.size(), 0.0);
    if (outcome.direction.empty()) return angles;
    const std::vector<Vec3> normals = vertex_normals(before, faces);
    for (std::size_t v = 0; v < angles.size(); ++v)
        angles[v] = std::atan2(normals[v].cross(outcome.direction[v]).norm(),
                               normals[v].dot(outcome.direction[v])) *
                    180 / std::numbers::pi;
    return angles;
}

// What the camera looks at. Sheets such as floors are often far larger than what happens on them:
// where there are solids, those decide.
std::vector<bool> subjects(const LoadedScene& scene) {
    std::vector<bool> closed;
    for (const LoadedObject& object : scene.objects) {
        const TriangleMesh& mesh = object.source.mesh;
        closed.push_back(is_closed(build_topology(mesh.faces, mesh.vertex_count())));
    }
    if (std::none_of(closed.begin(), closed.end(), [](bool c) { return c; }))
        closed.assign(closed.size(), true);
    return closed;
}

constexpr FieldName always_there[] = {
    {"amplitude", "amplitude of the profile curve"},
    {"depth", "depth in the other objects that is left"},
    {"direction", "angle between displacement and normal, in degrees"},
    {"displacement", "length of the displacement"},
    {"eta", "where the volume goes"},
    {"gap", "gap to the other object before, along the mapping direction"},
    {"pressure", "force per area in contact, of implicit solids"},
    {"slope", "slope of the profile curve at the contact"},
    {"u", "way out of the contact, 0 at the zone and 1 at the end"},
    {"zone", "contact zone"},
};

} // namespace

std::span<const FieldName> field_names() {
    return always_there;
}

std::vector<std::vector<double>> field_values(const LoadedScene& scene, const SceneGauge& gauge,
                                              const SolvedFrame& solved,
                                              std::span<const std::vector<Vec3>> positions,
                                              const std::string& field) {
    std::vector<std::vector<double>> values(scene.objects.size());
    std::optional<GaugedFrame> gauged;
    if (field == "depth") gauged = gauge_frame(gauge, positions);
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const TriangleMesh& mesh = scene.objects[i].source.mesh;
        const ObjectOutcome& outcome = solved.objects[i];
        const auto or_else = [&](const std::vector<double>& given, double otherwise) {
            return given.empty() ? std::vector<double>(mesh.positions.size(), otherwise) : given;
        };
        if (field == "depth") {
            values[i] = vertex_depths(scene, gauge, *gauged, static_cast<int>(i));
        } else if (field == "direction") {
            values[i] = direction_angles(outcome, solved.before[i], mesh.faces);
        } else if (field == "displacement") {
            for (std::size_t v = 0; v < mesh.positions.size(); ++v)
                values[i].push_back((solved.after[i][v] - solved.before[i][v]).norm());
        } else if (field == "gap") {
            values[i] = or_else(outcome.gap, 0);
        } else if (field == "pressure") {
            values[i] =
                or_else(solved.pressures.empty() ? std::vector<double>() : solved.pressures[i], 0);
        } else if (field == "zone") {
            values[i] = or_else(outcome.zone, 0);
        } else if (field == "u") {
            values[i] = or_else(outcome.u, 1);
        } else if (field == "amplitude") {
            values[i] = or_else(outcome.amplitude, 0);
        } else if (field == "slope") {
            values[i] = or_else(outcome.slope, 0);
        } else if (field == "eta") {
            values[i] = or_else(outcome.eta, 0);
        } else if (const auto found = mesh.attributes.find(field); found != mesh.attributes.end()) {
            for (int v = 0; v < mesh.vertex_count(); ++v) values[i].push_back(found->second.at(v));
        }
    }
    return values;
}

void check_picture(const LoadedScene& scene, const PictureSettings& settings) {
    check_settings(render_settings_of(settings));
    if (!(settings.zoom > 0) || !std::isfinite(settings.zoom))
        throw InputError(
            fmt::format("render: zoom is {}, expected a number above 0", settings.zoom));
    if (settings.view && !settings.view->allFinite())
        throw InputError(fmt::format("render: view is {} {}, expected two numbers of degrees",
                                     settings.view->x(), settings.view->y()));
    check_field(scene, settings.field);
}

PictureStage make_stage(const LoadedScene& scene, const FrameSource& source,
                        std::span<const double> frames, const PictureSettings& settings) {
    check_picture(scene, settings);
    PictureStage stage;
    stage.gauge = make_gauge(scene);
    const std::vector<bool> followed = source.followed();
    const std::vector<bool> is_subject = followed.empty() ? subjects(scene) : followed;
    Box everything, subject;
    FieldScale scale{settings.field, 0, 0};
    // A few frames tell enough, also of a long scene.
    const std::size_t stride = std::max<std::size_t>(1, frames.size() / 16);
    for (std::size_t f = 0; f < frames.size(); f += stride) {
        const SolvedFrame solved = source.solve(frames[f]);
        const std::vector<std::vector<Vec3>>& positions = shown(solved, settings);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            everything.include(bounding_box(positions[i]));
            // As they come, so that the view stays when a setting is changed.
            if (is_subject[i])
                subject.include(bounding_box(followed.empty() ? solved.before[i] : positions[i]));
        }
        if (settings.field.empty()) continue;
        for (const auto& values :
             field_values(scene, stage.gauge, solved, positions, settings.field))
            for (const double value : values) {
                scale.low = std::min(scale.low, value);
                scale.high = std::max(scale.high, value);
            }
    }
    const Vec2 view =
        settings.view.value_or(Vec2(scene.scene.view.azimuth, scene.scene.view.elevation));
    stage.camera = frame_camera(subject, view[0], view[1],
                                static_cast<double>(settings.width) / settings.height);
    // Room for the legend at the side.
    const double zoom = settings.zoom * scene.scene.view.zoom * (settings.field.empty() ? 1 : 0.85);
    stage.camera.eye = stage.camera.target + (stage.camera.eye - stage.camera.target) / zoom;
    // A little below, so that a floor that is flat and lowest does not lie in the ground.
    stage.ground_height =
        everything.empty() ? 0 : everything.lower.y() - 1e-3 * everything.diagonal();
    if (!settings.field.empty()) stage.field_scale = scale;
    return stage;
}

Image picture_of(const LoadedScene& scene, const FrameSource& source, double frame,
                 const PictureStage& stage, const PictureSettings& settings,
                 const Progress& progress) {
    const SolvedFrame solved = source.solve(frame);
    const std::vector<std::vector<Vec3>>& positions = shown(solved, settings);
    std::vector<std::vector<double>> values(scene.objects.size());
    if (!settings.field.empty())
        values = field_values(scene, stage.gauge, solved, positions, settings.field);

    std::vector<RenderObject> objects;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const LoadedObject& loaded = scene.objects[i];
        RenderObject object;
        object.name = scene.scene.objects[i].name;
        object.positions = positions[i];
        object.faces = loaded.source.mesh.faces;
        object.color = scene.scene.objects[i].color.value_or(palette_color(static_cast<int>(i)));
        object.smooth = !settings.flat;
        object.wireframe = settings.wireframe;
        object.field = values[i];
        // Of the fields, a surface knows only the pressure.
        if (settings.exact && !settings.input && !solved.surfaces.empty() &&
            solved.surfaces[i] != nullptr &&
            (settings.field.empty() || settings.field == "pressure")) {
            object.surface = solved.surfaces[i].get();
            object.surface_field = !settings.field.empty();
        }
        objects.push_back(object);
        if (settings.ghost) {
            object.surface = nullptr;
            object.positions = solved.before[i];
            object.field = {};
            object.wireframe = false;
            object.ghost = true;
            objects.push_back(object);
        }
    }
    RenderSettings render_settings = render_settings_of(settings);
    render_settings.camera = stage.camera;
    render_settings.ground_height = stage.ground_height;
    render_settings.field_scale = stage.field_scale;
    return render(objects, render_settings, progress);
}

} // namespace knead
