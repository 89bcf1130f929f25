#include "knead/scene/controls.hpp"

namespace knead {
namespace {

// A number of an object that may have keys and may be painted.
Control painted(std::string_view path, std::string_view group, std::string_view otherwise,
                const Bounds& bounds, double low, double high, double step, std::string_view hint,
                std::string_view unit = "") {
    Control control{path, ControlOf::object, ControlKind::number, group, unit, otherwise, hint};
    control.bounds = bounds;
    control.low = low;
    control.high = high;
    control.step = step;
    control.keyable = control.paintable = true;
    return control;
}

// The same for one that is never painted.
Control keyed(Control control, ControlOf of) {
    control.of = of;
    control.paintable = false;
    return control;
}

Control with_words(Control control, std::vector<std::string_view> words) {
    control.choices = std::move(words);
    return control;
}

Control choice(std::string_view path, ControlOf of, std::string_view group,
               std::string_view otherwise, std::vector<std::string_view> words,
               std::string_view hint) {
    Control control{path, of, ControlKind::choice, group, "", otherwise, hint};
    control.choices = std::move(words);
    return control;
}

std::vector<Control> all_controls() {
    using enum ControlOf;
    using namespace bounds;
    Control direction{"direction",
                      contact,
                      ControlKind::vector,
                      "contact",
                      "",
                      "\"auto\"",
                      "which way the first object is pushed out; automatic is usually right"};
    direction.keyable = true;
    direction.choices = {"auto"};
    return {
        {"rigid", object, ControlKind::flag, "deform", "", "false", "never moves"},
        choice("preset", object, "deform", "null", {"rubber", "flesh", "cushion", "dough"},
               "numbers that go together; what is set by hand stays"),
        painted("stiffness", "deform", "1", not_negative, 0, 5, 0.05,
                "against the other object: the larger one moves less"),
        painted("softness", "deform", "0.5", zero_to_one, 0, 1, 0.01,
                "one knob for how large the contact is and how far around it is felt"),
        with_words(painted("extent", "deform", "\"auto\"", positive, 0.05, 3, 0.05,
                           "how far over the surface the deformation reaches", "length"),
                   {"auto"}),
        painted("envelope", "deform", "1", zero_to_one, 0, 1, 0.01,
                "how much of the result is applied"),
        painted("offset", "deform", "0", any, -0.2, 0.2, 0.005,
                "a gap that is kept, or the thickness of a skin", "length"),
        {"region", object, ControlKind::text, "deform", "", "null",
         "a vertex group: nothing else of the object moves"},
        painted("bulge", "bulge", "1", not_negative, 0, 3, 0.05,
                "0 is no bulge, 1 keeps the volume, more exaggerates"),
        with_words({"bulge_map", object, ControlKind::text, "bulge", "", "\"isotropic\"",
                    "where the volume goes: all around, by direction, or where it is painted"},
                   {"isotropic", "anisotropic"}),
        painted("anisotropy.omega", "bulge", "2", not_negative, 0, 8, 0.1,
                "how much the volume goes straight ahead; with the anisotropic map"),
        painted("anisotropy.psi", "bulge", "0", any, -1, 1, 0.02,
                "more than 0 lets some volume out at the sides and behind, less keeps it straight "
                "ahead"),
        painted("profile.bulge_at", "profile", "0.4", within_zero_to_one, 0.05, 0.95, 0.01,
                "where the bulge is highest, between the contact and the end"),
        painted("profile.end_at", "profile", "0.8333333333333334", within_zero_to_one, 0.05, 0.95,
                0.01, "where the bulge ends and what is level begins"),
        painted("profile.wrinkles.amplitude", "profile", "0", any, -0.1, 0.1, 0.002,
                "height of waves around the contact", "length"),
        painted("profile.wrinkles.waves", "profile", "4", not_negative, 0, 12, 0.5,
                "how many waves there are between the contact and the end"),
        painted("smooth_normals", "surface", "0", not_negative, 0, 0.5, 0.01,
                "relief shorter than this is moved as a whole", "length"),
        painted("details", "surface", "0", not_negative, 0, 0.5, 0.01,
                "relief shorter than this turns with the surface and does not swell", "length"),
        keyed(painted("field.radius", "implicit", "null", positive, 0.05, 2, 0.01,
                      "how far from its skeleton the solid ends", "length"),
              object),
        keyed(painted("field.influence", "implicit", "null", positive, 0.1, 3, 0.01,
                      "where its field ends; left out, at twice the radius", "length"),
              object),
        keyed(painted("field.stiffness", "implicit", "null", positive, 0.1, 20, 0.1,
                      "force per area and depth; at most 3 over influence less radius"),
              object),
        choice("field.law", object, "implicit", "\"linear\"", {"linear", "nonlinear"},
               "whether the stiffness grows as it is pressed"),
        choice("field.kind", object, "implicit", "\"distance\"", {"distance", "convolution"},
               "convolution: skeletons that meet neither swell nor stiffen"),
        keyed(painted("propagation.width", "implicit", "null", not_negative, 0, 2, 0.01,
                      "how far from what it touches it bulges; left out, its radius", "length"),
              object),
        keyed(painted("propagation.attenuation", "implicit", "0.3", not_negative, 0, 2, 0.01,
                      "how high it bulges, against how much it is pressed"),
              object),
        keyed(painted("propagation.compressibility", "implicit", "null", zero_to_one, 0, 1, 0.01,
                      "instead of attenuation: the part of the displaced volume that is lost"),
              object),
        keyed(painted("density", "implicit", "0.01", positive, 0.001, 0.1, 0.001,
                      "mass in a unit of volume"),
              object),
        keyed(painted("drag", "implicit", "0.7", not_negative, 0, 3, 0.05,
                      "how strongly sliding and pressing are damped"),
              object),
        keyed(painted("friction", "implicit", "0", not_negative, 0, 2, 0.05,
                      "Coulomb's: what holds a heap together"),
              object),
        with_words(keyed(painted("apparent_stiffness", "contact", "null", any, -1, 1, 0.02,
                                 "larger makes a smaller contact; left out, softness decides"),
                         contact),
                   {}),
        direction,
        choice("mapping", contact, "contact", "\"direction\"", {"direction", "parametrization"},
               "how points find theirs on the other; the second needs one rigid object"),
        choice("distance", contact, "contact", "\"heat\"", {"heat", "steady_state"},
               "how distances from the contact are found"),
        choice("zone", contact, "contact", "\"symmetric\"", {"symmetric", "global", "ball"},
               "how the contact zone is found; ball needs one rigid object and a radius"),
        keyed(painted("ball_radius", "contact", "null", positive, 0.02, 1, 0.01,
                      "radius of the ball test; only with the zone ball", "length"),
              contact),
        choice("fold.crease", contact, "contact", "\"random_walker\"",
               {"random_walker", "minimum_cut"}, "how the crease of a fold is found"),
        choice("fold.variant", contact, "contact", "\"unified\"", {"unified", "two_regions"},
               "one set of fields for both sides of a fold, or two that are blended"),
        choice("contact_order", scene, "contact", "\"together\"", {"together", "deepest_first"},
               "how several contacts of one object go together"),
    };
}

} // namespace

std::span<const Control> controls() {
    static const std::vector<Control> all = all_controls();
    return all;
}

} // namespace knead
