#include "knead/scene/frame_solver.hpp"

#include "knead/base/stopwatch.hpp"

#include <mutex>
#include <numeric>

namespace knead {
namespace {

// A painted number where the deformer takes one for the whole object: its mean.
double number_at(const LoadedScene& scene, int object, const PaintedNumber& number, double frame) {
    if (!number.is_painted()) return number.at(frame);
    const std::vector<double> values = values_at(scene, object, number, frame);
    return values.empty() ? 0
                          : std::accumulate(values.begin(), values.end(), 0.0) /
                                static_cast<double>(values.size());
}

DeformObject deform_object(const LoadedScene& scene, int index, double frame,
                           std::span<const Vec3> positions) {
    const SceneObject& spec = scene.scene.objects[index];
    const auto at = [&](const PaintedNumber& number) {
        return number_at(scene, index, number, frame);
    };
    DeformObject object;
    object.positions = positions;
    object.rigid = spec.rigid;
    object.stiffness = at(spec.stiffness);
    if (spec.extent) object.extent = at(*spec.extent);
    object.bulge.bulge = at(spec.bulge);
    object.bulge.profile.bulge_at = at(spec.profile.bulge_at);
    object.bulge.profile.end_at = at(spec.profile.end_at);
    object.bulge.map.anisotropic = spec.bulge_map.kind == BulgeMap::Kind::anisotropic;
    object.bulge.map.omega = at(spec.anisotropy.omega);
    object.bulge.map.psi = at(spec.anisotropy.psi);
    if (spec.bulge_map.kind == BulgeMap::Kind::attribute)
        object.bulge.map.painted =
            scene.objects[index].source.mesh.attributes.at(spec.bulge_map.attribute).values;
    object.envelope = at(spec.envelope);
    object.offset = at(spec.offset);
    return object;
}

} // namespace

struct FrameSolver::State {
    const LoadedScene& scene;
    std::vector<ContactSpec> contacts;
    std::vector<std::shared_ptr<const SurfaceStructure>> structures;
    std::mutex lock;
    std::vector<Deformer> idle;

    Deformer take() {
        const std::lock_guard guard(lock);
        if (idle.empty()) return Deformer(structures);
        Deformer deformer = std::move(idle.back());
        idle.pop_back();
        return deformer;
    }
    void give_back(Deformer deformer) {
        const std::lock_guard guard(lock);
        idle.push_back(std::move(deformer));
    }
};

FrameSolver::FrameSolver(const LoadedScene& scene)
    : state_(new State{scene, contacts_of(scene.scene), {}, {}, {}}) {
    for (const LoadedObject& object : scene.objects)
        state_->structures.push_back(
            make_structure(object.source.mesh.positions, object.source.mesh.faces));
}

FrameSolver::~FrameSolver() = default;

SolvedFrame FrameSolver::solve(double frame) const {
    Stopwatch watch;
    SolvedFrame solved;
    solved.before = positions_at(state_->scene, frame);
    std::vector<DeformObject> objects;
    for (std::size_t i = 0; i < solved.before.size(); ++i)
        objects.push_back(
            deform_object(state_->scene, static_cast<int>(i), frame, solved.before[i]));

    // Parts of one object are left to the method for folding skin.
    std::vector<DeformContact> contacts;
    std::vector<int> contact_of(state_->contacts.size(), -1);
    for (std::size_t c = 0; c < state_->contacts.size(); ++c) {
        const ContactSpec& spec = state_->contacts[c];
        if (spec.between[0].object == spec.between[1].object) continue;
        DeformContact contact;
        contact.first = spec.between[0].object;
        contact.second = spec.between[1].object;
        contact.zone.apparent_stiffness = spec.apparent_stiffness.at(frame);
        if (spec.direction) contact.direction = spec.direction->at(frame);
        contact_of[c] = static_cast<int>(contacts.size());
        contacts.push_back(contact);
    }

    Deformer deformer = state_->take();
    DeformResult result = deformer.deform(objects, contacts);
    state_->give_back(std::move(deformer));

    for (std::size_t c = 0; c < contact_of.size(); ++c) {
        ContactOutcome& outcome = solved.contacts.emplace_back();
        if (contact_of[c] >= 0)
            outcome = std::move(result.contacts[contact_of[c]]);
        else
            outcome.note = "no response: parts of one object are measured only";
    }
    for (ObjectOutcome& object : result.objects) {
        solved.after.push_back(std::move(object.positions));
        solved.objects.push_back(std::move(object));
    }
    const DeformTimes& times = result.milliseconds;
    solved.milliseconds = {{"intersect", times.intersect},
                           {"map", times.map},
                           {"zone", times.zone},
                           {"parametrize", times.parametrize},
                           {"direction", 0.0},
                           {"guide", times.guide},
                           {"displace", times.displace},
                           {"total", watch.milliseconds()}};
    return solved;
}

} // namespace knead
