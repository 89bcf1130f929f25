#include "thin_section.hpp"

#include "knead/mesh/measures.hpp"
#include "knead/mesh/topology.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace knead::quality {
namespace {

constexpr int planes_of_a_direction = 48;
constexpr double least_part = 0.05; // of the area, on each side

std::vector<Vec3> plane_normals() {
    std::vector<Vec3> normals;
    for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
            for (int z = -1; z <= 1; ++z) {
                const Vec3 normal(x, y, z);
                // One of each two that are opposite.
                if (normal.dot(Vec3(9, 3, 1)) > 0) normals.push_back(normal.normalized());
            }
    return normals;
}

// The mesh's third of each face at its corners.
std::vector<double> vertex_areas(const TriangleMesh& mesh) {
    std::vector<double> areas(mesh.positions.size(), 0.0);
    for (const auto& [a, b, c] : mesh.faces)
        for (const int v : {a, b, c})
            areas[v] +=
                area_vector(mesh.positions[a], mesh.positions[b], mesh.positions[c]).norm() / 3;
    return areas;
}

class PlaneCuts {
public:
    explicit PlaneCuts(const TriangleMesh& mesh)
        : mesh_(mesh),
          topology_(build_topology(mesh.faces, mesh.vertex_count())),
          areas_(vertex_areas(mesh)) {
        for (const double area : areas_) whole_ += area;
    }

    // Keeps the section of the plane that is shorter than `best` and parts the mesh.
    void cut(const Vec3& normal, double offset, std::optional<Section>& best) {
        const std::size_t edges = topology_.edges.size();
        over_.resize(mesh_.positions.size());
        for (std::size_t v = 0; v < over_.size(); ++v)
            over_[v] = normal.dot(mesh_.positions[v]) - offset;
        loop_of_.assign(edges, -1);
        int loops = 0;
        for (int e = 0; e < static_cast<int>(edges); ++e) {
            if (loop_of_[e] >= 0 || !is_cut(e)) continue;
            const std::vector<int> loop = collect(e, loops);
            const double length = length_of(loop);
            if ((!best || length < best->length) && parts(loop, loops))
                best = section(loop, normal, length);
            ++loops;
        }
    }

private:
    bool is_cut(int edge) const {
        const auto& [a, b] = topology_.edges[edge];
        return (over_[a] < 0) != (over_[b] < 0);
    }
    Vec3 point(int edge) const {
        const auto& [a, b] = topology_.edges[edge];
        const double t = over_[a] / (over_[a] - over_[b]);
        return (1 - t) * mesh_.positions[a] + t * mesh_.positions[b];
    }
    // All cut edges that faces join with this one.
    std::vector<int> collect(int edge, int number) {
        std::vector<int> loop{edge};
        loop_of_[edge] = number;
        for (std::size_t i = 0; i < loop.size(); ++i)
            for (const int face : topology_.edge_faces[loop[i]])
                for (const int next : topology_.face_edges[face])
                    if (loop_of_[next] < 0 && is_cut(next)) {
                        loop_of_[next] = number;
                        loop.push_back(next);
                    }
        return loop;
    }
    // Calls `visit` with the ends of each of the loop's pieces; a face has one.
    template <class Visit>
    void each_piece(const std::vector<int>& loop, const Visit& visit) const {
        for (const int edge : loop)
            for (const int face : topology_.edge_faces[edge])
                for (const int other : topology_.face_edges[face])
                    if (other > edge && loop_of_[other] == loop_of_[edge])
                        visit(point(edge), point(other));
    }
    double length_of(const std::vector<int>& loop) const {
        double length = 0;
        each_piece(loop, [&](const Vec3& a, const Vec3& b) { length += (b - a).norm(); });
        return length;
    }
    // Whether the loop alone parts the mesh, and leaves enough on both sides.
    bool parts(const std::vector<int>& loop, int number) {
        for (const bool above : {true, false}) {
            reached_.assign(over_.size(), 0);
            std::vector<int> next;
            double area = 0;
            const auto reach = [&](int vertex) {
                if (reached_[vertex]) return;
                reached_[vertex] = 1;
                area += areas_[vertex];
                next.push_back(vertex);
            };
            for (const int edge : loop)
                for (const int end : topology_.edges[edge])
                    if ((over_[end] >= 0) == above) reach(end);
            while (!next.empty()) {
                const int vertex = next.back();
                next.pop_back();
                for (const int neighbor : topology_.vertex_vertices[vertex])
                    if (loop_of_[topology_.find_edge(vertex, neighbor)] != number) reach(neighbor);
            }
            for (const int edge : loop)
                for (const int end : topology_.edges[edge])
                    if ((over_[end] >= 0) != above && reached_[end]) return false;
            if (area < least_part * whole_) return false;
        }
        return true;
    }
    Section section(const std::vector<int>& loop, const Vec3& normal, double length) const {
        Section result;
        result.length = length;
        each_piece(loop, [&](const Vec3& a, const Vec3& b) {
            result.center += (b - a).norm() / length * 0.5 * (a + b);
        });
        Mat3 moments = Mat3::Zero();
        each_piece(loop, [&](const Vec3& a, const Vec3& b) {
            const Vec3 at = 0.5 * (a + b) - result.center;
            moments += (b - a).norm() / length * at * at.transpose();
        });
        const Eigen::SelfAdjointEigenSolver<Mat3> solver(moments);
        Vec3 longer = solver.eigenvectors().col(2);
        longer = (longer - normal.dot(longer) * normal).normalized();
        result.axes.col(0) = longer;
        result.axes.col(1) = normal;
        result.axes.col(2) = longer.cross(normal);
        // Of a circle, the mean square along an axis is half of the radius's.
        for (const int i : {0, 1}) result.half_axes[i] = std::sqrt(2 * solver.eigenvalues()[2 - i]);
        return result;
    }

    const TriangleMesh& mesh_;
    Topology topology_;
    std::vector<double> areas_;
    double whole_ = 0;
    std::vector<double> over_;
    std::vector<int> loop_of_; ///< cut edge -> loop; else -1
    std::vector<char> reached_;
};

} // namespace

std::optional<Section> thinnest_section(const TriangleMesh& mesh) {
    std::optional<Section> best;
    PlaneCuts cuts(mesh);
    for (const Vec3& normal : plane_normals()) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const Vec3& p : mesh.positions) {
            low = std::min(low, normal.dot(p));
            high = std::max(high, normal.dot(p));
        }
        for (int i = 1; i < planes_of_a_direction; ++i)
            cuts.cut(normal, low + (high - low) * i / planes_of_a_direction, best);
    }
    return best;
}

} // namespace knead::quality
