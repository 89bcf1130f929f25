#include "knead/base/parallel.hpp"
#include "knead/base/random.hpp"
#include "knead/spatial/box_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

// Every item in one leaf, children behind their parents, no branch too deep.
void expect_sound(const BoxTree& tree, std::size_t count) {
    std::vector<int> sorted = tree.items;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(sorted.size(), count);
    for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], static_cast<int>(i));

    std::vector<int> depth(tree.nodes.size(), 0);
    std::size_t in_leaves = 0;
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
        const BoxTree::Node& node = tree.nodes[n];
        ASSERT_LE(depth[n], BoxTree::max_depth);
        in_leaves += static_cast<std::size_t>(node.count);
        if (node.count > 0) continue;
        for (int child = node.first; child < node.first + 2; ++child) {
            ASSERT_GT(child, static_cast<int>(n));
            depth[child] = depth[n] + 1;
        }
    }
    ASSERT_EQ(in_leaves, count);
}

TEST(BoxTree, HoldsEveryItemOnce) {
    for (const int count : {1, 2, 4, 5, 100, 5000, 70000})
        expect_sound(build_box_tree(random_boxes(count, 3)), static_cast<std::size_t>(count));
}

TEST(BoxTree, OfNothingIsEmpty) {
    EXPECT_TRUE(build_box_tree({}).empty());
}

TEST(BoxTree, StaysShallowWhateverTheInput) {
    // Centres that all fall on one another, crowd towards a point, or differ by less than a bin.
    expect_sound(build_box_tree(std::vector<Box>(3000, box_at({1, 2, 3}, 1))), 3000);
    std::vector<Box> crowded;
    for (int i = 0; i < 1070; ++i)
        crowded.push_back(box_at({std::ldexp(1.0, -i), 0, 0}, std::ldexp(1.0, -i - 3)));
    expect_sound(build_box_tree(crowded), crowded.size());
    std::vector<Box> tiny;
    for (int i = 0; i < 500; ++i) tiny.push_back(box_at({i * 5e-324, 0, 0}, 0));
    expect_sound(build_box_tree(tiny), tiny.size());
    std::vector<Box> huge;
    for (int i = 0; i < 500; ++i)
        huge.push_back(box_at({i % 2 ? 1.5e308 : -1.5e308, i * 1.0, 0}, 0));
    expect_sound(build_box_tree(huge), huge.size());
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
