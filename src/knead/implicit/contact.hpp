#pragma once

#include "knead/implicit/deformed_field.hpp"
#include "knead/implicit/samples.hpp"

namespace knead {

/// What touches: a solid with its samples, where it is.
struct SampledSolid {
    PlacedField placed;
    const Samples* samples = nullptr;
    bool rigid = false;
};

/// A sample of one solid that is in another, moved against its normal to the surface on which both
/// press: where f_i = f_j or, against a rigid solid, where f_j = 1.
struct ContactPoint {
    int sample = -1;
    Vec3 position = Vec3::Zero();
    /// f_i - 1, the force per area there. Negative for samples around the contact, which are not in
    /// the other solid; contact ends where it passes 0.
    double pressure = 0;
    Vec3 slope = Vec3::Zero(); ///< of the pressure, along the contact surface
    double depth = 0;          ///< how far it was moved; negative outwards
    double stiffness = 0;      ///< how fast the pressure grows when both come nearer
    bool resolved = true;      ///< false: no such place before the skeleton
};

/// Of one sample, which is in the other solid; position and normal are those at rest, in the world.
ContactPoint contact_point(const SampledSolid& self, const SampledSolid& other, int sample,
                           const Vec3& position, const Vec3& normal);

/// The samples of a solid that are in another, and those around them that share a triangle.
struct PressedSide {
    std::vector<ContactPoint> points; ///< ascending by sample
    int deepest = -1;                 ///< the sample with the largest pressure
    double pressure = 0;              ///< that pressure
    int in_contact = 0;               ///< points that are in the other solid

    const ContactPoint* find(int sample) const;
};

/// `around` also looks at the samples around the contact, which forces need.
PressedSide press_side(const SampledSolid& self, const SampledSolid& other, bool around = true);

/// Whether any sample of one is in the other: first those that were deepest the last time (-1: none
/// was), then all.
bool interpenetrate(const SampledSolid& a, const SampledSolid& b,
                    const std::array<int, 2>& deepest = {-1, -1});

/// A piece of a contact surface.
struct ContactElement {
    Vec3 point = Vec3::Zero();  ///< where the pressure acts as a whole
    Vec3 normal = Vec3::Zero(); ///< the way in which the first solid is pushed, unit
    double area = 0;
    double pressure = 0;  ///< its mean
    double stiffness = 0; ///< mean
};

/// What two solids do to each other.
struct SolidContact {
    int first = -1, second = -1;
    std::array<PressedSide, 2> sides; ///< of the first and of the second
    /// The contact surface, cut where the pressure ends. Where both solids give way it is the mean
    /// of what the samples of both tell, the finer ones counting for more.
    std::vector<ContactElement> elements;
    double area = 0;
    double pressure = 0;             ///< the largest
    std::array<double, 2> crushed{}; ///< part of the thickness of each that is pressed away
    int unresolved = 0;              ///< samples for which no contact surface was found
    Vec3 force = Vec3::Zero();       ///< on the first, by pressure alone

    bool touches() const { return !elements.empty(); }
};

/// Two rigid solids do nothing to each other.
SolidContact press(const SampledSolid& first, const SampledSolid& second);

/// The largest pressure on the contact surface, uphill from a point of it.
double largest_pressure(const SampledSolid& self, const SampledSolid& other, const Vec3& start);

/// What it takes to press the two together so far: the integral of the smaller field less 1 over
/// the zone in which they are in each other. Its derivative is exactly the force of the contact.
double contact_energy(const SampledSolid& first, const SampledSolid& second,
                      const SolidContact& contact);

} // namespace knead
