#pragma once

#include "knead/dynamics/body.hpp"

#include <array>
#include <map>
#include <set>

namespace knead::testing {

/// A ball of 1248 tetrahedra and 331 vertices: the cells of a 6 x 6 x 6 grid whose centres are in
/// the ball, as a body-centred lattice, its outer vertices moved onto the sphere. Those of the
/// surface come first.
inline BodyDefinition soft_ball(const std::string& name, const Vec3& center, double radius = 0.5) {
    constexpr int cells = 6;
    const double size = 2 * radius / cells;
    using Place = std::array<int, 3>; // in half cells
    std::set<Place> kept;
    for (int x = 0; x < cells; ++x)
        for (int y = 0; y < cells; ++y)
            for (int z = 0; z < cells; ++z) {
                const Vec3 middle = Vec3(x + 0.5, y + 0.5, z + 0.5) * size - Vec3::Constant(radius);
                if (middle.norm() <= radius) kept.insert({2 * x + 1, 2 * y + 1, 2 * z + 1});
            }
    std::vector<std::array<Place, 4>> tets;
    for (const Place& cell : kept)
        for (int axis = 0; axis < 3; ++axis) {
            Place next = cell, face = cell;
            next[axis] += 2;
            face[axis] += 1;
            if (!kept.contains(next)) continue;
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            const int around[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
            for (int i = 0; i < 4; ++i) {
                Place a = face, b = face;
                a[u] += around[i][0];
                a[v] += around[i][1];
                b[u] += around[(i + 1) % 4][0];
                b[v] += around[(i + 1) % 4][1];
                tets.push_back({cell, a, b, next});
            }
        }
    std::map<Place, int> numbers;
    for (const auto& tet : tets)
        for (const Place& place : tet) numbers.try_emplace(place, static_cast<int>(numbers.size()));
    std::vector<Tetrahedron> first_numbering;
    for (const auto& tet : tets)
        first_numbering.push_back(
            {numbers[tet[0]], numbers[tet[1]], numbers[tet[2]], numbers[tet[3]]});
    std::vector<Vec3> places(numbers.size());
    for (const auto& [place, number] : numbers)
        places[number] = Vec3(place[0], place[1], place[2]) * (0.5 * size) - Vec3::Constant(radius);

    std::vector<int> order(places.size(), -1);
    int next = 0;
    BodyDefinition body;
    body.name = name;
    const std::vector<Triangle> outside = boundary_faces(first_numbering);
    for (const Triangle& face : outside)
        for (const int v : face)
            if (order[v] < 0) order[v] = next++;
    const int surface = next;
    for (int& place : order)
        if (place < 0) place = next++;
    body.elements.emplace();
    body.elements->positions.resize(places.size());
    for (std::size_t v = 0; v < places.size(); ++v)
        body.elements->positions[order[v]] =
            center + (order[v] < surface ? Vec3(radius * places[v].normalized()) : places[v]);
    for (const Tetrahedron& tet : first_numbering)
        body.elements->tets.push_back({order[tet[0]], order[tet[1]], order[tet[2]], order[tet[3]]});
    for (const Triangle& face : outside)
        body.faces.push_back({order[face[0]], order[face[1]], order[face[2]]});
    body.positions.assign(body.elements->positions.begin(),
                          body.elements->positions.begin() + surface);
    return body;
}

} // namespace knead::testing
