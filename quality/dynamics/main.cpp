// Measures what the simulation promises, and writes a page with tables and plots.

#include "figures.hpp"

int main(int argc, char** argv) {
    using namespace knead::quality;
    return make_figure_page({"knead_dynamics_quality",
                             "Measures how good simulations are, and writes a page.",
                             "# Figures of the simulation\n\n`make quality` measures these and "
                             "writes this page; [dynamics.md](dynamics.md) says what they are "
                             "about.\n",
                             {{"cantilever", "A bar under its own weight", cantilever_section},
                              {"steps", "Size of steps", step_section},
                              {"slope", "Friction on a slope", slope_section},
                              {"rounds", "Rounds of refinement", rounds_section},
                              {"solvers", "Time of contact solvers", solver_section},
                              {"circle", "The deformer beside the simulation", circle_section}},
                             false},
                            argc, argv);
}
