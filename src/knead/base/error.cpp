#include "knead/base/error.hpp"

namespace knead {

Cancelled::Cancelled() : Error("cancelled") {}

} // namespace knead
