#include "knead/bulge/border_guides.hpp"

#include "knead/bulge/transported_directions.hpp"
#include "knead/spatial/point_grid.hpp"

namespace knead {
namespace {

// The border's conormals, out of the zone, one in each face that it passes through and as long as
// it is there.
class BorderConormals {
public:
    BorderConormals(const ContactZone& zone, const BulgeMesh& mesh, double edge) : edge_(edge) {
        places_.reserve(zone.border.size());
        conormals_.reserve(zone.border.size());
        for (std::size_t f = 0; f < mesh.faces.size(); ++f) add(f, zone, mesh);
        grid_.rebuild(places_, edge);
    }

    // Their mean over an edge's length of border: a border that passes a vertex has many short
    // pieces there, of no sure direction.
    Vec3 at(const Vec3& position) const {
        Vec3 sum = Vec3::Zero();
        double length = 0;
        grid_.for_each_near(position, [&](int i) {
            const double s = 1 - (places_[i] - position).squaredNorm() / (edge_ * edge_);
            if (s <= 0) return;
            sum += s * s * conormals_[i];
            length += s * s * conormals_[i].norm();
        });
        return length > 0 ? Vec3(sum / length) : Vec3(Vec3::Zero());
    }

private:
    void add(std::size_t f, const ContactZone& zone, const BulgeMesh& mesh) {
        const Triangle& face = mesh.faces[f];
        const int in = zone.inside[face[0]] + zone.inside[face[1]] + zone.inside[face[2]];
        if (in == 0 || in == 3) return;
        int odd = 0;
        while (zone.inside[face[odd]] != (in == 1)) ++odd;
        const int first = zone.border_of_edge[mesh.topology->face_edges[f][odd]];
        const int second = zone.border_of_edge[mesh.topology->face_edges[f][(odd + 2) % 3]];
        const Vec3 &corner = mesh.positions[face[odd]], &from = zone.border[first].position,
                   &to = zone.border[second].position;
        const Vec3 normal = (mesh.positions[face[(odd + 1) % 3]] - corner)
                                .cross(mesh.positions[face[(odd + 2) % 3]] - corner)
                                .normalized();
        Vec3 conormal = (to - from).cross(normal);
        const bool towards_odd = conormal.dot(corner - from) > 0;
        if (towards_odd == (in == 1)) conormal = -conormal;
        places_.push_back(0.5 * (from + to));
        conormals_.push_back(conormal);
    }

    double edge_;
    std::vector<Vec3> places_, conormals_;
    PointGrid grid_;
};

} // namespace

void border_guides(const ContactZone& zone, const BulgeMesh& mesh, const VertexNumber& extent,
                   double edge, DirectionMethod directions, Guides guides) {
    const BorderConormals conormals(zone, mesh, edge);
    for (std::size_t i = 0; i < zone.border.size(); ++i) {
        const ZoneBorderPoint& point = zone.border[i];
        const Vec3 &n = point.normal, &target = point.target_normal;
        const Vec3 gradient = -(target - n * n.dot(target)) / point.outward.dot(target);
        const Vec3 away = conormals.at(point.position);
        const double reach = extent.at(mesh.topology->edges[point.on_edge.edge], point.on_edge.t);
        const double amplitude = (point.position - point.target).dot(point.outward);
        double steepness = gradient.dot(away);
        if (directions == DirectionMethod::transported)
            steepness += amplitude / point.outward.dot(target) *
                         direction_change(point, away, reach, mesh.positions, mesh.normals,
                                          mesh.faces, *mesh.topology)
                             .dot(target);
        guides.amplitude[i] = amplitude;
        guides.slope[i] = reach * steepness;
        if (guides.has_outward()) guides.set_outward(i, point.outward);
    }
}

} // namespace knead
