#pragma once

#include "knead/io/gltf_document.hpp"
#include "knead/io/mesh_file.hpp"

namespace knead::formats {

/// What one node shows: the primitives of its mesh one behind the other, as the file has them.
struct GltfPart {
    std::vector<Vec3> positions;
    std::vector<std::vector<double>> influences; ///< per set, 8 numbers a vertex: joints, weights
    std::vector<std::optional<Vec2>> texture;    ///< one a vertex
    std::map<std::string, VertexAttribute> attributes;
    std::vector<MorphTarget> targets;
    std::vector<double> target_weights;
    std::vector<Triangle> triangles;
    std::vector<int> material; ///< one a triangle, index into "materials" or -1
};

/// Reads a mesh of the document.
GltfPart read_gltf_part(const GltfDocument& document, int mesh);

/// Refuses a document whose vertices would have too many attributes.
void check_attribute_count(const GltfDocument& document, std::size_t count);

/// `count` vectors from numbers.
std::vector<Vec3> vectors_from(const std::vector<double>& numbers);

} // namespace knead::formats
