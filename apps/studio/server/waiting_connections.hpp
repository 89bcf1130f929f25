#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace knead::studio {

/// One of the context's places, which is given back when the last who shares it lets go.
using Place = std::shared_ptr<const void>;

/// Connections that have no request under way, and their places meanwhile: when all places are
/// taken, a new connection gets that of the one that has waited longest.
class WaitingConnections {
public:
    using Number = std::uint64_t;

    /// `close` is called when the place goes to another; it may be from any thread.
    Number add(Place place, std::function<void()> close) {
        const std::lock_guard guard(lock_);
        waiting_.emplace(++last_, Waiting{std::move(place), std::move(close)});
        return last_;
    }

    /// The place of one that is no longer waiting; null when another has got it.
    Place take_back(Number number) {
        const std::lock_guard guard(lock_);
        const auto found = waiting_.find(number);
        if (found == waiting_.end()) return nullptr;
        Place place = std::move(found->second.place);
        waiting_.erase(found);
        return place;
    }

    /// Null when none is waiting.
    Place take_from_oldest() {
        std::unique_lock guard(lock_);
        if (waiting_.empty()) return nullptr;
        Waiting oldest = std::move(waiting_.begin()->second);
        waiting_.erase(waiting_.begin());
        guard.unlock();
        oldest.close();
        return std::move(oldest.place);
    }

private:
    struct Waiting {
        Place place;
        std::function<void()> close;
    };

    std::mutex lock_;
    Number last_ = 0;
    std::map<Number, Waiting> waiting_; ///< the oldest first
};

} // namespace knead::studio
