#include "known_results.hpp"

#include "knead/base/file.hpp"
#include "knead/base/random.hpp"
#include "knead/io/mesh_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace knead {
namespace {

namespace fs = std::filesystem;

// Sums of all coordinates with signs drawn by lot. Whatever moves shows in them, by about as much
// as it moves; a hash of rounded positions would change on another processor, where results differ
// by 1e-9 and some coordinate is always about to be rounded the other way.
Vec3 fingerprint(const std::vector<std::vector<Vec3>>& objects) {
    Random signs(1);
    Vec3 sum = Vec3::Zero();
    for (const std::vector<Vec3>& positions : objects)
        for (const Vec3& p : positions)
            for (int k = 0; k < 3; ++k)
                for (const double coordinate : p)
                    sum[k] += signs.bits() & 1 ? coordinate : -coordinate;
    return sum;
}

const std::map<std::string, Vec3>& known_results() {
    static const std::map<std::string, Vec3> known = [] {
        std::map<std::string, Vec3> read;
        std::ifstream file(KNEAD_KNOWN_RESULTS);
        std::string demo, frame;
        Vec3 sum;
        while (file >> demo >> frame >> sum[0] >> sum[1] >> sum[2]) read[demo + ' ' + frame] = sum;
        return read;
    }();
    return known;
}

std::vector<fs::path> files_that_end(const fs::path& folder, const std::string& end) {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().filename().string().ends_with(end)) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

void expect_known_result(const std::string& demo, double frame,
                         const std::vector<std::vector<Vec3>>& objects, double tolerance) {
    ASSERT_FALSE(objects.empty());
    const Vec3 sum = fingerprint(objects);
    const std::string key = fmt::format("{} {}", demo, frame);
    const std::string line =
        fmt::format("{} {:.12g} {:.12g} {:.12g}\n", key, sum[0], sum[1], sum[2]);
    if (const char* renewed = std::getenv("KNEAD_RENEW_RESULTS")) {
        std::ofstream(renewed, std::ios::app) << line;
        return;
    }
    const auto known = known_results().find(key);
    ASSERT_NE(known, known_results().end()) << "not in known_results.txt: " << line;
    EXPECT_LT((sum - known->second).norm(), tolerance)
        << "the result has changed, by about this length; it is now\n"
        << line;
}

std::vector<std::vector<Vec3>> positions_of_frame(const fs::path& folder,
                                                  const std::string& frame_and_extension) {
    std::vector<std::vector<Vec3>> objects;
    for (const fs::path& file : files_that_end(folder, "." + frame_and_extension))
        objects.push_back(read_mesh(file).mesh.positions);
    return objects;
}

std::vector<std::vector<Vec3>> last_positions_of_caches(const fs::path& folder) {
    std::vector<std::vector<Vec3>> objects;
    for (const fs::path& file : files_that_end(folder, ".pc2")) {
        const std::string bytes = read_text_file(file);
        std::int32_t count = 0;
        std::memcpy(&count, bytes.data() + 16, 4); // behind the name and version of the format
        const std::size_t size = 12 * static_cast<std::size_t>(count);
        std::vector<Vec3>& positions = objects.emplace_back();
        for (std::size_t at = bytes.size() - size; at < bytes.size(); at += 12) {
            Eigen::Vector3f p;
            std::memcpy(p.data(), bytes.data() + at, 12);
            positions.push_back(p.cast<double>());
        }
    }
    return objects;
}

} // namespace knead
