#include <cstdio>
#include <knead/mesh/measures.hpp>
#include <knead/mesh/primitives.hpp>
#include <knead/solve/spd_solver.hpp>

int main() {
    const knead::TriangleMesh ball = knead::make_sphere(1, 3);
    std::printf("%.3f\n", knead::signed_volume(ball.positions, ball.faces, {0, 0, 0}));
    return knead::make_eigen_solver() == nullptr;
}
