#pragma once

namespace knead {

/// Into how many equal steps `seconds` go when none may be longer than `longest`; none for 0
/// seconds. Throws InputError for times that are no such, and for more than a billion steps.
int equal_steps(double seconds, double longest);

} // namespace knead
