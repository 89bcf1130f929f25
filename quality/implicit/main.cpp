// Measures what implicit solids promise, and writes a page with tables and plots.

#include "figures.hpp"

int main(int argc, char** argv) {
    using namespace knead::quality;
    return make_figure_page(
        {"knead_implicit_quality",
         "Measures how good implicit solids are, and writes a page.",
         "# Figures of implicit solids\n\n`make quality` measures these and writes this page; "
         "[implicit.md](implicit.md) says what they are about.\n",
         {{"fields", "Field functions", field_section},
          {"attenuation", "Attenuation", attenuation_section},
          {"rod", "A rod of two segments", rod_section},
          {"press", "Stiffness by pressing", press_section},
          {"contacts", "Contact surfaces", contact_section},
          {"forces", "Forces and energies", force_section},
          {"creases", "Creases", crease_section},
          {"volume", "Volume", volume_section},
          {"speed", "Time of the vaulting horse", speed_section},
          {"energy", "Energy over time", energy_section},
          {"methods", "The same contact by three methods", method_section}},
         true},
        argc, argv);
}
