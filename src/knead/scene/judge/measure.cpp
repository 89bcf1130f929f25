#include "knead/scene/judge/measure.hpp"

#include "knead/base/parallel.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/turned_over.hpp"

#include <algorithm>

namespace knead {
namespace {

// A scene whose gauge is known.
struct Gauged {
    const LoadedScene& scene;
    const SceneGauge& gauge;
};

// The part as it was before, when it and its mesh are the same; else null.
const GaugedPart* same_part(const LoadedScene& scene, const ContactSide& side,
                            const Gauged* earlier) {
    if (earlier == nullptr) return nullptr;
    for (const GaugedPart& part : earlier->gauge.parts) {
        if (part.side != side) continue;
        const TriangleMesh& mesh = scene.objects[side.object].source.mesh;
        const TriangleMesh& before = earlier->scene.objects[side.object].source.mesh;
        const bool same =
            scene.scene.objects[side.object].side ==
                earlier->scene.scene.objects[side.object].side &&
            mesh.positions == before.positions && mesh.faces == before.faces &&
            (side.group.empty() || mesh.groups.at(side.group) == before.groups.at(side.group));
        return same ? &part : nullptr;
    }
    return nullptr;
}

int find_or_add_part(const LoadedScene& scene, const ContactSide& side, const Gauged* earlier,
                     SceneGauge& gauge) {
    const auto found = std::find_if(gauge.parts.begin(), gauge.parts.end(),
                                    [&](const GaugedPart& part) { return part.side == side; });
    if (found != gauge.parts.end()) return static_cast<int>(found - gauge.parts.begin());
    if (const GaugedPart* same = same_part(scene, side, earlier)) {
        gauge.parts.push_back(*same);
        return static_cast<int>(gauge.parts.size()) - 1;
    }
    const TriangleMesh& mesh = scene.objects[side.object].source.mesh;
    GaugedPart part;
    part.side = side;
    part.region = side.group.empty() ? whole_mesh(mesh)
                                     : region_of_vertices(mesh, mesh.groups.at(side.group));
    std::vector<Triangle> faces = part.region.triangles;
    if (scene.scene.objects[side.object].side == SheetSide::back)
        faces = turned_over(std::move(faces));
    part.structure = make_structure(gather(part.region, mesh.positions), faces);
    gauge.parts.push_back(std::move(part));
    return static_cast<int>(gauge.parts.size()) - 1;
}

// Whether a vertex of a part is inside the object that the part is of, and all the way from there
// to the other part, too.
class InsideOwnObject {
public:
    InsideOwnObject(const SceneGauge& gauge, const GaugedFrame& frame, int contact)
        : gauge_(gauge) {
        const int whole = gauge.contact_whole[contact];
        if (whole < 0 || !frame.surfaces[whole].closed()) return;
        whole_ = &frame.surfaces[whole];
        normals_ = vertex_normals(whole_->positions, whole_->faces());
        outside_ = 1e-4 * mean_edge_length(whole_->positions, whole_->topology());
    }

    bool operator()(int part, int vertex, const Vec3& nearest) const {
        const int v = gauge_.parts[part].region.vertices[vertex];
        const Vec3 from = whole_->positions[v] + outside_ * normals_[v];
        for (const double t : {0.0, 0.25, 0.5, 0.75})
            if (!is_inside(*whole_, from + t * (nearest - from))) return false;
        return true;
    }
    /// There is a whole object to ask, and it has an inside.
    bool knows() const { return whole_ != nullptr; }

private:
    const SceneGauge& gauge_;
    const Surface* whole_ = nullptr;
    std::vector<Vec3> normals_;
    double outside_ = 0;
};

std::vector<double> part_depths(const SceneGauge& gauge, const GaugedFrame& frame,
                                const InsideOwnObject& inside, int part, int other) {
    const std::vector<Vec3>& positions = frame.positions[part];
    std::vector<double> depths(positions.size(), 0.0);
    const Topology& topology = gauge.parts[part].structure->topology;
    parallel_for(positions.size(), 64, [&](std::size_t v) {
        const int vertex = static_cast<int>(v);
        if (topology.vertex_faces[vertex].empty()) return;
        const double depth = depth_of_point(frame.surfaces[other], positions[v]);
        if (!(depth > 0)) return;
        if (!inside.knows() ||
            inside(part, vertex, closest_point(frame.surfaces[other], positions[v])->position))
            depths[v] = depth;
    });
    return depths;
}

SceneGauge make_gauge(const LoadedScene& scene, const Gauged* earlier) {
    SceneGauge gauge;
    gauge.contacts = contacts_of(scene.scene);
    for (const ContactSpec& contact : gauge.contacts) {
        const int first = find_or_add_part(scene, contact.between[0], earlier, gauge);
        gauge.contact_parts.push_back(
            {first, find_or_add_part(scene, contact.between[1], earlier, gauge)});
        const int object = contact.between[0].object;
        gauge.contact_whole.push_back(object == contact.between[1].object
                                          ? find_or_add_part(scene, {object, ""}, earlier, gauge)
                                          : -1);
    }
    return gauge;
}

} // namespace

SceneGauge make_gauge(const LoadedScene& scene) {
    return make_gauge(scene, nullptr);
}

SceneGauge make_gauge(const LoadedScene& scene, const LoadedScene& earlier,
                      const SceneGauge& of_earlier) {
    const Gauged gauged{earlier, of_earlier};
    return make_gauge(scene, &gauged);
}

GaugedFrame gauge_frame(const SceneGauge& gauge, std::span<const std::vector<Vec3>> positions) {
    GaugedFrame frame;
    for (const GaugedPart& part : gauge.parts)
        frame.positions.push_back(gather(part.region, positions[part.side.object]));
    for (std::size_t i = 0; i < gauge.parts.size(); ++i)
        frame.surfaces.push_back(make_surface(gauge.parts[i].structure, frame.positions[i]));
    return frame;
}

Penetration measure_contact(const SceneGauge& gauge, const GaugedFrame& frame, int contact) {
    const auto [first, second] = gauge.contact_parts[contact];
    const Surface &a = frame.surfaces[first], &b = frame.surfaces[second];
    // Nothing is inside a solid that it is nowhere near; what lies behind an open surface may be
    // far from it.
    if (a.closed() && b.closed() && !a.box().overlaps(b.box())) return {};
    Penetration result = measure_penetration(a, b);
    const InsideOwnObject inside(gauge, frame, contact);
    if (!inside.knows() || result.deepest_vertex < 0) return result;
    result.depth = 0;
    result.deepest_mesh = result.deepest_vertex = -1;
    for (const int side : {0, 1}) {
        const auto [mine, other] =
            side == 0 ? std::array{first, second} : std::array{second, first};
        const std::vector<double> depths = part_depths(gauge, frame, inside, mine, other);
        const auto deepest = std::max_element(depths.begin(), depths.end());
        if (deepest == depths.end() || *deepest <= result.depth) continue;
        result.depth = *deepest;
        result.deepest_mesh = side;
        result.deepest_vertex = static_cast<int>(deepest - depths.begin());
        result.nearest =
            *closest_point(frame.surfaces[other], frame.positions[mine][result.deepest_vertex]);
    }
    return result;
}

std::vector<double> vertex_depths(const LoadedScene& scene, const SceneGauge& gauge,
                                  const GaugedFrame& frame, int object) {
    std::vector<double> depths(scene.objects[object].source.mesh.positions.size(), 0.0);
    for (std::size_t c = 0; c < gauge.contact_parts.size(); ++c) {
        const std::array<int, 2>& pair = gauge.contact_parts[c];
        const InsideOwnObject inside(gauge, frame, static_cast<int>(c));
        for (const int side : {0, 1}) {
            const GaugedPart& mine = gauge.parts[pair[side]];
            if (mine.side.object != object) continue;
            const std::vector<double> here =
                part_depths(gauge, frame, inside, pair[side], pair[1 - side]);
            for (std::size_t i = 0; i < here.size(); ++i) {
                double& depth = depths[mine.region.vertices[i]];
                depth = std::max(depth, here[i]);
            }
        }
    }
    return depths;
}

} // namespace knead
