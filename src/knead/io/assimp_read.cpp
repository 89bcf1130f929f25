// Formats nobody should parse by hand, through assimp: FBX, Collada, 3DS and others. Static
// geometry only. The file is handed over in memory, and assimp may open no other.
#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/io/formats.hpp"
#include "knead/io/weld.hpp"

#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/scene.h>
#include <fmt/format.h>

namespace knead::formats {
namespace {

class NoFiles : public Assimp::IOSystem {
public:
    bool Exists(const char*) const override { return false; }
    char getOsSeparator() const override { return '/'; }
    Assimp::IOStream* Open(const char*, const char*) override { return nullptr; }
    void Close(Assimp::IOStream*) override {}
};

Affine3 affine_from(const aiMatrix4x4& m) {
    Affine3 result;
    result.matrix() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, 0, 0,
        0, 1;
    return result;
}

class SceneReader {
public:
    SceneReader(const aiScene& scene, const std::string& file) : scene_(scene), file_(file) {}

    MeshFile read() {
        // Not recursive: the depth is the file's choice. Children are taken in their order.
        std::vector<std::pair<const aiNode*, Affine3>> open{
            {scene_.mRootNode, Affine3::Identity()}};
        while (!open.empty()) {
            const auto [node, above] = open.back();
            open.pop_back();
            const Affine3 world = above * affine_from(node->mTransformation);
            for (unsigned i = 0; i < node->mNumMeshes; ++i)
                add_mesh(*scene_.mMeshes[node->mMeshes[i]], *node, world);
            for (unsigned i = node->mNumChildren; i-- > 0;)
                open.emplace_back(node->mChildren[i], world);
        }
        weld_vertices();
        if (result_.face_objects.names.size() > 1)
            add_groups_of_faces(result_, result_.face_objects, false);
        else
            result_.face_objects = {};
        if (result_.texture_coordinates.empty()) result_.corner_texture.clear();
        complete(result_, file_);
        return std::move(result_);
    }

private:
    void add_mesh(const aiMesh& mesh, const aiNode& node, const Affine3& world) {
        const int first = static_cast<int>(corners_.size());
        const bool mirrored = world.linear().determinant() < 0;
        for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
            const aiVector3D& p = mesh.mVertices[v];
            corners_.push_back(world * Vec3(p.x, p.y, p.z));
        }
        if (result_.face_objects.names.empty() || node_ != &node) {
            node_ = &node;
            result_.face_objects.names.emplace_back(node.mName.C_Str());
            if (result_.name.empty()) result_.name = node.mName.C_Str();
        }
        for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
            const aiFace& face = mesh.mFaces[f];
            if (face.mNumIndices < 3) continue; // points and lines
            for (unsigned i = 0; i < face.mNumIndices; ++i) {
                const unsigned corner = face.mIndices[mirrored ? face.mNumIndices - 1 - i : i];
                if (corner >= mesh.mNumVertices)
                    throw InputError(
                        fmt::format("{}: a face of {} uses vertex {}, expected 0 to {}", file_,
                                    single_quoted(mesh.mName.C_Str()), corner,
                                    static_cast<long>(mesh.mNumVertices) - 1));
                result_.polygons.corners.push_back(first + static_cast<int>(corner));
                add_texture(mesh, corner);
            }
            result_.polygons.close();
            result_.face_objects.of_polygon.push_back(
                static_cast<int>(result_.face_objects.names.size()) - 1);
        }
    }

    void add_texture(const aiMesh& mesh, unsigned corner) {
        if (!mesh.HasTextureCoords(0)) {
            result_.corner_texture.push_back(-1);
            return;
        }
        const aiVector3D& uv = mesh.mTextureCoords[0][corner];
        result_.corner_texture.push_back(static_cast<int>(result_.texture_coordinates.size()));
        result_.texture_coordinates.emplace_back(uv.x, uv.y);
    }

    // assimp gives every corner a vertex of its own where anything differs. A face that loses a
    // corner here has no area and goes.
    void weld_vertices() {
        check_positions(corners_, file_);
        const Weld weld = weld_positions(corners_);
        for (const int corner : weld.first) result_.mesh.positions.push_back(corners_[corner]);
        Polygons kept;
        std::vector<int> textures, objects;
        for (int p = 0; p < result_.polygons.count(); ++p) {
            std::vector<int> polygon;
            for (const int corner : result_.polygons[p]) polygon.push_back(weld.vertex_of[corner]);
            if (repeated_index(polygon)) continue;
            kept.add(polygon);
            textures.insert(textures.end(),
                            result_.corner_texture.begin() + result_.polygons.starts[p],
                            result_.corner_texture.begin() + result_.polygons.starts[p + 1]);
            objects.push_back(result_.face_objects.of_polygon[p]);
        }
        result_.polygons = std::move(kept);
        result_.corner_texture = std::move(textures);
        result_.face_objects.of_polygon = std::move(objects);
    }

    const aiScene& scene_;
    const std::string& file_;
    MeshFile result_;
    std::vector<Vec3> corners_;
    const aiNode* node_ = nullptr;
};

} // namespace

bool assimp_reads(const std::string& extension) {
    return extension.size() > 1 && Assimp::Importer().IsExtensionSupported(extension);
}

MeshFile read_by_assimp(std::string_view content, const std::string& file,
                        const std::string& extension) {
    Assimp::Importer importer;
    importer.SetIOHandler(new NoFiles); // the importer owns it
    const aiScene* scene =
        importer.ReadFileFromMemory(content.data(), content.size(), 0, extension.c_str() + 1);
    if (scene == nullptr || scene->mRootNode == nullptr)
        throw InputError(fmt::format("{}: assimp cannot read it: {}", file,
                                     single_quoted(importer.GetErrorString(), 200)));
    return SceneReader(*scene, file).read();
}

} // namespace knead::formats
