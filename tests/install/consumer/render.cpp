#include <knead/mesh/primitives.hpp>
#include <knead/render/render.hpp>
#include <cstdio>

int main() {
    const knead::TriangleMesh ball = knead::make_sphere(1, 2);
    knead::RenderObject object;
    object.positions = ball.positions;
    object.faces = ball.faces;
    knead::RenderSettings settings;
    settings.width = settings.height = 16;
    const knead::Image picture = knead::render({&object, 1}, settings);
    std::printf("%d by %d\n", picture.width, picture.height);
}
