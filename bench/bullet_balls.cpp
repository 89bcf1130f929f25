#include "bullet_balls.hpp"

#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableGravityForce.h>
#include <BulletSoftBody/btDeformableLinearElasticityForce.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <algorithm>
#include <array>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <set>
#include <type_traits>

namespace knead::bench {
namespace {

static_assert(std::is_same_v<btScalar, double>, "Bullet must be the one of double precision");

constexpr double floor_half_size = 10;

btVector3 to_bullet(const Vec3& v) {
    return {v.x(), v.y(), v.z()};
}

Vec3 from_bullet(const btVector3& v) {
    return {v.x(), v.y(), v.z()};
}

// Bullet multiplies the coefficients of the two that touch; we take the geometric mean.
double bullet_friction(double friction) {
    return std::sqrt(friction);
}

std::set<std::array<int, 2>> edges_of(std::span<const Tetrahedron> tets) {
    std::set<std::array<int, 2>> edges;
    for (const Tetrahedron& tet : tets)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < i; ++j)
                edges.insert({std::min(tet[i], tet[j]), std::max(tet[i], tet[j])});
    return edges;
}

} // namespace

struct BulletBalls::World {
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btDeformableBodySolver body_solver;
    btDeformableMultiBodyConstraintSolver contact_solver;
    // Bullet's static plane has no distance field for nodes to collide with, a box has.
    btBoxShape floor_shape{btVector3(floor_half_size, floor_half_size, floor_half_size)};
    std::unique_ptr<btRigidBody> floor;
    std::vector<std::unique_ptr<btSoftBody>> balls;
    std::unique_ptr<btDeformableLinearElasticityForce> elasticity;
    std::unique_ptr<btDeformableGravityForce> gravity;
    // The last, since it must go first.
    btDeformableMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &contact_solver,
                                             &configuration, &body_solver};

    void add_floor(double friction) {
        btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, &floor_shape);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(btVector3(0, -floor_half_size, 0));
        info.m_friction = bullet_friction(friction);
        floor = std::make_unique<btRigidBody>(info);
        world.addRigidBody(floor.get());
    }

    void add_ball(const BodyDefinition& body, double mass, const BulletSettings& settings) {
        balls.push_back(std::make_unique<btSoftBody>(&world.getWorldInfo()));
        btSoftBody& ball = *balls.back();
        btSoftBody::Material* material = ball.appendMaterial();
        for (const Vec3& x : body.elements->positions) ball.appendNode(to_bullet(x), mass);
        for (const Tetrahedron& tet : body.elements->tets)
            ball.appendTetra(tet[0], tet[1], tet[2], tet[3], material);
        // They carry no force, but without them Bullet cannot build its tree of nodes.
        for (const auto& [a, b] : edges_of(body.elements->tets)) ball.appendLink(a, b, material);
        btSoftBodyHelpers::generateBoundaryFaces(&ball);
        ball.initializeDmInverse();
        ball.m_tetraScratches.resize(ball.m_tetras.size());
        ball.m_tetraScratchesTn.resize(ball.m_tetras.size());

        using Collision = btSoftBody::fCollision;
        ball.m_cfg.collisions = Collision::SDF_RD | Collision::SDF_RDN | Collision::VF_DD;
        ball.m_cfg.kDF = bullet_friction(body.material.friction);
        ball.m_cfg.kCHR = ball.m_cfg.kKHR = 1;
        ball.m_cfg.drag = 0;
        ball.getCollisionShape()->setMargin(settings.margin);
        ball.setSpringStiffness(settings.contact_stiffness);
        ball.setSelfCollision(false);
        ball.m_sleepingThreshold = 0;
        ball.setActivationState(DISABLE_DEACTIVATION);
        world.addSoftBody(&ball);
        world.addForce(&ball, elasticity.get());
        world.addForce(&ball, gravity.get());
    }
};

BulletBalls::BulletBalls(std::span<const BodyDefinition> balls, std::span<const double> mass,
                         const Vec3& gravity, const BulletSettings& settings)
    : world_(std::make_unique<World>()) {
    World& w = *world_;
    w.contact_solver.setDeformableSolver(&w.body_solver);
    w.world.setGravity(to_bullet(gravity));
    w.world.getWorldInfo().m_gravity = to_bullet(gravity);
    w.world.setImplicit(true); // what is explicit blows up with these materials
    w.world.setLineSearch(false);
    w.world.setUseProjection(true);
    btContactSolverInfo& info = w.world.getSolverInfo();
    info.m_deformable_erp = settings.error_reduction;
    info.m_deformable_maxErrorReduction = 200; // m / s: no limit
    info.m_leastSquaresResidualThreshold = 1e-3;
    info.m_splitImpulse = true;
    info.m_numIterations = settings.iterations;

    const BodyMaterial& material = balls.front().material;
    const double mu = 0.5 * material.young / (1 + material.poisson);
    const double lambda = 2 * mu * material.poisson / (1 - 2 * material.poisson);
    w.elasticity =
        std::make_unique<btDeformableLinearElasticityForce>(mu, lambda, 0, settings.damping);
    w.gravity = std::make_unique<btDeformableGravityForce>(to_bullet(gravity));
    w.add_floor(material.friction);
    for (std::size_t b = 0; b < balls.size(); ++b) w.add_ball(balls[b], mass[b], settings);
}

BulletBalls::~BulletBalls() = default;

void BulletBalls::step(double seconds) {
    world_->world.stepSimulation(seconds, 1, seconds);
}

void BulletBalls::get_positions(int ball, std::span<Vec3> positions) const {
    const auto& nodes = world_->balls[ball]->m_nodes;
    for (int v = 0; v < nodes.size(); ++v) positions[v] = from_bullet(nodes[v].m_x);
}

void BulletBalls::get_velocities(int ball, std::span<Vec3> velocities) const {
    const auto& nodes = world_->balls[ball]->m_nodes;
    for (int v = 0; v < nodes.size(); ++v) velocities[v] = from_bullet(nodes[v].m_v);
}

} // namespace knead::bench
