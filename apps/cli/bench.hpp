#pragma once

#include "knead/scene/methods/deform/frame_solver.hpp"

#include <string>
#include <vector>

namespace knead::cli {

/// A demo with meshes as fine as those of a scene in [BBG21] table 1.
struct BenchScene {
    std::string name;
    std::string demo;
    std::vector<std::string> overrides;
};

const std::vector<BenchScene>& bench_scenes();

/// What a scene costs, as medians over the frames of its animation in which something touches.
struct BenchResult {
    std::string name;
    std::vector<int>
        working; ///< vertices of each object that deforms, where contacts are looked for
    std::vector<int> deformable; ///< and those that moved, in the frame with the most
    double milliseconds = 0;
    double reference_milliseconds = 0;    ///< of the factorisations
    double ratio = 0;                     ///< of one to the other, in pairs
    double last_pass_milliseconds = 0;    ///< of the frame
    double ratio_without = 0;             ///< as if the last pass was left out
    double low_ratio = 0, high_ratio = 0; ///< a quarter of the frames is below, and above
    std::vector<std::pair<std::string, double>> stages; ///< share of each
    double allocations = 0;    ///< of a frame, when everything has been seen once
    double bytes_a_vertex = 0; ///< at most in use at once, for the deformer and its frames
};

/// Runs the animation twice, the second time frame and reference by turns, both on one thread. The
/// reference is what the authors' method factorises with Eigen's SimplicialLDLT (AMD, analysed and
/// factorised): two systems of each working region and one of its deformable part.
BenchResult bench(const BenchScene& scene, int frames);

/// The same contact of two balls on ever finer meshes.
struct GrowthResult {
    int vertices = 0;
    double milliseconds = 0; ///< of a frame, when everything has been seen once: the median
};

std::vector<GrowthResult> bench_growth(int frames);

/// The power of the number of vertices that the time grows with, by least squares of logarithms.
double growth_exponent(const std::vector<GrowthResult>& results);

/// An animation, its frames one after the other on one thread and side by side on several.
struct SequenceResult {
    std::string name;
    int frames = 0, threads = 0;
    double one_milliseconds = 0, all_milliseconds = 0; ///< the best of three, by turns
};

/// `threads` 0 is all cores.
SequenceResult bench_sequence(const BenchScene& scene, int frames, int threads);

/// A contact on a body of a million vertices that moves as a whole, and on its surroundings alone.
struct BodyResult {
    int body_vertices = 0, region_vertices = 0;
    int moved_vertices = 0; ///< of the body, at most
    double body_milliseconds = 0, region_milliseconds = 0;
    double largest_difference = 0; ///< between the two results
};

BodyResult bench_body(int frames);

/// The value below which `part` of the values are.
double quantile(std::vector<double> values, double part);

} // namespace knead::cli
