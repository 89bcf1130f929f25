#include "knead/bulge/bulge_patch.hpp"

#include "knead/base/lanes.hpp"
#include "knead/contact/fades.hpp"
#include "knead/solve/ordering.hpp"
#include "knead/spatial/face_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace knead {
namespace {

// Smaller groups fit a zone more closely, but the patch changes more often, with the square of a
// group's diameter. What a patch has too much costs little, as the solver leaves it out.
constexpr int group_size = 96;
// Patches are kept as long as all of them have no more vertices than this, and three at any size. A
// vertex takes about 2.5 kB, most of it for the factors.
constexpr std::size_t kept_vertices = 100'000;
constexpr std::size_t kept_at_least = 3;
constexpr double whole_from = 0.6; // of all groups

double squared_length(double length) {
    return length > 0 ? length * length : 0;
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
    own_presence_.assign(order.size(), 0);
    presence_.assign(order.size(), 0);
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

void BulgePatches::Sources::grow(std::size_t more) {
    const std::size_t needed =
        count + more + lane_count; // so that the last ones fill their lanes, too
    if (absence.size() >= needed) return;
    for (std::vector<double>& coordinates : position) coordinates.resize(2 * needed);
    absence.resize(2 * needed);
}

// How far the zone has come in about each of its vertices. A third is enough to reach all the way.
// A vertex takes its neighbours' word: the border was at them just before it came in.
void BulgePatches::find_presence(const ContactZone& zone) {
    in_zone_.clear();
    for (std::size_t v = 0; v < zone.inside.size(); ++v)
        if (zone.inside[v]) in_zone_.push_back(static_cast<int>(v));
    for (const int v : in_zone_)
        own_presence_[v] = zone.vertex_fade.empty() ? 1 : fades::zone_reaches(zone.vertex_fade[v]);
    for (const int v : in_zone_) {
        presence_[v] = own_presence_[v];
        for (const int next : structure_->topology.vertex_vertices[v])
            presence_[v] = std::max(presence_[v], own_presence_[next]);
    }
}

// A part of the zone that has just come in reaches nowhere yet. On its way along an edge, a border
// point goes from what the vertex inside takes from its neighbours to what that vertex hands on.
void BulgePatches::find_sources(const ContactZone& zone) {
    candidates_.count = 0;
    candidates_.grow(zone.border.size());
    all_there_ = true;
    for (const ZoneBorderPoint& point : zone.border) {
        const Edge& ends = structure_->topology.edges[point.on_edge.edge];
        const bool from_first = zone.inside[ends[0]];
        const int inner = from_first ? ends[0] : ends[1];
        const double way = from_first ? point.on_edge.t : 1 - point.on_edge.t;
        const double absence = 1 - std::lerp(presence_[inner], own_presence_[inner], way);
        for (int i = 0; i < 3; ++i) candidates_.position[i][candidates_.count] = point.position[i];
        candidates_.absence[candidates_.count++] = absence;
        all_there_ = all_there_ && absence == 0;
    }
}

void BulgePatches::take(int group) {
    if (group_reached_[group]) return;
    group_reached_[group] = 1;
    groups_.push_back(group);
}

// Walks down the tree with the border points that may be the nearest one to something in a node.
// Most of the work are distances, about fifty a vertex between `full` and `end`; two at a time it
// is a third of what it was one after the other by their indices.
void BulgePatches::weigh_groups(const Surface& surface, const VertexNumber& extent, double edge) {
    const BoxTree& tree = structure_->tree;
    const Reach longest = reach_of(extent.largest(), edge);
    groups_.clear();
    stack_.clear();
    if (!tree.empty()) stack_.push_back({0, 0, candidates_.count});
    while (!stack_.empty()) {
        const Visit visit = stack_.back();
        stack_.pop_back();
        candidates_.count = visit.last; // those of nodes that are done go
        candidates_.grow(visit.last - visit.first);
        const Box box = surface.node_box(visit.node);
        const std::array<double*, 3> position = {candidates_.position[0].data(),
                                                 candidates_.position[1].data(),
                                                 candidates_.position[2].data()};
        double* const absence = candidates_.absence.data();
        if (squares_.size() < candidates_.absence.size())
            squares_.resize(candidates_.absence.size());
        // All that is in the box is at most this far from a source. With other extents about,
        // another may be the nearest.
        double farthest = longest.end;
        if (!extent.is_map()) {
            for (std::size_t c = visit.first; c < visit.last; c += lane_count) {
                Lanes far{};
                for (int i = 0; i < 3; ++i) {
                    const Lanes at = load_lanes(position[i] + c);
                    const Lanes way = larger(box.upper[i] - at, at - box.lower[i]);
                    far += way * way;
                }
                store_lanes(far, squares_.data() + (c - visit.first));
            }
            if (all_there_) {
                double nearest = squared_length(farthest);
                for (std::size_t c = 0; c < visit.last - visit.first; ++c)
                    nearest = std::min(nearest, squares_[c]);
                if (nearest < squared_length(farthest)) farthest = std::sqrt(nearest);
            } else {
                for (std::size_t c = visit.first; c < visit.last; ++c) {
                    const double from = absence[c] * longest.end;
                    const double far = squares_[c - visit.first];
                    if (far < squared_length(farthest - from)) farthest = std::sqrt(far) + from;
                }
            }
        }
        for (std::size_t c = visit.first; c < visit.last; c += lane_count) {
            Lanes near{};
            for (int i = 0; i < 3; ++i) {
                const Lanes at = load_lanes(position[i] + c);
                const Lanes way = larger(larger(box.lower[i] - at, at - box.upper[i]), Lanes{});
                near += way * way;
            }
            store_lanes(near, squares_.data() + (c - visit.first));
        }
        const std::size_t first = visit.last;
        std::size_t last = first;
        for (std::size_t c = visit.first; c < visit.last; ++c) {
            if (!(absence[c] < 1 &&
                  squares_[c - visit.first] <= squared_length(farthest - absence[c] * longest.end)))
                continue;
            for (double* const coordinates : position) coordinates[last] = coordinates[c];
            absence[last++] = absence[c];
        }
        candidates_.count = last;
        if (first == last) continue;
        const int group = group_of_node_[visit.node];
        if (group < 0) {
            const int child = tree.nodes[visit.node].first;
            stack_.push_back({child, first, last});
            stack_.push_back({child + 1, first, last});
            continue;
        }
        take(group);
        if (farthest <= longest.full)
            for (const int v : group_vertices_[group]) weight_[v] = 1;
        else
            weigh_group(group, first, last, surface, extent, edge);
    }
}

void BulgePatches::weigh_group(int group, std::size_t first, std::size_t last,
                               const Surface& surface, const VertexNumber& extent, double edge) {
    const std::array<std::vector<double>, 3>& position = candidates_.position;
    const bool nearest_counts = all_there_ && !extent.is_map();
    // What stands past the end is the first once more.
    for (int i = 0; i < 3; ++i)
        std::fill_n(candidates_.position[i].begin() + static_cast<std::ptrdiff_t>(last), lane_count,
                    position[i][first]);
    for (const int v : group_vertices_[group]) {
        if (weight_[v] > 0) continue; // known from a group beside this one
        const Vec3& at = surface.positions[v];
        const Reach reach = reach_of(extent[static_cast<std::size_t>(v)], edge);
        double distance = reach.end;
        if (nearest_counts) {
            const double enough = squared_length(reach.full);
            Lanes least = Lanes{} + squared_length(reach.end);
            for (std::size_t c = first; c < last; c += lane_count) {
                const Lanes x = at.x() - load_lanes(position[0].data() + c);
                const Lanes y = at.y() - load_lanes(position[1].data() + c);
                const Lanes z = at.z() - load_lanes(position[2].data() + c);
                least = smaller(x * x + y * y + z * z, least);
                // From there on it counts fully.
                if ((c - first) % 32 == 0 && smallest(least) <= enough) break;
            }
            distance = std::min(std::sqrt(smallest(least)), reach.end);
        } else {
            for (std::size_t c = first; c < last; ++c) {
                const double to =
                    (at - Vec3(position[0][c], position[1][c], position[2][c])).squaredNorm();
                const double from = candidates_.absence[c] * reach.end;
                if (to < squared_length(distance - from)) distance = std::sqrt(to) + from;
            }
        }
        weight_[v] = fades::end_of_patch((reach.end - distance) / (reach.end - reach.full));
    }
}

// The zone itself, however far from its border.
void BulgePatches::weigh_zone(const VertexNumber& extent, double edge) {
    for (const int v : in_zone_) {
        for (const int face : structure_->topology.vertex_faces[v]) take(group_of_face_[face]);
        const Reach reach = reach_of(extent[static_cast<std::size_t>(v)], edge);
        start_[v] = fades::end_of_patch(presence_[v] * reach.end / (reach.end - reach.full));
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

// What is near through the air but far over the surface, the other side of a finger, counts no more
// than the least place on the best way there from the zone: behind a place that hardly counts there
// is nothing to go by. A zone that has hardly come in is such a place: `start_`, one a vertex of
// the whole mesh, is how much of it is there. No weight jumps, as long as none did before.
//
// A vertex that is reached with all of its own weight is done, in whatever order: nearly all are,
// and only the others have to wait in a queue for the best way to them.
void BulgePatches::limit_by_ways(const SubMesh& mesh, std::vector<double>& weights) {
    reached_.assign(weights.size(), 0);
    sure_.clear();
    others_.clear();
    const auto reach = [&](int vertex, double by) {
        if (reached_[vertex] == weights[vertex]) return;
        if (by >= weights[vertex]) {
            reached_[vertex] = weights[vertex];
            sure_.push_back(vertex);
        } else if (by > reached_[vertex]) {
            reached_[vertex] = by;
            others_.emplace_back(by, vertex);
            std::push_heap(others_.begin(), others_.end());
        }
    };
    for (std::size_t v = 0; v < weights.size(); ++v)
        if (const double start = start_[mesh.vertices[v]]; start > 0)
            reach(static_cast<int>(v), start);
    while (!sure_.empty() || !others_.empty()) {
        int vertex = 0;
        if (!sure_.empty()) {
            vertex = sure_.back();
            sure_.pop_back();
        } else {
            const auto [by, waiting] = others_.front();
            std::pop_heap(others_.begin(), others_.end());
            others_.pop_back();
            if (by < reached_[waiting]) continue;
            vertex = waiting;
        }
        for (const int next : mesh.topology.vertex_vertices[vertex]) reach(next, reached_[vertex]);
    }
    std::swap(weights, reached_);
}

BulgePatch& BulgePatches::patch_of_groups() {
    const auto known = std::find_if(patches_.begin(), patches_.end(),
                                    [&](const auto& patch) { return patch->groups == groups_; });
    if (known != patches_.end()) {
        std::rotate(patches_.begin(), known, known + 1);
        return *patches_.front();
    }
    std::size_t kept = 0, vertices = 0;
    while (kept < patches_.size() && (kept + 1 < kept_at_least || vertices < kept_vertices))
        vertices += patches_[kept++]->mesh.vertices.size();
    patches_.resize(kept);
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
    weigh_groups(surface, extent, edge);
    weigh_zone(extent, edge);
    for (const int v : in_zone_) own_presence_[v] = 0;
    BulgePatch& patch = patch_of_groups();
    patch.mesh.gather<double>(weight_, patch.weights);
    limit_by_ways(patch.mesh, patch.weights);
    for (const int vertex : patch.mesh.vertices) weight_[vertex] = start_[vertex] = 0;
    return patch;
}

void zone_of_part(const ContactZone& zone, const SubMesh& part, ContactZone& result) {
    const auto gather = [&](const auto& values, auto& of_part) {
        using Value = typename std::decay_t<decltype(values)>::value_type;
        if (values.empty())
            of_part.clear();
        else
            part.gather<Value>(values, of_part);
    };
    result.outward = zone.outward;
    gather(zone.outwards, result.outwards);
    gather(zone.inside, result.inside);
    gather(zone.target, result.target);
    gather(zone.bulge_room, result.bulge_room);
    gather(zone.fade, result.fade);
    gather(zone.vertex_fade, result.vertex_fade);
    result.face_fade.clear();
    if (!zone.face_fade.empty())
        for (const int face : part.faces) result.face_fade.push_back(zone.face_fade[face]);
    result.area = zone.area;
    result.border.clear();
    result.border_of_edge.assign(part.edges.size(), -1);
    for (std::size_t e = 0; e < part.edges.size(); ++e) {
        const int border = zone.border_of_edge[part.edges[e]];
        if (border < 0) continue;
        result.border_of_edge[e] = static_cast<int>(result.border.size());
        result.border.push_back(zone.border[border]);
        result.border.back().on_edge.edge = static_cast<int>(e);
    }
}

ContactZone zone_of_part(const ContactZone& zone, const SubMesh& part) {
    ContactZone result;
    zone_of_part(zone, part, result);
    return result;
}

} // namespace knead
