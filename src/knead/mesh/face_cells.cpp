#include "knead/mesh/face_cells.hpp"

#include <algorithm>
#include <array>

namespace knead {

std::vector<int> face_cells(const Topology& topology, int size) {
    std::vector<int> cell_of(topology.face_edges.size(), -1);
    std::vector<int> queue;
    int cells = 0;
    for (int seed = 0; seed < topology.face_count(); ++seed) {
        if (cell_of[seed] >= 0) continue;
        cell_of[seed] = cells;
        queue.assign(1, seed);
        for (std::size_t next = 0; next < queue.size() && static_cast<int>(queue.size()) < size;
             ++next) {
            // Neighbours by their numbers: the order of a face's edges is another one in a mirror.
            std::vector<int> neighbours;
            for (const int edge : topology.face_edges[queue[next]])
                for (const int face : topology.edge_faces[edge])
                    if (cell_of[face] < 0) neighbours.push_back(face);
            std::sort(neighbours.begin(), neighbours.end());
            for (const int face : neighbours) {
                if (cell_of[face] >= 0 || static_cast<int>(queue.size()) >= size) continue;
                cell_of[face] = cells;
                queue.push_back(face);
            }
        }
        ++cells;
    }
    return cell_of;
}

} // namespace knead
