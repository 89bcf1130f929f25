#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <limits>
#include <mutex>
#include <utility>

#include "guard.hpp"
#include "studio.hpp"
#include "waiting_connections.hpp"

namespace knead::studio {

/// A number of things that are there, with a most; several threads may come and go.
class Places {
public:
    explicit Places(int most) : most_(most) {}

    /// False when all are taken.
    bool take() {
        const std::lock_guard guard(lock_);
        if (taken_ == most_) return false;
        ++taken_;
        return true;
    }
    void give_back() {
        const std::lock_guard guard(lock_);
        --taken_;
        changed_.notify_all();
    }
    template <typename Duration>
    bool wait_until_empty(const Duration& patience) {
        std::unique_lock guard(lock_);
        return changed_.wait_for(guard, patience, [this] { return taken_ == 0; });
    }
    void wait_until_empty() {
        std::unique_lock guard(lock_);
        changed_.wait(guard, [this] { return taken_ == 0; });
    }

private:
    const int most_;
    int taken_ = 0;
    std::mutex lock_;
    std::condition_variable changed_;
};

class Session;

/// A file that can be fetched.
struct Download {
    std::string key; ///< of its address
    std::filesystem::path path;
    std::string name; ///< that it is saved under
};

/// What all connections of a studio share.
struct Context {
    explicit Context(StudioSettings asked_for) : settings(std::move(asked_for)) {}

    StudioSettings settings;
    Guard guard;
    std::filesystem::path folder;  ///< canonical; scenes are read from and written to below it
    std::filesystem::path scratch; ///< a folder of this studio's own, for what pages send
    Places connections{settings.limits.connections};
    WaitingConnections waiting_connections;
    Places sessions{settings.limits.sessions};
    Places workers{std::numeric_limits<int>::max()}; ///< threads of sessions
    std::atomic<std::uint32_t> meshes{0};            ///< that sessions have given a version

    std::mutex saving; ///< held from looking at a file to writing it
    std::mutex lock;   ///< of what follows
    std::vector<std::weak_ptr<Session>> open_sessions;
    std::deque<Download> downloads; ///< the oldest first
    std::string opening_key;        ///< lets one browser in without the token; empty: none
};

/// Null when all are taken.
inline Place take_place(std::shared_ptr<Context> context, Places Context::*of) {
    if (!((*context).*of).take()) return nullptr;
    const Context* key = context.get();
    return {key, [context = std::move(context), of](const void*) { ((*context).*of).give_back(); }};
}

} // namespace knead::studio
