#pragma once

#include "knead/rig/skeleton.hpp"

namespace knead {

/// As in glTF; `cubic` is Hermite interpolation with an in- and an out-tangent a key.
enum class ClipInterpolation { step, linear, cubic };

/// One animated quantity.
struct ClipChannel {
    enum class Target { translation, rotation, scale, morph_weights };

    Target target = Target::translation;
    int joint = -1; ///< index into the skeleton's joints; -1 for morph_weights
    ClipInterpolation interpolation = ClipInterpolation::linear;
    int width = 3;                  ///< numbers a value; a rotation is x, y, z, w
    std::vector<double> times = {}; ///< seconds, ascending
    /// `width` numbers a key, or three times as many for `cubic`: in-tangent, value, out-tangent.
    std::vector<double> values = {};
};

struct Clip {
    std::string name = {};
    std::vector<ClipChannel> channels = {};

    /// The time of the last key, in seconds.
    double duration() const;
};

/// Throws an InputError naming the channel when times do not ascend, numbers are missing or not
/// finite, or a joint does not exist. `where` begins the message.
void check_clip(const Clip& clip, int joint_count, int morph_target_count,
                const std::string& where);

// The functions below expect a clip that passed `check_clip`. Values hold before the first and
// after the last key.

/// Local poses at `time` seconds; rotations turn along the shorter arc.
std::vector<JointPose> pose_at(const Clip& clip, const Skeleton& skeleton, double time);

/// Morph weights at `time`, or `rest` when the clip does not animate them.
std::vector<double> morph_weights_at(const Clip& clip, std::span<const double> rest, double time);

} // namespace knead
