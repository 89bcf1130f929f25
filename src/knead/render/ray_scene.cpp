#include "knead/render/ray_scene.hpp"

#include "knead/base/error.hpp"

#include <embree3/rtcore.h>
#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <map>
#include <new>

namespace knead {

/// What the callbacks know of a traced surface.
struct TracedGeometry {
    const TracedSurface* surface;
    std::vector<Box> boxes; ///< in the world, with a margin
    Vec3 center;
    double radius;
};

namespace {

void check(RTCDevice device) {
    const RTCError code = rtcGetDeviceError(device);
    if (code == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
    if (code != RTC_ERROR_NONE)
        throw Error(fmt::format("render: Embree reported error {}", static_cast<int>(code)));
}

void set_ray(RTCRay& out, const Ray& ray) {
    out.org_x = ray.origin.x();
    out.org_y = ray.origin.y();
    out.org_z = ray.origin.z();
    out.dir_x = ray.direction.x();
    out.dir_y = ray.direction.y();
    out.dir_z = ray.direction.z();
    out.tnear = ray.near;
    out.tfar = ray.far;
    out.time = 0;
    out.mask = ~0u;
    out.id = 0;
    out.flags = 0;
}

RayHit to_hit(const RTCHit& hit, float t) {
    return {static_cast<int>(hit.geomID),
            static_cast<int>(hit.primID),
            t,
            hit.u,
            hit.v,
            Vec3f(hit.Ng_x, hit.Ng_y, hit.Ng_z).normalized()};
}

// What goes along with a ray and comes to the callbacks.
struct RayContext : RTCIntersectContext {
    std::vector<RayHit>* hits = nullptr; ///< when all are wanted
    Vec3 point = Vec3::Zero();           ///< in the world, of the last hit on a traced surface
    std::exception_ptr failure;          ///< Embree must not be left by an exception

    RayContext() { rtcInitIntersectContext(this); }
    void rethrow_failure() const {
        if (failure) std::rethrow_exception(failure);
    }
};

// Embree shows each hit before it accepts it; refused, it goes on to the next.
void collect_and_refuse(const RTCFilterFunctionNArguments* arguments) {
    auto* context = static_cast<RayContext*>(arguments->context);
    const auto* ray = reinterpret_cast<const RTCRay*>(arguments->ray);
    const auto* hit = reinterpret_cast<const RTCHit*>(arguments->hit);
    context->hits->push_back(to_hit(*hit, ray->tfar));
    arguments->valid[0] = 0;
}

// Far above the rounding of single precision, so that what lies on the box is found.
constexpr double box_margin = 1e-6;

// Narrows [near, far] to where the ray is in the box. False when nothing is left.
bool narrow_to_box(const Box& box, const Vec3& origin, const Vec3& direction, double& near,
                   double& far) {
    for (int i = 0; i < 3; ++i) {
        if (direction[i] == 0) {
            if (origin[i] < box.lower[i] || origin[i] > box.upper[i]) return false;
            continue;
        }
        const auto [in, out] = std::minmax(
            {(box.lower[i] - origin[i]) / direction[i], (box.upper[i] - origin[i]) / direction[i]});
        near = std::max(near, in);
        far = std::min(far, out);
    }
    return near <= far;
}

struct TracedHit {
    float t;
    Vec3 normal;
    Vec3 point;
};

// The ray is single precision; from there on, all is double.
std::optional<TracedHit> trace(const TracedGeometry& traced, unsigned box, const RTCRay& ray) {
    const Vec3 origin = traced.center + traced.radius * Vec3(ray.org_x, ray.org_y, ray.org_z);
    const Vec3 along(ray.dir_x, ray.dir_y, ray.dir_z);
    const double length = along.norm(), scale = length * traced.radius;
    const Vec3 direction = along / length;
    double near = scale * ray.tnear, far = scale * ray.tfar;
    if (!narrow_to_box(traced.boxes[box], origin, direction, near, far)) return std::nullopt;
    const auto crossing = traced.surface->first_crossing(origin, direction, near, far);
    if (!crossing || !(crossing->t >= near && crossing->t <= far)) return std::nullopt;
    // A place without a normal, such as the tip of a cone, is lit as if it faced the eye.
    const double size = crossing->normal.norm();
    const bool has_normal = size > 0 && std::isfinite(size);
    return TracedHit{std::clamp(static_cast<float>(crossing->t / scale), ray.tnear, ray.tfar),
                     has_normal ? Vec3(crossing->normal / size) : Vec3(-direction),
                     origin + crossing->t * direction};
}

std::optional<TracedHit> trace(const void* traced, unsigned box, const RTCRay& ray,
                               RayContext& context) {
    if (context.hits || context.failure) return std::nullopt;
    try {
        return trace(*static_cast<const TracedGeometry*>(traced), box, ray);
    } catch (...) {
        context.failure = std::current_exception();
        return std::nullopt;
    }
}

void bound_traced(const RTCBoundsFunctionArguments* arguments) {
    const auto& traced = *static_cast<const TracedGeometry*>(arguments->geometryUserPtr);
    const Box& box = traced.boxes[arguments->primID];
    const Vec3f lower = ((box.lower - traced.center) / traced.radius).cast<float>();
    const Vec3f upper = ((box.upper - traced.center) / traced.radius).cast<float>();
    *arguments->bounds_o = {lower.x(), lower.y(), lower.z(), 0, upper.x(), upper.y(), upper.z(), 0};
}

void intersect_traced(const RTCIntersectFunctionNArguments* arguments) {
    if (arguments->valid[0] == 0) return;
    auto& context = *static_cast<RayContext*>(arguments->context);
    auto& [ray, hit] = *reinterpret_cast<RTCRayHit*>(arguments->rayhit);
    const auto found = trace(arguments->geometryUserPtr, arguments->primID, ray, context);
    if (!found) return;
    ray.tfar = found->t;
    hit.geomID = arguments->geomID;
    hit.primID = arguments->primID;
    hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    hit.u = hit.v = 0;
    const Vec3f normal = found->normal.cast<float>();
    hit.Ng_x = normal.x();
    hit.Ng_y = normal.y();
    hit.Ng_z = normal.z();
    context.point = found->point;
}

void occlude_traced(const RTCOccludedFunctionNArguments* arguments) {
    if (arguments->valid[0] == 0) return;
    auto& ray = *reinterpret_cast<RTCRay*>(arguments->ray);
    auto& context = *static_cast<RayContext*>(arguments->context);
    if (trace(arguments->geometryUserPtr, arguments->primID, ray, context))
        ray.tfar = -std::numeric_limits<float>::infinity();
}

} // namespace

struct RayScene::Handles {
    struct Release {
        void operator()(RTCDevice owned) const { rtcReleaseDevice(owned); }
        void operator()(RTCScene owned) const { rtcReleaseScene(owned); }
        void operator()(RTCGeometry owned) const { rtcReleaseGeometry(owned); }
    };
    template <typename Handle>
    using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release>;

    Owned<RTCDevice> device{rtcNewDevice(nullptr)};
    Owned<RTCScene> scene;
    std::map<int, TracedGeometry> traced; ///< by object; Embree holds pointers to them
    bool empty = true;
};

RayScene::RayScene() : handles_(std::make_unique<Handles>()) {
    if (!handles_->device) check(nullptr);
    handles_->scene.reset(rtcNewScene(handles_->device.get()));
    rtcSetSceneFlags(
        handles_->scene.get(),
        static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION));
    check(handles_->device.get());
}

RayScene::~RayScene() = default;
RayScene::RayScene(RayScene&&) noexcept = default;
RayScene& RayScene::operator=(RayScene&&) noexcept = default;

void RayScene::add(int object, std::span<const Vec3f> positions, std::span<const Triangle> faces) {
    if (faces.empty()) return;
    const RTCDevice device = handles_->device.get();
    const Handles::Owned<RTCGeometry> geometry(rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE));
    void* vertices = rtcSetNewGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_VERTEX, 0,
                                             RTC_FORMAT_FLOAT3, sizeof(Vec3f), positions.size());
    void* indices = rtcSetNewGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_INDEX, 0,
                                            RTC_FORMAT_UINT3, sizeof(Triangle), faces.size());
    check(device);
    for (float* next = static_cast<float*>(vertices); const Vec3f& position : positions)
        next = std::copy_n(position.data(), 3, next);
    std::memcpy(indices, faces.data(), faces.size_bytes());
    rtcCommitGeometry(geometry.get());
    rtcAttachGeometryByID(handles_->scene.get(), geometry.get(), static_cast<unsigned>(object));
    check(device);
    handles_->empty = false;
}

void RayScene::add(int object, const TracedSurface& surface, const Box& box, const Vec3& center,
                   double radius) {
    if (box.empty()) return;
    const RTCDevice device = handles_->device.get();
    const Handles::Owned<RTCGeometry> geometry(rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER));
    TracedGeometry& traced = handles_->traced[object];
    traced = {&surface, {}, center, radius};
    for (const Box& part : surface.boxes())
        traced.boxes.push_back(grown(part, box_margin * radius));
    rtcSetGeometryUserPrimitiveCount(geometry.get(), static_cast<unsigned>(traced.boxes.size()));
    rtcSetGeometryUserData(geometry.get(), &traced);
    rtcSetGeometryBoundsFunction(geometry.get(), bound_traced, nullptr);
    rtcSetGeometryIntersectFunction(geometry.get(), intersect_traced);
    rtcSetGeometryOccludedFunction(geometry.get(), occlude_traced);
    rtcCommitGeometry(geometry.get());
    rtcAttachGeometryByID(handles_->scene.get(), geometry.get(), static_cast<unsigned>(object));
    check(device);
    handles_->empty = false;
}

void RayScene::commit() {
    // One thread builds the tree: the order of faces in its leaves, which decides between surfaces
    // at exactly the same distance, would otherwise depend on the number of threads.
    tbb::task_arena one(1);
    one.execute([&] { rtcCommitScene(handles_->scene.get()); });
    check(handles_->device.get());
}

bool RayScene::empty() const {
    return handles_->empty;
}

std::optional<RayHit> RayScene::closest(const Ray& ray) const {
    RTCRayHit query;
    set_ray(query.ray, ray);
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    RayContext context;
    rtcIntersect1(handles_->scene.get(), &context, &query);
    context.rethrow_failure();
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
    RayHit hit = to_hit(query.hit, query.ray.tfar);
    if (handles_->traced.contains(hit.object)) {
        hit.face = -1;
        hit.point = context.point;
    }
    return hit;
}

bool RayScene::blocked(const Ray& ray) const {
    RTCRay query;
    set_ray(query, ray);
    RayContext context;
    rtcOccluded1(handles_->scene.get(), &context, &query);
    context.rethrow_failure();
    return query.tfar < 0;
}

void RayScene::all_hits(const Ray& ray, std::vector<RayHit>& hits) const {
    hits.clear();
    RTCRayHit query;
    set_ray(query.ray, ray);
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    RayContext context;
    context.filter = collect_and_refuse;
    context.hits = &hits;
    rtcIntersect1(handles_->scene.get(), &context, &query);
}

} // namespace knead
