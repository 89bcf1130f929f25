#include "knead/io/gltf_nodes.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knead::formats {
namespace {

Affine3 affine_from(const double* column_major) {
    Affine3 result;
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 3; ++r) result.matrix()(r, c) = column_major[4 * c + r];
    result.makeAffine();
    return result;
}

// Translation, rotation and scale of a matrix; glTF allows no others (2.0, 3.5.3).
JointPose decomposed(const Affine3& matrix, const GltfDocument& document,
                     const std::string& where) {
    JointPose pose;
    pose.translation = matrix.translation();
    Mat3 rotation = matrix.linear();
    pose.scale = rotation.colwise().norm();
    if (rotation.determinant() < 0) pose.scale.x() = -pose.scale.x();
    if (!(pose.scale.cwiseAbs().minCoeff() > 0))
        document.fail(where + ".matrix flattens space, expected a rotation and a scale");
    for (int c = 0; c < 3; ++c) rotation.col(c) /= pose.scale[c];
    if (!((rotation.transpose() * rotation - Mat3::Identity()).cwiseAbs().maxCoeff() < 1e-3))
        document.fail(where + ".matrix shears, expected a rotation and a scale");
    pose.rotation = Quat(rotation).normalized();
    return pose;
}

JointPose read_pose(const GltfDocument& document, const Json& node, const std::string& where) {
    if (node.contains("matrix")) {
        const std::vector<double> matrix =
            document.numbers(node, "matrix", where, std::vector<double>(16, 0.0));
        return decomposed(affine_from(matrix.data()), document, where);
    }
    JointPose pose;
    pose.translation = Vec3(document.numbers(node, "translation", where, {0, 0, 0}).data());
    pose.scale = Vec3(document.numbers(node, "scale", where, {1, 1, 1}).data());
    // In the file, and in Eigen's memory: x, y, z, w.
    pose.rotation.coeffs() = Vec4(document.numbers(node, "rotation", where, {0, 0, 0, 1}).data());
    const double length = pose.rotation.coeffs().stableNorm();
    if (!(length > 0)) document.fail(where + ".rotation is zero, expected a unit quaternion");
    pose.rotation.coeffs() /= length;
    return pose;
}

std::optional<ClipChannel::Target> target_from(const std::string& path) {
    using enum ClipChannel::Target;
    if (path == "translation") return translation;
    if (path == "rotation") return rotation;
    if (path == "scale") return scale;
    if (path == "weights") return morph_weights;
    return std::nullopt;
}

// What an empty clip takes in memory, in numbers.
constexpr std::size_t numbers_a_clip = sizeof(Clip) / sizeof(double);

class ClipReader {
public:
    ClipReader(const GltfDocument& document, std::span<const int> node_of_set, Rig& rig)
        : document_(document), node_of_set_(node_of_set), rig_(rig) {}

    void read(std::size_t index) {
        where_ = fmt::format("animations[{}]", index);
        const Json& animation = document_.element("animations", index);
        Clip clip;
        clip.name = document_.text(animation, "name", where_);
        document_.spend(numbers_a_clip * rig_.morphs.size());
        for (MorphSet& set : rig_.morphs) set.clips.push_back({clip.name, {}});
        const Json& channels = document_.list(animation, "channels", where_);
        for (std::size_t c = 0; c < channels.size(); ++c) {
            const std::string where = fmt::format("{}.channels[{}]", where_, c);
            if (!channels[c].is_object()) document_.fail(where + " is no object");
            read_channel(animation, channels[c], where, clip);
        }
        check_clip(clip, rig_.skeleton.joint_count(), 0, document_.file());
        for (const MorphSet& set : rig_.morphs)
            check_clip(set.clips.back(), 0, static_cast<int>(set.targets.size()), document_.file());
        rig_.clips.push_back(std::move(clip));
    }

private:
    void read_channel(const Json& animation, const Json& json, const std::string& where,
                      Clip& clip) {
        const Json& target = document_.object(json, "target", where);
        ClipChannel channel;
        channel.joint = document_.index(target, "node", where + ".target", "nodes");
        const auto kind = target_from(document_.text(target, "path", where + ".target"));
        // Extensions may animate other things than nodes.
        if (channel.joint < 0 || !kind) return;
        channel.target = *kind;
        channel.width = channel.target == ClipChannel::Target::rotation ? 4 : 3;
        std::vector<ClipChannel>* channels = &clip.channels;
        if (channel.target == ClipChannel::Target::morph_weights) {
            const auto set = std::find(node_of_set_.begin(), node_of_set_.end(), channel.joint);
            if (set == node_of_set_.end()) return;
            MorphSet& morphs = rig_.morphs[set - node_of_set_.begin()];
            channels = &morphs.clips.back().channels;
            channel.width = static_cast<int>(morphs.targets.size());
            channel.joint = -1;
        }
        const Json& samplers = document_.list(animation, "samplers", where_);
        const auto sampler = json.find("sampler");
        if (sampler == json.end()) document_.fail(where + ".sampler is missing");
        const int index = document_.index_value(*sampler, where + ".sampler", samplers.size());
        read_sampler(samplers[index], fmt::format("{}.samplers[{}]", where_, index), channel);
        channels->push_back(std::move(channel));
    }

    void read_sampler(const Json& sampler, const std::string& where, ClipChannel& channel) {
        if (!sampler.is_object()) document_.fail(where + " is no object");
        const std::string interpolation = document_.text(sampler, "interpolation", where);
        if (interpolation == "STEP")
            channel.interpolation = ClipInterpolation::step;
        else if (interpolation == "CUBICSPLINE")
            channel.interpolation = ClipInterpolation::cubic;
        else if (!interpolation.empty() && interpolation != "LINEAR")
            document_.fail(fmt::format("{}.interpolation is {}, expected STEP, LINEAR or "
                                       "CUBICSPLINE",
                                       where, single_quoted(interpolation)));
        channel.times = accessor(sampler, "input", where, {"SCALAR"});
        using enum ClipChannel::Target;
        if (channel.target == morph_weights)
            channel.values = accessor(sampler, "output", where, {"SCALAR"});
        else
            channel.values =
                accessor(sampler, "output", where, {channel.target == rotation ? "VEC4" : "VEC3"});
    }

    std::vector<double> accessor(const Json& sampler, const char* key, const std::string& where,
                                 std::initializer_list<std::string_view> types) {
        const int index = document_.index(sampler, key, where, "accessors");
        if (index < 0) document_.fail(fmt::format("{}.{} is missing", where, key));
        return document_.accessor(index, types).values;
    }

    const GltfDocument& document_;
    std::span<const int> node_of_set_;
    Rig& rig_;
    std::string where_;
};

} // namespace

Skeleton read_gltf_nodes(const GltfDocument& document) {
    Skeleton skeleton;
    const std::size_t count = document.count("nodes");
    skeleton.joints.resize(count);
    skeleton.inverse_bind.assign(count, Affine3::Identity());
    for (std::size_t n = 0; n < count; ++n) {
        const std::string where = fmt::format("nodes[{}]", n);
        const Json& node = document.element("nodes", n);
        skeleton.joints[n].name = document.text(node, "name", where);
        skeleton.joints[n].rest = read_pose(document, node, where);
        for (const Json& child : document.list(node, "children", where)) {
            const int index = document.index_value(child, where + ".children", count);
            int& parent = skeleton.joints[index].parent;
            if (parent >= 0)
                document.fail(fmt::format("nodes[{}] is a child of nodes[{}] and of nodes[{}], "
                                          "expected one parent",
                                          index, parent, n));
            parent = static_cast<int>(n);
        }
    }
    if (const std::optional<int> node = find_cycle(skeleton))
        document.fail(fmt::format("nodes[{}] is its own ancestor", *node));
    return skeleton;
}

std::vector<char> nodes_in_scene(const GltfDocument& document, const Skeleton& skeleton) {
    const std::size_t count = skeleton.joints.size();
    if (document.count("scenes") == 0) return std::vector<char>(count, 1);
    const int scene = std::max(0, document.index(document.root(), "scene", {}, "scenes"));
    const std::string where = fmt::format("scenes[{}]", scene);
    std::vector<char> inside(count, 0);
    const Json& roots =
        document.list(document.element("scenes", static_cast<std::size_t>(scene)), "nodes", where);
    for (const Json& node : roots) inside[document.index_value(node, where + ".nodes", count)] = 1;
    // Down from each node that is decided to those below it, in any order of the nodes.
    std::vector<char> decided(count, 0);
    std::vector<int> chain;
    for (std::size_t n = 0; n < count; ++n) {
        int at = static_cast<int>(n);
        for (chain.clear(); at >= 0 && !decided[at] && !inside[at]; at = skeleton.joints[at].parent)
            chain.push_back(at);
        const char result = at >= 0 && inside[at];
        for (const int node : chain) {
            inside[node] = result;
            decided[node] = 1;
        }
    }
    return inside;
}

GltfSkin read_gltf_skin(const GltfDocument& document, int skin) {
    const std::string where = fmt::format("skins[{}]", skin);
    const Json& json = document.element("skins", static_cast<std::size_t>(skin));
    GltfSkin result;
    for (const Json& joint : document.list(json, "joints", where))
        result.joints.push_back(
            document.index_value(joint, where + ".joints", document.count("nodes")));
    result.inverse_bind.assign(result.joints.size(), Affine3::Identity());
    const int accessor = document.index(json, "inverseBindMatrices", where, "accessors");
    if (accessor < 0) return result;
    const GltfDocument::Numbers matrices = document.accessor(accessor, {"MAT4"});
    if (matrices.count < result.joints.size())
        document.fail(fmt::format("{}.inverseBindMatrices has {}, expected one for each of {}",
                                  where,
                                  counted(static_cast<long>(matrices.count), "matrix", "matrices"),
                                  counted(std::ssize(result.joints), "joint", "joints")));
    for (std::size_t j = 0; j < result.joints.size(); ++j) {
        result.inverse_bind[j] = affine_from(matrices.values.data() + 16 * j);
        if (!result.inverse_bind[j].matrix().allFinite())
            document.fail(fmt::format("{}.inverseBindMatrices: matrix {} holds a number that is "
                                      "not finite",
                                      where, j));
    }
    return result;
}

void read_gltf_clips(const GltfDocument& document, std::span<const int> node_of_set, Rig& rig) {
    ClipReader reader(document, node_of_set, rig);
    for (std::size_t a = 0; a < document.count("animations"); ++a) reader.read(a);
}

} // namespace knead::formats
