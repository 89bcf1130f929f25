#pragma once

#include "knead/base/adjacency.hpp"
#include "knead/base/types.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace knead {

/// Several surfaces as one, for collisions among all of them: vertices are numbered through. What
/// changes with the pose is given to each query.
struct CollisionMesh {
    std::vector<Triangle> faces;
    /// By the faces that they belong to, and in these by corner; not in lexicographic order. So a
    /// search that meets faces in ascending order meets edges in ascending order too.
    std::vector<Edge> edges;
    std::vector<int> body_of_vertex;
    int bodies = 0;
    /// bodies x bodies: whether faces of the two may touch. The diagonal is self-contact.
    std::vector<std::uint8_t> may_touch;
    /// Every vertex and edge belongs to the first of its faces, so that a pair of faces finds each
    /// pair of primitives once: bits 0 to 2 are the vertices of the face that belong to it, 3 to 5
    /// the edges, edge i from corner i to corner i + 1.
    std::vector<std::uint8_t> owned;
    std::vector<std::array<int, 3>> face_edges; ///< edge i from corner i to corner i + 1
    std::vector<std::array<int, 2>> edge_faces; ///< -1 where there is none; the first two if more
    Adjacency vertex_faces;                     ///< ascending

    int vertex_count() const { return static_cast<int>(body_of_vertex.size()); }
    int body_of_face(int face) const { return body_of_vertex[faces[face][0]]; }
    bool bodies_touch(int a, int b) const {
        return may_touch[static_cast<std::size_t>(a) * static_cast<std::size_t>(bodies) +
                         static_cast<std::size_t>(b)] != 0;
    }
};

/// Faces, bodies and who may touch whom must be filled in; the rest follows. Throws InputError for
/// a face with a vertex twice or out of range or with vertices of two bodies, for a vertex of a
/// body that does not exist, and for a table `may_touch` that is not bodies x bodies and symmetric.
void complete(CollisionMesh& mesh);

/// A vertex (a) and a face (b), or two edges (a < b), that share no vertex.
struct PrimitivePair {
    enum class Kind : std::uint8_t { vertex_face, edge_edge };
    Kind kind = Kind::vertex_face;
    int a = 0, b = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in the defaulted comparison
    friend auto operator<=>(const PrimitivePair&, const PrimitivePair&) = default;
};

/// The vertex and the corners of the face, or the ends of the first edge and of the second.
std::array<int, 4> vertices_of(const CollisionMesh& mesh, const PrimitivePair& pair);

/// Throws InputError unless the mesh is complete and there are as many positions as vertices, and
/// GeometryError for one that is not finite. `what` names them: "start position".
void check_positions(const CollisionMesh& mesh, std::span<const Vec3> positions, const char* what);

} // namespace knead
