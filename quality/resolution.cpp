#include "resolution.hpp"

#include <algorithm>
#include <cmath>

namespace knead::quality {
namespace {

int scaled(int count, double factor, int least) {
    return std::max(least, static_cast<int>(std::lround(count * factor)));
}

struct Scale {
    double factor;

    void operator()(SceneFile&) const {}
    void operator()(SphereShape& sphere) const {
        sphere.subdivisions = std::clamp(
            sphere.subdivisions + static_cast<int>(std::lround(std::log2(factor))), 0, 9);
    }
    void operator()(CapsuleShape& capsule) const {
        capsule.resolution = scaled(capsule.resolution, factor, 3);
    }
    void operator()(GridShape& grid) const {
        for (int& cells : grid.cells) cells = scaled(cells, factor, 1);
    }
    void operator()(BoxShape& box) const {
        for (int& cells : box.cells) cells = scaled(cells, factor, 1);
    }
    void operator()(TorusShape& torus) const {
        torus.resolution = scaled(torus.resolution, factor, 3);
    }
    void operator()(LatheShape& lathe) const {
        lathe.resolution = scaled(lathe.resolution, factor, 3);
        if (lathe.rows > 0) lathe.rows = scaled(lathe.rows, factor, 2);
    }
    void operator()(BlobSettings& blob) const { blob.edge /= factor; }
};

} // namespace

void scale_resolution(Scene& scene, double factor) {
    for (SceneObject& object : scene.objects)
        for (MeshSource& source : object.mesh) std::visit(Scale{factor}, source.shape);
}

} // namespace knead::quality
