#include "knead/scene/spec/controls.hpp"

#include "knead/base/text.hpp"
#include "knead/deform/object/deform_settings.hpp"
#include "knead/dynamics/body_settings.hpp"
#include "knead/implicit/solid_settings.hpp"

#include <fmt/format.h>

#include <cmath>

namespace knead {
namespace {

// A number of an object that may have keys and may be painted.
Control painted(const Setting& setting, std::string_view group, double low, double high,
                double step, std::string_view hint, std::string_view unit = "") {
    Control control{setting.name, ControlOf::object, ControlKind::number, group, unit, "null",
                    hint};
    if (!std::isnan(setting.otherwise)) control.otherwise = shortest(setting.otherwise);
    control.bounds = setting.bounds;
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

// The same for one that stays as it is.
Control fixed(Control control, ControlOf of) {
    control = keyed(std::move(control), of);
    control.keyable = false;
    return control;
}

// A whole number of an object.
Control counted(const Setting& setting, std::string_view group, double low, double high,
                double step, std::string_view hint) {
    Control control = fixed(painted(setting, group, low, high, step, hint), ControlOf::object);
    control.whole = true;
    return control;
}

// Of dynamics.
Control vector(std::string_view path, ControlOf of, std::string otherwise, std::string_view hint,
               std::string_view unit) {
    Control control{path, of, ControlKind::vector, "dynamics", unit, std::move(otherwise), hint};
    control.keyable = true;
    return control;
}

std::string gravity_text() {
    const Vec3 g = default_gravity();
    return fmt::format("[{:.2f}, {:.2f}, {:.2f}]", g.x(), g.y(), g.z());
}

// A word that may stand for a number is what holds without one.
Control with_words(Control control, std::vector<std::string_view> words) {
    if (control.otherwise == "null") control.otherwise = fmt::format("\"{}\"", words.front());
    control.choices = std::move(words);
    return control;
}

Control choice(std::string_view path, ControlOf of, std::string_view group, std::string otherwise,
               std::vector<std::string_view> words, std::string_view hint) {
    Control control{path, of, ControlKind::choice, group, "", std::move(otherwise), hint};
    control.choices = std::move(words);
    return control;
}

std::vector<Control> all_controls() {
    using enum ControlOf;
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
        choice("side", object, "deform", "\"front\"", {"front", "back"},
               "of an open sheet: which of its two sides others touch"),
        choice("preset", object, "deform", "null", {"rubber", "flesh", "cushion", "dough"},
               "numbers that go together; what is set by hand stays"),
        painted(settings::stiffness, "deform", 0, 5, 0.05,
                "against the other object: the larger one moves less"),
        painted(settings::softness, "deform", 0, 1, 0.01,
                "one knob for how large the contact is and how far around it is felt"),
        with_words(painted(settings::extent, "deform", 0.05, 3, 0.05,
                           "how far over the surface the deformation reaches", "length"),
                   {"auto"}),
        painted(settings::envelope, "deform", 0, 1, 0.01, "how much of the result is applied"),
        painted(settings::offset, "deform", -0.2, 0.2, 0.005,
                "a gap that is kept, or the thickness of a skin", "length"),
        {"region", object, ControlKind::text, "deform", "", "null",
         "a vertex group: nothing else of the object moves"},
        painted(settings::bulge, "bulge", 0, 3, 0.05,
                "0 is no bulge, 1 keeps the volume, more exaggerates"),
        with_words({settings::bulge_map.name, object, ControlKind::text, "bulge", "",
                    "\"isotropic\"",
                    "where the volume goes: all around, by direction, or where it is painted"},
                   {"isotropic", "anisotropic"}),
        painted(settings::omega, "bulge", 0, 8, 0.1,
                "how much the volume goes straight ahead; with the anisotropic map"),
        painted(settings::psi, "bulge", -1, 1, 0.02,
                "more than 0 lets some volume out at the sides and behind, less keeps it straight "
                "ahead"),
        painted(settings::bulge_at, "profile", 0.05, 0.95, 0.01,
                "where the bulge is highest, between the contact and the end"),
        painted(settings::end_at, "profile", 0.05, 0.95, 0.01,
                "where the bulge ends and what is level begins"),
        painted(settings::wrinkle_amplitude, "profile", -0.1, 0.1, 0.002,
                "height of waves around the contact", "length"),
        painted(settings::wrinkle_waves, "profile", 0, 12, 0.5,
                "how many waves there are between the contact and the end"),
        painted(settings::smooth_normals, "surface", 0, 0.5, 0.01,
                "relief shorter than this is moved as a whole", "length"),
        painted(settings::details, "surface", 0, 0.5, 0.01,
                "relief shorter than this turns with the surface and does not swell", "length"),
        keyed(painted(settings::field_radius, "implicit", 0.05, 2, 0.01,
                      "how far from its skeleton the solid ends", "length"),
              object),
        keyed(painted(settings::field_influence, "implicit", 0.1, 3, 0.01,
                      "where its field ends; left out, at twice the radius", "length"),
              object),
        keyed(painted(settings::field_stiffness, "implicit", 0.1, 20, 0.1,
                      "force per area and depth; at most 3 over influence less radius"),
              object),
        choice("field.law", object, "implicit", "\"linear\"", {"linear", "nonlinear"},
               "whether the stiffness grows as it is pressed"),
        choice("field.kind", object, "implicit", "\"distance\"", {"distance", "convolution"},
               "convolution: skeletons that meet neither swell nor stiffen"),
        keyed(painted(settings::propagation_width, "implicit", 0, 2, 0.01,
                      "how far from what it touches it bulges; left out, its radius", "length"),
              object),
        keyed(painted(settings::attenuation, "implicit", 0, 2, 0.01,
                      "how high it bulges, against how much it is pressed"),
              object),
        keyed(painted(settings::compressibility, "implicit", 0, 1, 0.01,
                      "instead of attenuation: the part of the displaced volume that is lost"),
              object),
        keyed(painted(settings::solid_density, "implicit", 0.001, 0.1, 0.001,
                      "mass in a unit of volume"),
              object),
        keyed(painted(settings::drag, "implicit", 0, 3, 0.05,
                      "how strongly sliding and pressing are damped"),
              object),
        keyed(painted(settings::solid_friction, "implicit", 0, 2, 0.05,
                      "Coulomb's: what holds a heap together"),
              object),
        counted(settings::samples, "implicit", 200, 20000, 100,
                "about as many, for an object without a mesh"),
        keyed(painted(settings::apparent_stiffness, "contact", -1, 1, 0.02,
                      "larger makes a smaller contact; left out, softness decides"),
              contact),
        direction,
        choice("mapping", contact, "contact", "\"direction\"", {"direction", "parametrization"},
               "how points find theirs on the other; the second needs one rigid object"),
        choice("distance", contact, "contact", "\"heat\"", {"heat", "steady_state"},
               "how distances from the contact are found"),
        choice("zone", contact, "contact", "\"symmetric\"", {"symmetric", "global", "ball"},
               "how the contact zone is found; ball needs one rigid object and a radius"),
        keyed(painted(settings::ball_radius, "contact", 0.02, 1, 0.01,
                      "radius of the ball test; only with the zone ball", "length"),
              contact),
        {"crossing_free", contact, ControlKind::flag, "contact", "", "true",
         "a last pass that parts what still crosses"},
        choice("fold.crease", contact, "contact", "\"random_walker\"",
               {"random_walker", "minimum_cut"}, "how the crease of a fold is found"),
        choice("fold.variant", contact, "contact", "\"unified\"", {"unified", "two_regions"},
               "one set of fields for both sides of a fold, or two that are blended"),
        choice("contact_order", scene, "contact", "\"together\"", {"together", "deepest_first"},
               "how several contacts of one object go together"),
        choice("body.type", object, "dynamics", "null", {"volume", "cloth", "rigid", "kinematic"},
               "a soft solid, a sheet, a hard solid, or what goes where the scene says"),
        keyed(painted(settings::body_density, "dynamics", 10, 8000, 10,
                      "mass; a square metre of cloth weighs it times the thickness", "kg/m3"),
              object),
        keyed(painted(settings::young, "dynamics", 1e3, 1e7, 1e3,
                      "how stiff the material is against stretching", "Pa"),
              object),
        keyed(painted(settings::poisson, "dynamics", 0, 0.49, 0.01,
                      "how much it thins when it is stretched; towards 0.5 it keeps its volume"),
              object),
        keyed(painted(settings::damping, "dynamics", 0, 0.2, 0.001,
                      "how fast the material stops swinging", "s"),
              object),
        keyed(painted(settings::body_friction, "dynamics", 0, 1.5, 0.01,
                      "Coulomb's; of two bodies the geometric mean counts"),
              object),
        keyed(painted(settings::thickness, "dynamics", 1e-4, 1e-2, 1e-4,
                      "of cloth, for its weight and stiffness", "m"),
              object),
        counted(settings::cells, "dynamics", 2, 30, 1,
                "of a volume: lattice cells along its longest side"),
        keyed(painted(settings::targets, "dynamics", 0, 1000, 1,
                      "of springs that pull soft bodies to where the scene says", "1/s2"),
              object),
        vector("body.velocity", object, "[0.0, 0.0, 0.0]", "at the start, in the world", "m/s"),
        vector("body.angular_velocity", object, "[0.0, 0.0, 0.0]",
               "at the start, about the centre of mass", "1/s"),
        vector("gravity", scene, gravity_text(), "for all bodies", "m/s2"),
        fixed(painted(settings::step, "dynamics", 0.001, 0.02, 0.0005,
                      "no step is longer; a frame has a whole number of them", "s"),
              scene),
        fixed(
            painted(settings::tolerance, "dynamics", 1e-4, 1e-2, 1e-4,
                    "the distance that contacts keep; left out, a tenth of the finest mesh's edge",
                    "length"),
            scene),
        vector("wind", scene, "[0.0, 0.0, 0.0]", "velocity of the air, which drags at cloth",
               "m/s"),
        keyed(painted(settings::air_density, "dynamics", 0, 2, 0.1, "0 is no air at all", "kg/m3"),
              scene),
        {"separate", scene, ControlKind::flag, "dynamics", "", "false",
         "moves bodies apart that start in each other, instead of refusing them"},
    };
}

} // namespace

std::string_view word_for(ControlOf of) {
    switch (of) {
    case ControlOf::object:
        return "object";
    case ControlOf::contact:
        return "contact";
    case ControlOf::scene:
        break;
    }
    return "scene";
}

std::string_view word_for(ControlKind kind) {
    switch (kind) {
    case ControlKind::number:
        return "number";
    case ControlKind::choice:
        return "choice";
    case ControlKind::flag:
        return "flag";
    case ControlKind::vector:
        return "vector";
    case ControlKind::text:
        break;
    }
    return "text";
}

std::span<const Control> controls() {
    static const std::vector<Control> all = all_controls();
    return all;
}

} // namespace knead
