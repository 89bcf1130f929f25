#pragma once

#include "knead/render/traced_surface.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace knead {

/// Embree is single precision, so what is traced is too.
using Vec3f = Eigen::Vector3f;

struct Ray {
    Vec3f origin;
    Vec3f direction; ///< unit
    float near = 0;
    float far = std::numeric_limits<float>::infinity();
};

struct RayHit {
    int object = -1;
    int face = -1; ///< none on a traced surface
    float t = 0;
    float u = 0, v = 0;       ///< barycentric coordinates of the face's second and third corner
    Vec3f normal = {0, 0, 0}; ///< of the face or the traced surface, unit
    Vec3 point = {0, 0, 0};   ///< in the world, only on a traced surface
};

/// Triangles and traced surfaces that rays can hit: the one place that talks to Embree.
class RayScene {
public:
    RayScene();
    ~RayScene();
    RayScene(RayScene&&) noexcept;
    RayScene& operator=(RayScene&&) noexcept;

    /// Copies the mesh; hits on it carry the number `object`, which must be new.
    void add(int object, std::span<const Vec3f> positions, std::span<const Triangle> faces);
    /// A surface with this box, both in a world that has the scene's origin at `center` and is
    /// `radius` times as large. What it throws, `closest` and `blocked` throw.
    void add(int object, const TracedSurface& surface, const Box& box, const Vec3& center,
             double radius);
    /// To be called once, after all `add` and before the first ray.
    void commit();
    bool empty() const;

    std::optional<RayHit> closest(const Ray& ray) const;
    bool blocked(const Ray& ray) const;
    /// Every triangle along the ray, also those that coincide; in no order, and a hit on the side
    /// of a face may come twice, once for each neighbour. Traced surfaces are left out: they know
    /// by themselves what they contain.
    void all_hits(const Ray& ray, std::vector<RayHit>& hits) const;

private:
    struct Handles;
    std::unique_ptr<Handles> handles_;
};

} // namespace knead
