#pragma once

#include "knead/solve/elimination_plan.hpp"
#include "knead/solve/front_kernels.hpp"
#include "knead/solve/spd_solver.hpp"

namespace knead {

/// Our own sparse Cholesky, for surfaces: see supernodal_solver.cpp for what it costs. With a plan,
/// which several solvers may share, `analyse` need not be called.
std::unique_ptr<SpdSolver>
make_supernodal_solver(std::shared_ptr<const EliminationPlan> plan = nullptr,
                       const FrontKernels& kernels = best_front_kernels());

} // namespace knead
