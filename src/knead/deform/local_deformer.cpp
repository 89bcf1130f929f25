#include "knead/deform/local_deformer.hpp"

#include "knead/base/box.hpp"
#include "knead/base/error.hpp"
#include "knead/base/one_at_a_time.hpp"
#include "knead/bulge/bulge_patch.hpp"
#include "knead/deform/check_frame.hpp"
#include "knead/deform/object/part_settings.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/sub_mesh.hpp"
#include "knead/spatial/face_groups.hpp"
#include "knead/spatial/tree_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

namespace knead {
namespace {

// Regions consist of groups of about so many faces: fewer would fit more closely, but the region,
// and all that follows from its faces, would change more often.
constexpr int group_size = 256;
// How far it reaches beyond a contact is a power of this.
constexpr double reach_step = 1.25;

Box moved_box(const Affine3& at, const Box& box) {
    Box result;
    if (box.empty()) return result;
    for (int corner = 0; corner < 8; ++corner)
        result.include(Vec3(at * Vec3(corner & 1 ? box.upper.x() : box.lower.x(),
                                      corner & 2 ? box.upper.y() : box.lower.y(),
                                      corner & 4 ? box.upper.z() : box.lower.z())));
    return result;
}

Box common_part(const Box& a, const Box& b) {
    return {a.lower.cwiseMax(b.lower), a.upper.cwiseMin(b.upper)};
}

bool is_similarity(const Affine3& at) {
    if (!at.matrix().allFinite()) return false;
    const Eigen::Matrix3d square = at.linear().transpose() * at.linear();
    const double scale = square.trace() / 3;
    return scale > 0 &&
           (square - scale * Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-6 * scale;
}

// Of an object, in another space.
Box box_in(const Affine3& from_world, const LocalObject& object, const Box& at_rest) {
    if (object.pose.empty()) return moved_box(from_world * object.at, at_rest);
    Box box;
    for (const Vec3& position : object.pose) box.include(Vec3(from_world * position));
    return box;
}

} // namespace

// A body, its groups of faces, and the region of the last frame.
struct KeptBody {
    LocalBody given;
    Box box; ///< at rest
    double rest_edge = 0;
    double edge = 0;              ///< the mean one, in this frame
    Adjacency groups;             ///< of faces
    std::vector<Box> group_boxes; ///< at rest
    std::unique_ptr<SubMeshMaker> maker;
    std::vector<int> elimination_place; ///< of a vertex

    // The region.
    std::vector<int> chosen; ///< groups
    bool is_made = false;
    SubMesh mesh;
    std::shared_ptr<const SurfaceStructure> structure;
    std::vector<int> moved;
    bool was_posed = false; ///< in the last frame: all positions are in the world
    // The power that gives its reach: what a frame needs is known when it has been solved, and
    // mostly what the last one needed.
    int level = 0;

    double reach() const { return 8 * edge * std::pow(reach_step, level); }
    int level_for(double needed) const {
        const double steps = std::log(needed / (8 * edge)) / std::log(reach_step);
        return edge > 0 ? std::max(0, static_cast<int>(std::ceil(steps))) : 0;
    }
};

namespace {

void divide(KeptBody& body) {
    const SurfaceStructure& structure = *body.given.structure;
    const Surface surface = make_surface(body.given.structure, body.given.rest);
    body.box = surface.box();
    body.rest_edge = mean_edge_length(body.given.rest, structure.topology);
    FaceGroups groups = group_faces(structure.tree, group_size);
    body.groups = std::move(groups.faces);
    for (int group = 0; group < body.groups.size(); ++group) {
        Box& box = body.group_boxes.emplace_back();
        for (const int face : body.groups[group]) box.include(surface.face_box(face));
    }
    body.maker = std::make_unique<SubMeshMaker>(structure.faces, structure.topology);
    const std::vector<int> order = tree_elimination_order(structure);
    body.elimination_place.resize(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        body.elimination_place[order[k]] = static_cast<int>(k);
}

// Where a region ends there is no border, and nothing is closed.
void make_region(KeptBody& body) {
    const SurfaceStructure& whole = *body.given.structure;
    std::vector<int> faces;
    for (const int group : body.chosen)
        faces.insert(faces.end(), body.groups[group].begin(), body.groups[group].end());
    body.mesh = body.maker->make(faces);
    const std::vector<Vec3> rest = body.mesh.gather<Vec3>(std::span<const Vec3>(body.given.rest));
    auto structure = std::make_shared<SurfaceStructure>(
        *make_structure(rest, body.mesh.triangles, body.mesh.topology));
    structure->closed = whole.closed && faces.size() == whole.faces.size();
    std::erase_if(structure->border_edges, [&](int edge) {
        return !whole.topology.is_boundary_edge(body.mesh.edges[edge]);
    });
    for (std::size_t v = 0; v < rest.size(); ++v)
        structure->on_border[v] = whole.on_border[body.mesh.vertices[v]];
    structure->face_cells.clear();
    for (const int face : body.mesh.faces) structure->face_cells.push_back(whole.face_cells[face]);
    structure->cell_count = whole.cell_count;
    std::vector<int>& order = structure->elimination_order;
    order.resize(rest.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        return body.elimination_place[body.mesh.vertices[a]] <
               body.elimination_place[body.mesh.vertices[b]];
    });
    body.structure = std::move(structure);
}

} // namespace

struct LocalDeformer::State {
    OneAtATime use;
    std::vector<KeptBody> bodies;
    std::optional<Deformer> deformer; ///< of the regions at hand
    std::vector<char> as_a_whole;     ///< one a body: it moves as a whole

    void check(std::span<const LocalObject> objects, std::span<const DeformContact> contacts) const;
    void choose_regions(std::span<const LocalObject> objects,
                        std::span<const DeformContact> contacts);
    bool reaches_suit(std::span<const LocalObject> objects, std::span<const DeformContact> contacts,
                      std::span<const ContactOutcome> outcomes);
};

LocalDeformer::LocalDeformer(std::vector<LocalBody> bodies) : state_(std::make_unique<State>()) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        check_structure(bodies[i].structure.get(), fmt::format("deform: body {}", i));
        const int vertices = bodies[i].structure->topology.vertex_count;
        if (static_cast<int>(bodies[i].rest.size()) != vertices)
            throw InputError(fmt::format("deform: body {} has {} positions at rest, expected {}", i,
                                         bodies[i].rest.size(), vertices));
        for (const Vec3& position : bodies[i].rest)
            if (!position.allFinite())
                throw InputError(
                    fmt::format("deform: body {} has a position at rest that is not finite", i));
        state_->bodies.emplace_back().given = std::move(bodies[i]);
    }
    for (KeptBody& body : state_->bodies) divide(body);
    state_->as_a_whole.assign(bodies.size(), 0);
}

LocalDeformer::~LocalDeformer() = default;
LocalDeformer::LocalDeformer(LocalDeformer&&) noexcept = default;
LocalDeformer& LocalDeformer::operator=(LocalDeformer&&) noexcept = default;

void LocalDeformer::State::check(std::span<const LocalObject> objects,
                                 std::span<const DeformContact> contacts) const {
    if (objects.size() != bodies.size())
        throw InputError(
            fmt::format("deform: found {} objects, expected {}", objects.size(), bodies.size()));
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const std::size_t vertices = bodies[i].given.rest.size();
        if (objects[i].positions.size() != vertices)
            throw InputError(fmt::format("deform: object {} has room for {} positions, expected {}",
                                         i, objects[i].positions.size(), vertices));
        if (!objects[i].pose.empty()) continue;
        if (!is_similarity(objects[i].at))
            throw InputError(fmt::format("deform: object {} is not moved as a whole; expected a "
                                         "turn, a shift and one scale for all axes",
                                         i));
        if (const std::size_t count = objects[i].texture_coordinates.size();
            count != 0 && count != vertices)
            throw InputError(fmt::format(
                "deform: object {} has {} texture coordinates, expected {}", i, count, vertices));
    }
    const int count = static_cast<int>(bodies.size());
    for (std::size_t c = 0; c < contacts.size(); ++c)
        for (const int object : {contacts[c].first, contacts[c].second})
            if (object < 0 || object >= count)
                throw InputError(fmt::format("deform: contact {} names object {}, expected 0 to {}",
                                             c, object, count - 1));
}

// Groups that a contact may reach, found in the body's own space, where they stay when both bodies
// move together.
void LocalDeformer::State::choose_regions(std::span<const LocalObject> objects,
                                          std::span<const DeformContact> contacts) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        KeptBody& body = bodies[i];
        const char whole = objects[i].pose.empty();
        if (deformer && as_a_whole[i] != whole)
            deformer->replace(static_cast<int>(i), whole ? body.structure : body.given.structure);
        as_a_whole[i] = whole;
        if (!whole) continue;
        const double scale = std::cbrt(std::abs(objects[i].at.linear().determinant()));
        body.edge = body.rest_edge * scale;
        const Affine3 into_body = objects[i].at.inverse();
        std::vector<Box> reached;
        for (const DeformContact& contact : contacts) {
            const int object = static_cast<int>(i);
            if (contact.first != object && contact.second != object) continue;
            const int other = contact.first == object ? contact.second : contact.first;
            // What does not touch the body may yet be in the way of a bulge.
            const double reach = body.reach() / scale;
            const Box near = common_part(grown(body.box, reach),
                                         box_in(into_body, objects[other], bodies[other].box));
            if (!near.empty()) reached.push_back(grown(near, reach));
        }
        std::vector<int> chosen;
        for (std::size_t g = 0; g < body.group_boxes.size() && !reached.empty(); ++g)
            if (std::any_of(reached.begin(), reached.end(),
                            [&](const Box& box) { return box.overlaps(body.group_boxes[g]); }))
                chosen.push_back(static_cast<int>(g));
        if (body.is_made && chosen == body.chosen) continue;
        body.chosen = std::move(chosen);
        body.is_made = false;
        make_region(body);
        body.is_made = true;
        if (deformer) deformer->replace(static_cast<int>(i), body.structure);
    }
}

// By what the contacts turned out to need; if not, reaches are now those that do.
bool LocalDeformer::State::reaches_suit(std::span<const LocalObject> objects,
                                        std::span<const DeformContact> contacts,
                                        std::span<const ContactOutcome> outcomes) {
    std::vector<double> needed(bodies.size(), 0);
    for (std::size_t c = 0; c < contacts.size(); ++c)
        for (int s = 0; s < 2; ++s) {
            const int i = s == 0 ? contacts[c].first : contacts[c].second;
            if (!(outcomes[c].extent[s] > 0)) continue;
            // Smoothing goes on a few lengths further.
            const DeformSettings& settings = objects[i].settings;
            const double smoothing =
                std::max(settings.smooth_normals.largest(), settings.details.largest());
            needed[i] = std::max(needed[i], reach_of(outcomes[c].extent[s], bodies[i].edge).end +
                                                4 * smoothing);
        }
    bool suit = true;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!as_a_whole[i]) continue;
        const int level = needed[i] > 0 ? bodies[i].level_for(needed[i]) : 0;
        suit &= level == bodies[i].level;
        bodies[i].level = level;
    }
    return suit;
}

LocalResult LocalDeformer::deform(std::span<const LocalObject> objects,
                                  std::span<const DeformContact> contacts, ContactOrder order) {
    State& state = *state_;
    const OneAtATime::Use use = state.use.begin("deform");
    state.check(objects, contacts);
    std::vector<std::vector<Vec3>> before(objects.size());
    DeformResult result;
    // A region that is wide enough changes neither the zone nor the extent, so that twice is mostly
    // enough.
    for (int round = 0; round < 4; ++round) {
        state.choose_regions(objects, contacts);
        if (!state.deformer) {
            std::vector<std::shared_ptr<const SurfaceStructure>> structures;
            for (std::size_t i = 0; i < objects.size(); ++i)
                structures.push_back(state.as_a_whole[i] ? state.bodies[i].structure
                                                         : state.bodies[i].given.structure);
            state.deformer.emplace(std::move(structures));
        }
        std::deque<std::vector<double>> maps;
        std::deque<std::vector<Vec2>> textures;
        std::vector<DeformObject> posed;
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const KeptBody& body = state.bodies[i];
            DeformObject& object = posed.emplace_back(DeformObject{
                objects[i].pose, objects[i].settings, objects[i].texture_coordinates, {}});
            if (!state.as_a_whole[i]) continue;
            object.settings = part_settings(object.settings, [&](std::span<const double> map) {
                if (map.size() != body.given.rest.size())
                    throw InputError(
                        fmt::format("deform: object {} has a map with {} values, expected {}", i,
                                    map.size(), body.given.rest.size()));
                return std::span<const double>(maps.emplace_back(body.mesh.gather(map)));
            });
            if (!object.texture_coordinates.empty())
                object.texture_coordinates =
                    textures.emplace_back(body.mesh.gather(object.texture_coordinates));
            before[i].clear();
            for (const int v : body.mesh.vertices)
                before[i].push_back(objects[i].at * body.given.rest[v]);
            object.positions = before[i];
            object.edge = body.edge;
        }
        result = state.deformer->deform(posed, contacts, order);
        if (state.reaches_suit(objects, contacts, result.contacts)) break;
    }

    LocalResult done{std::vector<std::vector<int>>(objects.size()), std::move(result.contacts),
                     result.milliseconds};
    for (std::size_t i = 0; i < objects.size(); ++i) {
        KeptBody& body = state.bodies[i];
        const std::vector<Vec3>& after = result.objects[i].positions;
        const std::span<const Vec3> input = state.as_a_whole[i] ? before[i] : objects[i].pose;
        std::vector<int>& moved = done.moved[i];
        if (state.as_a_whole[i]) {
            const Affine3 back = objects[i].at.inverse();
            if (body.was_posed)
                std::copy(body.given.rest.begin(), body.given.rest.end(),
                          objects[i].positions.begin());
            for (const int v : body.moved) objects[i].positions[v] = body.given.rest[v];
            for (std::size_t v = 0; v < after.size(); ++v) {
                if (after[v] == input[v]) continue;
                moved.push_back(body.mesh.vertices[v]);
                objects[i].positions[moved.back()] = back * after[v];
            }
            body.moved = moved;
            body.was_posed = false;
        } else {
            body.was_posed = true;
            for (std::size_t v = 0; v < after.size(); ++v)
                if (after[v] != input[v]) moved.push_back(static_cast<int>(v));
            std::copy(after.begin(), after.end(), objects[i].positions.begin());
        }
    }
    return done;
}

} // namespace knead
