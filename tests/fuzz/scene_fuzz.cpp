// The scene reader: the scene, and after a zero byte, which no scene has, a change to it as by
// --set.
#include "knead/base/error.hpp"
#include "knead/scene/read/scene_file.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace knead;

void require(bool condition) {
    if (!condition) std::abort();
}

template <typename T>
void check(const Keyed<T>& keyed) {
    require(!keyed.values.empty());
    require(keyed.values.size() == 1 || keyed.frames.size() == keyed.values.size());
    for (std::size_t k = 1; k < keyed.frames.size(); ++k)
        require(keyed.frames[k - 1] < keyed.frames[k]);
    for (const double frame : {-1e9, 0.0, 1.5, 1e9}) keyed.at(frame);
}

// What a scene that was understood promises to those who run it.
void check(const Scene& scene) {
    require(scene.fps > 0 && std::isfinite(scene.fps));
    require(scene.frames.count() >= 1 && scene.frames.count() <= 1'000'000);
    require(!scene.objects.empty());
    for (const SceneObject& object : scene.objects) {
        require(!object.name.empty() && object.name.find('/') == std::string::npos);
        require(!object.mesh.empty() || !object.implicit.skeleton.empty());
        check(object.transform.translate);
        check(object.transform.rotate);
        check(object.transform.scale);
        check(object.stiffness.value);
        placement_at(scene, object, 1.5);
    }
    for (const ContactSpec& contact : contacts_of(scene)) {
        if (contact.apparent_stiffness) check(*contact.apparent_stiffness);
        for (const ContactSide& side : contact.between) side_name(scene, side);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const std::size_t zero = all.find('\0');
    SceneOptions options;
    if (zero != std::string_view::npos) options.overrides.emplace_back(all.substr(zero + 1));
    try {
        check(parse_scene(all.substr(0, zero), "fuzz.json", options));
    } catch (const InputError&) {
    }
    return 0;
}
