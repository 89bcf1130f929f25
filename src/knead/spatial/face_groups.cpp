#include "knead/spatial/face_groups.hpp"

namespace knead {

FaceGroups group_faces(const BoxTree& tree, int size) {
    std::vector<int> count(tree.nodes.size());
    for (std::size_t n = tree.nodes.size(); n-- > 0;) {
        const BoxTree::Node& node = tree.nodes[n];
        count[n] = node.count > 0 ? node.count : count[node.first] + count[node.first + 1];
    }
    FaceGroups groups;
    std::vector<int> open, inside;
    if (!tree.empty()) open.push_back(0);
    while (!open.empty()) {
        const int top = open.back();
        open.pop_back();
        const BoxTree::Node& node = tree.nodes[top];
        if (count[top] > size && node.count == 0) {
            open.insert(open.end(), {node.first, node.first + 1});
            continue;
        }
        groups.nodes.push_back(top);
        inside.assign(1, top);
        while (!inside.empty()) {
            const BoxTree::Node& below = tree.nodes[inside.back()];
            inside.pop_back();
            if (below.count == 0) {
                inside.insert(inside.end(), {below.first, below.first + 1});
                continue;
            }
            const auto items = tree.items_of(below);
            groups.faces.items.insert(groups.faces.items.end(), items.begin(), items.end());
        }
        groups.faces.starts.push_back(static_cast<int>(groups.faces.items.size()));
    }
    return groups;
}

} // namespace knead
