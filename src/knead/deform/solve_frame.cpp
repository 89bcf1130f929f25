#include "knead/deform/solve_frame.hpp"

#include "knead/deform/finish_frame.hpp"
#include "knead/deform/resolve_contact.hpp"

namespace knead {

Frame solve_frame(Bodies& bodies, FrameWorkspace& workspace, std::span<const DeformObject> objects,
                  std::span<const DeformContact> contacts, std::span<const double> kept,
                  const Progress& progress, DeformResult& result) {
    Frame frame = begin_frame(bodies, objects, contacts, kept, progress, result);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        progress.check();
        resolve_contact(c, bodies, workspace, frame);
    }
    progress.check();
    finish_frame(bodies, workspace, frame);
    return frame;
}

} // namespace knead
