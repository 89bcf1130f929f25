#include "knead/deform/sequence.hpp"

#include "knead/base/smoothstep.hpp"

#include <algorithm>

namespace knead {

namespace {

struct Sequence {
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
            sum += chances.emplace_back(1 - smoothstep((next - depths[c]) / (0.2 * deepest)));
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

} // namespace

ResolvedObjects resolve_in_sequence(std::span<const int> contacts, std::span<const double> depths,
                                    const AllPositions& positions, const ResolveOne& resolve) {
    const ResolvedObjects before{positions, std::vector<double>(positions.size(), 0)};
    double deepest = 0;
    for (const int c : contacts) deepest = std::max(deepest, depths[c]);
    if (!(deepest > 0)) return before;
    return Sequence{depths, deepest, resolve}.run(contacts, before);
}

} // namespace knead
