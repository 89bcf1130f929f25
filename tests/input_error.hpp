#pragma once

#include "knead/base/error.hpp"

#include <string>

namespace knead {

/// What `call` complains about, or "no error".
template <typename Call>
std::string input_error(const Call& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

} // namespace knead
