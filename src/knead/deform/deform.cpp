#include "knead/deform/deform.hpp"

#include "knead/base/one_at_a_time.hpp"
#include "knead/deform/object_outcome.hpp"
#include "knead/deform/separate_frame.hpp"
#include "knead/deform/solve_in_sequence.hpp"
#include "knead/deform/without_harm.hpp"
#include "knead/mesh/check.hpp"

namespace knead {

struct Deformer::State {
    OneAtATime use;
    Bodies bodies;
    FrameWorkspace workspace;

    explicit State(Bodies&& all) : bodies(std::move(all)) {}
};

Deformer::Deformer(std::vector<std::shared_ptr<const SurfaceStructure>> objects,
                   std::vector<DeformPart> parts, std::vector<DeformFold> folds)
    : state_(std::make_unique<State>(Bodies(std::move(objects), parts, folds))) {}

Deformer::Deformer(std::span<const TriangleMesh> meshes)
    : Deformer([&] {
          std::vector<std::shared_ptr<const SurfaceStructure>> structures;
          for (const TriangleMesh& mesh : meshes)
              structures.push_back(make_structure(mesh.positions, mesh.faces));
          return structures;
      }()) {}

Deformer::~Deformer() = default;
Deformer::Deformer(Deformer&&) noexcept = default;
Deformer& Deformer::operator=(Deformer&&) noexcept = default;

void Deformer::replace(int object, std::shared_ptr<const SurfaceStructure> structure) {
    const OneAtATime::Use use = state_->use.begin("deform");
    state_->bodies.replace(object, std::move(structure));
}

DeformResult Deformer::deform(std::span<const DeformObject> objects,
                              std::span<const DeformContact> contacts, ContactOrder order) {
    DeformResult result;
    deform(objects, contacts, order, result);
    return result;
}

void Deformer::deform(std::span<const DeformObject> objects,
                      std::span<const DeformContact> contacts, ContactOrder order,
                      DeformResult& result, const Progress& progress) {
    const OneAtATime::Use use = state_->use.begin("deform");
    Bodies& bodies = state_->bodies;
    FrameWorkspace& workspace = state_->workspace;
    Frame frame = solve_without_harm(bodies, workspace, objects, contacts, progress, result);
    if (order == ContactOrder::deepest_first) solve_in_sequence(bodies, workspace, frame);
    separate_frame(bodies, workspace, frame);
    for (std::size_t i = 0; i < objects.size(); ++i)
        apply_envelope(objects[i], result.objects[i].positions);
    workspace.take_back(frame);
}

std::array<std::vector<Vec3>, 2> deform(const TriangleMesh& first, const TriangleMesh& second,
                                        const DeformContact& contact,
                                        const std::array<DeformSettings, 2>& settings) {
    check_indices(first, "deform: object 0");
    check_indices(second, "deform: object 1");
    Deformer deformer({make_structure(first.positions, first.faces),
                       make_structure(second.positions, second.faces)});
    const std::array<DeformObject, 2> objects{DeformObject{first.positions, settings[0]},
                                              DeformObject{second.positions, settings[1]}};
    DeformResult result = deformer.deform(objects, std::span(&contact, 1));
    return {std::move(result.objects[0].positions), std::move(result.objects[1].positions)};
}

void DeformTimes::add(const DeformTimes& more) {
    for (double DeformTimes::*stage :
         {&DeformTimes::intersect, &DeformTimes::map, &DeformTimes::zone, &DeformTimes::parametrize,
          &DeformTimes::direction, &DeformTimes::guide, &DeformTimes::displace,
          &DeformTimes::separate, &DeformTimes::plan})
        this->*stage += more.*stage;
}

} // namespace knead
