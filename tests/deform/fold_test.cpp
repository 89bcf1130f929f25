#include "knead/deform/fold/fold.hpp"
#include "knead/mesh/motion_jumps.hpp"
#include "knead/mesh/region.hpp"
#include "knead/spatial/penetration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "input_error.hpp"
#include "pair.hpp"

namespace knead {
namespace {

// A capsule along Y that bends by linear blending at its middle, in general position about its
// axis, with its lower and upper half as the parts.
struct BentCapsule {
    TriangleMesh rest;
    std::vector<int> lower, upper;

    explicit BentCapsule(int resolution = 20) : rest(make_capsule(0.4, 2.4, resolution)) {
        Affine3 turn = Affine3::Identity();
        turn.rotate(Eigen::AngleAxisd(0.1, Vec3::UnitY()));
        transform(rest, turn);
        for (int v = 0; v < rest.vertex_count(); ++v)
            (rest.positions[v].y() < 0.01 ? lower : upper).push_back(v);
    }

    static double weight(double y) {
        const double t = std::clamp(0.5 + y / 0.7, 0.0, 1.0);
        return t * t * (3 - 2 * t);
    }
    static Vec3 joint(double degrees) {
        return Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3::UnitZ()) * Vec3(0, 1.2, 0);
    }
    /// In which the lower part is resolved.
    static Vec3 direction(double degrees) {
        return -fold_direction({0, -1.2, 0}, {0, 0, 0}, joint(degrees)).value();
    }
    std::vector<Vec3> posed(double degrees) const {
        const Eigen::AngleAxisd turn(degrees * std::numbers::pi / 180, Vec3::UnitZ());
        std::vector<Vec3> positions;
        for (const Vec3& p : rest.positions) {
            const double w = weight(p.y());
            positions.push_back((1 - w) * p + w * (turn * p));
        }
        return positions;
    }
    std::shared_ptr<const FoldRegion> fold() const { return make_fold_region(rest, lower, upper); }
    std::vector<Vec3> resolved(double degrees) const {
        Deformer deformer({make_structure(rest.positions, rest.faces)}, {}, {{0, fold()}});
        return resolved(deformer, degrees);
    }
    std::vector<Vec3> resolved(Deformer& deformer, double degrees) const {
        const std::vector<Vec3> positions = posed(degrees);
        DeformObject object;
        object.positions = positions;
        DeformContact contact;
        contact.first = contact.second = 0;
        contact.fold = 0;
        contact.direction = direction(degrees);
        return deformer.deform(std::span(&object, 1), std::span(&contact, 1)).objects[0].positions;
    }
};

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double largest = 0;
    for (std::size_t v = 0; v < a.size(); ++v) largest = std::max(largest, (a[v] - b[v]).norm());
    return largest;
}

TEST(Fold, DirectionIsOrthogonalToTheBisectorInTheBonesPlane) {
    const Vec3 joint(1, 2, 3), first(-2, 0.5, 0), last(0.3, 4, 0);
    const Vec3 direction = *fold_direction(joint + first, joint, joint + last);
    const Vec3 bisector = first.normalized() + last.normalized();
    EXPECT_NEAR(direction.norm(), 1, 1e-15);
    EXPECT_NEAR(direction.dot(bisector), 0, 1e-15);
    EXPECT_NEAR(direction.dot(first.cross(last)), 0, 1e-15);
    EXPECT_GT(direction.dot(last), direction.dot(first));
    // However long the bones are.
    EXPECT_LT((*fold_direction(joint + 5 * first, joint, joint + last) - direction).norm(), 1e-15);
}

TEST(Fold, AStraightArmFoldsAlongItselfAndOnesThatLieOnEachOtherHaveNoDirection) {
    EXPECT_EQ(fold_direction({0, 0, 0}, {0, 1, 0}, {0, 3, 0}), Vec3(0, 1, 0));
    EXPECT_FALSE(fold_direction({0, 0, 0}, {0, 1, 0}, {0, -2, 0}));
    EXPECT_FALSE(fold_direction({0, 0, 0}, {0, 0, 0}, {0, 1, 0}));
}

TEST(Fold, PartsWithABorderInCommonShareWhatLiesAboutIt) {
    const BentCapsule capsule;
    const auto fold = capsule.fold();
    ASSERT_TRUE(fold);
    int shared = 0;
    for (std::size_t v = 0; v < fold->beta.size(); ++v) {
        const double y = capsule.rest.positions[fold->working.vertices[v]].y();
        const bool is_shared = fold->shared.of_vertex[v] >= 0;
        shared += is_shared;
        EXPECT_GE(fold->beta[v], 0);
        EXPECT_LE(fold->beta[v], 1);
        if (std::abs(y) > 0.6) {
            EXPECT_EQ(fold->beta[v], y < 0 ? 1 : 0);
        } else if (std::abs(y) < 0.2) {
            EXPECT_TRUE(is_shared);
        } else {
            EXPECT_EQ(fold->beta[v] > 0.5, y < 0);
        }
    }
    EXPECT_GT(shared, 0);
}

TEST(Fold, PaintedOverlapIsWhatIsShared) {
    BentCapsule capsule;
    capsule.lower.clear();
    capsule.upper.clear();
    for (int v = 0; v < capsule.rest.vertex_count(); ++v) {
        if (capsule.rest.positions[v].y() < 0.3) capsule.lower.push_back(v);
        if (capsule.rest.positions[v].y() > -0.3) capsule.upper.push_back(v);
    }
    const auto fold = capsule.fold();
    for (std::size_t v = 0; v < fold->beta.size(); ++v)
        EXPECT_EQ(fold->shared.of_vertex[v] >= 0,
                  std::abs(capsule.rest.positions[fold->working.vertices[v]].y()) < 0.3);
}

TEST(Fold, PartsThatDoNotTouchAreNone) {
    const BentCapsule capsule;
    EXPECT_FALSE(make_fold_region(capsule.rest, std::vector{0, 1}, std::vector{500, 501}));
    EXPECT_EQ(
        input_error([&] { make_fold_region(capsule.rest, capsule.lower, capsule.lower); }),
        "fold: the first part has no vertex that is not of the other, expected two parts that "
        "overlap about the crease");
}

TEST(Fold, TheCreaseFollowsTheSilhouetteWithEitherMethod) {
    const BentCapsule capsule;
    const auto fold = capsule.fold();
    const std::vector<Vec3> positions = capsule.posed(120);
    const std::vector<Vec3> normals = vertex_normals(positions, capsule.rest.faces);
    const Vec3 direction = BentCapsule::direction(120);
    for (const CreaseMethod method : {CreaseMethod::random_walker, CreaseMethod::minimum_cut}) {
        const CutSet crease = find_crease(*fold, normals, direction, method,
                                          *make_supernodal_solver(fold->shared.plan));
        int inner = 0;
        for (int e = 0; e < fold->structure->topology.edge_count(); ++e) {
            const Edge& ends = fold->structure->topology.edges[e];
            if (crease.inside[ends[0]] == crease.inside[ends[1]]) continue;
            const Vec3& at = capsule.rest.positions[ends[0]];
            EXPECT_LT(std::abs(at.y()), 0.5);
            // On the inside of the elbow.
            if (at.x() > -0.3) continue;
            ++inner;
            const double t = crease.cut[e];
            const Vec3 normal = (1 - t) * normals[ends[0]] + t * normals[ends[1]];
            EXPECT_LT(std::abs(normal.dot(direction)), 0.5);
        }
        EXPECT_GT(inner, 5);
    }
}

TEST(Fold, NothingInContactChangesNoBit) {
    const BentCapsule capsule;
    for (const double degrees : {0.0, 20.0, 40.0})
        EXPECT_EQ(capsule.resolved(degrees), capsule.posed(degrees));
}

TEST(Fold, TheVolumeOfTheBentMeshIsKept) {
    const BentCapsule capsule;
    for (const double degrees : {90.0, 120.0, 150.0}) {
        const std::vector<Vec3> before = capsule.posed(degrees), after = capsule.resolved(degrees);
        EXPECT_GT(largest_difference(before, after), 0.03);
        const auto volume = [&](const std::vector<Vec3>& positions) {
            return signed_volume(positions, capsule.rest.faces, Vec3::Zero());
        };
        EXPECT_NEAR(volume(after), volume(before), 1e-11);
    }
}

// Also next to the crease, by an exact test of the two sides.
TEST(Fold, TheSidesAreApart) {
    const BentCapsule capsule;
    const Region lower = region_of_vertices(capsule.rest, capsule.lower),
                 upper = region_of_vertices(capsule.rest, capsule.upper);
    const auto crossings = [&](const std::vector<Vec3>& positions) {
        const auto side = [&](const Region& region) {
            return TriangleMesh{gather(region, positions), region.triangles};
        };
        return measure_penetration(side(lower), side(upper)).crossings;
    };
    for (const double degrees : {100.0, 120.0, 140.0, 160.0}) {
        EXPECT_GT(crossings(capsule.posed(degrees)), 20);
        EXPECT_EQ(crossings(capsule.resolved(degrees)), 0) << degrees;
    }
}

TEST(Fold, AFrameAloneIsTheFrameInASequence) {
    const BentCapsule capsule;
    Deformer deformer({make_structure(capsule.rest.positions, capsule.rest.faces)}, {},
                      {{0, capsule.fold()}});
    for (const double degrees : {130.0, 100.0, 130.0})
        EXPECT_EQ(capsule.resolved(deformer, degrees), capsule.resolved(degrees));
}

// The two share the memory of a contact; the other one has more vertices than the fold.
TEST(Fold, AContactAfterItSeesNothingOfIt) {
    const BentCapsule capsule(12);
    Pair pair = ball_on_floor(0.3, 4, 40);
    const DeformResult alone = pair.result();
    Deformer deformer({make_structure(capsule.rest.positions, capsule.rest.faces),
                       make_structure(pair.meshes[0].positions, pair.meshes[0].faces),
                       make_structure(pair.meshes[1].positions, pair.meshes[1].faces)},
                      {}, {{0, capsule.fold()}});
    const std::vector<Vec3> bent = capsule.posed(130);
    const std::array<DeformObject, 3> objects{DeformObject{bent}, pair.posed()[0], pair.posed()[1]};
    std::array<DeformContact, 2> contacts;
    contacts[0].first = contacts[0].second = 0;
    contacts[0].fold = 0;
    contacts[0].direction = BentCapsule::direction(130);
    contacts[1].first = 1;
    contacts[1].second = 2;
    for (const FoldVariant variant : {FoldVariant::unified, FoldVariant::two_regions}) {
        contacts[0].variant = variant;
        const DeformResult result = deformer.deform(objects, contacts);
        EXPECT_GT(result.contacts[0].zone_area[0], 0);
        for (int i = 0; i < 2; ++i)
            EXPECT_EQ(result.objects[i + 1].positions, alone.objects[i].positions);
    }
}

TEST(Fold, SidesCanBeSwapped) {
    const BentCapsule capsule;
    const std::vector<Vec3> positions = capsule.posed(120);
    Deformer deformer({make_structure(capsule.rest.positions, capsule.rest.faces)}, {},
                      {{0, make_fold_region(capsule.rest, capsule.upper, capsule.lower)}});
    DeformObject object;
    object.positions = positions;
    DeformContact contact;
    contact.first = contact.second = 0;
    contact.fold = 0;
    contact.direction = -BentCapsule::direction(120);
    const DeformResult swapped = deformer.deform(std::span(&object, 1), std::span(&contact, 1));
    EXPECT_LT(largest_difference(swapped.objects[0].positions, capsule.resolved(120)), 1e-9);
}

TEST(Fold, AMirrorImageGivesTheMirrorImage) {
    const BentCapsule capsule;
    // Left and right of the elbow are z; up and down are the two parts.
    BentCapsule mirrored = capsule;
    const auto mirror = [](std::vector<Vec3> positions) {
        for (Vec3& p : positions) p.z() = -p.z();
        return positions;
    };
    mirrored.rest.positions = mirror(capsule.rest.positions);
    for (Triangle& face : mirrored.rest.faces) std::swap(face[1], face[2]);
    for (const double degrees : {100.0, 140.0})
        EXPECT_LT(largest_difference(mirrored.resolved(degrees), mirror(capsule.resolved(degrees))),
                  1e-9);
}

TEST(Fold, HardlyJumpsAsTheCreaseMoves) {
    const BentCapsule capsule(16);
    std::vector<double> times, edges = {mean_edge(capsule.rest)};
    for (int i = 0; i <= 12; ++i) times.push_back(90 + 4 * i);
    const Motion motion = [&](double degrees) {
        return std::vector<std::vector<Vec3>>{capsule.resolved(degrees)};
    };
    EXPECT_LT(find_jumps(motion, times, edges).largest.edges, 0.004);
}

TEST(Fold, WrongOnesAreNamed) {
    const BentCapsule capsule;
    const auto structure = make_structure(capsule.rest.positions, capsule.rest.faces);
    const auto made = [&](DeformFold fold) {
        return input_error([&] { Deformer({structure}, {}, {fold}); });
    };
    EXPECT_EQ(made({1, capsule.fold()}), "deform: fold 0 is of object 1, expected 0 to 0");
    const BentCapsule other(16);
    EXPECT_EQ(made({0, other.fold()}),
              "deform: fold 0 is of a mesh with " + std::to_string(other.rest.vertex_count()) +
                  " vertices, expected " + std::to_string(capsule.rest.vertex_count()));
    Deformer deformer({structure}, {}, {{0, capsule.fold()}});
    DeformObject object;
    object.positions = capsule.rest.positions;
    DeformContact contact;
    contact.first = contact.second = 0;
    const auto message = [&] {
        return input_error([&] { deformer.deform(std::span(&object, 1), std::span(&contact, 1)); });
    };
    contact.fold = 1;
    EXPECT_EQ(message(), "deform: contact 0 names fold 1, expected one of object 0");
    contact.fold = 0;
    EXPECT_EQ(message(), "deform: contact 0 is a fold without a direction, expected one");
}

// Two balls that are one mesh.
TEST(DeformPart, PartsOfOneObjectAreResolvedAgainstEachOther) {
    Pair pair = two_balls(0.3, 0.8);
    const DeformResult apart = pair.result();
    TriangleMesh both = pair.meshes[0];
    append(both, pair.meshes[1]);
    std::vector<DeformPart> parts(2);
    for (int v = 0; v < both.vertex_count(); ++v)
        parts[v < pair.meshes[0].vertex_count() ? 0 : 1].vertices.push_back(v);
    Deformer deformer({make_structure(both.positions, both.faces)}, parts);
    DeformObject object;
    object.positions = both.positions;
    DeformContact contact;
    contact.first = contact.second = 0;
    contact.first_part = 0;
    contact.second_part = 1;
    const DeformResult result = deformer.deform(std::span(&object, 1), std::span(&contact, 1));
    Pair moved = pair;
    DeformResult seen = apart;
    const std::vector<Vec3>& positions = result.objects[0].positions;
    const auto middle = positions.begin() + pair.meshes[0].vertex_count();
    seen.objects[0].positions.assign(positions.begin(), middle);
    seen.objects[1].positions.assign(middle, positions.end());
    EXPECT_LT(depth_of(moved, seen), 0.05 * 0.3 + 0.5 / 0.8 * std::pow(mean_edge(both), 2));
    // Only the bulges differ: together they keep one volume.
    EXPECT_LT(largest_difference(seen.objects[0].positions, apart.objects[0].positions), 0.02);
    EXPECT_NEAR(signed_volume(positions, both.faces, Vec3::Zero()),
                signed_volume(both.positions, both.faces, Vec3::Zero()), 1e-12);
    contact.second_part = 0;
    EXPECT_EQ(input_error([&] { deformer.deform(std::span(&object, 1), std::span(&contact, 1)); }),
              "deform: contact 0 names object 0 twice, expected two of its parts");
}

} // namespace
} // namespace knead
