// Measures continuous collision detection on published queries, beside additive advancement:
//
//     bench_collision_queries FOLDER

#include "spatial/collision_queries.hpp"

#include "knead/spatial/closest_point.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>

namespace knead {
namespace {

using testing::CollisionQuery;

double segment_distance(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
    const Vec3 u = p1 - p0, v = q1 - q0, w = p0 - q0, n = u.cross(v);
    const double squared = n.squaredNorm();
    const double s = v.cross(w).dot(n), t = u.cross(w).dot(n);
    if (s > 0 && t > 0 && s < squared && t < squared)
        return std::abs(w.dot(n)) / std::sqrt(squared);
    const auto to_segment = [](const Vec3& x, const Vec3& a, const Vec3& b) {
        return std::sqrt(closest_point_on_triangle(x, {a, b, b}).squared_distance);
    };
    return std::min({to_segment(p0, q0, q1), to_segment(p1, q0, q1), to_segment(q0, p0, p1),
                     to_segment(q1, p0, p1)});
}

double distance_at(const CollisionQuery& query, double time) {
    std::array<Vec3, 4> x;
    for (int i = 0; i < 4; ++i)
        x[i] = (1 - time) * query.points[i].start + time * query.points[i].end;
    return query.edges
               ? segment_distance(x[0], x[1], x[2], x[3])
               : std::sqrt(closest_point_on_triangle(x[0], {x[1], x[2], x[3]}).squared_distance);
}

// Additive advancement as in "Codimensional Incremental Potential Contact" (Li, Kaufman, Jiang
// 2021), algorithm 1: it stops when a tenth of the first distance is left. With as many steps as it
// wants it would not end on some queries; the limit is on the safe side.
std::optional<double> additive_advancement(const CollisionQuery& query) {
    constexpr double left = 0.1;
    std::array<Vec3, 4> moves;
    Vec3 mean = Vec3::Zero();
    for (int i = 0; i < 4; ++i) {
        moves[i] = query.points[i].end - query.points[i].start;
        mean += moves[i] / 4;
    }
    std::array<double, 4> speeds;
    for (int i = 0; i < 4; ++i) speeds[i] = (moves[i] - mean).norm();
    const double speed = query.edges
                             ? std::max(speeds[0], speeds[1]) + std::max(speeds[2], speeds[3])
                             : speeds[0] + std::max({speeds[1], speeds[2], speeds[3]});
    const double first = distance_at(query, 0);
    if (first == 0) return 0;
    if (speed == 0) return std::nullopt;
    double time = 0, distance = first;
    for (int step = 0; step < 1'000'000; ++step) {
        time += (1 - left) * distance / speed;
        if (time >= 1) return std::nullopt;
        distance = distance_at(query, time);
        if (distance < left * first) return time;
    }
    return time;
}

struct Figures {
    int misses = 0, false_positives = 0;
    std::vector<double> nanoseconds; ///< of each query, the median of several calls

    double at(double fraction) {
        const auto rank =
            static_cast<std::size_t>(fraction * static_cast<double>(nanoseconds.size() - 1));
        std::nth_element(nanoseconds.begin(),
                         nanoseconds.begin() + static_cast<std::ptrdiff_t>(rank),
                         nanoseconds.end());
        return nanoseconds[rank];
    }
    void add(const Figures& other) {
        misses += other.misses;
        false_positives += other.false_positives;
        nanoseconds.insert(nanoseconds.end(), other.nanoseconds.begin(), other.nanoseconds.end());
    }
};

// Queries take turns, so that none finds the processor prepared by itself.
template <typename Method>
Figures measure(const std::vector<CollisionQuery>& queries, int rounds, const Method& method) {
    using Clock = std::chrono::steady_clock;
    Figures figures;
    std::vector<std::vector<double>> times(queries.size());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t q = 0; q < queries.size(); ++q) {
            const auto start = Clock::now();
            const bool hit = method(queries[q]).has_value();
            const auto end = Clock::now();
            times[q].push_back(std::chrono::duration<double, std::nano>(end - start).count());
            if (round > 0) continue;
            figures.misses += queries[q].collides && !hit;
            figures.false_positives += !queries[q].collides && hit;
        }
    for (auto& of_query : times) {
        std::nth_element(of_query.begin(), of_query.begin() + rounds / 2, of_query.end());
        figures.nanoseconds.push_back(of_query[static_cast<std::size_t>(rounds / 2)]);
    }
    return figures;
}

void print(const std::string& name, std::size_t count, std::size_t positive, Figures ours,
           Figures additive) {
    fmt::print(
        "| {} | {} | {} | {} | {} | {:.0f} | {:.0f} | {:.0f} | {} | {} | {:.0f} | {:.0f} |\n", name,
        count, positive, ours.misses, ours.false_positives, ours.at(0.5), ours.at(0.99), ours.at(1),
        additive.misses, additive.false_positives, additive.at(0.5), additive.at(0.99));
}

void run(const std::filesystem::path& folder) {
    fmt::print("| queries | number | collide | missed | false | median ns | p99 ns | most ns | "
               "additive: missed | "
               "false | median ns | p99 ns |\n| --- |{}\n",
               " ---: |---: |---: |---: |---: |---: |---: |---: |---: |---: |---: |");
    constexpr int rounds = 51;
    Figures ours, additive;
    std::size_t count = 0, positive = 0;
    for (const auto& file : testing::read_query_folder(folder)) {
        const auto& queries = file.queries;
        const Figures mine =
            measure(queries, rounds, [](const CollisionQuery& q) { return q.impact(); });
        const Figures theirs = measure(queries, rounds, additive_advancement);
        const auto hits = static_cast<std::size_t>(std::count_if(
            queries.begin(), queries.end(), [](const auto& q) { return q.collides; }));
        print(file.name, queries.size(), hits, mine, theirs);
        count += queries.size();
        positive += hits;
        ours.add(mine);
        additive.add(theirs);
    }
    if (count > 0) print("all", count, positive, ours, additive);
}

} // namespace
} // namespace knead

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: bench_collision_queries FOLDER\n");
        return 2;
    }
    try {
        knead::run(argv[1]);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 3;
    }
}
