#pragma once

namespace knead {

/// How the bulge beside a contact grows and fades with the distance from the contact, [Gas93]
/// appendix B: from 0 with the slope of the contact's own deformation up to `height` half-way, and
/// to 0 with level slope at `width`.
///
/// The printed function overshoots its height when width * slope > 6 * height, which is always so
/// at first touch, where the height is 0: the bulge would pop on. The width is therefore at most
/// 6 height / slope, with which it rises without overshooting.
class Attenuation {
public:
    Attenuation(double slope, double height, double width);

    double value(double r) const;
    double slope(double r) const;
    double width() const { return width_; }

private:
    double slope_, height_, width_;
};

} // namespace knead
