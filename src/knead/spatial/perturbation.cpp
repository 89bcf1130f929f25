#include "knead/spatial/perturbation.hpp"

#include "knead/base/random.hpp"
#include "knead/spatial/pseudonormal.hpp"

#include <cstdint>

namespace knead {
namespace {

// The displacement is arbitrary, so it may be rounded: fewer bits make exact sums shorter.
Vec3 displacement(const PerturbedPoint& point) {
    if (!point.surface) return Vec3::Zero();
    Random noise(static_cast<std::uint64_t>(point.vertex) * 4 +
                 static_cast<std::uint64_t>(point.shrink));
    const Vec3 direction =
        noise.in_cube(0x1p-12) - point.shrink * vertex_pseudonormal(*point.surface, point.vertex);
    return direction.cast<float>().cast<double>();
}

LeadingTerm leading_term(const PerturbedPoint& a, const PerturbedPoint& b, const PerturbedPoint& c,
                         const PerturbedPoint& d) {
    return orient3d_perturbed({a.position, b.position, c.position, d.position},
                              {displacement(a), displacement(b), displacement(c), displacement(d)});
}

} // namespace

PerturbedPoint perturbed_vertex(const Surface& surface, int vertex, double shrink) {
    return {surface.positions[vertex], &surface, vertex, shrink};
}

std::array<PerturbedPoint, 3> perturbed_face(const Surface& surface, int face, double shrink) {
    const Triangle& f = surface.faces()[face];
    return {perturbed_vertex(surface, f[0], shrink), perturbed_vertex(surface, f[1], shrink),
            perturbed_vertex(surface, f[2], shrink)};
}

int orient3d(const PerturbedPoint& a, const PerturbedPoint& b, const PerturbedPoint& c,
             const PerturbedPoint& d) {
    const int at_rest = orient3d(a.position, b.position, c.position, d.position);
    if (at_rest != 0) return at_rest;
    return leading_term(a, b, c, d).value > 0 ? 1 : -1;
}

LeadingTerm orient3d_value(const PerturbedPoint& a, const PerturbedPoint& b,
                           const PerturbedPoint& c, const PerturbedPoint& d) {
    const double at_rest = orient3d_value(a.position, b.position, c.position, d.position);
    if (at_rest != 0) return {at_rest, 0};
    return leading_term(a, b, c, d);
}

bool passes_through(const PerturbedPoint& p, const PerturbedPoint& q,
                    const std::array<PerturbedPoint, 3>& face) {
    const int first = orient3d(p, q, face[0], face[1]);
    return orient3d(p, q, face[1], face[2]) == first && orient3d(p, q, face[2], face[0]) == first;
}

} // namespace knead
