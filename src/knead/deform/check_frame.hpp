#pragma once

#include "knead/deform/deform.hpp"

namespace knead {

/// Throws InputError, which begins with `where`, when there is no structure or its faces have an
/// index out of range.
void check_structure(const SurfaceStructure* structure, const std::string& where);

/// Throws InputError when positions do not fit the object's faces or are not finite, or a setting
/// or one of its painted values is out of its range. `index` names the object.
void check_object(const DeformObject& object, int index, const SurfaceStructure& structure);

/// Throws InputError when a contact's settings are out of their range, or cannot be had between
/// these two objects. `index` names the contact.
void check_contact(const DeformContact& contact, std::size_t index, const DeformObject& first,
                   const DeformObject& second);

} // namespace knead
