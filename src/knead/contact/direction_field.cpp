#include "knead/contact/direction_field.hpp"

#include "knead/base/lanes.hpp"
#include "knead/contact/fades.hpp"
#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Of the lengths that are tried, each half of the one before; the last is taken as it is.
constexpr int last_level = 4;

// A place that is deep looks about as far as this many times its depth, at least: there the nearest
// surface may be on any side of it.
constexpr double depths_about = 1.5;

// How far a ray may go, by what is deep about the place and by the place's own depth: along its
// direction a contact is little longer than it is deep, and what a ray meets beyond half of its
// reach counts less and less. A ring's far side is further away, so that none of its rays gets
// there.
constexpr double reach_in_mean_depths = 6, reach_in_own_depths = 3;

Vec3 normalized_or(const Vec3& direction, const Vec3& otherwise) {
    const double length = direction.norm();
    return length > 1e-9 ? Vec3(direction / length) : otherwise;
}

// Sums over cells, each times its weight.
enum Sum { s_weight, s_nx, s_ny, s_nz, s_squares, s_depth, sum_count };

struct CellColumns {
    const double *x, *y, *z;
    std::array<const double*, sum_count> summed; ///< what each sum is of
};

// Weighted by 1 / (1 + d^2 / r^2)^3, four cells at a time; columns are filled up with cells of no
// weight.
KNEAD_FOR_AVX2_TOO
void sum_cells(const CellColumns& cells, std::size_t count, const double* place,
               double per_squared_radius, double* sums) {
    Lanes4 total[sum_count] = {};
    for (std::size_t i = 0; i < count; i += 4) {
        Lanes4 x, y, z, value;
        __builtin_memcpy(&x, cells.x + i, sizeof x);
        __builtin_memcpy(&y, cells.y + i, sizeof y);
        __builtin_memcpy(&z, cells.z + i, sizeof z);
        x -= place[0];
        y -= place[1];
        z -= place[2];
        const Lanes4 fall = 1.0 / (1.0 + (x * x + y * y + z * z) * per_squared_radius);
        const Lanes4 kernel = fall * fall * fall;
        for (int k = 0; k < sum_count; ++k) {
            __builtin_memcpy(&value, cells.summed[k] + i, sizeof value);
            total[k] += kernel * value;
        }
    }
    for (int k = 0; k < sum_count; ++k)
        sums[k] = (total[k][0] + total[k][1]) + (total[k][2] + total[k][3]);
}

} // namespace

LocalDirection between(const LocalDirection& own, const LocalDirection& other, double t) {
    if (t == 0) return own;
    if (t == 1) return other;
    return {normalized_or((1 - t) * own.direction + t * other.direction, own.direction),
            (1 - t) * own.reach + t * other.reach};
}

// About a place, weighted by distance.
struct DirectionField::Sums {
    std::array<double, sum_count> of;

    NormalStatistics normals() const {
        NormalStatistics result;
        result.area = of[s_weight];
        if (!(result.area > 0)) return result;
        const Vec3 sum(of[s_nx], of[s_ny], of[s_nz]);
        const double length = sum.norm();
        if (length > 0) result.mean = sum / length;
        result.agreement = length / result.area;
        result.variation =
            std::max(0.0, of[s_squares] / result.area - (sum / result.area).squaredNorm());
        return result;
    }
};

void DirectionField::add_cells(const DirectionPart& part, Cells& cells) {
    const Surface& surface = *part.surface;
    const SurfaceStructure& structure = *surface.structure;
    for (std::vector<double>* column : cells.columns()) column->clear();
    std::vector<int> place_of(structure.cell_count, -1); // of a cell in the columns
    const std::span<const Triangle> faces = surface.faces();
    for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
        const CutFace cut = cut_face(*part.part, f, faces, surface.topology());
        if (cut.count == 0) continue;
        int& place = place_of[structure.face_cells[f]];
        if (place < 0) {
            place = static_cast<int>(cells.size());
            cells.add();
        }
        for_each_triangle(cut, [&](const std::array<CutCorner, 3>& triangle, double weight) {
            std::array<Vec3, 3> p, n;
            std::array<double, 3> depth;
            for (int c = 0; c < 3; ++c) {
                p[c] = triangle[c].of<Vec3>(surface.positions);
                n[c] = triangle[c].of<Vec3>(part.normals);
                // At the cut it is 0, whatever the depths of the vertices beside it.
                depth[c] = triangle[c].edge < 0 ? part.depth[triangle[c].a] : 0;
            }
            const double third = weight * area_vector(p[0], p[1], p[2]).norm() / 6;
            for (int c = 0; c < 3; ++c) {
                const int next = (c + 1) % 3;
                const double w = third * 0.5 * (depth[c] + depth[next]);
                const Vec3 at = 0.5 * (p[c] + p[next]), normal = 0.5 * (n[c] + n[next]);
                cells.x[place] += w * at.x();
                cells.y[place] += w * at.y();
                cells.z[place] += w * at.z();
                cells.weight[place] += w;
                cells.normal_x[place] += w * normal.x();
                cells.normal_y[place] += w * normal.y();
                cells.normal_z[place] += w * normal.z();
                cells.squares[place] += w * normal.squaredNorm();
                cells.depth[place] += w * 0.5 * (depth[c] + depth[next]);
            }
        });
    }
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells.weight[i] > 0)
            for (auto* column : {&cells.x, &cells.y, &cells.z}) (*column)[i] /= cells.weight[i];
    while (cells.size() % 4 != 0) cells.add();
}

void DirectionField::rebuild(const std::array<DirectionPart, 2>& parts, const LocalDirection& whole,
                             double agreement, const KeptDirection& given) {
    whole_ = whole;
    given_ = given;
    agreement_ = agreement;
    double weight = 0, squares = 0;
    Vec3 sum = Vec3::Zero();
    for (int s = 0; s < 2; ++s) {
        Cells& cells = cells_[s];
        add_cells(parts[s], cells);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            weight += cells.weight[i];
            sum += cells.weight[i] * Vec3(cells.x[i], cells.y[i], cells.z[i]);
        }
    }
    radius_ = 0;
    if (!(weight > 0)) return;
    const Vec3 middle = sum / weight;
    for (const Cells& cells : cells_)
        for (std::size_t i = 0; i < cells.size(); ++i)
            squares +=
                cells.weight[i] * (Vec3(cells.x[i], cells.y[i], cells.z[i]) - middle).squaredNorm();
    radius_ = std::sqrt(squares / weight);
}

DirectionField::Sums DirectionField::sums_about(const Cells& cells, const Vec3& place,
                                                double radius) const {
    Sums sums;
    sum_cells({cells.x.data(),
               cells.y.data(),
               cells.z.data(),
               {cells.weight.data(), cells.normal_x.data(), cells.normal_y.data(),
                cells.normal_z.data(), cells.squares.data(), cells.depth.data()}},
              cells.size(), place.data(), 1 / (radius * radius), sums.of.data());
    return sums;
}

double DirectionField::share_of_whole() const {
    return given_.kept + (1 - given_.kept) * fades::one_direction(agreement_);
}

LocalDirection DirectionField::at(const Vec3& place, double depth) const {
    // Of the lengths tried so far, how much is left for those to come.
    double left = 1 - fades::one_mean(agreement_);
    double reach_left = 1 - fades::one_direction(agreement_);
    Vec3 direction = (1 - left) * whole_.direction;
    double reach = (1 - reach_left) * whole_.reach;
    for (int level = 1; level <= last_level && reach_left > 0; ++level) {
        const double radius = std::hypot(radius_ * std::ldexp(2, -level), depths_about * depth);
        if (!(radius > 0)) break;
        const Sums first = sums_about(cells_[0], place, radius),
                   second = sums_about(cells_[1], place, radius);
        const NormalStatistics of_first = first.normals(), of_second = second.normals();
        const double agrees =
            level == last_level ? 1 : fades::one_mean(agreement_of(of_first, of_second));
        if (const std::optional<Vec3> mean = mapping_direction(of_first, of_second))
            direction += left * agrees * *mean;
        left *= 1 - agrees;
        const double weight = of_first.area + of_second.area;
        const double mean_depth =
            weight > 0 ? (first.of[s_depth] + second.of[s_depth]) / weight : 0;
        reach +=
            reach_left * agrees * (reach_in_mean_depths * mean_depth + reach_in_own_depths * depth);
        reach_left *= 1 - agrees;
    }
    return between({normalized_or(direction, whole_.direction), reach}, given_.given, given_.kept);
}

void SideDirections::begin(const DirectionField& field, int side, std::span<const Vec3> places,
                           std::span<const double> depth) {
    field_ = &field;
    sign_ = side == 0 ? 1 : -1;
    places_ = places;
    depth_ = depth;
    is_known_.assign(places.size(), 0);
    known_.resize(places.size());
}

const LocalDirection& SideDirections::look_up(int vertex) {
    LocalDirection& local = known_[vertex];
    if (!is_known_[vertex]) {
        is_known_[vertex] = 1;
        local = field_->at(places_[vertex], depth_[vertex]);
        local.direction *= sign_;
    }
    return local;
}

} // namespace knead
