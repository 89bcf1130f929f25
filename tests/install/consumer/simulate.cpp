#include <knead/dynamics/simulation.hpp>
#include <knead/mesh/primitives.hpp>
#include <cstdio>

int main() {
    knead::BodyDefinition ball, floor;
    const knead::TriangleMesh sphere = knead::make_sphere(0.1, 2), ground = knead::make_grid({1, 1}, {4, 4});
    ball.name = "ball";
    ball.kind = knead::BodyKind::rigid;
    ball.positions = sphere.positions;
    ball.faces = sphere.faces;
    for (knead::Vec3& p : ball.positions) p.y() += 0.15;
    floor.name = "floor";
    floor.kind = knead::BodyKind::kinematic;
    floor.positions = ground.positions;
    floor.faces = ground.faces;
    knead::Simulation simulation({ball, floor});
    for (int step = 0; step < 50; ++step) simulation.step({});
    std::printf("crossings %d, lowest above %d\n", simulation.crossings(), simulation.positions(0)[0].y() > 0);
}
