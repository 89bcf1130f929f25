#pragma once

#include "knead/bulge/bulge_workspace.hpp"
#include "knead/mesh/sub_mesh.hpp"
#include "knead/mesh/vertex_number.hpp"
#include "knead/spatial/surface.hpp"

#include <memory>

namespace knead {

/// How far from a zone's border its fields are solved. Up to `full` every face counts, from there
/// on less and less, and beyond `end` the mesh need not be looked at: so that what is looked at can
/// change with the zone and no field jumps.
struct Reach {
    double full = 0, end = 0;
};

/// For a contact that deforms as far as `extent` over the surface; straight distances are no
/// longer. `edge` is that of the mesh.
Reach reach_of(double extent, double edge);

/// A part of a mesh about a zone.
struct BulgePatch {
    SubMesh mesh;
    BulgeWorkspace workspace;
    std::vector<int> groups; ///< that it consists of, ascending
    // Of the contact at hand, in memory that stays: what the part sees of its mesh.
    std::vector<double> weights; ///< one a vertex: how much it counts
    ContactZone zone;
    std::vector<Vec3> positions, normals;
    std::vector<char> border;
};

/// The patches of one mesh. Its faces are divided into small groups for life, and a patch is made
/// of all those that a zone reaches: it often serves for many frames, and where it does not, it is
/// made in a time that follows from its size. Elimination orders are taken over from the whole
/// mesh, so that what was asked before does not change a bit of a result.
class BulgePatches {
public:
    explicit BulgePatches(std::shared_ptr<const SurfaceStructure> structure);

    /// The faces that the zone reaches, with their weights: `extent` may be painted, `edge` is that
    /// of the mesh there. Good until the next call.
    BulgePatch& about(const ContactZone& zone, const Surface& surface, const VertexNumber& extent,
                      double edge);

private:
    /// Border points, one coordinate after the other so that several are looked at at a time.
    struct Sources {
        std::array<std::vector<double>, 3> position;
        std::vector<double> absence; ///< 0 for a zone that is fully there; 1 reaches nowhere
        std::size_t count = 0;

        /// Makes room for this many more.
        void grow(std::size_t more);
    };
    struct Visit {
        int node;
        std::size_t first, last; ///< its candidates
    };

    void divide();
    void find_presence(const ContactZone& zone);
    void find_sources(const ContactZone& zone);
    void weigh_groups(const Surface& surface, const VertexNumber& extent, double edge);
    void weigh_group(int group, std::size_t first, std::size_t last, const Surface& surface,
                     const VertexNumber& extent, double edge);
    void weigh_zone(const VertexNumber& extent, double edge);
    void limit_by_ways(const SubMesh& mesh, std::vector<double>& weights);
    void take(int group);
    BulgePatch& patch_of_groups();

    std::shared_ptr<const SurfaceStructure> structure_;
    std::vector<int> group_of_node_, group_of_face_;
    Adjacency group_faces_, group_vertices_;
    std::vector<int> elimination_place_; ///< of a vertex in the order of the whole mesh
    SubMeshMaker maker_;
    // Those used last come first.
    std::vector<std::unique_ptr<BulgePatch>> patches_;
    // Of the zone at hand.
    std::vector<int> in_zone_;         ///< its vertices
    std::vector<double> own_presence_; ///< 0 to 1, one a vertex of the mesh; 0 between calls
    std::vector<double> presence_; ///< of those in the zone: the largest of the neighbours', too
    bool all_there_ = false;       ///< nothing is absent
    Sources candidates_;           ///< the border points first, then those of nodes
    std::vector<double> squares_;
    std::vector<Visit> stack_;
    std::vector<char> group_reached_;
    std::vector<int> groups_;
    // One a vertex of the mesh, 0 between calls: its weight, and what its own zone gives it.
    std::vector<double> weight_, start_;
    // Of the ways over the surface.
    std::vector<double> reached_;
    std::vector<int> sure_;
    std::vector<std::pair<double, int>> others_;
};

/// The zone, seen from a part of its mesh. Border points that are not in it are left out.
ContactZone zone_of_part(const ContactZone& zone, const SubMesh& part);
/// The same in the memory of another.
void zone_of_part(const ContactZone& zone, const SubMesh& part, ContactZone& result);

} // namespace knead
