#pragma once

#include "knead/dynamics/body.hpp"
#include "knead/solve/block_matrix.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace knead {

/// Cloth as a mesh of springs that resist stretch and shear (X. Provot, "Deformation Constraints in
/// a Mass-Spring Model", Graphics Interface 1995) and hinges that resist bending (R. Bridson et
/// al., "Simulation of Clothing with Folds and Wrinkles", SCA 2003; E. Grinspun et al., "Discrete
/// Shells", SCA 2003).
///
/// Springs along the edges are as stiff as the area beside them asks for (A. Van Gelder,
/// "Approximate Simulation of Elastic Membranes by Triangulated Spring Meshes", Journal of Graphics
/// Tools 3(2), 1998). In equilateral triangles and in squares that makes the stretch stiffness
/// young * thickness in every direction, with a Poisson's ratio of one third, as springs have it.
struct ElasticCloth {
    struct Spring {
        std::array<int, 2> nodes{};
        double length = 0;    ///< at rest
        double stiffness = 0; ///< N / m
    };
    /// Two triangles over an edge from node 0 to node 1, with node 2 on its left and 3 on its
    /// right.
    struct Hinge {
        std::array<int, 4> nodes{};
        double angle = 0;     ///< at rest; zero when flat
        double stiffness = 0; ///< N m
        /// Triangles whose doubled area is less bend with less and less force, instead of ever
        /// more.
        std::array<double, 2> least_area{};
    };
    std::vector<Triangle> faces;
    std::vector<double> mass; ///< one a vertex
    std::vector<Spring> springs;
    std::vector<Hinge> hinges;
    /// Where the blocks of each spring, hinge and face go, by rows; see `find_places`.
    std::vector<std::array<int, 4>> spring_places;
    std::vector<std::array<int, 16>> hinge_places;
    std::vector<std::array<int, 9>> face_places;
};

/// Two triangles that make up about a square get its other diagonal as a spring, too. Throws an
/// InputError that names the body and the face, edge or vertex for what has no area, no length or
/// no mass, and for impossible materials. Where more than two faces meet nothing resists bending.
ElasticCloth make_elastic_cloth(std::span<const Vec3> positions, std::span<const Triangle> faces,
                                const BodyMaterial& material, const std::string& name);

double elastic_energy(const ElasticCloth& model, std::span<const Vec3> positions);

/// Pairs of vertices that share a spring or a hinge, each once.
std::vector<std::array<int, 2>> couplings(const ElasticCloth& model);

/// Notes where the blocks of `matrix` are in which vertex i is row `first_row` + i. It must have
/// all the couplings.
void find_places(ElasticCloth& model, const BlockMatrix& matrix, int first_row);

/// Adds the elastic forces, which are minus the gradient of the energy, and `factor` times the
/// stiffness, without the parts that are not positive semi-definite: what compressed springs do
/// sideways, and what the turning of hinge forces does.
void linearise(const ElasticCloth& model, std::span<const Vec3> positions, double factor,
               std::span<Vec3> forces, BlockMatrix& matrix);

/// Adds the pressure of air that moves with the velocity `wind`: on each face along its normal,
/// with the square of the normal part of their relative velocity, as on a plate; and `factor` times
/// what a change of velocity takes from it.
void add_wind(const ElasticCloth& model, std::span<const Vec3> positions,
              std::span<const Vec3> velocities, const Vec3& wind, double air_density,
              std::span<Vec3> forces, double factor, BlockMatrix& matrix);

} // namespace knead
