#include "knead/deform/frame.hpp"

#include "knead/base/error.hpp"
#include "knead/deform/check_frame.hpp"
#include "knead/deform/object_outcome.hpp"

#include <fmt/format.h>

namespace knead {

PairDisplacement FrameWorkspace::take_displacement() {
    PairDisplacement displacement;
    if (spare_displacements.empty()) return displacement;
    displacement = std::move(spare_displacements.back());
    spare_displacements.pop_back();
    displacement.vertices.clear();
    displacement.base.clear();
    return displacement;
}

void FrameWorkspace::take_back(Frame& frame) {
    for (std::vector<PairDisplacement>& of_object : frame.displacements)
        for (PairDisplacement& displacement : of_object)
            spare_displacements.push_back(std::move(displacement));
    if (!frame.combined.empty()) spare_combined = std::move(frame.combined);
}

Frame begin_frame(Bodies& bodies, std::span<const DeformObject> objects,
                  std::span<const DeformContact> contacts, std::span<const double> kept,
                  const Progress& progress, DeformResult& result) {
    if (static_cast<int>(objects.size()) != bodies.object_count)
        throw InputError(fmt::format("deform: found {} objects, expected {}", objects.size(),
                                     bodies.object_count));
    Frame frame;
    frame.objects = objects;
    frame.contacts = contacts;
    frame.kept = kept;
    frame.progress = &progress;
    frame.result = &result;
    frame.displacements.resize(objects.size());
    result.objects.resize(objects.size());
    result.contacts.assign(contacts.size(), {});
    result.milliseconds = {};
    for (int i = 0; i < bodies.object_count; ++i) {
        check_object(objects[i], i, *bodies.surfaces[i].structure);
        frame.boxes.push_back(bounding_box(objects[i].positions));
        reset(result.objects[i], objects[i].positions);
    }
    bodies.take(objects);
    return frame;
}

} // namespace knead
