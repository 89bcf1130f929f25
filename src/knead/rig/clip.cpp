#include "knead/rig/clip.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

int numbers_a_key(const ClipChannel& channel) {
    return channel.interpolation == ClipInterpolation::cubic ? 3 * channel.width : channel.width;
}

// Where a time falls between keys: `fraction` of the way from `key` to the next.
struct KeyTime {
    std::size_t key = 0;
    double fraction = 0;
    double length = 0; // seconds from `key` to the next; 0 when the value holds
};

KeyTime find_key(const ClipChannel& channel, double time) {
    const std::vector<double>& times = channel.times;
    if (!(time > times.front())) return {};
    if (time >= times.back()) return {times.size() - 1, 0, 0};
    const auto next = std::upper_bound(times.begin(), times.end(), time);
    const std::size_t key = static_cast<std::size_t>(next - times.begin()) - 1;
    const double length = times[key + 1] - times[key];
    if (channel.interpolation == ClipInterpolation::step) return {key, 0, 0};
    return {key, (time - times[key]) / length, length};
}

// `width` numbers into `result`; for rotations without their slerp.
void sample(const ClipChannel& channel, const KeyTime& at, double* result) {
    const bool cubic = channel.interpolation == ClipInterpolation::cubic;
    const std::size_t stride = static_cast<std::size_t>(numbers_a_key(channel));
    const std::size_t width = static_cast<std::size_t>(channel.width);
    const double* here = channel.values.data() + at.key * stride;
    const double* next = here + stride;
    const double t = at.fraction, u = 1 - t;
    for (std::size_t c = 0; c < width; ++c) {
        if (at.length == 0)
            result[c] = here[cubic ? width + c : c];
        else if (!cubic)
            result[c] = u * here[c] + t * next[c];
        else
            result[c] =
                u * u * ((1 + 2 * t) * here[width + c] + t * at.length * here[2 * width + c]) +
                t * t * ((1 + 2 * u) * next[width + c] - u * at.length * next[c]);
    }
}

Quat unit_quaternion(const double* xyzw) {
    const Quat q(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
    const double norm = q.norm();
    return norm > 0 ? Quat(q.coeffs() / norm) : Quat::Identity();
}

Quat sample_rotation(const ClipChannel& channel, const KeyTime& at) {
    if (channel.interpolation == ClipInterpolation::linear && at.length > 0) {
        const double* here = channel.values.data() + at.key * 4;
        return unit_quaternion(here).slerp(at.fraction, unit_quaternion(here + 4));
    }
    double xyzw[4];
    sample(channel, at, xyzw);
    return unit_quaternion(xyzw);
}

} // namespace

double Clip::duration() const {
    double last = 0;
    for (const ClipChannel& channel : channels)
        if (!channel.times.empty()) last = std::max(last, channel.times.back());
    return last;
}

void check_clip(const Clip& clip, int joint_count, int morph_target_count,
                const std::string& where) {
    for (std::size_t i = 0; i < clip.channels.size(); ++i) {
        const ClipChannel& channel = clip.channels[i];
        const auto fail = [&](const std::string& found) {
            throw InputError(fmt::format("{}: animation {}, channel {}: {}", where,
                                         single_quoted(clip.name), i, found));
        };
        using enum ClipChannel::Target;
        const int width = channel.target == rotation        ? 4
                          : channel.target == morph_weights ? morph_target_count
                                                            : 3;
        if (channel.width != width)
            fail(fmt::format("found {} numbers a value, expected {}", channel.width, width));
        if (channel.target != morph_weights && (channel.joint < 0 || channel.joint >= joint_count))
            fail(fmt::format("moves joint {}, expected 0 to {}", channel.joint, joint_count - 1));
        if (channel.times.empty()) fail("has no keys");
        for (std::size_t k = 0; k < channel.times.size(); ++k)
            if (!std::isfinite(channel.times[k]) ||
                (k > 0 && !(channel.times[k] > channel.times[k - 1])))
                fail(fmt::format("key {} is at {} seconds, expected times that ascend", k,
                                 channel.times[k]));
        const std::size_t expected =
            channel.times.size() * static_cast<std::size_t>(numbers_a_key(channel));
        if (channel.values.size() != expected)
            fail(fmt::format(
                "found {} for {}, expected {}",
                counted(static_cast<long long>(channel.values.size()), "number", "numbers"),
                counted(static_cast<long long>(channel.times.size()), "key", "keys"), expected));
        for (std::size_t k = 0; k < channel.values.size(); ++k)
            if (!std::isfinite(channel.values[k]))
                fail(
                    fmt::format("number {} is {}, expected a finite number", k, channel.values[k]));
    }
}

std::vector<JointPose> pose_at(const Clip& clip, const Skeleton& skeleton, double time) {
    std::vector<JointPose> poses = rest_pose(skeleton);
    for (const ClipChannel& channel : clip.channels) {
        const KeyTime at = find_key(channel, time);
        switch (channel.target) {
        case ClipChannel::Target::translation:
            sample(channel, at, poses[channel.joint].translation.data());
            break;
        case ClipChannel::Target::rotation:
            poses[channel.joint].rotation = sample_rotation(channel, at);
            break;
        case ClipChannel::Target::scale:
            sample(channel, at, poses[channel.joint].scale.data());
            break;
        case ClipChannel::Target::morph_weights:
            break;
        }
    }
    return poses;
}

std::vector<double> morph_weights_at(const Clip& clip, std::span<const double> rest, double time) {
    std::vector<double> weights(rest.begin(), rest.end());
    for (const ClipChannel& channel : clip.channels)
        if (channel.target == ClipChannel::Target::morph_weights &&
            static_cast<std::size_t>(channel.width) == weights.size())
            sample(channel, find_key(channel, time), weights.data());
    return weights;
}

} // namespace knead
