#include "knead/spatial/perturbation.hpp"

#include "knead/base/random.hpp"
#include "knead/spatial/pseudonormal.hpp"

#include <cstdint>

namespace knead {
namespace {

LeadingTerm leading_term(const PerturbedPoint& a, const PerturbedPoint& b, const PerturbedPoint& c,
                         const PerturbedPoint& d) {
    return orient3d_perturbed(
        {a.position(), b.position(), c.position(), d.position()},
        {a.displacement(), b.displacement(), c.displacement(), d.displacement()});
}

} // namespace

const Vec3& PerturbedPoint::displacement() const {
    if (displaced_) return displacement_;
    displaced_ = true;
    displacement_.setZero();
    if (!surface_) return displacement_;
    Random noise(static_cast<std::uint64_t>(vertex_) * 4 + static_cast<std::uint64_t>(shrink_));
    const Vec3 direction =
        noise.in_cube(0x1p-12) - shrink_ * vertex_pseudonormal(*surface_, vertex_);
    // Any direction will do, so it may be rounded: fewer bits make exact sums shorter.
    displacement_ = direction.cast<float>().cast<double>();
    return displacement_;
}

PerturbedFace perturbed_face(const Surface& surface, int face, double shrink) {
    const Triangle& f = surface.faces()[face];
    return {PerturbedPoint(surface, f[0], shrink), PerturbedPoint(surface, f[1], shrink),
            PerturbedPoint(surface, f[2], shrink)};
}

int orient3d(const PerturbedPoint& a, const PerturbedPoint& b, const PerturbedPoint& c,
             const PerturbedPoint& d) {
    const int at_rest = orient3d(a.position(), b.position(), c.position(), d.position());
    if (at_rest != 0) return at_rest;
    return orient3d_perturbed_sign(
        {a.position(), b.position(), c.position(), d.position()},
        {a.displacement(), b.displacement(), c.displacement(), d.displacement()});
}

LeadingTerm orient3d_value(const PerturbedPoint& a, const PerturbedPoint& b,
                           const PerturbedPoint& c, const PerturbedPoint& d) {
    const double at_rest = orient3d_value(a.position(), b.position(), c.position(), d.position());
    if (at_rest != 0) return {at_rest, 0};
    return leading_term(a, b, c, d);
}

bool passes_through(const PerturbedPoint& p, const PerturbedPoint& q, const PerturbedFace& face) {
    const int first = orient3d(p, q, face[0], face[1]);
    return orient3d(p, q, face[1], face[2]) == first && orient3d(p, q, face[2], face[0]) == first;
}

} // namespace knead
