#include "knead/deform/sequence.hpp"

#include "knead/base/smoothstep.hpp"

#include <algorithm>

namespace knead {

namespace {

struct Sequence {
    std::span<const double> depths;
    double deepest;
    const ResolveOne& resolve;

    AllPositions run(std::span<const int> contacts, const AllPositions& positions) const {
        if (contacts.empty()) return positions;
        double next = 0;
        for (const int c : contacts) next = std::max(next, depths[c]);
        // How much each one may be the next: all of those that are about as deep as the deepest.
        std::vector<double> chances;
        double sum = 0;
        for (const int c : contacts)
            sum += chances.emplace_back(1 - smoothstep((next - depths[c]) / (0.2 * deepest)));
        // From the positions before, so that what does not move keeps its bits.
        AllPositions mean = positions;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            if (chances[k] == 0) continue;
            std::vector<int> rest(contacts.begin(), contacts.end());
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
            AllPositions after = run(rest, resolve(positions, contacts[k]));
            if (chances[k] == sum) return after;
            for (std::size_t i = 0; i < after.size(); ++i)
                for (std::size_t v = 0; v < after[i].size(); ++v)
                    mean[i][v] += chances[k] / sum * (after[i][v] - positions[i][v]);
        }
        return mean;
    }
};

} // namespace

AllPositions resolve_in_sequence(std::span<const int> contacts, std::span<const double> depths,
                                 const AllPositions& positions, const ResolveOne& resolve) {
    double deepest = 0;
    for (const int c : contacts) deepest = std::max(deepest, depths[c]);
    if (!(deepest > 0)) return positions;
    return Sequence{depths, deepest, resolve}.run(contacts, positions);
}

} // namespace knead
