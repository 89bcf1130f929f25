#pragma once

#include "knead/base/progress.hpp"
#include "knead/deform/fold/deform_fold.hpp"
#include "knead/deform/object/deform_settings.hpp"
#include "knead/mesh/triangle_mesh.hpp"
#include "knead/spatial/structure.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace knead {

/// An object at one frame.
struct DeformObject {
    std::span<const Vec3> positions = {};
    DeformSettings settings = {};
    /// For `MappingMethod::parametrization`, if the mesh brings some: one a vertex, not numbers
    /// where a vertex has several (a seam) or none.
    std::span<const Vec2> texture_coordinates = {};
    /// The mean edge of the mesh that these faces are a part of; nothing: of the faces.
    std::optional<double> edge = {};
};

/// A part of an object that can touch others on its own: contacts are looked for on it alone, and
/// the deformation ends at its border.
struct DeformPart {
    int object = 0;
    std::vector<int> vertices = {};
};

/// Two objects, or parts of them, that may touch.
struct DeformContact {
    int first = 0;
    int second = 1;
    /// Which of the deformer's parts, of the object above; nothing: the whole object.
    std::optional<int> first_part = {}, second_part = {};
    /// Which of the deformer's folds, of the object above, which is then both first and second;
    /// its direction must be given. Parts are those of the fold.
    std::optional<int> fold = {};
    CreaseMethod crease = CreaseMethod::random_walker; ///< of a fold
    FoldVariant variant = FoldVariant::unified;        ///< of a fold
    ZoneCriterion zone = {};
    /// By parametrisation, between a rigid object and one that is not: method A ([BBGB20]), with
    /// its transported directions.
    MappingMethod mapping = MappingMethod::direction;
    DistanceMethod distance = DistanceMethod::heat;
    /// In which the first object is resolved; nothing: automatic.
    std::optional<Vec3> direction = {};
    /// No edge of one is left in the other, between closed meshes that do not cross themselves, or
    /// the note says why; of open ones and parts none but beside their border.
    bool crossing_free = true;
};

/// What was found between two objects.
struct ContactOutcome {
    Vec3 direction = Vec3::Zero();
    double threshold = 0;              ///< of all depths together
    double depth = 0;                  ///< along the direction, the largest one mapped
    std::array<double, 2> zone_area{}; ///< on the contact surface
    /// phi_max, the longest if it is painted; 0 where nothing moves.
    std::array<double, 2> extent{};
    std::string note = {}; ///< why there was no response, or what is wrong with it; else empty
    /// What `note` says with numbers instead of names: which of the two objects is an open sheet
    /// behind which the other reaches further than in front of it.
    std::optional<int> touched_from_behind = {};
};

/// What became of an object.
struct ObjectOutcome {
    std::vector<Vec3> positions = {}; ///< bit-identical to the input when nothing touched it
    int contact_vertices = 0;
    // Fields for looking at, one value a vertex; empty when nothing touched the object.
    std::vector<double> gap = {};  ///< along a mapping direction to the other object, 0 elsewhere
    std::vector<double> zone = {}; ///< 1 in a contact zone
    std::vector<double> u = {};    ///< the smallest of all contacts
    std::vector<double> amplitude = {}; ///< of the contact with the smallest u
    std::vector<double> slope = {};
    /// Its bulge map's weight: where the volume goes, 0 without a bulge.
    std::vector<double> eta = {};
    std::vector<Vec3> direction = {}; ///< in which it was displaced, outward
};

/// Milliseconds by stage, of all threads together.
struct DeformTimes {
    double intersect = 0, map = 0, zone = 0, parametrize = 0, direction = 0, guide = 0,
           displace = 0;
    double separate = 0; ///< the last pass, after which nothing crosses
    double plan = 0;     ///< elimination orders, made once an object

    void add(const DeformTimes& more);
};

struct DeformResult {
    std::vector<ObjectOutcome> objects = {};
    std::vector<ContactOutcome> contacts = {};
    DeformTimes milliseconds = {};
};

/// The deformer for a host that calls it every frame: keeps what follows from the faces alone, and
/// memory. Nothing it keeps changes a bit of a result, so any frame can be asked for in any order.
///
/// One call at a time: a second one, from another thread or from within the first (out of its
/// progress), is refused with an InputError, and the first goes on undisturbed. Different deformers
/// can be used at the same time, also when they share structures: frames in parallel want a
/// deformer each. A call uses as many threads as `ThreadLimit` leaves it.
class Deformer {
public:
    /// One structure an object (see `make_structure`). Throws InputError when an object has none,
    /// or faces with an index out of range, and when a part names an object or a vertex that is not
    /// there.
    explicit Deformer(std::vector<std::shared_ptr<const SurfaceStructure>> objects,
                      std::vector<DeformPart> parts = {}, std::vector<DeformFold> folds = {});
    /// The same for whole objects, whose structures nothing else has a use for.
    explicit Deformer(std::span<const TriangleMesh> meshes);
    /// Another structure for an object that has neither parts nor folds: what was kept for it goes,
    /// and that for others stays.
    void replace(int object, std::shared_ptr<const SurfaceStructure> structure);
    ~Deformer();
    Deformer(Deformer&&) noexcept;
    Deformer& operator=(Deformer&&) noexcept;

    /// Resolves the contacts of one frame. Throws InputError when a contact names an object or part
    /// that is not there or the same object twice, positions do not fit the object's faces or are
    /// not finite, a setting is out of its range, or more than `most_in_sequence` contacts that
    /// are linked by shared objects are to be resolved deepest first. Fields of objects, and
    /// outcomes of contacts that the input has, are those of the contacts together, in either
    /// order.
    DeformResult deform(std::span<const DeformObject> objects,
                        std::span<const DeformContact> contacts,
                        ContactOrder order = ContactOrder::together);
    /// The same in the memory of an earlier result, which the objects must not look at. A stop is
    /// looked for between contacts and their stages; `result` is then not to be used.
    void deform(std::span<const DeformObject> objects, std::span<const DeformContact> contacts,
                ContactOrder order, DeformResult& result, const Progress& progress = {});

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The same for a single frame of two meshes: the positions of both, resolved. Throws InputError
/// also for faces with an index out of range, or with the same vertex twice, and GeometryError for
/// a corner that is not finite.
std::array<std::vector<Vec3>, 2> deform(const TriangleMesh& first, const TriangleMesh& second,
                                        const DeformContact& contact = {},
                                        const std::array<DeformSettings, 2>& settings = {});

} // namespace knead
