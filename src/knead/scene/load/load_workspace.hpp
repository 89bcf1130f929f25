#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace knead {

/// What loading keeps from one version of a scene to the next, for a host whose user edits it:
/// meshes, paintings and skins, by the words of the scene and the state of the files that they were
/// made from. Nothing it keeps changes a result. See `load_scene`.
class LoadWorkspace {
public:
    /// What was kept under that key, or null. Every kind of thing has keys of its own.
    template <typename T>
    std::shared_ptr<const T> find(const std::string& key) {
        const std::lock_guard guard(lock_);
        const auto found = kept_.find(key);
        if (found == kept_.end()) return nullptr;
        found->second.wanted = true;
        return std::static_pointer_cast<const T>(found->second.thing);
    }
    template <typename T>
    void keep(const std::string& key, std::shared_ptr<const T> thing) {
        const std::lock_guard guard(lock_);
        kept_[key] = {std::move(thing), true};
    }
    template <typename T, typename Make>
    std::shared_ptr<const T> find_or_make(const std::string& key, const Make& make) {
        std::shared_ptr<const T> thing = find<T>(key);
        if (thing == nullptr) keep(key, thing = std::make_shared<const T>(make()));
        return thing;
    }
    /// Lets go of what nobody asked for since the last time.
    void forget_unwanted() {
        const std::lock_guard guard(lock_);
        std::erase_if(kept_, [](const auto& entry) { return !entry.second.wanted; });
        for (auto& [key, entry] : kept_) entry.wanted = false;
    }

private:
    struct Kept {
        std::shared_ptr<const void> thing;
        bool wanted = false;
    };
    std::mutex lock_;
    std::map<std::string, Kept> kept_;
};

} // namespace knead
