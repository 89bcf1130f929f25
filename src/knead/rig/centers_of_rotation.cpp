#include "knead/rig/centers_of_rotation.hpp"

#include "knead/base/parallel.hpp"
#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace knead {
namespace {

struct JointWeight {
    int joint;
    double weight;
};
using SparseWeights = std::vector<JointWeight>; // ascending joints

// What decides: a joint with less has no part in the similarity, nor has the ninth of a vertex.
// Neither moves a centre by more than that share of a bone.
constexpr double least_weight = 1e-3;
constexpr std::size_t most_joints = 8;

// How fast similarity falls with the difference of weights [Le and Hodgins 2016, sec. 4.2].
constexpr double sigma = 0.1;

// Faces are gathered where their weights agree to this much, far less than sigma.
constexpr double bin_width = 1.0 / 128;

SparseWeights prune(SparseWeights weights) {
    std::erase_if(weights, [](const JointWeight& w) { return w.weight < least_weight; });
    if (weights.size() > most_joints) {
        std::stable_sort(
            weights.begin(), weights.end(),
            [](const JointWeight& a, const JointWeight& b) { return a.weight > b.weight; });
        weights.resize(most_joints);
        std::sort(weights.begin(), weights.end(),
                  [](const JointWeight& a, const JointWeight& b) { return a.joint < b.joint; });
    }
    return weights;
}

SparseWeights weights_of_vertex(const SkinWeights& weights, int vertex) {
    SparseWeights result;
    for (int i = weights.starts[vertex]; i < weights.starts[vertex + 1]; ++i)
        result.push_back({weights.joints[i], weights.weights[i]});
    return result;
}

SparseWeights mean_weights(const SkinWeights& weights, const Triangle& face) {
    SparseWeights all;
    for (const int corner : face)
        for (const JointWeight& w : weights_of_vertex(weights, corner)) all.push_back(w);
    std::stable_sort(all.begin(), all.end(),
                     [](const JointWeight& a, const JointWeight& b) { return a.joint < b.joint; });
    SparseWeights result;
    for (const JointWeight& w : all) {
        if (result.empty() || result.back().joint != w.joint) result.push_back({w.joint, 0});
        result.back().weight += w.weight / 3;
    }
    return result;
}

// All faces of about the same weights: a face much like any other to the similarity.
struct FaceBin {
    std::vector<double> area_times_weight; // one a joint of the bin
    double area = 0;
    Vec3 area_times_position = Vec3::Zero();
};

// A pair of joints as one bin of faces follows it.
struct PairSample {
    double weight_a, weight_b;
    double area;
    Vec3 area_times_position;
};
using PairSamples = std::map<std::pair<int, int>, std::vector<PairSample>>;

PairSamples samples_of_pairs(const SkinWeights& weights, const TriangleMesh& rest) {
    using BinKey = std::vector<std::pair<int, int>>; // joint, weight in bin widths
    std::map<BinKey, FaceBin> bins;
    for (const Triangle& face : rest.faces) {
        const SparseWeights mean = prune(mean_weights(weights, face));
        if (mean.size() < 2) continue;
        BinKey key;
        for (const JointWeight& w : mean)
            key.emplace_back(w.joint, static_cast<int>(std::lround(w.weight / bin_width)));
        const Vec3 &a = rest.positions[face[0]], &b = rest.positions[face[1]],
                   &c = rest.positions[face[2]];
        const double area = 0.5 * area_vector(a, b, c).norm();
        FaceBin& bin = bins[std::move(key)];
        bin.area_times_weight.resize(mean.size());
        for (std::size_t i = 0; i < mean.size(); ++i)
            bin.area_times_weight[i] += area * mean[i].weight;
        bin.area += area;
        bin.area_times_position += area / 3 * (a + b + c);
    }

    PairSamples pairs;
    for (const auto& [key, bin] : bins) {
        if (!(bin.area > 0)) continue;
        for (std::size_t i = 0; i < key.size(); ++i)
            for (std::size_t j = i + 1; j < key.size(); ++j)
                pairs[{key[i].first, key[j].first}].push_back({bin.area_times_weight[i] / bin.area,
                                                               bin.area_times_weight[j] / bin.area,
                                                               bin.area, bin.area_times_position});
    }
    return pairs;
}

} // namespace

std::vector<Vec3> centers_of_rotation(const SkinWeights& weights, const TriangleMesh& rest) {
    const PairSamples pairs = samples_of_pairs(weights, rest);
    std::vector<Vec3> centers = rest.positions;
    parallel_for(centers.size(), 16, [&](std::size_t vertex) {
        const SparseWeights own = prune(weights_of_vertex(weights, static_cast<int>(vertex)));
        double total = 0;
        Vec3 sum = Vec3::Zero();
        for (std::size_t i = 0; i < own.size(); ++i)
            for (std::size_t j = i + 1; j < own.size(); ++j) {
                const auto found = pairs.find({own[i].joint, own[j].joint});
                if (found == pairs.end()) continue;
                const double a = own[i].weight, b = own[j].weight;
                for (const PairSample& sample : found->second) {
                    const double difference = a * sample.weight_b - b * sample.weight_a;
                    const double similarity = a * b * sample.weight_a * sample.weight_b *
                                              std::exp(-difference * difference / (sigma * sigma));
                    total += similarity * sample.area;
                    sum += similarity * sample.area_times_position;
                }
            }
        if (total > 0) centers[vertex] = sum / total;
    });
    return centers;
}

} // namespace knead
