#pragma once

#include "knead/mesh/surface_point.hpp"

#include <vector>

namespace knead {

/// A number that a mesh has everywhere, or one a vertex. The map is not owned: it must live as long
/// as the number is looked at.
class VertexNumber {
public:
    VertexNumber(double constant = 0) : constant_(constant) {}
    VertexNumber(std::span<const double> map) : map_(map), is_map_(true) {}
    VertexNumber(const std::vector<double>& map) : VertexNumber(std::span<const double>(map)) {}

    bool is_map() const { return is_map_; }
    std::span<const double> map() const { return map_; }

    double operator[](std::size_t vertex) const { return is_map_ ? map_[vertex] : constant_; }
    double at(const Edge& ends, double t) const {
        return is_map_ ? (1 - t) * map_[ends[0]] + t * map_[ends[1]] : constant_;
    }
    double at(const FacePoint& point, std::span<const Triangle> faces) const {
        return is_map_ ? interpolate<double>(point, faces, map_) : constant_;
    }
    /// 0 without vertices.
    double largest() const;
    double least() const;

private:
    double constant_ = 0;
    std::span<const double> map_;
    bool is_map_ = false;
};

/// The gradient over the surface at each vertex, the mean of its faces by area; empty for a number
/// that is the same everywhere.
std::vector<Vec3> vertex_gradients(const VertexNumber& number, std::span<const Vec3> positions,
                                   std::span<const Triangle> faces);

} // namespace knead
