#include "knead/contact/zone_threshold.hpp"

#include "knead/contact/fades.hpp"
#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace knead {
namespace {

// A contact reaches as far as a disc of the mean radius is wide, and a little more; further on,
// depths count less and less.
constexpr double whole_within = 2.2, nothing_beyond = 3.5;

// With other contacts about, the threshold of one is this part of what it would be alone.
constexpr double among_many = 0.7;

double corner_depth(const Mapping& mapping, const CutCorner& corner) {
    return corner.edge < 0 ? mapping.of_vertex[corner.a].depth : mapping.of_edge[corner.edge].depth;
}

DepthStatistics statistics_of(const DepthSums::Sums& sums, double whole_area) {
    if (!(sums.area > 0)) return {};
    const double mean = sums.depth / sums.area;
    return {mean, std::sqrt(std::max(0.0, sums.squares / sums.area - mean * mean)),
            std::min(1.0, sums.area / whole_area)};
}

// Square of a distance as two places see it that have directions of their own: across these, and
// along them only as far as that is more than a contact is deep.
double squared_across(const Vec3& way, const Vec3& direction, double deepest) {
    const double along = std::max(0.0, std::abs(direction.dot(way)) - 2 * deepest);
    return (way - direction.dot(way) * direction).squaredNorm() + along * along;
}

// Where places have directions of their own, those count that look the same way.
DepthSums::Sums sums_about(const DepthField& depths, const Vec3& position, const Vec3& inward) {
    DepthSums::Sums sums;
    const double near = std::pow(whole_within * depths.radius, 2),
                 far = std::pow(nothing_beyond * depths.radius, 2);
    depths.cell_grid.for_each_near(position, [&](int i) {
        const DepthField::Cell& cell = depths.cells[i];
        const double alike = cell.direction.dot(inward);
        if (!(alike > 0)) return;
        const double squared = squared_across(
            cell.position - position, (cell.direction + inward).normalized(), depths.deepest);
        const double weight = alike * alike * fades::depths_about((far - squared) / (far - near));
        sums.area += weight * cell.sums.area;
        sums.depth += weight * cell.sums.depth;
        sums.squares += weight * cell.sums.squares;
    });
    return sums;
}

DepthSums::Sums blended(const DepthSums::Sums& a, const DepthSums::Sums& b, double part_of_a) {
    const double part_of_b = 1 - part_of_a;
    return {part_of_a * a.area + part_of_b * b.area, part_of_a * a.depth + part_of_b * b.depth,
            part_of_a * a.squares + part_of_b * b.squares};
}

DepthStatistics statistics_near(const DepthField& depths, const Vec3& position,
                                const Vec3& inward) {
    if (depths.compact) return depths.overall;
    DepthSums::Sums sums;
    if (depths.share_of_whole > 0) sums = depths.sums.about(position);
    if (depths.share_of_whole < 1)
        sums = blended(sums, sums_about(depths, position, inward), depths.share_of_whole);
    return sums.area > 0 ? statistics_of(sums, 2 * depths.area) : depths.overall;
}

void make_grids(DepthField& depths) {
    const double along = depths.has_directions ? 2 * depths.deepest : 0;
    if (!depths.compact && depths.share_of_whole > 0)
        depths.sums.rebuild(depths.samples, depths.direction, whole_within * depths.radius,
                            nothing_beyond * depths.radius);
    if (!depths.compact && depths.share_of_whole < 1) {
        depths.cell_places.clear();
        for (const DepthField::Cell& cell : depths.cells)
            depths.cell_places.push_back(cell.position);
        depths.cell_grid.rebuild(depths.cell_places, nothing_beyond * depths.radius + along);
    }
}

// Samples of one side, by the cells of its faces.
class CellSums {
public:
    CellSums(const SurfaceStructure& structure, std::vector<DepthField::Cell>& cells)
        : cell_of_face_(structure.face_cells), place_of_(structure.cell_count, -1), cells_(cells) {}

    void add(int face, const DepthField::Sample& sample, const Vec3& position,
             const Vec3& direction) {
        int& place = place_of_[cell_of_face_[face]];
        if (place < 0) {
            place = static_cast<int>(cells_.size());
            cells_.emplace_back();
        }
        DepthField::Cell& cell = cells_[place];
        cell.position += sample.area * position;
        cell.direction += sample.area * direction;
        cell.sums.area += sample.area;
        cell.sums.depth += sample.area * sample.depth;
        cell.sums.squares += sample.area * sample.squared_depth;
    }

private:
    std::span<const int> cell_of_face_;
    std::vector<int> place_of_; ///< of each cell, among those that are there
    std::vector<DepthField::Cell>& cells_;
};

} // namespace

void find_depths(const std::array<PairSide, 2>& sides, const std::array<Mapping, 2>& mappings,
                 DepthField& result) {
    result.samples.clear();
    result.border.clear();
    result.cells.clear();
    result.direction = sides[0].inward;
    result.deepest = 0;
    const bool varies = result.has_directions = sides[0].has_directions();
    result.share_of_whole = varies ? sides[0].directions->field().share_of_whole() : 1;
    result.edge = 0;
    DepthSums::Sums all;
    double steepness = 0, squared_edges = 0;
    // Where directions vary there is no one plane: what is far apart along one may be near along
    // another.
    std::vector<Vec3> places; // of the samples
    const auto onto_plane = [&](const Vec3& p) {
        return Vec3(p - result.direction.dot(p) * result.direction);
    };
    const auto add_border = [&](const Vec3& a, const Vec3& b) {
        if (varies)
            result.border.push_back({a, b});
        else
            result.border.push_back({onto_plane(a), onto_plane(b)});
    };
    for (int s = 0; s < 2; ++s) {
        const Surface& surface = *sides[s].surface;
        std::optional<CellSums> cells;
        if (varies) cells.emplace(*surface.structure, result.cells);
        for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
            const CutFace cut =
                cut_face(mappings[s].region, f, surface.faces(), surface.topology());
            if (cut.count == 0) continue;
            const Triangle& corners = surface.faces()[f];
            const Vec3 direction = !varies  ? result.direction
                                   : s == 0 ? sides[0].inward_of(corners)
                                            : -sides[1].inward_of(corners);
            const double face_area =
                area_vector(surface.positions[corners[0]], surface.positions[corners[1]],
                            surface.positions[corners[2]])
                    .norm();
            for_each_triangle(cut, [&](const std::array<CutCorner, 3>& t, double weight) {
                const std::array<Vec3, 3> p = {t[0].of<Vec3>(surface.positions),
                                               t[1].of<Vec3>(surface.positions),
                                               t[2].of<Vec3>(surface.positions)};
                DepthField::Sample sample;
                sample.area = weight * 0.5 * std::abs(area_vector(p[0], p[1], p[2]).dot(direction));
                if (!(sample.area > 0)) return;
                const Vec3 middle_of_part = (p[0] + p[1] + p[2]) / 3;
                sample.position = onto_plane(middle_of_part);
                const auto across = [&](const Vec3& way) {
                    return Vec3(way - direction.dot(way) * direction);
                };
                // The gradient of the depth times the area.
                Vec3 gradient = Vec3::Zero();
                for (int c = 0; c < 3; ++c)
                    gradient += 0.5 * corner_depth(mappings[s], t[c]) *
                                across(p[(c + 2) % 3] - p[(c + 1) % 3]);
                // A step in a sliver is steep however narrow that is, and says nothing about the
                // contact's size.
                const double part_of_face =
                    weight * area_vector(p[0], p[1], p[2]).norm() / face_area;
                steepness +=
                    std::min(weight * gradient.norm(), (2 + 20 * part_of_face) * sample.area);
                for (int c = 0; c < 3; ++c) {
                    const double middle = 0.5 * (corner_depth(mappings[s], t[c]) +
                                                 corner_depth(mappings[s], t[(c + 1) % 3]));
                    sample.depth += middle / 3;
                    sample.squared_depth += middle * middle / 3;
                }
                all.area += sample.area;
                all.depth += sample.area * sample.depth;
                all.squares += sample.area * sample.squared_depth;
                result.samples.push_back(sample);
                if (!varies) return;
                result.deepest = std::max(result.deepest, sample.depth);
                cells->add(f, sample, middle_of_part, direction);
                places.push_back(middle_of_part);
            });
            for_each_border_segment(mappings[s].region, f, cut, surface.positions,
                                    surface.topology(), add_border);
        }
        const CutMeasure& size = result.sizes[s] =
            varies ? measure(mappings[s].region, surface.positions, surface.faces(),
                             surface.topology(),
                             [&](int f) { return sides[s].inward_of(surface.faces()[f]); })
                   : measure(mappings[s].region, surface.positions, surface.faces(),
                             surface.topology(), result.direction);
        squared_edges += size.area * size.edge * size.edge;
    }
    result.overall = statistics_of(all, all.area);
    result.overall.share = 1;
    result.area = 0.5 * all.area;
    if (all.area > 0) result.edge = std::sqrt(squared_edges / all.area);
    // The longer one, which comes in with its side's area: a side that has just come in must not
    // change the contact's size at once.
    double edge = 0;
    for (const CutMeasure& size : result.sizes)
        if (size.area > 0)
            edge = std::max(edge, size.edge * fades::side_has_size(size.area / all.area));
    // A ball pressed a little into a plane has a contact with a radius of 8/3 times the mean depth
    // over the mean steepness; so have several, whatever their number. Where depths are level it is
    // no larger than that of one disc. (The border's length would tell, too, but jumps when slivers
    // come and go.) Contacts of less than a few faces are not told apart.
    result.radius = std::sqrt(result.area / std::numbers::pi);
    if (steepness > 0) result.radius = std::min(result.radius, 8.0 / 3 * all.depth / steepness);
    result.radius = std::max(result.radius, 1.5 * edge);
    double farthest = 0;
    Vec3 center = Vec3::Zero();
    for (std::size_t i = 0; i < result.samples.size(); ++i) {
        const DepthField::Sample& sample = result.samples[i];
        center += sample.area * sample.depth / all.depth * (varies ? places[i] : sample.position);
    }
    for (const auto& [a, b] : result.border) farthest = std::max(farthest, (a - center).norm());
    for (DepthField::Cell& cell : result.cells) {
        cell.position /= cell.sums.area;
        cell.direction.normalize();
    }
    result.compact = !(2 * farthest > whole_within * result.radius);
    make_grids(result);
}

double zone_threshold(const DepthStatistics& statistics, double apparent_stiffness) {
    const double mean = statistics.mean, deviation = statistics.deviation;
    const double flat = mean > 0 ? fades::flat_contact(deviation / mean) : 0;
    return std::max(0.0, mean + apparent_stiffness * deviation - 0.2 * flat * mean);
}

double zone_threshold_at(const DepthField& depths, const Vec3& position, const Vec3& inward,
                         ZoneThreshold kind, double apparent_stiffness) {
    if (kind == ZoneThreshold::global) return zone_threshold(depths.overall, apparent_stiffness);
    const DepthStatistics near = statistics_near(depths, position, inward);
    return (among_many + (1 - among_many) * near.share) * zone_threshold(near, apparent_stiffness);
}

} // namespace knead
