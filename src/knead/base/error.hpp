#pragma once

#include <stdexcept>
#include <string>

namespace knead {

/// Base of everything Knead throws on purpose. `what()` is one sentence for a person: which file,
/// which key or element, what was found, what was expected.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The caller handed in something that cannot be used: a broken file, an unknown key, a wrong
/// argument.
class InputError : public Error {
public:
    using Error::Error;
};

/// The input is well formed, but its geometry does not allow what was asked for.
class GeometryError : public Error {
public:
    using Error::Error;
};

/// A numerical method gave up.
class SolveError : public Error {
public:
    using Error::Error;
};

/// The caller asked to stop (see `Progress`).
class Cancelled : public Error {
public:
    Cancelled();
};

} // namespace knead
