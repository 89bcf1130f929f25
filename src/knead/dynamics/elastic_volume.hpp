#pragma once

#include "knead/dynamics/body.hpp"
#include "knead/solve/block_matrix.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace knead {

/// A soft solid of linear co-rotational finite elements (M. Mueller and M. Gross, "Interactive
/// Virtual Materials", Graphics Interface 2004).
///
/// The energy of an element is V (mu |F - R|^2 + lambda / 2 tr(R^T F - I)^2), where R is the
/// rotation nearest to the deformation gradient F. It is never a reflection, so an inverted element
/// is pushed back. A linear material can be pressed to nothing by finite forces, so elements that
/// are crushed to a third of their volume resist more than that: by V c / 2 (1/3 - det F)^2.
struct ElasticVolume {
    static constexpr double crushed_below = 1.0 / 3;
    double crush_stiffness() const { return 20 * (lambda + 2 * mu); }

    std::vector<Tetrahedron> tets;
    /// Deformation gradients are edges from corner 0 times this; its rows are the gradients of the
    /// shape functions of corners 1 to 3.
    std::vector<Mat3> inverse_rest;
    std::vector<double> volumes; ///< at rest, times how full the element is
    std::vector<double> mass;    ///< one a node
    double mu = 0, lambda = 0;   ///< Lame parameters; Pa
    /// Where the blocks of each element's stiffness go, 4 x 4 by rows; see `find_places`.
    std::vector<std::array<int, 16>> places;
};

/// `fill` says which part of each element is there (see `Lattice`): its mass and stiffness are
/// scaled by it. None: all of it. Throws an InputError that names the body and the element for
/// elements that are flat, inverted or not there, nodes without mass and impossible materials.
ElasticVolume make_elastic_volume(const TetMesh& rest, std::span<const double> fill,
                                  const BodyMaterial& material, const std::string& name);

/// The rotation nearest to a deformation gradient: a proper one also where that is flat or
/// inverted.
Mat3 nearest_rotation(const Mat3& deformation_gradient);

/// How an element is deformed: the identity at rest. Its determinant is the part of its volume that
/// is left.
Mat3 deformation_gradient(const ElasticVolume& model, std::span<const Vec3> positions,
                          std::size_t element);

/// The derivative of the determinant.
Mat3 cofactors(const Mat3& matrix);

double elastic_energy(const ElasticVolume& model, std::span<const Vec3> positions);

/// Pairs of nodes that share an element, each once.
std::vector<std::array<int, 2>> couplings(const ElasticVolume& model);

/// Notes where the blocks of `matrix` are in which node i is row `first_row` + i. It must have all
/// the couplings.
void find_places(ElasticVolume& model, const BlockMatrix& matrix, int first_row);

/// Adds the elastic forces, which are exactly minus the gradient of the energy, and `factor` times
/// the stiffness: the second derivative of the energy without the part from turning rotations,
/// which is what makes it positive semi-definite.
void linearise(const ElasticVolume& model, std::span<const Vec3> positions, double factor,
               std::span<Vec3> forces, BlockMatrix& matrix);

} // namespace knead
