#pragma once

#include "knead/spatial/predicates.hpp"
#include "knead/spatial/surface.hpp"

#include <array>

namespace knead {

/// A point as the exact tests see it: where it is, and, should that not settle the matter, which
/// way it is infinitesimally displaced.
///
/// Vertices that lie exactly on another face, edge or vertex would make crossings ambiguous. The
/// tests therefore answer for surfaces that have shrunk by an infinitesimal amount: each vertex is
/// displaced against its normal by epsilon times `shrink`, with a little of a fixed noise that
/// tells apart what shrinking alone does not. The answers are those of one definite configuration
/// in general position, hence consistent: what merely touches does not cross (where vertex normals
/// look away from all faces around the vertex, as they do on any tidy mesh), a segment through a
/// shared edge or vertex meets exactly one of the faces around it, and intersection curves are
/// closed.
/// The idea of answering for a symbolic displacement is that of H. Edelsbrunner and E. Mücke,
/// "Simulation of Simplicity", ACM Transactions on Graphics 9(1), 1990.
class PerturbedPoint {
public:
    /// A point that stays where it is.
    explicit PerturbedPoint(const Vec3& position) : position_(position) {}
    PerturbedPoint(const Surface& surface, int vertex, double shrink)
        : position_(surface.positions[vertex]),
          surface_(&surface),
          vertex_(vertex),
          shrink_(shrink) {}

    const Vec3& position() const { return position_; }
    int vertex() const { return vertex_; }
    /// Worked out when first asked for, which is rare.
    const Vec3& displacement() const;

private:
    Vec3 position_;
    const Surface* surface_ = nullptr;
    int vertex_ = -1;
    double shrink_ = 0;
    mutable bool displaced_ = false;
    mutable Vec3 displacement_;
};

/// How far the first and the second mesh of a pair shrink, relative to each other.
inline constexpr double shrink_of_a = 1, shrink_of_b = 2;

using PerturbedFace = std::array<PerturbedPoint, 3>;
PerturbedFace perturbed_face(const Surface& surface, int face, double shrink);

/// The sign of `orient3d` after displacement: 1 or -1, never 0.
int orient3d(const PerturbedPoint& a, const PerturbedPoint& b, const PerturbedPoint& c,
             const PerturbedPoint& d);

/// The leading term of the volume after displacement.
LeadingTerm orient3d_value(const PerturbedPoint& a, const PerturbedPoint& b,
                           const PerturbedPoint& c, const PerturbedPoint& d);

/// Whether the line pq, for p and q on either side of the face's plane, passes through the face.
bool passes_through(const PerturbedPoint& p, const PerturbedPoint& q, const PerturbedFace& face);

} // namespace knead
