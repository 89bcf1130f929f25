// What the deformer's last pass costs: two meshes of about 10,000 vertices, two soft
// balls, one of them rigid, and a ball on a rigid floor, over a motion, one thread.

#include "knead/base/parallel.hpp"
#include "knead/deform/deform.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/spatial/depth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <vector>

namespace {

using namespace knead;

struct Case {
    const char* name;
    std::array<TriangleMesh, 2> meshes;
    bool rigid = false; ///< the second
};

TriangleMesh turned(TriangleMesh mesh, const Vec3& to) {
    Affine3 place = Affine3::Identity();
    place.translate(to).rotate(Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()));
    transform(mesh, place);
    return mesh;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Of this thread, which other programs do not change.
double processor_milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

void measure(const Case& bench) {
    Deformer deformer(bench.meshes);
    std::array<std::vector<double>, 2> milliseconds;
    std::vector<double> pass;
    std::array<int, 2> crossings{};
    DeformResult result;
    std::array<TriangleMesh, 2> after = bench.meshes;
    for (int frame = 0; frame < 40; ++frame) {
        std::vector<Vec3> posed = bench.meshes[0].positions;
        for (Vec3& p : posed) p.y() -= 0.05 + 0.3 * frame / 40;
        std::array<DeformObject, 2> objects{DeformObject{posed},
                                            DeformObject{bench.meshes[1].positions}};
        objects[1].settings.rigid = bench.rigid;
        std::array<double, 2> spent{};
        for (const int again : {0, 1})
            for (const int on : {0, 1}) {
                DeformContact contact;
                contact.crossing_free = on == 1;
                const double begin = processor_milliseconds();
                deformer.deform(objects, std::span(&contact, 1), ContactOrder::together, result);
                if (again == 0) continue; // what is in the cache then is there for both
                spent[on] = processor_milliseconds() - begin;
                milliseconds[on].push_back(spent[on]);
                for (int i = 0; i < 2; ++i) after[i].positions = result.objects[i].positions;
                crossings[on] += measure_penetration(after[0], after[1]).crossings;
            }
        pass.push_back(spent[1] - spent[0]);
    }
    fmt::print("{:<26} {:>6} {:>6}  pass {:5.2f} ms, longest {:5.2f}, of {:6.2f} ms: {:4.1f} %   "
               "crossings {} -> {}\n",
               bench.name, bench.meshes[0].vertex_count(), bench.meshes[1].vertex_count(),
               median(pass), *std::max_element(pass.begin(), pass.end()), median(milliseconds[1]),
               100 * median(pass) / median(milliseconds[1]), crossings[0], crossings[1]);
}

} // namespace

int main() {
    const ThreadLimit limit(1);
    const TriangleMesh ball = turned(make_sphere(1, 5), {0.013, 2, 0.007});
    measure({"two balls", {ball, turned(make_sphere(1, 5), {0.05, 0, 0.03})}});
    measure({"a ball on a rigid floor",
             {turned(make_sphere(1, 5), {0.013, 1, 0.007}), make_grid({5, 5}, {100, 100})},
             true});
    measure({"a rigid ball in a ball", {ball, turned(make_sphere(1, 5), {0.05, 0, 0.03})}, true});
}
