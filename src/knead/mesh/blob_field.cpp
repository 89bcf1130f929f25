#include "knead/mesh/blob_field.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory_resource>
#include <numeric>

namespace knead {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A sharp crease cannot be meshed well; half an edge of rounding cannot be seen.
constexpr double least_blend_per_edge = 0.5;
// Blocks that may hold the surface, and segments that matter in them, counted block by block. The
// largest blobs have a tenth of that; with a blend of many edges, blocks that the surface is
// nowhere near cannot be told from others.
constexpr std::size_t max_blocks = 1'000'000, max_candidates = 50'000'000;

struct Term {
    double distance;
    double count;
    double weight = 0; ///< its share of the gradient, filled in by `smooth_minimum`
};

// See BlobField. Only terms with a weight other than zero move the result.
double smooth_minimum(std::span<Term> terms, double blend) {
    // At least one term counts.
    Term* nearest = terms.data();
    for (Term& term : terms)
        if (term.count > 0 && (!(nearest->count > 0) || term.distance < nearest->distance))
            nearest = &term;
    const double smallest = nearest->distance;
    const bool alone = std::none_of(terms.begin(), terms.end(), [&](const Term& term) {
        return term.distance < smallest + blend && &term != nearest;
    });
    double v = smallest, slope = 0;
    // Where the sum is convex in v, which it is unless several closed rings lie within the blend,
    // Newton's method comes down to the root without passing it.
    for (int step = 0; !alone && step < 30; ++step) {
        double excess = -1;
        slope = 0;
        for (Term& term : terms) {
            const double t = std::max(0.0, 1 - (term.distance - v) / blend);
            term.weight = term.count * t * t;
            excess += term.weight * t;
            slope += term.weight;
        }
        const double change = excess * blend / (3 * slope);
        if (!(change > 1e-15 * blend)) break;
        v = std::max(v - change, smallest - blend);
    }
    if (v < smallest && slope > 0) {
        for (Term& term : terms) term.weight /= slope;
    } else {
        for (Term& term : terms) term.weight = 0;
        nearest->weight = 1;
    }
    return v;
}

// How far a smooth minimum of `count` terms can lie below the smallest of them.
double largest_drop(int count, double blend) {
    return blend * (1 - 1 / std::cbrt(std::max(1, count)));
}

std::uint64_t block_key(const std::array<int, 3>& block) {
    return static_cast<std::uint64_t>(block[0]) << 42 | static_cast<std::uint64_t>(block[1]) << 21 |
           static_cast<std::uint64_t>(block[2]);
}

} // namespace

RoundedCone::RoundedCone(const Vec3& from, double from_radius, const Vec3& to, double to_radius)
    : from_(from), from_radius_(from_radius), to_radius_(to_radius) {
    const double length = (to - from).norm();
    if (length <= std::abs(from_radius - to_radius)) {
        if (to_radius > from_radius) from_ = to;
        from_radius_ = to_radius_ = std::max(from_radius, to_radius);
        return;
    }
    length_ = length;
    axis_ = (to - from) / length;
    sine_ = (from_radius - to_radius) / length;
    cosine_ = std::sqrt(1 - sine_ * sine_);
}

// In the half-plane through the axis, with x the distance from it and y the height over `from`, the
// side is a straight line; `along` runs along it from where it touches the first ball.
double RoundedCone::distance(const Vec3& point) const {
    const Vec3 offset = point - from_;
    const double y = offset.dot(axis_), x = (offset - y * axis_).norm();
    const double along = y * cosine_ - x * sine_;
    if (along <= 0) return offset.norm() - from_radius_;
    if (along >= length_ * cosine_) return (offset - length_ * axis_).norm() - to_radius_;
    return x * cosine_ + y * sine_ - from_radius_;
}

Vec3 RoundedCone::gradient(const Vec3& point) const {
    const Vec3 offset = point - from_;
    const double y = offset.dot(axis_);
    const Vec3 radial = offset - y * axis_;
    const double x = radial.norm(), along = y * cosine_ - x * sine_;
    if (along <= 0) return offset.normalized();
    if (along >= length_ * cosine_) return (offset - length_ * axis_).normalized();
    return radial.normalized() * cosine_ + axis_ * sine_;
}

BlobField::BlobField(const BlobSettings& settings, double cell)
    : blend_(std::max(settings.blend, least_blend_per_edge * settings.edge)),
      part_blend_(std::max(settings.part_blend, least_blend_per_edge * settings.edge)) {
    add_primitives(settings);
    all_.resize(primitives_.size());
    std::iota(all_.begin(), all_.end(), 0);

    Box box;
    for (const BlobSegment& segment : settings.segments)
        if (!segment.carve) {
            const Vec3 a = Vec3::Constant(segment.from_radius),
                       b = Vec3::Constant(segment.to_radius);
            box.include(Box{segment.from - a, segment.from + a});
            box.include(Box{segment.to - b, segment.to + b});
        }
    size_ = box.diagonal();
    const double margin = blend_ + part_blend_ + 2 * settings.edge;
    grid_.cell = cell;
    grid_.origin = box.lower - Vec3::Constant(margin);
    int blocks = 1;
    while (blocks * grid_.block_size() < box.size().maxCoeff() + 2 * margin) blocks *= 2;
    find_blocks({{0, 0, 0}, blocks}, all_);
    for (std::size_t b = 0; b < grid_.blocks.size(); ++b)
        block_of_.emplace(block_key(grid_.blocks[b]), static_cast<int>(b));
}

void BlobField::add_primitives(const BlobSettings& settings) {
    const auto& segments = settings.segments;
    std::map<std::string, int> part_numbers;
    for (const BlobSegment& segment : segments)
        if (!segment.carve)
            part_numbers.try_emplace(segment.part, static_cast<int>(part_numbers.size()));
    carving_ = static_cast<int>(part_numbers.size());

    // Who ends where: at one point and in one part, the largest ball first.
    struct End {
        double radius;
        int segment;
    };
    std::map<std::array<double, 4>, std::vector<End>> joints;
    for (int s = 0; s < static_cast<int>(segments.size()); ++s) {
        const BlobSegment& segment = segments[s];
        const int part = segment.carve ? carving_ : part_numbers.at(segment.part);
        primitives_.push_back(
            {RoundedCone(segment.from, segment.from_radius, segment.to, segment.to_radius), s, part,
             1});
        const auto joint = [&](const Vec3& p) -> std::vector<End>& {
            return joints[{static_cast<double>(part), p.x(), p.y(), p.z()}];
        };
        if (segment.from == segment.to) {
            joint(segment.from).push_back({std::max(segment.from_radius, segment.to_radius), s});
        } else {
            joint(segment.from).push_back({segment.from_radius, s});
            joint(segment.to).push_back({segment.to_radius, s});
        }
    }
    for (auto& [key, ends] : joints) {
        std::stable_sort(ends.begin(), ends.end(),
                         [](const End& a, const End& b) { return a.radius > b.radius; });
        const Vec3 centre(key[1], key[2], key[3]);
        for (std::size_t i = 1; i < ends.size(); ++i)
            primitives_.push_back({RoundedCone(centre, ends[i].radius, centre, ends[i].radius),
                                   ends[i].segment, static_cast<int>(key[0]), -1});
    }
    std::stable_sort(primitives_.begin(), primitives_.end(),
                     [](const Primitive& a, const Primitive& b) { return a.part < b.part; });
}

// Distances change by at most the radius of the ball around the node, and a smooth minimum lies at
// most its blend below the smallest; what those bounds rule out is left behind, and the rest gives
// the same bits as the whole.
void BlobField::find_blocks(const Node& node, const std::vector<int>& candidates) {
    const double side = node.blocks * grid_.block_size() + grid_.cell;
    const Vec3 centre = grid_.origin +
                        grid_.block_size() * Vec3(node.first[0], node.first[1], node.first[2]) +
                        Vec3::Constant(0.5 * side);
    const double reach = (0.5 * std::sqrt(3.0) + 1e-6) * (side + grid_.cell);

    // Part by part: what is too far from the nearest of its part to pull at it goes.
    struct Part {
        int number;
        std::vector<int> members;
        double low, high; ///< bounds of its smooth minimum
    };
    std::vector<Part> parts;
    for (std::size_t begin = 0, end = 0; begin < candidates.size(); begin = end) {
        Part part{primitives_[candidates[begin]].part, {}, 0, infinity};
        std::vector<double> distances;
        for (; end < candidates.size() && primitives_[candidates[end]].part == part.number; ++end) {
            distances.push_back(primitives_[candidates[end]].cone.distance(centre));
            part.high = std::min(part.high, distances.back());
        }
        int count = 0;
        for (std::size_t i = begin; i < end; ++i)
            if (distances[i - begin] <= part.high + 2 * reach + blend_) {
                part.members.push_back(candidates[i]);
                if (primitives_[candidates[i]].count > 0) ++count;
            }
        part.low = part.high - largest_drop(count, blend_) - reach;
        part.high += reach;
        parts.push_back(std::move(part));
    }
    // The same among the parts, and then between what is there and what is carved.
    double solid_low = infinity, solid_high = infinity, carved_low = infinity;
    for (const Part& part : parts)
        if (part.number != carving_) solid_high = std::min(solid_high, part.high);
    int count = 0;
    for (const Part& part : parts) {
        if (part.number == carving_) {
            carved_low = part.low;
        } else if (part.low <= solid_high + part_blend_) {
            solid_low = std::min(solid_low, part.low);
            ++count;
        }
    }
    solid_low -= largest_drop(count, part_blend_);
    const bool carves = carved_low <= part_blend_ - solid_low;
    if (solid_low > 0) return;
    if (solid_high < 0 && !(carves && carved_low <= part_blend_)) return;
    std::vector<int> kept;
    for (const Part& part : parts)
        if (part.number == carving_ ? carves : part.low <= solid_high + part_blend_)
            kept.insert(kept.end(), part.members.begin(), part.members.end());
    if (node.blocks == 1) {
        candidate_count_ += kept.size();
        if (grid_.blocks.size() == max_blocks || candidate_count_ > max_candidates)
            throw InputError(fmt::format(
                "blob: with a blend of {} and a part_blend of {} its surface may be in more than "
                "{} blocks of {}^3 cells of {:.3g}, or near too many segments in each; expected "
                "less blend, a longer edge or fewer segments",
                shortest(blend_), shortest(part_blend_), max_blocks,
                IsosurfaceGrid::cells_per_block, grid_.cell));
        grid_.blocks.push_back(node.first);
        block_candidates_.push_back(std::move(kept));
        return;
    }
    const int half = node.blocks / 2;
    for (int child = 0; child < 8; ++child) {
        std::array<int, 3> first = node.first;
        for (int axis = 0; axis < 3; ++axis)
            if ((child >> axis & 1) != 0) first[axis] += half;
        find_blocks({first, half}, kept);
    }
}

std::span<const int> BlobField::candidates(const Vec3& point) const {
    const Vec3 block = (point - grid_.origin) / grid_.block_size();
    if (!(block.minCoeff() >= 0) || block.maxCoeff() >= IsosurfaceGrid::max_cells) return all_;
    const auto found = block_of_.find(block_key(
        {static_cast<int>(block[0]), static_cast<int>(block[1]), static_cast<int>(block[2])}));
    return found == block_of_.end() ? all_ : block_candidates_[found->second];
}

BlobField::Sides BlobField::sides(const Vec3& point, std::span<const int> candidates) const {
    // Room on the stack for what is near a point of any reasonable blob; more goes to the heap.
    std::array<std::byte, 4096> room;
    std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
    std::pmr::vector<Term> terms(&memory), parts(&memory);
    std::pmr::vector<Vec3> gradients(&memory);
    terms.reserve(candidates.size());

    Sides result;
    result.solid.value = result.carved.value = infinity;
    for (std::size_t begin = 0; begin < candidates.size();) {
        const int part = primitives_[candidates[begin]].part;
        std::size_t end = begin;
        terms.clear();
        for (; end < candidates.size() && primitives_[candidates[end]].part == part; ++end) {
            const Primitive& primitive = primitives_[candidates[end]];
            terms.push_back({primitive.cone.distance(point), primitive.count});
        }
        Sample joined;
        joined.value = smooth_minimum(terms, blend_);
        for (std::size_t i = 0; i < terms.size(); ++i)
            if (terms[i].weight != 0)
                joined.gradient +=
                    terms[i].weight * primitives_[candidates[begin + i]].cone.gradient(point);
        if (part == carving_) {
            result.carved = joined;
        } else {
            parts.push_back({joined.value, 1});
            gradients.push_back(joined.gradient);
        }
        begin = end;
    }
    if (parts.empty()) return result;
    result.solid.value = smooth_minimum(parts, part_blend_);
    for (std::size_t i = 0; i < parts.size(); ++i)
        result.solid.gradient += parts[i].weight * gradients[i];
    return result;
}

BlobField::Sample BlobField::at(const Vec3& point) const {
    const auto [solid, carved] = sides(point, candidates(point));
    if (carved.value == infinity) return solid;
    // The larger of a and -b is the smaller of -a and b, turned round.
    std::array<Term, 2> terms{Term{-solid.value, 1}, Term{carved.value, 1}};
    Sample result;
    result.value = -smooth_minimum(terms, part_blend_);
    result.gradient = terms[0].weight * solid.gradient - terms[1].weight * carved.gradient;
    return result;
}

Vec3 BlobField::project(const Vec3& point) const {
    Vec3 result = point;
    for (int step = 0; step < 30; ++step) {
        const Sample sample = at(result);
        const double square = sample.gradient.squaredNorm();
        if (!(square > 1e-12)) break;
        // Between things closer than their blend the gradient nearly vanishes, and a whole step
        // would lead far away.
        Vec3 change = -sample.value / square * sample.gradient;
        const double length = change.norm();
        if (length > 0.5 * grid_.cell) change *= 0.5 * grid_.cell / length;
        result += change;
        if ((result - point).norm() > 2 * grid_.cell) break;
        // What a step leaves is about the square of what it found.
        if (length <= 1e-8 * grid_.cell) return result;
    }
    return point;
}

int BlobField::nearest_segment(const Vec3& point) const {
    const std::span<const int> near = candidates(point);
    const auto [solid, carved] = sides(point, near);
    const bool in_pit = -carved.value > solid.value;
    int nearest = -1;
    double smallest = infinity;
    for (const int p : near) {
        const Primitive& primitive = primitives_[p];
        if (primitive.count < 0 || (primitive.part == carving_) != in_pit) continue;
        const double distance = primitive.cone.distance(point);
        if (distance < smallest) {
            smallest = distance;
            nearest = primitive.segment;
        }
    }
    return nearest;
}

} // namespace knead
