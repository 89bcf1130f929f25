#include "knead/bulge/bulge_workspace.hpp"

#include "knead/solve/ordering.hpp"

namespace knead {

BulgeWorkspace make_bulge_workspace(const Topology& topology) {
    return make_bulge_workspace(topology,
                                nested_dissection_order(laplacian_pattern(topology).structure));
}

BulgeWorkspace make_bulge_workspace(const Topology& topology, std::vector<int> order) {
    BulgeWorkspace workspace;
    workspace.pattern = laplacian_pattern(topology);
    workspace.order = std::move(order);
    const auto plan = plan_elimination(workspace.pattern.structure, workspace.order);
    workspace.heat = make_supernodal_solver(plan);
    workspace.harmonic = make_supernodal_solver(plan);
    return workspace;
}

} // namespace knead
