#pragma once

#include "knead/base/smoothstep.hpp"

namespace knead {

/// From 0 to 1 while a value goes from `from` on over `width`, level at both ends; backwards where
/// that is below 0.
struct Fade {
    double from = 0;
    double width = 1;

    double operator()(double value) const { return smoothstep((value - from) / width); }
};

constexpr Fade fade_between(double from, double to) {
    return {from, to - from};
}

/// Below this agreement of a pair's normals one direction cannot do, and places have their own.
constexpr double one_direction_from = 0.95;

/// Where the deformer would jump it fades. All of these fades are here, by name and with what they
/// go over; docs/continuity.md has a row for each: what would jump without it, and what shows it.
namespace fades {

// Which way a pair is resolved.
constexpr Fade border_at_vertex{0, 1};              ///< distance, in twentieths of an edge
constexpr Fade side_there{0, 1};                    ///< area, in tenths of the other side's
constexpr Fade one_mean = fade_between(0.60, 0.85); ///< agreement of normals
constexpr Fade one_direction = fade_between(0.88, one_direction_from); ///< the same of all
constexpr Fade span_counts = fade_between(0.93, one_direction_from);   ///< the same of all
constexpr Fade given_looks_along = fade_between(0.2, 0.5);             ///< mean cosine
constexpr Fade given_steep = fade_between(0.25, 0.5);                  ///< cosine: 75 to 60 degrees
constexpr Fade normals_agree = fade_between(0.5, 0.8);                 ///< agreement

// Mapping.
constexpr Fade passed_against_open{0, 0.5}; ///< part of a ray's way
constexpr Fade inside_of_way{0, 0.5};       ///< part of a ray's way
constexpr Fade within_reach{1, -0.5};       ///< way, in reaches
constexpr Fade contour{0, 1};               ///< cosine, in `least_facing`
constexpr Fade gone_through{0, 1};          ///< way, in hundredths of what is deep there
constexpr Fade border_at_contour{0, 1};     ///< ten cosines
constexpr Fade past_wall{1, 1};             ///< depth, in fiftieths of the deepest
constexpr Fade equally_near{0, 1}; ///< distance beyond the nearest, in what is equally near

// Zone.
constexpr Fade certainty{0, 0.25};      ///< area, in squared edges
constexpr Fade depths_about{0, 1};      ///< part of the ring between near and far
constexpr Fade side_has_size{0, 0.25};  ///< area, in that of both sides
constexpr Fade flat_contact{0.5, -0.5}; ///< deviation of depths, in their mean
constexpr Fade surely_in_zone{1, 1};    ///< excess, in what is sure
constexpr Fade met_elsewhere{1, 1};     ///< difference, in what is tolerated
constexpr Fade far_end_counts{0, 0.5};  ///< depth, in thresholds
constexpr Fade zone_comes_in{0, 1};     ///< area about a place, in what is enough
constexpr Fade zones_merge{1, -1};      ///< distance, in 2/5 of an edge

// Bulge.
constexpr Fade zone_reaches{0, 0.3};   ///< how far a part of the zone has come in
constexpr Fade end_of_patch{0, 1};     ///< way to the patch's end
constexpr Fade diagonal{0, 1};         ///< 1/2 and the sine of two angles' sum, in 2/5
constexpr Fade border_heat{1, -1};     ///< distance, in edges
constexpr Fade sure_gradient{0, 1};    ///< gradient, in the least that is sure
constexpr Fade sure_direction{0, 0.3}; ///< length of a mean of directions
constexpr Fade near_fold{0.25, 0.5};   ///< height of a bulge, in that of which a face folds
constexpr Fade about_fold{0, 1};       ///< mean of what neighbours have
constexpr Fade clear_of_crease{0, 1};  ///< 1.3 times a mean direction's length, less 0.3
constexpr Fade wrinkles{0, 0.25};      ///< u (1 - u)

// What several contacts, a fold or a sequence do together.
constexpr Fade away_from_crease{1, 2}; ///< distance, in edges
constexpr Fade next_deepest{0, 1};     ///< depth below the next, in fifths of the deepest
constexpr Fade joins_sequence{1, 1};   ///< distance, in depths
constexpr Fade given_leaves_deep = fade_between(0.4, 0.8); ///< depth, in that before
constexpr Fade given_throws = fade_between(0.5, 1);        ///< way, in sizes of the smaller side

// Settling, and what comes after it.
constexpr Fade round_the_bend{0, 0.2};         ///< cosine
constexpr Fade settled_within_reach{1, -0.5};  ///< depth, in reaches
constexpr Fade as_near = fade_between(1.3, 1); ///< distance of a face, in that of the nearest
constexpr Fade clear_of_border{1, 1};          ///< distance from a border, in that from the surface
constexpr Fade limits_bulge{0.5, 0.5};         ///< distance, in the most that bulges rise
constexpr Fade end_of_zones_bulge{0, 1};       ///< fifths of the way that are left to the end
constexpr Fade settled_itself{0, 0.5};         ///< own way, in that of what is about it
constexpr Fade details_at_zone{0, 0.3};        ///< u
constexpr Fade details_at_end{0.98, -0.2};     ///< u of what is about a vertex
constexpr Fade turns_with_proxy{1, 2};         ///< distance, in tenths of the proxy

// Last pass.
constexpr Fade overlap_asked{-1, 1};                      ///< offset, in gaps
constexpr Fade bulge_near_other{0, 1};                    ///< distance, in what is near
constexpr Fade deeper_than_before = fade_between(0.8, 1); ///< depth, in that before the pass
constexpr Fade thrown = fade_between(1, 2); ///< way, in depth before the pass and an edge together

} // namespace fades

} // namespace knead
