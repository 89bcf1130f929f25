#include "knead/bulge/bulge_patch.hpp"

#include "knead/base/smoothstep.hpp"
#include "knead/solve/ordering.hpp"
#include "knead/spatial/face_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

namespace knead {
namespace {

// Smaller groups fit a zone more closely, but the patch changes more often.
constexpr int group_size = 24;
constexpr std::size_t kept_patches = 12;
constexpr double whole_from = 0.6; // of all groups

double squared_near(const Box& box, const Vec3& point) {
    return (point - point.cwiseMax(box.lower).cwiseMin(box.upper)).squaredNorm();
}

double squared_far(const Box& box, const Vec3& point) {
    return (point - box.lower).cwiseAbs().cwiseMax((point - box.upper).cwiseAbs()).squaredNorm();
}

// What is near through the air but far over the surface, the other side of a finger, counts no more
// than the least place on the best way there from the zone: behind a place that hardly counts there
// is nothing to go by. A zone that has hardly come in is such a place: `starts`, one a vertex of
// the whole mesh, is how much of it is there. No weight jumps, as long as none did before.
void limit_by_ways(const SubMesh& mesh, std::span<const double> starts,
                   std::vector<double>& weights) {
    std::vector<double> reached(weights.size(), 0);
    std::vector<int> sure; // those that count fully need no order
    std::priority_queue<std::pair<double, int>> others;
    const auto reach = [&](int vertex, double weight) {
        if (!(weight > reached[vertex])) return;
        reached[vertex] = weight;
        if (weight == 1)
            sure.push_back(vertex);
        else
            others.emplace(weight, vertex);
    };
    for (std::size_t v = 0; v < weights.size(); ++v)
        reach(static_cast<int>(v), std::min(weights[v], starts[mesh.vertices[v]]));
    while (!sure.empty() || !others.empty()) {
        int vertex = 0;
        if (!sure.empty()) {
            vertex = sure.back();
            sure.pop_back();
        } else {
            vertex = others.top().second;
            const bool outdone = others.top().first < reached[vertex];
            others.pop();
            if (outdone) continue;
        }
        for (const int next : mesh.topology.vertex_vertices[vertex])
            reach(next, std::min(weights[next], reached[vertex]));
    }
    weights = std::move(reached);
}

} // namespace

Reach reach_of(double extent, double edge) {
    return {1.05 * extent + 0.5 * edge, 1.4 * extent + 1.5 * edge};
}

BulgePatches::BulgePatches(std::shared_ptr<const SurfaceStructure> structure)
    : structure_(std::move(structure)), maker_(structure_->faces, structure_->topology) {
    divide();
    const std::vector<int> order =
        structure_->elimination_order.empty()
            ? nested_dissection_order(laplacian_pattern(structure_->topology).structure)
            : structure_->elimination_order;
    elimination_place_.resize(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        elimination_place_[order[k]] = static_cast<int>(k);
    weight_.assign(order.size(), 0);
    start_.assign(order.size(), 0);
    group_reached_.assign(static_cast<std::size_t>(group_faces_.size()), 0);
}

void BulgePatches::divide() {
    FaceGroups groups = group_faces(structure_->tree, group_size);
    group_faces_ = std::move(groups.faces);
    group_of_node_.assign(structure_->tree.nodes.size(), -1);
    group_of_face_.assign(structure_->faces.size(), -1);
    std::vector<int> vertices;
    for (int group = 0; group < group_faces_.size(); ++group) {
        group_of_node_[groups.nodes[group]] = group;
        vertices.clear();
        for (const int face : group_faces_[group]) {
            group_of_face_[face] = group;
            const Triangle& corners = structure_->faces[face];
            vertices.insert(vertices.end(), corners.begin(), corners.end());
        }
        std::sort(vertices.begin(), vertices.end());
        group_vertices_.items.insert(group_vertices_.items.end(), vertices.begin(),
                                     std::unique(vertices.begin(), vertices.end()));
        group_vertices_.starts.push_back(static_cast<int>(group_vertices_.items.size()));
    }
}

// How far the zone has come in about each of its vertices. A third is enough to reach all the way.
// A vertex takes its neighbours' word: the border was at them just before it came in.
void BulgePatches::find_presence(const ContactZone& zone) {
    if (zone.vertex_fade.empty()) {
        own_presence_.assign(zone.inside.size(), 1);
        presence_.assign(zone.inside.size(), 1);
        return;
    }
    own_presence_.assign(zone.inside.size(), 0);
    for (std::size_t v = 0; v < zone.inside.size(); ++v)
        if (zone.inside[v]) own_presence_[v] = smoothstep(zone.vertex_fade[v] / 0.3);
    presence_ = own_presence_;
    for (std::size_t v = 0; v < zone.inside.size(); ++v) {
        if (!zone.inside[v]) continue;
        for (const int next : structure_->topology.vertex_vertices[static_cast<int>(v)])
            presence_[v] = std::max(presence_[v], own_presence_[next]);
    }
}

// A part of the zone that has just come in reaches nowhere yet. On its way along an edge, a border
// point goes from what the vertex inside takes from its neighbours to what that vertex hands on.
void BulgePatches::find_sources(const ContactZone& zone) {
    sources_.clear();
    for (const ZoneBorderPoint& point : zone.border) {
        const Edge& ends = structure_->topology.edges[point.on_edge.edge];
        const bool from_first = zone.inside[ends[0]];
        const int inner = from_first ? ends[0] : ends[1];
        const double way = from_first ? point.on_edge.t : 1 - point.on_edge.t;
        sources_.push_back(
            {point.position, 1 - std::lerp(presence_[inner], own_presence_[inner], way)});
    }
}

// Walks down the tree with the border points that may be the nearest one to something in a node.
void BulgePatches::weigh_groups(const ContactZone& zone, const Surface& surface,
                                const VertexNumber& extent, double edge) {
    const BoxTree& tree = structure_->tree;
    const auto squared = [](double length) { return length > 0 ? length * length : 0; };
    const auto start = [](const Source& source, double end) { return source.absence * end; };
    const auto take = [&](int group) {
        if (group_reached_[group]) return;
        group_reached_[group] = 1;
        groups_.push_back(group);
    };
    const Reach longest = reach_of(extent.largest(), edge);
    candidates_.resize(sources_.size());
    std::iota(candidates_.begin(), candidates_.end(), 0);
    groups_.clear();
    stack_.clear();
    if (!tree.empty()) stack_.push_back({0, 0, candidates_.size()});
    while (!stack_.empty()) {
        const Visit visit = stack_.back();
        stack_.pop_back();
        candidates_.resize(visit.last); // those of nodes that are done
        const Box box = surface.node_box(visit.node);
        // All that is in the box is at most this far from a source. With other extents about,
        // another may be the nearest.
        double farthest = longest.end;
        if (!extent.is_map())
            for (std::size_t c = visit.first; c < visit.last; ++c) {
                const Source& source = sources_[candidates_[c]];
                const double far = squared_far(box, source.position);
                const double from = start(source, longest.end);
                if (far < squared(farthest - from)) farthest = std::sqrt(far) + from;
            }
        const std::size_t first = candidates_.size();
        for (std::size_t c = visit.first; c < visit.last; ++c) {
            const Source& source = sources_[candidates_[c]];
            if (source.absence < 1 && squared_near(box, source.position) <=
                                          squared(farthest - start(source, longest.end)))
                candidates_.push_back(candidates_[c]);
        }
        const std::size_t last = candidates_.size();
        if (first == last) continue;
        const int group = group_of_node_[visit.node];
        if (group < 0) {
            const int child = tree.nodes[visit.node].first;
            stack_.push_back({child, first, last});
            stack_.push_back({child + 1, first, last});
            continue;
        }
        take(group);
        for (const int v : group_vertices_[group]) {
            if (farthest <= longest.full) {
                weight_[v] = 1;
                continue;
            }
            const Reach reach = extent.is_map() ? reach_of(extent[v], edge) : longest;
            double distance = reach.end;
            for (std::size_t c = first; c < last; ++c) {
                const Source& source = sources_[candidates_[c]];
                const double to = (surface.positions[v] - source.position).squaredNorm();
                const double from = start(source, reach.end);
                if (to < squared(distance - from)) distance = std::sqrt(to) + from;
            }
            weight_[v] = smoothstep((reach.end - distance) / (reach.end - reach.full));
        }
    }
    // The zone itself, however far from its border.
    for (std::size_t v = 0; v < zone.inside.size(); ++v) {
        if (!zone.inside[v]) continue;
        for (const int face : structure_->topology.vertex_faces[static_cast<int>(v)])
            take(group_of_face_[face]);
        const Reach reach = extent.is_map() ? reach_of(extent[v], edge) : longest;
        start_[v] = smoothstep(presence_[v] * reach.end / (reach.end - reach.full));
        weight_[v] = std::max(weight_[v], start_[v]);
    }
    // Most of a mesh is solved about as fast as a part of it, and the whole is always the same.
    if (static_cast<double>(groups_.size()) > whole_from * group_faces_.size()) {
        groups_.resize(static_cast<std::size_t>(group_faces_.size()));
        std::iota(groups_.begin(), groups_.end(), 0);
    }
    for (const int group : groups_) group_reached_[group] = 0;
    std::sort(groups_.begin(), groups_.end());
}

BulgePatch& BulgePatches::patch_of_groups() {
    const auto known = std::find_if(patches_.begin(), patches_.end(),
                                    [&](const auto& patch) { return patch->groups == groups_; });
    if (known != patches_.end()) {
        std::rotate(patches_.begin(), known, known + 1);
        return *patches_.front();
    }
    if (patches_.size() == kept_patches) patches_.pop_back();
    BulgePatch& patch = **patches_.insert(patches_.begin(), std::make_unique<BulgePatch>());
    patch.groups = groups_;
    std::vector<int> faces;
    for (const int group : groups_)
        faces.insert(faces.end(), group_faces_[group].begin(), group_faces_[group].end());
    patch.mesh = maker_.make(faces);
    std::vector<int> order(patch.mesh.vertices.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        return elimination_place_[patch.mesh.vertices[a]] <
               elimination_place_[patch.mesh.vertices[b]];
    });
    patch.workspace = make_bulge_workspace(patch.mesh.topology, std::move(order));
    return patch;
}

BulgePatch& BulgePatches::about(const ContactZone& zone, const Surface& surface,
                                const VertexNumber& extent, double edge) {
    find_presence(zone);
    find_sources(zone);
    weigh_groups(zone, surface, extent, edge);
    BulgePatch& patch = patch_of_groups();
    patch.weights = patch.mesh.gather<double>(weight_);
    limit_by_ways(patch.mesh, start_, patch.weights);
    for (const int vertex : patch.mesh.vertices) weight_[vertex] = start_[vertex] = 0;
    return patch;
}

ContactZone zone_of_part(const ContactZone& zone, const SubMesh& part) {
    const auto gather = [&](const auto& values) {
        using Value = typename std::decay_t<decltype(values)>::value_type;
        return values.empty() ? std::vector<Value>() : part.gather<Value>(values);
    };
    ContactZone result;
    result.outward = zone.outward;
    result.outwards = gather(zone.outwards);
    result.inside = gather(zone.inside);
    result.target = gather(zone.target);
    result.bulge_room = gather(zone.bulge_room);
    result.fade = gather(zone.fade);
    result.vertex_fade = gather(zone.vertex_fade);
    if (!zone.face_fade.empty())
        for (const int face : part.faces) result.face_fade.push_back(zone.face_fade[face]);
    result.area = zone.area;
    result.border_of_edge.assign(part.edges.size(), -1);
    for (std::size_t e = 0; e < part.edges.size(); ++e) {
        const int border = zone.border_of_edge[part.edges[e]];
        if (border < 0) continue;
        result.border_of_edge[e] = static_cast<int>(result.border.size());
        result.border.push_back(zone.border[border]);
        result.border.back().on_edge.edge = static_cast<int>(e);
    }
    return result;
}

} // namespace knead
