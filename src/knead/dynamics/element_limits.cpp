#include "knead/dynamics/element_limits.hpp"

#include "knead/base/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Of its volume at rest: what an element keeps.
constexpr double least_volume = 0.1;
// Elements that have less already are let grow again, this share of what is missing in a step.
constexpr double growing = 0.5;

double size_of(const ElasticVolume& model, std::size_t t) {
    return 1 / std::cbrt(std::abs(model.inverse_rest[t].determinant()));
}

void add_limit(const World& world, const WorldState& state, const LinearSystem& system, int index,
               std::size_t t, ContactSet& set) {
    const WorldBody& body = world.bodies[index];
    const ElasticVolume& model = *body.volume;
    const auto positions = std::span(state.positions).subspan(body.first_block, body.blocks);
    const Mat3 f = deformation_gradient(model, positions, t);
    // In the unit of velocity, as other constraints are.
    const double size = size_of(model, t);
    Eigen::Matrix<double, 3, 4> rows;
    rows.rightCols<3>() = size * cofactors(f) * model.inverse_rest[t].transpose();
    rows.col(0) = -(rows.col(1) + rows.col(2) + rows.col(3));

    const double volume = f.determinant();
    const double least =
        volume < least_volume ? volume + growing * (least_volume - volume) : least_volume;
    double bound = size * (least - volume) / system.seconds;
    for (int i = 0; i < 4; ++i) {
        const int block = body.first_block + model.tets[t][i];
        bound -= rows.col(i).dot(system.free_velocities[block]);
        if (world.pinned[block]) continue;
        ContactProblem::Entry entry;
        entry.block = block;
        entry.rows.row(0) = rows.col(i).transpose();
        set.problem.entries.push_back(entry);
    }
    set.problem.starts.push_back(static_cast<int>(set.problem.entries.size()));
    set.problem.bound.push_back(bound);
    set.problem.slide.push_back(Vec2::Zero());
    set.problem.friction.push_back(0);
    set.response.forces.push_back(Vec3::Zero());
    Contact contact;
    contact.element = static_cast<int>(t);
    contact.body = index;
    set.contacts.push_back(contact);
}

} // namespace

int add_element_limits(const World& world, const WorldState& state, const LinearSystem& system,
                       const StepMotion& motion, ContactSet& set) {
    int changed = 0;
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
        const WorldBody& body = world.bodies[b];
        if (!body.volume) continue;
        const ElasticVolume& model = *body.volume;
        const auto after = std::span(motion.positions).subspan(body.first_block, body.blocks);
        std::vector<double> volumes(model.tets.size());
        parallel_for(model.tets.size(), 4096, [&](std::size_t t) {
            volumes[t] = deformation_gradient(model, after, t).determinant();
        });
        std::vector<std::uint8_t> pressed(model.tets.size());
        for (std::size_t t = 0; t < pressed.size(); ++t)
            pressed[t] = !(volumes[t] >= 0.5 * least_volume);
        // Where the linearisation was not enough the limit is raised by what is missing.
        for (std::size_t j = 0; j < set.contacts.size(); ++j) {
            const Contact& contact = set.contacts[j];
            if (contact.element < 0 || contact.body != static_cast<int>(b)) continue;
            const double missing = 0.5 * least_volume - volumes[contact.element];
            pressed[contact.element] = 0;
            if (!(missing > 0)) continue;
            set.problem.bound[j] += missing * size_of(model, contact.element) / system.seconds;
            ++changed;
        }
        for (std::size_t t = 0; t < pressed.size(); ++t)
            if (pressed[t]) {
                add_limit(world, state, system, static_cast<int>(b), t, set);
                ++changed;
            }
    }
    return changed;
}

} // namespace knead
