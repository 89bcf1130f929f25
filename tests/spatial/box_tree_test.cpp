#include "knead/base/random.hpp"
#include "knead/spatial/box_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace knead {
namespace {

Box box_at(const Vec3& center, double half) {
    return {center - Vec3::Constant(half), center + Vec3::Constant(half)};
}

std::vector<Box> random_boxes(int count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Box> boxes;
    for (int i = 0; i < count; ++i)
        boxes.push_back(box_at(random.in_cube(10), random.uniform(0, 0.5)));
    return boxes;
}

std::vector<Box> fit(const BoxTree& tree, const std::vector<Box>& items) {
    std::vector<Box> boxes;
    refit(
        tree, [&](int item) { return items[item]; }, boxes);
    return boxes;
}

// Every item in one leaf, every node's box around what is below it, no branch too deep.
void expect_sound(const BoxTree& tree, const std::vector<Box>& items) {
    const std::vector<Box> boxes = fit(tree, items);
    ASSERT_EQ(boxes.size(), tree.nodes.size());
    std::vector<int> sorted = tree.items;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(sorted.size(), items.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], static_cast<int>(i));

    std::vector<int> depth(tree.nodes.size(), 0);
    std::size_t in_leaves = 0;
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
        const BoxTree::Node& node = tree.nodes[n];
        ASSERT_LE(depth[n], BoxTree::max_depth);
        Box around;
        if (node.count > 0) {
            for (const int item : tree.items_of(node)) around.include(items[item]);
            in_leaves += static_cast<std::size_t>(node.count);
        } else {
            for (int child = node.first; child < node.first + 2; ++child) {
                ASSERT_GT(child, static_cast<int>(n));
                depth[child] = depth[n] + 1;
                around.include(boxes[child]);
            }
        }
        ASSERT_EQ(around.lower, boxes[n].lower);
        ASSERT_EQ(around.upper, boxes[n].upper);
    }
    ASSERT_EQ(in_leaves, items.size());
}

TEST(BoxTree, HoldsEveryItemOnce) {
    for (const int count : {1, 2, 4, 5, 100, 5000, 70000})
        expect_sound(build_box_tree(random_boxes(count, 3)), random_boxes(count, 3));
}

TEST(BoxTree, OfNothingIsEmpty) {
    const BoxTree tree = build_box_tree({});
    EXPECT_TRUE(tree.empty());
    EXPECT_TRUE(fit(tree, {}).empty());
    int visits = 0;
    visit_overlaps(tree, {}, box_at(Vec3::Zero(), 1), [&](int) { ++visits; });
    visit_overlapping_leaves(tree, {}, tree, {}, [&](int, int) { ++visits; });
    EXPECT_EQ(visits, 0);
}

TEST(BoxTree, StaysShallowWhateverTheInput) {
    // Centres that all fall on one another, crowd towards a point, or differ by less than a bin.
    expect_sound(build_box_tree(std::vector<Box>(3000, box_at({1, 2, 3}, 1))),
                 std::vector<Box>(3000, box_at({1, 2, 3}, 1)));
    std::vector<Box> crowded;
    for (int i = 0; i < 1070; ++i)
        crowded.push_back(box_at({std::ldexp(1.0, -i), 0, 0}, std::ldexp(1.0, -i - 3)));
    expect_sound(build_box_tree(crowded), crowded);
    std::vector<Box> tiny;
    for (int i = 0; i < 500; ++i) tiny.push_back(box_at({i * 5e-324, 0, 0}, 0));
    expect_sound(build_box_tree(tiny), tiny);
    std::vector<Box> huge;
    for (int i = 0; i < 500; ++i)
        huge.push_back(box_at({i % 2 ? 1.5e308 : -1.5e308, i * 1.0, 0}, 0));
    expect_sound(build_box_tree(huge), huge);
}

TEST(BoxTree, FindsTheOverlapsOfBruteForce) {
    const std::vector<Box> items = random_boxes(3000, 5), others = random_boxes(1000, 6);
    const BoxTree tree = build_box_tree(items), other_tree = build_box_tree(others);
    const std::vector<Box> boxes = fit(tree, items), other_boxes = fit(other_tree, others);
    std::set<std::pair<int, int>> expected, by_query, by_pairs;
    for (int i = 0; i < 3000; ++i)
        for (int j = 0; j < 1000; ++j)
            if (items[i].overlaps(others[j])) expected.insert({i, j});
    for (int j = 0; j < 1000; ++j)
        visit_overlaps(tree, boxes, others[j], [&](int i) {
            if (items[i].overlaps(others[j])) {
                EXPECT_TRUE(by_query.insert({i, j}).second);
            }
        });
    visit_overlapping_leaves(tree, boxes, other_tree, other_boxes, [&](int a, int b) {
        for (const int i : tree.items_of(tree.nodes[a]))
            for (const int j : other_tree.items_of(other_tree.nodes[b]))
                if (items[i].overlaps(others[j])) {
                    EXPECT_TRUE(by_pairs.insert({i, j}).second);
                }
    });
    EXPECT_GT(expected.size(), 500u);
    EXPECT_EQ(by_query, expected);
    EXPECT_EQ(by_pairs, expected);
}

TEST(BoxTree, RefitFollowsItems) {
    std::vector<Box> items = random_boxes(2000, 7);
    const BoxTree tree = build_box_tree(items);
    for (Box& box : items) {
        box.lower += Vec3(1, 2, 3);
        box.upper += Vec3(1.5, 2, 3);
    }
    expect_sound(tree, items);
}

TEST(BoxTree, DoesNotDependOnThreads) {
    const std::vector<Box> items = random_boxes(60000, 8);
    std::vector<BoxTree> trees;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        trees.push_back(build_box_tree(items));
    }
    for (const BoxTree& tree : trees) {
        EXPECT_EQ(tree.items, trees[0].items);
        ASSERT_EQ(tree.nodes.size(), trees[0].nodes.size());
        for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
            ASSERT_EQ(tree.nodes[n].first, trees[0].nodes[n].first);
            ASSERT_EQ(tree.nodes[n].count, trees[0].nodes[n].count);
        }
    }
}

} // namespace
} // namespace knead
