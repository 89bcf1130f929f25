#include "knead/scene/time_method.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

namespace knead {

std::unique_ptr<TimeMethod> make_time_method(const LoadedScene& scene, Method method) {
    switch (method) {
    case Method::dynamics:
        return make_dynamics(scene);
    case Method::implicit:
        return make_implicit(scene);
    case Method::deform:
        break;
    }
    throw InputError(fmt::format("{}: method: found {}, expected one that depends on time",
                                 scene.scene.path, method_name(method)));
}

} // namespace knead
