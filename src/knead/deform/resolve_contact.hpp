#pragma once

#include "knead/deform/frame.hpp"

namespace knead {

/// Resolves one contact of the frame on the input alone: finds it, and what it does to its objects.
/// Throws InputError when the contact names what is not there, or cannot be had.
void resolve_contact(std::size_t contact_index, Bodies& bodies, FrameWorkspace& workspace,
                     Frame& frame);

} // namespace knead
