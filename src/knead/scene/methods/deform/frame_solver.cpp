#include "knead/scene/methods/deform/frame_solver.hpp"

#include "knead/base/error.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/scene/load/mesh_builder.hpp"
#include "knead/scene/methods/deform/object_proxy.hpp"
#include "knead/scene/methods/deform/scene_folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <mutex>

namespace knead {
namespace {

// An object's settings at one frame, and the maps that they look at.
struct ObjectAt {
    DeformObject object;
    std::vector<std::vector<double>> maps;
};

ObjectAt object_at(const LoadedScene& scene, int index, double frame,
                   std::span<const Vec3> positions, const ObjectProxy* proxy) {
    const SceneObject& spec = scene.scene.objects[index];
    const TriangleMesh& mesh = scene.objects[index].source.mesh;
    ObjectAt result;
    const auto keep = [&](std::vector<double> map) -> std::span<const double> {
        return result.maps.emplace_back(proxy != nullptr ? proxy->values(map, mesh.faces)
                                                         : std::move(map));
    };
    const auto at = [&](const PaintedNumber& number) -> VertexNumber {
        if (!number.is_painted()) return number.at(frame);
        return keep(values_at(scene, index, number, frame));
    };
    result.object.positions = positions;
    DeformSettings& settings = result.object.settings;
    settings.rigid = spec.rigid;
    settings.stiffness = at(spec.stiffness);
    settings.softness = at(spec.softness);
    if (spec.extent) settings.extent = at(*spec.extent);
    settings.bulge.bulge = at(spec.bulge);
    settings.bulge.profile.bulge_at = at(spec.profile.bulge_at);
    settings.bulge.profile.end_at = at(spec.profile.end_at);
    settings.bulge.profile.wrinkles.amplitude = at(spec.profile.wrinkles.amplitude);
    settings.bulge.profile.wrinkles.waves = at(spec.profile.wrinkles.waves);
    settings.bulge.map.anisotropic = spec.bulge_map.kind == BulgeMap::Kind::anisotropic;
    settings.bulge.map.omega = at(spec.anisotropy.omega);
    settings.bulge.map.psi = at(spec.anisotropy.psi);
    if (spec.bulge_map.kind == BulgeMap::Kind::attribute)
        settings.bulge.map.painted = keep(mesh.attributes.at(spec.bulge_map.attribute).values);
    settings.smooth_normals = at(spec.smooth_normals);
    settings.details = at(spec.details);
    settings.envelope = at(spec.envelope);
    settings.offset = at(spec.offset);
    if (proxy == nullptr)
        result.object.texture_coordinates = scene.objects[index].texture_coordinates;
    return result;
}

// The vertices that take part on one side of a contact: its group, cut with the object's region.
// Nothing: all of them.
std::optional<std::vector<int>> part_vertices(const LoadedScene& scene, const ContactSide& side) {
    const auto& groups = scene.objects[side.object].source.mesh.groups;
    const std::string& region = scene.scene.objects[side.object].region;
    if (side.group.empty() && region.empty()) return std::nullopt;
    if (side.group.empty()) return groups.at(region);
    if (region.empty()) return groups.at(side.group);
    const std::vector<int>&a = groups.at(side.group), &b = groups.at(region);
    std::vector<int> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
}

// Each part once, however many contacts it is in.
struct SceneParts {
    std::vector<DeformPart> parts;
    std::vector<ContactSide> sides; ///< of which they are

    std::optional<int> find_or_add(const LoadedScene& scene, const ContactSide& side,
                                   const ObjectProxy* proxy) {
        const auto found = std::find(sides.begin(), sides.end(), side);
        if (found != sides.end()) return static_cast<int>(found - sides.begin());
        std::optional<std::vector<int>> vertices = part_vertices(scene, side);
        if (!vertices) return std::nullopt;
        if (proxy != nullptr)
            vertices = proxy->members(*vertices, scene.objects[side.object].source.mesh.faces);
        sides.push_back(side);
        parts.push_back({side.object, std::move(*vertices)});
        return static_cast<int>(parts.size()) - 1;
    }
};

// Whether there is a contact that the deformer was told not to look at.
bool may_be_outside_of_region(const Scene& scene, const ContactSpec& contact) {
    const SceneObject& first = scene.objects[contact.between[0].object];
    const SceneObject& second = scene.objects[contact.between[1].object];
    return !(first.rigid && second.rigid) && !(first.region.empty() && second.region.empty());
}

// What the deformer is given of a frame, and the memory that it looks at.
struct GatheredFrame {
    std::vector<DeformObject> objects;
    std::vector<DeformContact> contacts;
    std::vector<int> contact_of; ///< the scene's contact -> one of those, or -1
    std::vector<std::vector<Vec3>> proxy_positions;
    std::vector<std::vector<std::vector<double>>> maps;
};

DeformContact contact_at(const ContactSpec& spec, double frame) {
    DeformContact contact;
    contact.first = spec.between[0].object;
    contact.second = spec.between[1].object;
    if (spec.apparent_stiffness)
        contact.zone.apparent_stiffness = spec.apparent_stiffness->at(frame);
    if (spec.zone == ZoneKind::global) contact.zone.threshold = ZoneThreshold::global;
    if (spec.zone == ZoneKind::ball) contact.zone.ball_radius = spec.ball_radius->at(frame);
    contact.mapping = spec.mapping;
    contact.distance = spec.distance;
    contact.crossing_free = spec.crossing_free;
    if (spec.direction) contact.direction = spec.direction->at(frame);
    if (spec.fold) {
        contact.crease = spec.fold->crease;
        contact.variant = spec.fold->variant;
    }
    return contact;
}

// The memory of an earlier frame, for the next result.
DeformResult take_memory(SolvedFrame& solved) {
    DeformResult result;
    result.objects = std::move(solved.objects);
    for (std::size_t i = 0; i < std::min(result.objects.size(), solved.after.size()); ++i)
        result.objects[i].positions = std::move(solved.after[i]);
    solved.objects.clear();
    solved.after.clear();
    solved.contacts.clear();
    solved.proxies.clear();
    return result;
}

std::string behind_note(const Scene& scene, const ContactSpec& contact, int sheet) {
    return fmt::format("most of {} is behind {}, a sheet: it may be meant to touch the other side",
                       in_quotes(side_name(scene, contact.between[1 - sheet])),
                       in_quotes(side_name(scene, contact.between[sheet])));
}

bool has_same_shape(const TriangleMesh& a, const TriangleMesh& b) {
    return a.positions == b.positions && a.faces == b.faces;
}

} // namespace

struct FrameSolver::State {
    const LoadedScene& scene;
    std::vector<ContactSpec> contacts;
    std::vector<std::array<std::optional<int>, 2>> contact_parts; ///< of `parts`
    std::vector<std::shared_ptr<const ObjectProxy>> proxies;      ///< one an object, or none
    std::vector<std::optional<int>> contact_folds;                ///< of `folds`
    std::vector<std::shared_ptr<const SurfaceStructure>> structures;
    std::vector<DeformPart> parts;
    std::vector<DeformFold> folds;
    std::mutex lock;
    std::vector<Deformer> idle;

    const ObjectProxy* proxy(int object) const { return proxies[object].get(); }

    // The object as it is in the other solver, when it has the same meshes at rest.
    std::optional<std::size_t> same_object(const State* other, std::size_t object) const {
        if (other == nullptr || object >= other->scene.objects.size()) return std::nullopt;
        const LoadedObject &mine = scene.objects[object], &its = other->scene.objects[object];
        if (scene.scene.objects[object].side != other->scene.scene.objects[object].side ||
            !has_same_shape(mine.source.mesh, its.source.mesh) ||
            mine.proxy.has_value() != its.proxy.has_value() ||
            (mine.proxy && !has_same_shape(mine.proxy->mesh, its.proxy->mesh)))
            return std::nullopt;
        return object;
    }

    // The region of a fold between the same parts of the same mesh, or null.
    std::shared_ptr<const FoldRegion> same_fold(const State* other, std::size_t contact) const {
        if (other == nullptr || contact >= other->contacts.size() ||
            !other->contact_folds[contact] ||
            !(contacts[contact].fold || contacts[contact].direction))
            return nullptr;
        const DeformFold& fold = other->folds[*other->contact_folds[contact]];
        if (fold.object != contacts[contact].between[0].object ||
            structures[fold.object] != other->structures[fold.object])
            return nullptr;
        for (const int side : {0, 1})
            if (parts[*contact_parts[contact][side]].vertices !=
                other->parts[*other->contact_parts[contact][side]].vertices)
                return nullptr;
        return fold.region;
    }

    // Deformers are of no use to each other unless everything about them is the same.
    void take_deformers(State& other) {
        const auto same_part = [](const DeformPart& a, const DeformPart& b) {
            return a.object == b.object && a.vertices == b.vertices;
        };
        const auto same_region = [](const DeformFold& a, const DeformFold& b) {
            return a.object == b.object && a.region == b.region;
        };
        if (structures != other.structures ||
            !std::equal(parts.begin(), parts.end(), other.parts.begin(), other.parts.end(),
                        same_part) ||
            !std::equal(folds.begin(), folds.end(), other.folds.begin(), other.folds.end(),
                        same_region))
            return;
        const std::lock_guard guard(other.lock);
        idle = std::move(other.idle);
        other.idle.clear();
    }

    void prepare(State* earlier);

    // The three steps of a frame.
    GatheredFrame gather(double frame, std::span<const std::vector<Vec3>> positions) const;
    void deform(double frame, const GatheredFrame& gathered, DeformResult& result,
                const Progress& progress);
    void unpack(GatheredFrame& gathered, DeformResult& result, SolvedFrame& solved) const;

    Deformer take() {
        const std::lock_guard guard(lock);
        if (idle.empty()) return Deformer(structures, parts, folds);
        Deformer deformer = std::move(idle.back());
        idle.pop_back();
        return deformer;
    }
    void give_back(Deformer deformer) {
        const std::lock_guard guard(lock);
        idle.push_back(std::move(deformer));
    }
};

void FrameSolver::State::prepare(State* earlier) {
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const LoadedObject& object = scene.objects[i];
        auto& proxy = proxies.emplace_back();
        if (const std::optional<std::size_t> same = same_object(earlier, i)) {
            proxy = earlier->proxies[*same];
            structures.push_back(earlier->structures[*same]);
            continue;
        }
        if (object.proxy && !object.source.mesh.faces.empty())
            proxy = at_key(scene.scene.objects[i].proxy[0].where, [&] {
                return std::make_shared<const ObjectProxy>(
                    make_object_proxy(object, scene.scene.objects[i].side));
            });
        structures.push_back(proxy ? proxy->structure
                                   : make_structure(object.source.mesh.positions,
                                                    touched_faces(scene, static_cast<int>(i))));
    }
    SceneParts found;
    for (const ContactSpec& contact : contacts) {
        auto& of_contact = contact_parts.emplace_back();
        for (int s = 0; s < 2; ++s) {
            const ContactSide& side = contact.between[s];
            of_contact[s] = found.find_or_add(scene, side, proxy(side.object));
        }
    }
    parts = std::move(found.parts);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const auto [first, second] = contact_parts[c];
        std::optional<int>& of_contact = contact_folds.emplace_back();
        if (contacts[c].between[0].object != contacts[c].between[1].object) continue;
        std::shared_ptr<const FoldRegion> fold = same_fold(earlier, c);
        if (!fold)
            fold = make_scene_fold(scene, contacts[c], parts[*first].vertices,
                                   parts[*second].vertices);
        if (!fold) continue;
        of_contact = static_cast<int>(folds.size());
        folds.push_back({contacts[c].between[0].object, std::move(fold)});
    }
    if (earlier != nullptr) take_deformers(*earlier);
}

FrameSolver::FrameSolver(const LoadedScene& scene)
    : state_(new State{scene, contacts_of(scene.scene), {}, {}, {}, {}, {}, {}, {}, {}}) {
    state_->prepare(nullptr);
}

FrameSolver::FrameSolver(const LoadedScene& scene, FrameSolver& earlier)
    : state_(new State{scene, contacts_of(scene.scene), {}, {}, {}, {}, {}, {}, {}, {}}) {
    state_->prepare(earlier.state_.get());
}

FrameSolver::~FrameSolver() = default;

SolvedFrame FrameSolver::solve(double frame) const {
    SolvedFrame solved;
    solve(frame, solved);
    return solved;
}

GatheredFrame FrameSolver::State::gather(double frame,
                                         std::span<const std::vector<Vec3>> positions) const {
    GatheredFrame gathered;
    gathered.proxy_positions.resize(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const int index = static_cast<int>(i);
        std::span<const Vec3> touching = positions[i];
        if (const ObjectProxy* stand_in = proxy(index)) {
            const Affine3 placement = placement_at(scene.scene, scene.scene.objects[i], frame);
            for (const Vec3& p : stand_in->mesh.positions)
                gathered.proxy_positions[i].push_back(placement * p);
            touching = gathered.proxy_positions[i];
        }
        ObjectAt at = object_at(scene, index, frame, touching, proxy(index));
        gathered.objects.push_back(at.object);
        gathered.maps.push_back(std::move(at.maps));
    }
    gathered.contact_of.assign(contacts.size(), -1);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        DeformContact contact = contact_at(contacts[c], frame);
        contact.first_part = contact_parts[c][0];
        contact.second_part = contact_parts[c][1];
        if (const std::optional<int> fold = contact_folds[c]) {
            contact.fold = fold;
            if (!contact.direction)
                contact.direction = fold_direction_at(scene, contacts[c], *folds[*fold].region,
                                                      positions[contact.first], frame);
            if (!contact.direction) continue;
        }
        gathered.contact_of[c] = static_cast<int>(gathered.contacts.size());
        gathered.contacts.push_back(contact);
    }
    return gathered;
}

void FrameSolver::State::deform(double frame, const GatheredFrame& gathered, DeformResult& result,
                                const Progress& progress) {
    Deformer deformer = take();
    try {
        deformer.deform(gathered.objects, gathered.contacts, scene.scene.contact_order, result,
                        progress);
    } catch (const Cancelled&) {
        // A newer frame is about to be asked for, and wants what is prepared.
        give_back(std::move(deformer));
        throw;
    } catch (const InputError& error) {
        // What the reader cannot know: values between keys.
        throw InputError(fmt::format("{}: frame {}: {}", scene.scene.path, frame, error.what()));
    }
    give_back(std::move(deformer));
}

void FrameSolver::State::unpack(GatheredFrame& gathered, DeformResult& result,
                                SolvedFrame& solved) const {
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        ContactOutcome& outcome = solved.contacts.emplace_back();
        if (gathered.contact_of[c] < 0) {
            outcome.note =
                "no mapping direction: the bones of the fold lie on each other; give one";
            continue;
        }
        outcome = std::move(result.contacts[gathered.contact_of[c]]);
        if (const std::optional<int> sheet = outcome.touched_from_behind)
            outcome.note = behind_note(scene.scene, contacts[c], *sheet);
        const bool looked_at = !outcome.note.empty() || !outcome.direction.isZero(0);
        if (!looked_at && may_be_outside_of_region(scene.scene, contacts[c]))
            outcome.note = "no response: outside of the region";
    }
    for (std::size_t i = 0; i < result.objects.size(); ++i) {
        ObjectOutcome& object = result.objects[i];
        std::optional<SolvedProxy>& touched = solved.proxies.emplace_back();
        if (const ObjectProxy* stand_in = proxy(static_cast<int>(i))) {
            std::vector<Vec3>& before = gathered.proxy_positions[i];
            ObjectOutcome carried = carry_outcome(*stand_in, before, object, solved.before[i]);
            touched = {stand_in->structure, std::move(before), std::move(object.positions),
                       std::move(object.zone)};
            object = std::move(carried);
        }
        solved.after.push_back(std::move(object.positions));
        solved.objects.push_back(std::move(object));
    }
}

void FrameSolver::solve(double frame, SolvedFrame& solved, const Progress& progress) const {
    Stopwatch watch;
    solved.before = positions_at(state_->scene, frame);
    GatheredFrame gathered = state_->gather(frame, solved.before);
    DeformResult result = take_memory(solved);
    Stopwatch deforming;
    state_->deform(frame, gathered, result, progress);
    solved.deform_milliseconds = deforming.milliseconds();
    state_->unpack(gathered, result, solved);
    const DeformTimes& times = result.milliseconds;
    solved.milliseconds = {{"intersect", times.intersect}, {"map", times.map},
                           {"zone", times.zone},           {"parametrize", times.parametrize},
                           {"direction", times.direction}, {"guide", times.guide},
                           {"displace", times.displace},   {"separate", times.separate},
                           {"total", watch.milliseconds()}};
}

} // namespace knead
