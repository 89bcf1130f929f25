#include <knead/io/mesh_file.hpp>
#include <cstdio>

int main(int, char** arguments) {
    const knead::MeshFile file = knead::read_mesh(arguments[1]);
    std::printf("%d vertices\n", file.mesh.vertex_count());
}
