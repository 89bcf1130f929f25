#include "knead/spatial/box_tree.hpp"

#include "knead/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace knead {
namespace {

constexpr int leaf_size = 4;
constexpr int bin_count = 16;
// Below this depth groups are halved by count, so that at most 31 more levels follow.
constexpr int max_heuristic_depth = BoxTree::max_depth - 32;
// Groups of this size are divided on one thread each.
constexpr int task_size = 16384;

struct Item {
    Box box;
    Vec3 center;
    int index;
};

struct Group {
    int begin, end, node, depth;

    int size() const { return end - begin; }
};

double half_area(const Box& box) {
    const Vec3 s = box.upper - box.lower;
    return s.x() * s.y() + s.y() * s.z() + s.z() * s.x();
}

struct Bin {
    Box box;
    int count = 0;
};

// The first bin of the upper half in the cheapest division; what it costs to visit a half is
// taken as its surface area times its number of items.
int cheapest_division(const std::array<Bin, bin_count>& bins) {
    std::array<double, bin_count> upper_cost{};
    Bin upper;
    for (int i = bin_count - 1; i > 0; --i) {
        upper.box.include(bins[i].box);
        upper.count += bins[i].count;
        upper_cost[i] = upper.count > 0 ? half_area(upper.box) * upper.count : 0;
    }
    Bin lower;
    int best = 1;
    double best_cost = std::numeric_limits<double>::infinity();
    for (int i = 1; i < bin_count; ++i) {
        lower.box.include(bins[i - 1].box);
        lower.count += bins[i - 1].count;
        const double cost =
            upper_cost[i] + (lower.count > 0 ? half_area(lower.box) * lower.count : 0);
        if (lower.count > 0 && cost < best_cost) {
            best = i;
            best_cost = cost;
        }
    }
    return best;
}

// Reorders the group and tells where its upper half begins.
int divide(std::span<Item> items, const Group& group) {
    const auto begin = items.begin() + group.begin, end = items.begin() + group.end;
    Box centers;
    for (auto item = begin; item != end; ++item) centers.include(item->center);
    int axis;
    const double extent = centers.size().maxCoeff(&axis);
    const double origin = centers.lower[axis];

    const double scale = bin_count / extent;
    if (std::isnormal(scale) && group.depth < max_heuristic_depth) {
        const auto bin_of = [&](const Item& item) {
            return std::min(bin_count - 1, static_cast<int>((item.center[axis] - origin) * scale));
        };
        std::array<Bin, bin_count> bins;
        for (auto item = begin; item != end; ++item) {
            Bin& bin = bins[bin_of(*item)];
            bin.box.include(item->box);
            ++bin.count;
        }
        const int split = cheapest_division(bins);
        const auto middle =
            std::partition(begin, end, [&](const Item& item) { return bin_of(item) < split; });
        if (middle != begin && middle != end) return static_cast<int>(middle - items.begin());
    }
    const int middle = group.begin + group.size() / 2;
    std::nth_element(begin, items.begin() + middle, end, [&](const Item& a, const Item& b) {
        return a.center[axis] != b.center[axis] ? a.center[axis] < b.center[axis]
                                                : a.index < b.index;
    });
    return middle;
}

// Divides the group of the last node of `nodes` until groups are leaves, or no larger than
// `smallest`, in which case they are handed to `postponed`.
void divide_all(std::span<Item> items, const Group& whole, int smallest,
                std::vector<BoxTree::Node>& nodes, std::vector<Group>* postponed) {
    std::vector<Group> stack{whole};
    while (!stack.empty()) {
        const Group group = stack.back();
        stack.pop_back();
        nodes[group.node] = {group.begin, group.size()};
        if (group.size() <= leaf_size) continue;
        if (postponed && group.size() <= smallest) {
            postponed->push_back(group);
            continue;
        }
        const int middle = divide(items, group);
        const int child = static_cast<int>(nodes.size());
        nodes[group.node] = {child, 0};
        nodes.resize(nodes.size() + 2);
        stack.push_back({middle, group.end, child + 1, group.depth + 1});
        stack.push_back({group.begin, middle, child, group.depth + 1});
    }
}

} // namespace

BoxTree build_box_tree(std::span<const Box> item_boxes) {
    BoxTree tree;
    if (item_boxes.empty()) return tree;
    const int count = static_cast<int>(item_boxes.size());
    std::vector<Item> items(item_boxes.size());
    parallel_for(items.size(), 16384, [&](std::size_t i) {
        items[i] = {item_boxes[i], 0.5 * item_boxes[i].lower + 0.5 * item_boxes[i].upper,
                    static_cast<int>(i)};
    });

    // The top of the tree on this thread, the branches below it in parallel.
    std::vector<Group> branches;
    tree.nodes.resize(1);
    divide_all(items, {0, count, 0, 0}, task_size, tree.nodes, &branches);
    std::vector<std::vector<BoxTree::Node>> grown(branches.size());
    parallel_for(branches.size(), 1, [&](std::size_t i) {
        Group root = branches[i];
        root.node = 0;
        grown[i].reserve(static_cast<std::size_t>(root.size()));
        grown[i].resize(1);
        divide_all(items, root, 0, grown[i], nullptr);
    });
    for (std::size_t i = 0; i < branches.size(); ++i) {
        // All nodes of a branch but its root, which has its place already, go to the end.
        const int offset = static_cast<int>(tree.nodes.size()) - 1;
        for (std::size_t n = 0; n < grown[i].size(); ++n) {
            BoxTree::Node node = grown[i][n];
            if (node.count == 0) node.first += offset;
            if (n == 0)
                tree.nodes[branches[i].node] = node;
            else
                tree.nodes.push_back(node);
        }
    }
    tree.items.reserve(items.size());
    for (const Item& item : items) tree.items.push_back(item.index);
    return tree;
}

BoxTree tree_of_some(const BoxTree& tree, std::span<const int> starts) {
    const auto count = [&](int item) { return starts[item + 1] - starts[item]; };
    std::vector<int> kept(tree.nodes.size(), 0);
    for (std::size_t n = tree.nodes.size(); n-- > 0;) {
        const BoxTree::Node& node = tree.nodes[n];
        if (node.count == 0)
            kept[n] = kept[node.first] + kept[node.first + 1];
        else
            for (const int item : tree.items_of(node)) kept[n] += count(item);
    }
    BoxTree result;
    if (tree.empty() || kept[0] == 0) return result;
    std::vector<int> source{0}; // of each new node
    std::vector<int> open;
    result.nodes.emplace_back();
    for (std::size_t n = 0; n < source.size(); ++n) {
        int from = source[n];
        while (tree.nodes[from].count == 0) {
            const int first = tree.nodes[from].first;
            if (kept[first] > 0 && kept[first + 1] > 0) break;
            from = kept[first] > 0 ? first : first + 1;
        }
        if (tree.nodes[from].count == 0 && kept[from] > leaf_size) {
            result.nodes[n].first = static_cast<int>(source.size());
            source.insert(source.end(), {tree.nodes[from].first, tree.nodes[from].first + 1});
            result.nodes.resize(source.size());
            continue;
        }
        result.nodes[n] = {static_cast<int>(result.items.size()), kept[from]};
        open.assign(1, from);
        while (!open.empty()) {
            const BoxTree::Node& node = tree.nodes[open.back()];
            open.pop_back();
            if (node.count == 0) {
                open.insert(open.end(), {node.first + 1, node.first});
                continue;
            }
            for (const int item : tree.items_of(node))
                for (int i = starts[item]; i < starts[item + 1]; ++i) result.items.push_back(i);
        }
    }
    return result;
}

} // namespace knead
