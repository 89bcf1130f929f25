#include "knead/dynamics/equal_steps.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace knead {

int equal_steps(double seconds, double longest) {
    if (!std::isfinite(seconds) || seconds < 0)
        throw InputError(
            fmt::format("the seconds are {}, expected a number of at least 0", shortest(seconds)));
    if (!std::isfinite(longest) || !(longest > 0))
        throw InputError(
            fmt::format("a step is {} s, expected a positive number", shortest(longest)));
    // Rounding must not make a step more of a time that is a whole number of steps.
    const double count = std::ceil(seconds / longest * (1 - 1e-12));
    if (count > 1e9)
        throw InputError(fmt::format("{} s in steps of {} s are {:.0f} steps, expected at most a "
                                     "billion",
                                     shortest(seconds), shortest(longest), count));
    return static_cast<int>(count);
}

} // namespace knead
