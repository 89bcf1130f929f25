#pragma once

#include "knead/bulge/bulge_mesh.hpp"
#include "knead/bulge/field_methods.hpp"
#include "knead/contact/contact_zone.hpp"

#include <Eigen/Core>

namespace knead {

/// Amplitude and slope at the zone's border points, one row each: the way to the contact surface,
/// and how fast it must shrink for the deformed surface to leave the contact surface tangentially.
/// Slopes come from the geometry at the border, never from neighbouring values of u, so that
/// nothing jumps when the border passes a vertex. Directions that turn as soon as they leave the
/// border, as transported ones do, change the slope. `edge` is that of the mesh.
Eigen::MatrixXd border_guides(const ContactZone& zone, const BulgeMesh& mesh,
                              const VertexNumber& extent, double edge,
                              DirectionMethod directions = DirectionMethod::blended);
/// The same in the first two columns of a matrix that is there.
void border_guides(const ContactZone& zone, const BulgeMesh& mesh, const VertexNumber& extent,
                   double edge, DirectionMethod directions, Eigen::Ref<Eigen::MatrixXd> guides);

} // namespace knead
