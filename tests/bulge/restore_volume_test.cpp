#include "knead/bulge/restore_volume.hpp"
#include "knead/bulge/swept_volume.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

// A ball with a dent, whose bulge rises over one half and sinks in places of it.
struct DentedBall {
    TriangleMesh mesh = make_sphere(1, 3);
    Topology topology = build_topology(mesh.faces, mesh.vertex_count());
    CombinedDisplacement combined;
    std::vector<double> room;

    explicit DentedBall(double sinking) {
        for (int v = 0; v < mesh.vertex_count(); ++v) {
            const Vec3& p = mesh.positions[v];
            combined.base.push_back(p.y() < -0.7 ? Vec3(p.x(), -0.7, p.z()) : p);
            combined.raise.push_back(p.y() > 0 ? Vec3((sinks(v) ? -sinking : 1) * p)
                                               : Vec3::Zero());
            combined.moved.push_back(v);
            room.push_back(10);
        }
    }
    bool sinks(int vertex) const {
        const Vec3& p = mesh.positions[vertex];
        return p.y() > 0 && p.x() > 0.3;
    }
    BulgeMesh bulge_mesh() const {
        return {mesh.positions, mesh.positions, mesh.faces, &topology, {}};
    }
};

// Those that sink come to the end of their room, so that the others need not rise as high: lower
// than the room of some that sink.
TEST(RestoreVolume, IsKeptWhereVerticesThatSinkHaveNoMoreRoom) {
    for (const double sinking : {0.3, 0.6}) {
        DentedBall ball(sinking);
        std::vector<Vec3> displaced;
        const double height =
            restore_volume(ball.combined, ball.room, ball.bulge_mesh(), 1, displaced);
        for (int v = 0; v < ball.mesh.vertex_count(); ++v)
            if (ball.sinks(v)) ball.room[v] = height * (0.8 + 0.2 * ball.mesh.positions[v].y());
        restore_volume(ball.combined, ball.room, ball.bulge_mesh(), 1, displaced);
        EXPECT_NEAR(volume_between(ball.mesh.positions, displaced, ball.mesh.faces), 0, 1e-13)
            << sinking;
        EXPECT_LT(volume_between(ball.mesh.positions, ball.combined.base, ball.mesh.faces), -0.05);
        for (int v = 0; v < ball.mesh.vertex_count(); ++v)
            EXPECT_LE((displaced[v] - ball.combined.base[v]).norm(),
                      ball.room[v] * ball.combined.raise[v].norm() + 1e-12);
    }
}

} // namespace
} // namespace knead
