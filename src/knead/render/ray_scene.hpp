#pragma once

#include "knead/base/types.hpp"

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
    int face = -1;
    float t = 0;
    float u = 0, v = 0;       ///< barycentric coordinates of the face's second and third corner
    Vec3f normal = {0, 0, 0}; ///< of the face, unit
};

/// Triangles that rays can hit: the one place that talks to Embree.
class RayScene {
public:
    RayScene();
    ~RayScene();
    RayScene(RayScene&&) noexcept;
    RayScene& operator=(RayScene&&) noexcept;

    /// Copies the mesh; hits on it carry the number `object`, which must be new.
    void add(int object, std::span<const Vec3f> positions, std::span<const Triangle> faces);
    /// To be called once, after all `add` and before the first ray.
    void commit();
    bool empty() const;

    std::optional<RayHit> closest(const Ray& ray) const;
    bool blocked(const Ray& ray) const;
    /// Every surface along the ray, also those that coincide; in no order, and a hit on the side of
    /// a face may come twice, once for each neighbour.
    void all_hits(const Ray& ray, std::vector<RayHit>& hits) const;

private:
    struct Handles;
    std::unique_ptr<Handles> handles_;
};

} // namespace knead
