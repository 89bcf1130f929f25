#pragma once

#include "knead/dynamics/body.hpp"

#include <memory>
#include <span>

namespace knead::bench {

/// What Bullet's deformable world is asked for, besides the materials of the bodies. Margin and
/// damping are by default those of our side; of the others a few values were tried on the scenes of
/// `bench_soft_balls`, and none did clearly better.
struct BulletSettings {
    /// How far off each ball contact begins; two balls add theirs, the floor has none. m
    double margin = 5e-3;
    double damping = 0; ///< s; of strain rates
    /// Of the springs between a node and a face of another ball that are closer than the margin;
    /// N / m
    double contact_stiffness = 1e3;
    double error_reduction = 0.2; ///< part of a node's depth in the floor that a step removes
    int iterations = 100;         ///< of contact
};

/// Soft balls on a floor at height 0 in Bullet's deformable world, in double precision: linear
/// elasticity with co-rotation by backward Euler, contact of nodes with the floor and with other
/// balls' faces, friction, no contact of a ball with itself, nothing ever put to sleep.
class BulletBalls {
public:
    /// The bodies are volumes with `elements`, all of one material. `mass` is that of each node of
    /// each ball, one and the same: where balls touch, Bullet takes it for granted that the nodes
    /// of both are about equally heavy, and blows up where they are not.
    BulletBalls(std::span<const BodyDefinition> balls, std::span<const double> mass,
                const Vec3& gravity, const BulletSettings& settings = {});
    ~BulletBalls();
    BulletBalls(const BulletBalls&) = delete;
    BulletBalls& operator=(const BulletBalls&) = delete;

    void step(double seconds);
    void get_positions(int ball, std::span<Vec3> positions) const;
    void get_velocities(int ball, std::span<Vec3> velocities) const;

private:
    struct World;
    std::unique_ptr<World> world_;
};

} // namespace knead::bench
