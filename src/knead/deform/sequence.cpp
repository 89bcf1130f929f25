#include "knead/deform/sequence.hpp"

#include "knead/base/error.hpp"
#include "knead/contact/fades.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace knead {

namespace {

struct Orders {
    std::span<const double> depths;
    double deepest;
    const ResolveOne& resolve;

    ResolvedObjects run(std::span<const int> contacts, const ResolvedObjects& before) const {
        if (contacts.empty()) return before;
        double next = 0;
        for (const int c : contacts) next = std::max(next, depths[c]);
        // How much each one may be the next: all of those that are about as deep as the deepest.
        std::vector<double> chances;
        double sum = 0;
        for (const int c : contacts)
            sum +=
                chances.emplace_back(1 - fades::next_deepest((next - depths[c]) / (0.2 * deepest)));
        // From what was before, so that what does not move keeps its bits.
        ResolvedObjects mean = before;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            if (chances[k] == 0) continue;
            std::vector<int> rest(contacts.begin(), contacts.end());
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
            ResolvedObjects after = run(rest, resolve(before, contacts[k]));
            if (chances[k] == sum) return after;
            const double part = chances[k] / sum;
            for (std::size_t i = 0; i < after.positions.size(); ++i) {
                mean.volume_changes[i] +=
                    part * (after.volume_changes[i] - before.volume_changes[i]);
                for (std::size_t v = 0; v < after.positions[i].size(); ++v)
                    mean.positions[i][v] += part * (after.positions[i][v] - before.positions[i][v]);
            }
        }
        return mean;
    }
};

bool share_an_object(const std::array<int, 2>& a, const std::array<int, 2>& b,
                     std::span<const char> moves) {
    return std::any_of(a.begin(), a.end(), [&](int object) {
        return moves[object] && (b[0] == object || b[1] == object);
    });
}

// Those that share an object that moves, or are linked by others that do.
std::vector<std::vector<int>> linked_contacts(std::span<const int> contacts,
                                              std::span<const std::array<int, 2>> objects,
                                              std::span<const char> moves) {
    std::vector<std::vector<int>> groups;
    for (const int c : contacts) {
        std::vector<int> linked = {c};
        std::erase_if(groups, [&](const std::vector<int>& group) {
            if (std::none_of(group.begin(), group.end(), [&](int other) {
                    return share_an_object(objects[c], objects[other], moves);
                }))
                return false;
            linked.insert(linked.end(), group.begin(), group.end());
            return true;
        });
        std::sort(linked.begin(), linked.end());
        groups.push_back(std::move(linked));
    }
    return groups;
}

} // namespace

std::vector<ContactSequence> find_sequences(std::span<const std::array<int, 2>> objects,
                                            std::span<const double> depths,
                                            const DistanceOfContact& distance,
                                            std::span<const char> moves) {
    std::vector<ContactSequence> sequences;
    std::vector<int> all(objects.size());
    std::iota(all.begin(), all.end(), 0);
    // Which of them may touch changes from frame to frame. What is deep is told by all that are
    // ever linked, so that it does not jump with that.
    for (std::vector<int>& group : linked_contacts(all, objects, moves)) {
        double deepest = 0;
        for (const int c : group) deepest = std::max(deepest, depths[c]);
        if (!(deepest > 0)) continue;
        // 0 when they are further apart than bulges reach.
        const double reach = 2 * deepest;
        std::map<int, double> nearness_of;
        for (const int c : group)
            nearness_of[c] = 1 - fades::joins_sequence(distance(c, reach) / deepest);
        const auto nearness = [&](int c) { return nearness_of.at(c); };
        std::erase_if(group, [&](int c) { return !(nearness(c) > 0); });
        for (std::vector<int>& linked : linked_contacts(group, objects, moves)) {
            if (static_cast<int>(linked.size()) > most_in_sequence)
                throw InputError(fmt::format(
                    "deform: found {} contacts ({}) that are linked by objects they share, "
                    "expected at most {} with the contact order deepest_first",
                    linked.size(), fmt::join(linked, ", "), most_in_sequence));
            if (linked.size() < 2) continue;
            ContactSequence& sequence = sequences.emplace_back();
            for (const int c : linked) {
                double nearest = 0;
                for (const int other : linked)
                    if (other != c && share_an_object(objects[c], objects[other], moves))
                        nearest = std::max(nearest, nearness(other));
                sequence.nearness.push_back(std::min(nearest, nearness(c)));
            }
            sequence.contacts = std::move(linked);
            sequence.deepest = deepest;
        }
    }
    return sequences;
}

ResolvedObjects resolve_in_sequence(const ContactSequence& sequence, std::span<const double> depths,
                                    const ResolvedObjects& before, const ResolveOne& resolve) {
    return Orders{depths, sequence.deepest, resolve}.run(sequence.contacts, before);
}

} // namespace knead
