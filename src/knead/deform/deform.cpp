#include "knead/deform/deform.hpp"

#include "knead/base/box.hpp"
#include "knead/base/error.hpp"
#include "knead/base/one_at_a_time.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/bulge/restore_volume.hpp"
#include "knead/bulge/swept_volume.hpp"
#include "knead/contact/behind.hpp"
#include "knead/contact/pair_contact.hpp"
#include "knead/deform/check_frame.hpp"
#include "knead/deform/details.hpp"
#include "knead/deform/displace_side.hpp"
#include "knead/deform/fold/fold.hpp"
#include "knead/deform/fold/two_regions.hpp"
#include "knead/deform/given_direction.hpp"
#include "knead/deform/object_outcome.hpp"
#include "knead/deform/separate/separate_pairs.hpp"
#include "knead/deform/sequence.hpp"
#include "knead/deform/settle/settle_pairs.hpp"
#include "knead/deform/settle/settled_bulge.hpp"
#include "knead/mesh/check.hpp"
#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/self_intersection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

namespace knead {

namespace {

// What a frame has come to, stage by stage.
struct Frame {
    std::span<const DeformObject> objects;
    std::span<const double> kept; ///< one a contact: of a given direction, 0 to 1
    std::vector<Box> boxes;
    std::vector<std::vector<PairDisplacement>> displacements; ///< a list an object
    std::vector<ResolvedPair> pairs;
    std::vector<char> touched; ///< one an object: moves in this frame
    std::vector<CombinedDisplacement> combined;
    DeformResult* result = nullptr;
    const Progress* progress = nullptr;
};

} // namespace

struct Deformer::State {
    OneAtATime use;
    int object_count = 0;
    std::vector<DeformSurface> surfaces; ///< the objects, then the parts
    std::vector<FoldSurfaces> folds;
    IntersectionWorkspace intersecting;
    PairContact contact;
    Settling settling;
    Separation separation;
    // Memory that goes into a frame and comes back.
    std::vector<PairDisplacement> spare_displacements;
    std::vector<CombinedDisplacement> spare_combined; ///< one an object
    std::vector<CombinedWorkspace> combining;         ///< one an object
    SettledBulgeWorkspace settled_bulge;
    std::vector<char> held;   ///< one a vertex
    std::vector<double> kept; ///< of the frame

    DeformSurface& side(std::size_t contact_index, int object, const std::optional<int>& part);
    FoldSurfaces* find_fold(std::size_t contact_index, const DeformContact& asked);
    void pose(DeformSurface& surface) { knead::pose(surface, surfaces[surface.object]); }

    void pose_objects(std::span<const DeformObject> objects);
    Frame begin_frame(std::span<const DeformObject> objects, const Progress& progress,
                      DeformResult& result);
    void resolve_contact(Frame& frame, std::size_t contact_index, const DeformContact& asked);
    void displace_sides(Frame& frame, const ResolvedPair& pair, FoldSurfaces* fold,
                        const FieldMethods& methods, ContactOutcome& outcome);
    void finish_frame(Frame& frame);
    void separate(Frame& frame);
    Frame solve(std::span<const DeformObject> objects, std::span<const DeformContact> contacts,
                std::span<const double> kept, const Progress& progress, DeformResult& result);
    Frame solve_without_harm(std::span<const DeformObject> objects,
                             std::span<const DeformContact> contacts, const Progress& progress,
                             DeformResult& result);
    void take_back(Frame& frame);
    void take_in_sequence(Frame& frame, std::span<const DeformContact> contacts);
    void finish_sequence(Frame& frame, std::span<const DeformContact> contacts,
                         ResolvedObjects resolved, std::span<const double> nearness);
};

Deformer::Deformer(std::vector<std::shared_ptr<const SurfaceStructure>> objects,
                   std::vector<DeformPart> parts, std::vector<DeformFold> folds)
    : state_(std::make_unique<State>()) {
    state_->object_count = static_cast<int>(objects.size());
    state_->surfaces.resize(objects.size() + parts.size());
    for (int i = 0; i < state_->object_count; ++i) {
        check_structure(objects[i].get(), fmt::format("deform: object {}", i));
        state_->surfaces[i].object = i;
        state_->surfaces[i].structure = std::move(objects[i]);
    }
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const DeformPart& part = parts[p];
        if (part.object < 0 || part.object >= state_->object_count)
            throw InputError(fmt::format("deform: part {} is of object {}, expected 0 to {}", p,
                                         part.object, state_->object_count - 1));
        const SurfaceStructure& whole = *state_->surfaces[part.object].structure;
        for (const int vertex : part.vertices)
            if (vertex < 0 || vertex >= whole.topology.vertex_count)
                throw InputError(fmt::format("deform: part {} has vertex {}, expected 0 to {}", p,
                                             vertex, whole.topology.vertex_count - 1));
        TriangleMesh mesh;
        mesh.positions.assign(whole.topology.vertex_count, Vec3::Zero());
        mesh.faces = whole.faces;
        DeformSurface& surface = state_->surfaces[objects.size() + p];
        surface.object = part.object;
        surface.region = region_of_vertices(mesh, part.vertices);
    }
    for (std::size_t f = 0; f < folds.size(); ++f) {
        const DeformFold& fold = folds[f];
        if (fold.object < 0 || fold.object >= state_->object_count)
            throw InputError(fmt::format("deform: fold {} is of object {}, expected 0 to {}", f,
                                         fold.object, state_->object_count - 1));
        if (!fold.region)
            throw InputError(
                fmt::format("deform: fold {} has no region, expected one of make_fold_region", f));
        const int count = state_->surfaces[fold.object].structure->topology.vertex_count;
        const int made_for = static_cast<int>(fold.region->working.of_mesh_vertex.size());
        if (made_for != count)
            throw InputError(fmt::format("deform: fold {} is of a mesh with {} vertices, expected "
                                         "{}",
                                         f, made_for, count));
        state_->folds.emplace_back(fold.object, fold.region);
    }
}

Deformer::Deformer(std::span<const TriangleMesh> meshes)
    : Deformer([&] {
          std::vector<std::shared_ptr<const SurfaceStructure>> structures;
          for (const TriangleMesh& mesh : meshes)
              structures.push_back(make_structure(mesh.positions, mesh.faces));
          return structures;
      }()) {}

void DeformTimes::add(const DeformTimes& more) {
    for (double DeformTimes::*stage :
         {&DeformTimes::intersect, &DeformTimes::map, &DeformTimes::zone, &DeformTimes::parametrize,
          &DeformTimes::direction, &DeformTimes::guide, &DeformTimes::displace,
          &DeformTimes::separate, &DeformTimes::plan})
        this->*stage += more.*stage;
}

void Deformer::replace(int object, std::shared_ptr<const SurfaceStructure> structure) {
    const OneAtATime::Use use = state_->use.begin("deform");
    if (object < 0 || object >= state_->object_count)
        throw InputError(fmt::format("deform: object {} is to be replaced, expected 0 to {}",
                                     object, state_->object_count - 1));
    check_structure(structure.get(), fmt::format("deform: object {}", object));
    DeformSurface& surface = state_->surfaces[object];
    surface = {};
    surface.object = object;
    surface.structure = std::move(structure);
}

Deformer::~Deformer() = default;
Deformer::Deformer(Deformer&&) noexcept = default;
Deformer& Deformer::operator=(Deformer&&) noexcept = default;

DeformSurface& Deformer::State::side(std::size_t contact_index, int object,
                                     const std::optional<int>& part) {
    if (object < 0 || object >= object_count)
        throw InputError(fmt::format("deform: contact {} names object {}, expected 0 to {}",
                                     contact_index, object, object_count - 1));
    if (!part) return surfaces[object];
    const int parts = static_cast<int>(surfaces.size()) - object_count;
    if (*part < 0 || *part >= parts || surfaces[object_count + *part].object != object)
        throw InputError(fmt::format("deform: contact {} names part {}, expected one of object {}",
                                     contact_index, *part, object));
    return surfaces[object_count + *part];
}

FoldSurfaces* Deformer::State::find_fold(std::size_t contact_index, const DeformContact& asked) {
    if (!asked.fold) return nullptr;
    if (*asked.fold < 0 || *asked.fold >= static_cast<int>(folds.size()) ||
        folds[*asked.fold].working.object != asked.first || asked.first != asked.second)
        throw InputError(fmt::format("deform: contact {} names fold {}, expected one of object {}",
                                     contact_index, *asked.fold, asked.first));
    if (!asked.direction)
        throw InputError(fmt::format(
            "deform: contact {} is a fold without a direction, expected one", contact_index));
    return &folds[*asked.fold];
}

namespace {

// Points that each have a direction of their own carry it along the surface.
FieldMethods field_methods(const DeformContact& asked) {
    const bool own = asked.mapping == MappingMethod::parametrization;
    return {own ? DirectionMethod::transported : DirectionMethod::blended, asked.distance};
}

// A part of a solid is open, too, but has no other side.
void note_touch_from_behind(const std::array<DeformSurface*, 2>& sides, const PairContact& contact,
                            ContactOutcome& outcome) {
    for (int s = 0; s < 2 && outcome.note.empty(); ++s) {
        const SurfaceStructure& sheet = *sides[s]->structure;
        if (sheet.closed || sheet.components.count == 0) continue;
        const Vec3 inward = s == 0 ? contact.way.direction : Vec3(-contact.way.direction);
        if (!reaches_mostly_behind(contact.intersection, sides[1 - s]->surface, inward)) continue;
        outcome.touched_from_behind = s;
        outcome.note = fmt::format("most of the {} object is behind the {}, a sheet: it may be "
                                   "meant to touch the other side",
                                   s == 0 ? "second" : "first", s == 0 ? "first" : "second");
    }
}

} // namespace

Frame Deformer::State::begin_frame(std::span<const DeformObject> objects, const Progress& progress,
                                   DeformResult& result) {
    if (static_cast<int>(objects.size()) != object_count)
        throw InputError(
            fmt::format("deform: found {} objects, expected {}", objects.size(), object_count));
    Frame frame;
    frame.objects = objects;
    frame.progress = &progress;
    frame.result = &result;
    frame.displacements.resize(objects.size());
    result.objects.resize(objects.size());
    result.milliseconds = {};
    for (int i = 0; i < object_count; ++i) {
        check_object(objects[i], i, *surfaces[i].structure);
        frame.boxes.push_back(bounding_box(objects[i].positions));
        reset(result.objects[i], objects[i].positions);
    }
    pose_objects(objects);
    return frame;
}

// From here on surfaces are asked for these objects.
void Deformer::State::pose_objects(std::span<const DeformObject> objects) {
    for (int i = 0; i < object_count; ++i) {
        surfaces[i].settings = objects[i].settings;
        surfaces[i].texture_coordinates = objects[i].texture_coordinates;
        surfaces[i].given_edge = objects[i].edge;
        surfaces[i].object_positions = objects[i].positions;
        if (objects[i].settings.rigid)
            surfaces[i].settings.stiffness = std::numeric_limits<double>::infinity();
    }
    for (DeformSurface& surface : surfaces) surface.is_posed = false;
    for (FoldSurfaces& fold : folds) fold.working.is_posed = false;
}

void Deformer::State::resolve_contact(Frame& frame, std::size_t contact_index,
                                      const DeformContact& asked) {
    std::array<DeformSurface*, 2> sides = {&side(contact_index, asked.first, asked.first_part),
                                           &side(contact_index, asked.second, asked.second_part)};
    FoldSurfaces* const fold = find_fold(contact_index, asked);
    if (fold) sides = {&fold->parts[0], &fold->parts[1]};
    const DeformObject& first = frame.objects[asked.first];
    const DeformObject& second = frame.objects[asked.second];
    check_contact(asked, contact_index, first, second);
    if (first.settings.rigid && second.settings.rigid) return;
    Stopwatch watch;
    if (fold)
        pose_fold(*fold, surfaces[asked.first], asked.direction->normalized(), asked.crease,
                  asked.variant);
    ResolvedPair& pair = frame.pairs.emplace_back();
    pair.sides = sides;
    pair.contact = static_cast<int>(contact_index);
    pair.crossing_free = asked.crossing_free && !fold;
    for (DeformSurface* side : sides)
        if (side->region) pose(*side);
    if (!frame.boxes[asked.first].overlaps(frame.boxes[asked.second])) return;

    std::array<PairPart, 2> parts;
    if (asked.first != asked.second) parallel_for(2, 1, [&](std::size_t s) { pose(*sides[s]); });
    for (int s = 0; s < 2; ++s) {
        pose(*sides[s]);
        const DeformSettings& settings = sides[s]->settings;
        parts[s] = {&sides[s]->surface,
                    sides[s]->normals,
                    sides[s]->edge,
                    settings.stiffness,
                    sides[s]->apparent_stiffness(),
                    settings.offset,
                    sides[s]->texture_coordinates};
    }
    PairTimes pair_times{watch.lap(), 0, 0};
    std::optional<GivenDirection> given;
    if (asked.direction) given = {asked.direction->normalized(), frame.kept[contact_index]};
    const bool found = find_pair_contact(parts, asked.zone, asked.mapping, given, intersecting,
                                         contact, pair_times, fold != nullptr);
    DeformTimes& times = frame.result->milliseconds;
    times.intersect += pair_times.intersect;
    times.map += pair_times.map;
    times.zone += pair_times.zone;
    ContactOutcome& outcome = frame.result->contacts[contact_index];
    outcome.note = contact.note;
    outcome.direction = contact.way.direction;
    pair.way = contact.way;
    pair.certainty = contact.certainty;
    if (fold && pair.way.is_found()) {
        pair.share.assign(first.positions.size(), 0);
        scatter(*fold->working.region, fold->clear, pair.share);
    }
    if (pair.way.is_found())
        for (int s = 0; s < 2; ++s)
            fill_gap(contact.mappings[s], *sides[s], frame.result->objects[sides[s]->object]);
    if (!found) return;
    if (asked.first != asked.second) note_touch_from_behind(sides, contact, outcome);
    frame.progress->check();
    outcome.threshold = contact.threshold;
    for (const DepthField::Sample& sample : contact.depths.samples)
        outcome.depth = std::max(outcome.depth, sample.depth);
    for (int s = 0; s < 2; ++s) outcome.zone_area[s] = contact.zones[s].area;
    displace_sides(frame, pair, fold, field_methods(asked), outcome);
}

// What the contact at hand does to its objects.
void Deformer::State::displace_sides(Frame& frame, const ResolvedPair& pair, FoldSurfaces* fold,
                                     const FieldMethods& methods, ContactOutcome& outcome) {
    const auto moves = [&](int s, const DeformSurface& surface) {
        return !frame.objects[surface.object].settings.rigid && !contact.zones[s].empty();
    };
    const auto note_short_extent = [&](int s, const DeformSurface& surface) {
        if (!moves(s, surface) || !outcome.note.empty()) return;
        const double shortest = surface.shortest_extent(contact.zones[s]);
        const double least = 8 * contact.gap[s];
        if (shortest < least)
            outcome.note = fmt::format(
                "extent shorter than 8 times the gap: {:.4g}, expected {:.4g}", shortest, least);
    };
    // Of both sides at once; each has its own surface.
    const auto displace = [&](std::array<DeformSurface*, 2> surfaces_of) {
        for (int s = 0; s < 2; ++s) note_short_extent(s, *surfaces_of[s]);
        std::array<PairDisplacement, 2> done;
        for (PairDisplacement& side : done)
            if (!spare_displacements.empty()) {
                side = std::move(spare_displacements.back());
                spare_displacements.pop_back();
                side.vertices.clear();
                side.base.clear();
            }
        std::array<DeformTimes, 2> times;
        parallel_for(2, 1, [&](std::size_t i) {
            const int s = static_cast<int>(i);
            const double edge = fold ? contact.depths.edge : contact.depths.sizes[s].edge;
            if (moves(s, *surfaces_of[s]))
                displace_side(contact, s, edge, *surfaces_of[s], methods, times[s], done[s]);
        });
        for (const DeformTimes& of_side : times) frame.result->milliseconds.add(of_side);
        for (int s = 0; s < 2; ++s) outcome.extent[s] = done[s].base.empty() ? 0 : done[s].extent;
        return done;
    };
    const auto add = [&](int object, PairDisplacement done) {
        (done.base.empty() ? spare_displacements : frame.displacements[object])
            .push_back(std::move(done));
    };
    if (!fold) {
        std::array<PairDisplacement, 2> done = displace(pair.sides);
        for (int s = 0; s < 2; ++s) add(pair.sides[s]->object, std::move(done[s]));
        return;
    }
    // The two sides of a fold are one surface with one zone.
    join_extents(contact);
    contact.zones[0] = join_zones(*fold, contact);
    const int object = fold->working.object;
    if (fold->variant == FoldVariant::unified) {
        contact.zones[1] = {};
        return add(object, std::move(displace({&fold->working, &fold->working})[0]));
    }
    const ContactZone whole = contact.zones[0];
    for (int s = 0; s < 2; ++s)
        contact.zones[s] =
            zone_in_region(whole, fold->working, fold->regions[s], contact.depths.edge);
    pose(surfaces[object]);
    add(object, blend_regions(*fold->region, displace({&fold->regions[0], &fold->regions[1]}),
                              surfaces[object].normals));
}

// All contacts together: what they do to each object, what is left inside, volume, relief.
void Deformer::State::finish_frame(Frame& frame) {
    Stopwatch watch;
    frame.touched.assign(object_count, 0);
    for (const ResolvedPair& pair : frame.pairs)
        for (const DeformSurface* side : pair.sides)
            if (pair.way.is_found() && !frame.objects[side->object].settings.rigid)
                frame.touched[side->object] = 1;
    if (std::count(frame.touched.begin(), frame.touched.end(), 1) == 0) return;
    std::vector<CombinedDisplacement>& combined = frame.combined;
    combined.swap(spare_combined);
    combined.resize(object_count);
    combining.resize(object_count);
    AllPositions& positions = settling.positions();
    positions.resize(frame.objects.size());
    const auto objects = static_cast<std::size_t>(object_count);
    double highest = 1;
    for (std::size_t i = 0; i < objects; ++i)
        if (frame.touched[i])
            highest = std::max(highest, frame.objects[i].settings.bulge.bulge.largest());
    parallel_for(objects, 1, [&](std::size_t i) {
        if (frame.touched[i]) {
            pose(surfaces[i]);
            combine_displacements(frame.displacements[i], surfaces[i].mesh(), combining[i],
                                  combined[i]);
            positions[i] = combined[i].base;
        } else {
            combined[i].raise.clear();
            positions[i] = frame.result->objects[i].positions;
        }
    });
    // Where surfaces are tilted against the mapping direction, once is not all the way.
    settling.begin(frame.pairs, frame.touched);
    for (int round = 0; round < 2; ++round) settling.settle(frame.touched);
    for (std::size_t i = 0; i < objects; ++i) {
        if (!frame.touched[i]) continue;
        find_held(frame.pairs, surfaces[i], held);
        raise_about_settled(frame.displacements[i], positions[i], held, surfaces[i].mesh(),
                            settled_bulge, combined[i]);
        combined[i].base = positions[i];
    }
    // Bulges seldom rise to twice what their contact alone would ask for; where they do, all of the
    // room is looked for.
    std::vector<double> risen(objects, 0);
    for (double asked = 2 * highest;; asked = std::numeric_limits<double>::infinity()) {
        const auto& room = settling.room_for_bulges(combined, asked);
        parallel_for(objects, 1, [&](std::size_t i) {
            if (frame.touched[i])
                risen[i] = restore_volume(combined[i], room[i], surfaces[i].mesh(),
                                          frame.objects[i].settings.bulge.bulge, combining[i],
                                          frame.result->objects[i].positions);
        });
        if (!(*std::max_element(risen.begin(), risen.end()) > asked)) break;
    }
    parallel_for(objects, 1, [&](std::size_t i) {
        if (frame.touched[i])
            fill_fields(frame.displacements[i], surfaces[i].normals, frame.result->objects[i]);
    });
    turn_all_details(frame.pairs, surfaces, combined, frame.touched, frame.result->objects);
    frame.result->milliseconds.displace += watch.lap();
}

namespace {

// Why the last pass has not parted a pair.
std::string_view why_left(const ResolvedPair& pair) {
    const auto [a, b] = pair.sides;
    if (a->settings.offset.least() + b->settings.offset.least() < 0)
        return "an offset below 0 asks for them";
    for (const DeformSurface* side : pair.sides)
        if (!find_self_intersections(side->surface, 1).empty()) return "a mesh crosses itself";
    return "no way apart was found";
}

} // namespace

// What still crosses after all of that.
void Deformer::State::separate(Frame& frame) {
    if (std::none_of(frame.pairs.begin(), frame.pairs.end(),
                     [](const ResolvedPair& pair) { return pair.crossing_free; }))
        return;
    Stopwatch watch;
    std::vector<SeparateObject> objects(frame.objects.size());
    for (std::size_t i = 0; i < objects.size(); ++i) {
        objects[i] = {
            &frame.result->objects[i].positions,   !frame.objects[i].settings.rigid, {}, {},
            frame.objects[i].settings.bulge.bulge, surfaces[i].structure.get()};
        if (!frame.touched[i]) continue;
        objects[i].raise = frame.combined[i].raise;
        objects[i].raised = frame.combined[i].moved;
    }
    separation.separate(frame.pairs, objects);
    for (std::size_t p = 0; p < frame.pairs.size(); ++p) {
        if (separation.crossings_left()[p] == 0) continue;
        const ResolvedPair& pair = frame.pairs[p];
        for (DeformSurface* side : pair.sides) pose(*side);
        std::string& note = frame.result->contacts[pair.contact].note;
        note += fmt::format("{}crossings left: {}", note.empty() ? "" : "; ", why_left(pair));
    }
    frame.result->milliseconds.separate += watch.lap();
}

Frame Deformer::State::solve(std::span<const DeformObject> objects,
                             std::span<const DeformContact> contacts, std::span<const double> kept,
                             const Progress& progress, DeformResult& result) {
    Frame frame = begin_frame(objects, progress, result);
    frame.kept = kept;
    result.contacts.assign(contacts.size(), {});
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        progress.check();
        resolve_contact(frame, c, contacts[c]);
    }
    progress.check();
    finish_frame(frame);
    return frame;
}

// Given directions that do harm go over into those that would be found without them.
Frame Deformer::State::solve_without_harm(std::span<const DeformObject> objects,
                                          std::span<const DeformContact> contacts,
                                          const Progress& progress, DeformResult& result) {
    kept.assign(contacts.size(), 1);
    Frame frame = solve(objects, contacts, kept, progress, result);
    bool any = false;
    for (const ResolvedPair& pair : frame.pairs) {
        kept[pair.contact] = kept_of_given(pair, result.objects);
        any = any || kept[pair.contact] < 1;
    }
    if (any) {
        const DeformTimes in_vain = result.milliseconds;
        take_back(frame);
        frame = solve(objects, contacts, kept, progress, result);
        result.milliseconds.add(in_vain);
    }
    for (const ResolvedPair& pair : frame.pairs) {
        if (pair.way.kept == 1) continue;
        std::string& note = result.contacts[pair.contact].note;
        note += fmt::format("{}the given direction does not fit: {:.0f} % of it is kept",
                            note.empty() ? "" : "; ", 100 * pair.way.kept);
    }
    return frame;
}

// The memory of a frame that is done, for the next one.
void Deformer::State::take_back(Frame& frame) {
    for (std::vector<PairDisplacement>& of_object : frame.displacements)
        for (PairDisplacement& displacement : of_object)
            spare_displacements.push_back(std::move(displacement));
    if (!frame.combined.empty()) spare_combined = std::move(frame.combined);
}

// Of a frame that was solved with its contacts together: those that are linked are resolved one
// after the other instead.
void Deformer::State::take_in_sequence(Frame& frame, std::span<const DeformContact> contacts) {
    std::vector<std::array<int, 2>> objects_of;
    std::vector<double> depths;
    std::vector<char> moves;
    for (const DeformContact& asked : contacts) objects_of.push_back({asked.first, asked.second});
    for (const ContactOutcome& outcome : frame.result->contacts) depths.push_back(outcome.depth);
    for (const DeformObject& object : frame.objects) moves.push_back(!object.settings.rigid);
    const auto distance = [&](int c, double reach) {
        const auto [first, second] = objects_of[c];
        if (depths[c] > 0 || first == second) return 0.0;
        if (!grown(frame.boxes[first], reach).overlaps(frame.boxes[second])) return reach;
        for (const int i : {first, second}) pose(surfaces[i]);
        return distance_between(surfaces[first].surface, surfaces[second].surface, reach);
    };
    const auto sequences = find_sequences(objects_of, depths, distance, moves);
    if (sequences.empty()) return;

    const auto resolve = [&](const ResolvedObjects& before, int c) {
        std::vector<DeformObject> posed(frame.objects.begin(), frame.objects.end());
        for (int i = 0; i < object_count; ++i) {
            posed[i].positions = before.positions[i];
            posed[i].settings.envelope = 1;
        }
        DeformResult result_of_step;
        Frame step = solve(posed, contacts.subspan(c, 1), frame.kept.subspan(c, 1), *frame.progress,
                           result_of_step);
        // What only a bulge has touched is not among the contacts together.
        if (ContactOutcome& outcome = frame.result->contacts[c]; outcome.direction.isZero(0))
            outcome = step.result->contacts[0];
        ResolvedObjects after{{}, before.volume_changes};
        for (int i = 0; i < object_count; ++i) {
            std::vector<Vec3>& positions = step.result->objects[i].positions;
            if (step.touched[i])
                after.volume_changes[i] +=
                    volume_between(before.positions[i], positions, surfaces[i].structure->faces);
            after.positions.push_back(std::move(positions));
        }
        take_back(step);
        return after;
    };
    ResolvedObjects resolved{{}, std::vector<double>(frame.objects.size(), 0)};
    for (const DeformObject& object : frame.objects)
        resolved.positions.emplace_back(object.positions.begin(), object.positions.end());
    std::vector<double> nearness(frame.objects.size(), 0);
    for (const ContactSequence& sequence : sequences) {
        resolved = resolve_in_sequence(sequence, depths, resolved, resolve);
        for (std::size_t k = 0; k < sequence.contacts.size(); ++k)
            for (const int i : objects_of[sequence.contacts[k]])
                if (moves[i]) nearness[i] = std::max(nearness[i], sequence.nearness[k]);
    }
    finish_sequence(frame, contacts, std::move(resolved), nearness);
}

// What a later contact has brought back into an earlier one is settled, and volumes are kept, of
// objects with a nearness.
void Deformer::State::finish_sequence(Frame& frame, std::span<const DeformContact> contacts,
                                      ResolvedObjects resolved, std::span<const double> nearness) {
    pose_objects(frame.objects);
    for (std::size_t c = 0; c < contacts.size(); ++c)
        if (FoldSurfaces* const fold = find_fold(c, contacts[c]))
            pose_fold(*fold, surfaces[contacts[c].first], contacts[c].direction->normalized(),
                      contacts[c].crease, contacts[c].variant);
    for (const ResolvedPair& pair : frame.pairs)
        for (DeformSurface* side : pair.sides) pose(*side);
    std::vector<char> settled(frame.touched);
    for (int i = 0; i < object_count; ++i)
        if (nearness[i] == 0) settled[i] = 0;
    settling.positions() = resolved.positions;
    settling.begin(frame.pairs);
    for (int round = 0; round < 2; ++round) settling.settle(settled);
    for (int i = 0; i < object_count; ++i) {
        if (nearness[i] == 0) continue;
        std::vector<Vec3>& positions = resolved.positions[i];
        // What only a bulge has touched keeps its volume from its own contact.
        if (settled[i]) {
            for (std::size_t v = 0; v < positions.size(); ++v)
                positions[v] += nearness[i] * (settling.positions()[i][v] - positions[v]);
            keep_volume(frame.objects[i].positions, *surfaces[i].structure, frame.combined[i].raise,
                        positions, resolved.volume_changes[i]);
        }
        frame.result->objects[i].positions = std::move(positions);
    }
}

DeformResult Deformer::deform(std::span<const DeformObject> objects,
                              std::span<const DeformContact> contacts, ContactOrder order) {
    DeformResult result;
    deform(objects, contacts, order, result);
    return result;
}

void Deformer::deform(std::span<const DeformObject> objects,
                      std::span<const DeformContact> contacts, ContactOrder order,
                      DeformResult& result, const Progress& progress) {
    const OneAtATime::Use use = state_->use.begin("deform");
    Frame frame = state_->solve_without_harm(objects, contacts, progress, result);
    if (order == ContactOrder::deepest_first) state_->take_in_sequence(frame, contacts);
    state_->separate(frame);
    for (std::size_t i = 0; i < objects.size(); ++i)
        apply_envelope(objects[i], result.objects[i].positions);
    state_->take_back(frame);
}

std::array<std::vector<Vec3>, 2> deform(const TriangleMesh& first, const TriangleMesh& second,
                                        const DeformContact& contact,
                                        const std::array<DeformSettings, 2>& settings) {
    check_indices(first, "deform: object 0");
    check_indices(second, "deform: object 1");
    Deformer deformer({make_structure(first.positions, first.faces),
                       make_structure(second.positions, second.faces)});
    const std::array<DeformObject, 2> objects{DeformObject{first.positions, settings[0]},
                                              DeformObject{second.positions, settings[1]}};
    DeformResult result = deformer.deform(objects, std::span(&contact, 1));
    return {std::move(result.objects[0].positions), std::move(result.objects[1].positions)};
}

} // namespace knead
