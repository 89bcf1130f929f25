// glTF 2.0 and GLB: the meshes of all nodes of the scene in one mesh, in the order of the nodes,
// with what animates them.
#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/io/formats.hpp"
#include "knead/io/gltf_nodes.hpp"
#include "knead/io/gltf_part.hpp"
#include "knead/io/weld.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace knead::formats {
namespace {

class GltfReader {
public:
    GltfReader(std::string_view content, const std::string& file, GltfFolder folder)
        : document_(content, file, std::move(folder)) {
        rig_.skeleton = read_gltf_nodes(document_);
        node_world_ = world_matrices(rig_.skeleton, rest_pose(rig_.skeleton));
        bound_.assign(rig_.skeleton.joints.size(), 0);
    }

    MeshFile read() {
        const std::vector<char> in_scene = nodes_in_scene(document_, rig_.skeleton);
        for (std::size_t n = 0; n < in_scene.size(); ++n)
            if (in_scene[n]) add_node(static_cast<int>(n));
        read_gltf_clips(document_, node_of_set_, rig_);
        finish();
        return std::move(result_);
    }

private:
    void add_node(int node) {
        const std::string where = fmt::format("nodes[{}]", node);
        const Json& json = document_.element("nodes", static_cast<std::size_t>(node));
        const int mesh = document_.index(json, "mesh", where, "meshes");
        if (mesh < 0) return;
        const GltfPart part = read_gltf_part(document_, mesh);
        check_positions(part.positions, document_.file());
        const int skin = document_.index(json, "skin", where, "skins");
        const Weld weld = welded(part, skin >= 0);

        std::string name = rig_.skeleton.joints[node].name;
        if (name.empty())
            name = document_.text(document_.element("meshes", static_cast<std::size_t>(mesh)),
                                  "name", fmt::format("meshes[{}]", mesh));
        if (result_.face_objects.names.empty()) result_.name = name;
        if (name.empty()) name = fmt::format("node {}", node);
        // As in the specification (2.0, 3.7.4), a mirror turns faces over; skins ignore their node.
        const bool mirrored = skin < 0 && node_world_[node].linear().determinant() < 0;
        add_faces(part, weld, mirrored, std::move(name));
        add_weights(part, weld, node, skin, where);
        add_vertices(part, weld);
        add_morphs(part, weld, node, json, where);
    }

    // Vertices that differ in normals or UVs only are one; those that move apart are not.
    static Weld welded(const GltfPart& part, bool skinned) {
        Weld weld = weld_positions(part.positions);
        if (part.positions.empty()) return weld;
        if (skinned)
            for (std::vector<double> rows : part.influences) {
                // Which joint has no weight on a vertex does not matter.
                for (std::size_t i = 0; i < rows.size(); ++i)
                    if (i % 8 < 4 && rows[i + 4] == 0) rows[i] = 0;
                refine(weld, rows, 8);
            }
        for (const MorphTarget& target : part.targets)
            refine(weld, {target.offsets[0].data(), 3 * target.offsets.size()}, 3);
        return weld;
    }

    void add_faces(const GltfPart& part, const Weld& weld, bool mirrored, std::string name) {
        const int file_first = static_cast<int>(result_.mesh_vertex_of.size());
        const int mesh_first = result_.mesh.vertex_count();
        for (const int vertex : weld.vertex_of)
            result_.mesh_vertex_of.push_back(mesh_first + vertex);
        for (const std::optional<Vec2>& uv : part.texture) {
            texture_of_.push_back(uv ? static_cast<int>(result_.texture_coordinates.size()) : -1);
            if (uv) result_.texture_coordinates.push_back(*uv);
        }
        const int object = static_cast<int>(result_.face_objects.names.size());
        result_.face_objects.names.push_back(std::move(name));
        for (std::size_t t = 0; t < part.triangles.size(); ++t) {
            Triangle corners = part.triangles[t];
            if (mirrored) std::swap(corners[1], corners[2]);
            Triangle face;
            for (int i = 0; i < 3; ++i) {
                corners[i] += file_first;
                face[i] = result_.mesh_vertex_of[corners[i]];
                result_.corner_texture.push_back(texture_of_[corners[i]]);
            }
            result_.polygons.add(corners);
            // Strips and seams leave triangles without area; they stay in the file's faces only.
            if (!repeated_index(face)) result_.mesh.faces.push_back(face);
            result_.face_objects.of_polygon.push_back(object);
            result_.face_materials.of_polygon.push_back(part.material[t]);
        }
    }

    void add_weights(const GltfPart& part, const Weld& weld, int node, int skin,
                     const std::string& where) {
        SkinWeights& weights = rig_.skin.weights;
        if (skin < 0 || part.influences.empty()) {
            const int joint = joint_bound_by(node, Affine3::Identity());
            for (std::size_t v = 0; v < weld.first.size(); ++v) {
                weights.joints.push_back(joint);
                weights.weights.push_back(1);
                weights.starts.push_back(static_cast<int>(weights.joints.size()));
            }
            return;
        }
        is_skinned_ = true;
        const std::vector<int>& joints = joints_of_skin(skin);
        for (const int file_vertex : weld.first) {
            const std::size_t first = weights.weights.size();
            double sum = 0;
            for (const std::vector<double>& rows : part.influences)
                for (int i = 0; i < 4; ++i) {
                    const double* row = rows.data() + 8 * static_cast<std::size_t>(file_vertex);
                    if (!(row[i] >= 0 && row[i] < static_cast<double>(joints.size())))
                        document_.fail(fmt::format("{}: vertex {} follows joint {} of a skin of {}",
                                                   where, file_vertex, row[i],
                                                   counted(std::ssize(joints), "joint", "joints")));
                    weights.joints.push_back(joints[static_cast<std::size_t>(row[i])]);
                    weights.weights.push_back(row[i + 4]);
                    sum += row[i + 4];
                }
            // What has no weight follows its first joint, as in common viewers.
            if (sum == 0) weights.weights[first] = 1;
            weights.starts.push_back(static_cast<int>(weights.joints.size()));
        }
    }

    const std::vector<int>& joints_of_skin(int skin) {
        const auto [entry, is_new] = joints_of_skin_.try_emplace(skin);
        if (is_new) {
            const GltfSkin read = read_gltf_skin(document_, skin);
            for (std::size_t j = 0; j < read.joints.size(); ++j)
                entry->second.push_back(joint_bound_by(read.joints[j], read.inverse_bind[j]));
        }
        return entry->second;
    }

    // The joint that moves with `node` and has this inverse bind matrix; a node that two skins bind
    // in different ways gets a child that stands still.
    int joint_bound_by(int node, const Affine3& inverse_bind) {
        Skeleton& skeleton = rig_.skeleton;
        if (!bound_[node]) {
            bound_[node] = 1;
            skeleton.inverse_bind[node] = inverse_bind;
            return node;
        }
        if (skeleton.inverse_bind[node].matrix() == inverse_bind.matrix()) return node;
        std::pair<int, std::array<double, 12>> key{node, {}};
        Eigen::Map<Eigen::Matrix<double, 3, 4>>(key.second.data()) = inverse_bind.affine();
        const auto [extra, is_new] = extra_joints_.try_emplace(key, skeleton.joint_count());
        if (is_new) {
            skeleton.joints.push_back({skeleton.joints[node].name, node, {}});
            skeleton.inverse_bind.push_back(inverse_bind);
        }
        return extra->second;
    }

    void add_vertices(const GltfPart& part, const Weld& weld) {
        TriangleMesh vertices;
        for (const int file_vertex : weld.first)
            vertices.positions.push_back(part.positions[file_vertex]);
        for (const auto& [name, attribute] : part.attributes) {
            VertexAttribute& copy = vertices.attributes[name];
            copy.components = attribute.components;
            for (const int file_vertex : weld.first)
                for (int c = 0; c < attribute.components; ++c)
                    copy.values.push_back(attribute.at(file_vertex, c));
        }
        append(result_.mesh, vertices);
        check_attribute_count(document_, result_.mesh.attributes.size());
    }

    void add_morphs(const GltfPart& part, const Weld& weld, int node, const Json& json,
                    const std::string& where) {
        if (part.targets.empty()) return;
        MorphSet set;
        set.first_vertex = result_.mesh.vertex_count() - static_cast<int>(weld.first.size());
        set.rest_weights = document_.numbers(json, "weights", where, part.target_weights);
        for (const MorphTarget& target : part.targets) {
            set.targets.push_back({target.name, {}});
            for (const int file_vertex : weld.first)
                set.targets.back().offsets.push_back(target.offsets[file_vertex]);
        }
        rig_.morphs.push_back(std::move(set));
        node_of_set_.push_back(node);
    }

    void finish() {
        TriangleMesh& mesh = result_.mesh;
        if (mesh.faces.empty()) document_.fail("the mesh has no faces, expected at least 1");
        normalise_weights(rig_.skin.weights, mesh.vertex_count(), rig_.skeleton.joint_count(),
                          document_.file());
        rig_.bind_positions = mesh.positions;
        posed_positions(rig_, -1, 0, mesh.positions);
        check_positions(mesh.positions, document_.file());
        if (is_skinned_ || !rig_.morphs.empty() || !rig_.clips.empty())
            result_.rig = std::move(rig_);
        name_faces();
        const bool is_split = mesh.vertex_count() < std::ssize(result_.mesh_vertex_of);
        if (!is_split) result_.mesh_vertex_of.clear();
        if (!is_split && mesh.face_count() == result_.polygons.count()) result_.polygons = {};
        if (result_.texture_coordinates.empty()) result_.corner_texture.clear();
    }

    void name_faces() {
        if (result_.face_objects.names.size() > 1)
            add_groups_of_faces(result_, result_.face_objects, false);
        else
            result_.face_objects = {};
        const std::size_t materials = document_.count("materials");
        for (std::size_t m = 0; m < materials; ++m) {
            std::string name = document_.text(document_.element("materials", m), "name",
                                              fmt::format("materials[{}]", m));
            result_.face_materials.names.push_back(name.empty() ? fmt::format("material {}", m)
                                                                : std::move(name));
        }
        if (materials == 0) result_.face_materials = {};
    }

    GltfDocument document_;
    MeshFile result_;
    Rig rig_;
    bool is_skinned_ = false;
    std::vector<Affine3> node_world_;
    std::vector<char> bound_; ///< whether a node's inverse bind matrix is taken
    std::map<std::pair<int, std::array<double, 12>>, int> extra_joints_;
    std::map<int, std::vector<int>> joints_of_skin_;
    std::vector<int> node_of_set_, texture_of_;
};

} // namespace

MeshFile read_gltf(std::string_view content, const std::string& file,
                   const std::optional<std::filesystem::path>& folder) {
    return GltfReader(content, file, folder).read();
}

} // namespace knead::formats
