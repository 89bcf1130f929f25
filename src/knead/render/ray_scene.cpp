#include "knead/render/ray_scene.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace knead {
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

struct CollectingContext {
    RTCIntersectContext embree; ///< first, so that a pointer to it is one to the whole
    std::vector<RayHit>* hits;
};

// Embree shows each hit before it accepts it; refused, it goes on to the next.
void collect_and_refuse(const RTCFilterFunctionNArguments* arguments) {
    auto* context = reinterpret_cast<CollectingContext*>(arguments->context);
    const auto* ray = reinterpret_cast<const RTCRay*>(arguments->ray);
    const auto* hit = reinterpret_cast<const RTCHit*>(arguments->hit);
    context->hits->push_back(to_hit(*hit, ray->tfar));
    arguments->valid[0] = 0;
}

} // namespace

struct RayScene::Handles {
    struct Release {
        void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
        void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
        void operator()(RTCGeometry geometry) const { rtcReleaseGeometry(geometry); }
    };
    template <typename Handle>
    using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release>;

    Owned<RTCDevice> device{rtcNewDevice(nullptr)};
    Owned<RTCScene> scene;
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

void RayScene::commit() {
    // One thread builds the tree: the order of faces in its leaves, which decides between surfaces
    // at exactly the same distance, would otherwise depend on the number of threads.
    const ThreadLimit one(1);
    rtcCommitScene(handles_->scene.get());
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
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(handles_->scene.get(), &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
    return to_hit(query.hit, query.ray.tfar);
}

bool RayScene::blocked(const Ray& ray) const {
    RTCRay query;
    set_ray(query, ray);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(handles_->scene.get(), &context, &query);
    return query.tfar < 0;
}

void RayScene::all_hits(const Ray& ray, std::vector<RayHit>& hits) const {
    hits.clear();
    RTCRayHit query;
    set_ray(query.ray, ray);
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    CollectingContext context;
    rtcInitIntersectContext(&context.embree);
    context.embree.filter = collect_and_refuse;
    context.hits = &hits;
    rtcIntersect1(handles_->scene.get(), &context.embree, &query);
}

} // namespace knead
