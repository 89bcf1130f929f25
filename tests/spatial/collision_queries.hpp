#pragma once

#include "knead/base/error.hpp"
#include "knead/spatial/continuous_collision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <istream>
#include <sstream>
#include <string>
#include <vector>

namespace knead::testing {

/// A pair of features over a step with the true answer, as in the queries published with "A
/// Large-scale Benchmark and an Inclusion-based Algorithm for Continuous Collision Detection"
/// (Wang et al. 2021).
struct CollisionQuery {
    /// Vertex and face, or the ends of one edge and then of the other.
    std::array<LinearMotion, 4> points;
    bool edges = false;
    bool collides = false;
    /// No coordinate was rounded by more than this. Where it is not 0, whether the query collides
    /// is only known of points within this cube.
    double rounding = 0;

    std::optional<double> impact() const {
        const auto& [a, b, c, d] = points;
        // Two points that were rounded may have come apart by two diagonals.
        const double distance = 4 * rounding;
        return edges ? edge_edge_impact({a, b}, {c, d}, distance)
                     : vertex_face_impact(a, {b, c, d}, distance);
    }
};

/// Reads eight lines a query: the four points at the start, then at the end; numerator and
/// denominator of x, y, z, then 1 if they collide.
inline std::vector<CollisionQuery> read_queries(std::istream& in, bool edges,
                                                const std::string& name) {
    std::vector<CollisionQuery> queries;
    std::string line, cell;
    for (int row = 0; std::getline(in, line); ++row) {
        std::vector<std::string> cells;
        std::stringstream cut(line);
        while (std::getline(cut, cell, ',')) cells.push_back(cell);
        if (cells.size() != 7)
            throw InputError(
                fmt::format("{}:{}: {} cells, expected 7", name, row + 1, cells.size()));
        if (row % 8 == 0) {
            queries.emplace_back();
            queries.back().edges = edges;
            queries.back().collides = cells[6] == "1";
        }
        CollisionQuery& query = queries.back();
        LinearMotion& point = query.points[row % 4];
        Vec3& position = row % 8 < 4 ? point.start : point.end;
        for (int k = 0; k < 3; ++k) {
            // A quotient of numbers that doubles hold is rounded once, if at all.
            bool exact = true;
            const auto number = [&](const std::string& digits) {
                const double value = std::strtod(digits.c_str(), nullptr);
                exact = exact && fmt::format("{:.0f}", value) == digits;
                return value;
            };
            const double top = number(cells[2 * k]), bottom = number(cells[2 * k + 1]);
            position[k] = top / bottom;
            exact = exact && std::fma(position[k], bottom, -top) == 0;
            // Numerator, denominator and quotient, half a unit in the last place each.
            if (!exact) query.rounding = std::max(query.rounding, 0x1p-51 * std::abs(position[k]));
        }
    }
    return queries;
}

struct QueryFile {
    std::string name; ///< dataset and kind of pair
    std::vector<CollisionQuery> queries;
};

/// The files DATASET/edge-edge/*.csv and DATASET/vertex-face/*.csv of a folder, those of a dataset
/// and kind together, in order of their names.
inline std::vector<QueryFile> read_query_folder(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".csv") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<QueryFile> files;
    for (const auto& path : paths) {
        const auto kind = path.parent_path();
        const std::string name = (kind.parent_path().filename() / kind.filename()).generic_string();
        if (files.empty() || files.back().name != name) files.push_back({name, {}});
        std::ifstream in(path);
        const auto queries = read_queries(in, kind.filename() == "edge-edge", path.string());
        files.back().queries.insert(files.back().queries.end(), queries.begin(), queries.end());
    }
    return files;
}

} // namespace knead::testing
